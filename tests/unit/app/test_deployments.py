"""The manifest and the unit in examples/deploy run a worker: by words that our command knows, with
time to save, and with no secret in them.
"""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from trapline.app.commands.main import app
from trapline.app.shards.crew.supervisor import END_S

FOLDER = Path(__file__).parents[3] / "examples" / "deploy"
UNIT = FOLDER / "trapline-worker@.service"
MANIFEST = FOLDER / "kubernetes.yaml"


def _parsed(words: list[str]) -> dict[str, Any]:
    """What `trapline worker` makes of them; an error if it does not know them."""
    name, *rest = words
    assert name == "worker"
    commands: Any = typer.main.get_command(app)
    context = commands.commands["worker"].make_context("worker", rest)
    return dict(context.params)


def _unit() -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(UNIT.read_text())
    return parser["Service"]


def _pod() -> dict[str, Any]:
    deployment = yaml.safe_load(MANIFEST.read_text())
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    return dict(deployment["spec"]["template"]["spec"])


def test_the_unit_runs_a_worker() -> None:
    program, *words = shlex.split(_unit()["ExecStart"])
    assert Path(program).name == "trapline"
    said = _parsed(words)
    assert said["store"] == "${STORE}"
    assert "EnvironmentFile" in UNIT.read_text()
    assert float(_unit()["TimeoutStopSec"]) > END_S
    assert _unit()["Restart"] == "on-failure"
    # a PostgreSQL that is not up yet looks like a wrong address
    assert "RestartPreventExitStatus" not in _unit()


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed here")
    program = tmp_path / "trapline"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / UNIT.name.replace("@", "@1")
    text = UNIT.read_text().replace("/opt/trapline/bin/trapline", str(program))
    unit.write_text(text.replace("User=trapline", "User=root"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert unit.name not in done.stderr


def test_the_manifest_runs_a_worker() -> None:
    pod = _pod()
    [container] = pod["containers"]
    program, *words = container["command"]
    assert program == "trapline"
    said = _parsed([*words, *container["args"]])
    assert said["store"].startswith("postgresql://")
    assert said["name"] == "$(POD)"
    assert pod["terminationGracePeriodSeconds"] > END_S
    assert said["store"] in container["readinessProbe"]["exec"]["command"][-1]


def test_secrets_come_from_elsewhere() -> None:
    [container] = _pod()["containers"]
    secrets = {
        one["name"]: one["valueFrom"]["secretKeyRef"]
        for one in container["env"]
        if "secretKeyRef" in one.get("valueFrom", {})
    }
    assert "PGPASSWORD" in secrets
    assert "PGPASSWORD=" not in UNIT.read_text().replace("PGPASSWORD=…", "")
