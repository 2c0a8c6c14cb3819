"""The tutorials, carried out as they are written: shell commands in a folder, Python in order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.documents import blocks
from tests.e2e.support.command import free_port

CRAWL = "docs/tutorial/first-crawl.md"
FEDERATION = "docs/how-to/federate-search.md"
EXPERIMENT = "docs/tutorial/first-experiment.md"


def script_of(page: str, port: int) -> str:
    """All shell blocks of a page as one script, with a free port instead of port 8000."""
    shell = "\n".join(blocks(page, "sh")).replace("8000", str(port))
    stop = "trap 'kill \"$SERVER\" 2> /dev/null || true' EXIT"
    return f"set -euo pipefail\nSERVER=\n{stop}\n{shell}"


def with_commands(folder: Path) -> dict[str, str]:
    """An environment in which `trapline` and `python` are those of this test."""
    programs = folder / "bin"
    programs.mkdir()
    start = "from trapline.app.commands.main import main; main()"
    for name, words in (("trapline", f"-c '{start}'"), ("python", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        program.chmod(0o755)
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def carry_out(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """In a folder `work` of that folder, as a reader would."""
    work = folder / "work"
    work.mkdir()
    return subprocess.run(
        ["bash", "-c", script],
        cwd=work,
        env=with_commands(folder),
        capture_output=True,
        text=True,
        timeout=600.0,
        check=False,
    )


def test_the_first_crawl_can_be_carried_out(tmp_path: Path) -> None:
    port = free_port()
    work = tmp_path / "work"
    done = carry_out(script_of(CRAWL, port), tmp_path)
    assert done.returncode == 0, done.stderr
    assert " 0 gap violations." in done.stdout
    assert f"1. The Moon\n   http://127.0.0.1:{port}/moon.html" in done.stdout
    assert "believed changes" in done.stdout
    lines = (work / "changes.jsonl").read_text(encoding="utf-8").splitlines()
    changes: list[dict[str, Any]] = [json.loads(line) for line in lines]
    moon = [one for one in changes if one["url"].endswith("/moon.html")]
    assert [one["turn"] for one in moon] == ["new", "changed"]
    assert moon[1]["added"] > 0 and moon[1]["removed"] > 0


def test_several_engines_can_be_searched_as_one(tmp_path: Path) -> None:
    shell = "\n".join(blocks(FEDERATION, "sh"))
    for port in ("8760", "8765", "8767"):
        shell = shell.replace(port, str(free_port()))
    stop = "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT"
    work = tmp_path / "work"
    done = carry_out(f"set -euo pipefail\n{stop}\n{shell}\nwait", tmp_path)
    logs = {one.name: one.read_text() for one in work.glob("*.log")}
    assert done.returncode == 0, (done.stderr, logs)
    assert "space: " in done.stdout
    assert "alive" in done.stdout
    assert '"origins":["sailing"]' in done.stdout


def test_the_first_experiment_can_be_carried_out() -> None:
    names: dict[str, Any] = {"__name__": "tutorial"}
    for number, example in enumerate(blocks(EXPERIMENT, "python")):
        exec(compile(example, f"{EXPERIMENT}, block {number}", "exec"), names)
    assert names["learnt"] > names["in_turn"] > 0.5
