"""A command that is stopped at any instant ends quietly, with a folder that opens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.support.command import (
    TRAPLINE,
    free_port,
    said,
    started,
    trapline,
    wait_until,
)
from tests.e2e.support.killing import visits
from trapline.app.demo.practice_web import PracticeWeb
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

# Seconds after the first line of ours has run: imports, kernels, the folder, the first visits.
INSTANTS = (0.0, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0, 1.4, 1.9, 2.5)


def handles_hangup(process: int) -> bool:
    """Whether it has come so far that the interpreter itself is not interrupted any more."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGHUP - 1) & 1)
    return False


def stopped_after(words: list[str], instant_s: float, sign: signal.Signals) -> str:
    """What a command says that is stopped so long after its start, as a terminal would stop it."""
    running = subprocess.Popen(
        [*TRAPLINE, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with running:
        wait_until(lambda: handles_hangup(running.pid))
        time.sleep(instant_s)
        os.killpg(running.pid, sign)
        _, complaint = running.communicate(timeout=120.0)
    assert running.returncode == 0, complaint
    return complaint


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of a crawl on a web that is there for all tests."""
    world = LinkedWeb.generate(60, 2, "space", 2, Shape(gap_s=0.1))
    with PracticeWeb(world, latency_s=0.0) as web:
        hosts = ", ".join(f'"{name}" = 0.1' for name in web.host_names())
        path = tmp_path_factory.mktemp("early") / "topic.toml"
        path.write_text(
            f'topic = "space"\nseeds = ["{web.home(0)}"]\n[manners]\nown = {{ {hosts} }}\n'
        )
        yield path


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells how far it has come")
def test_stopped_at_any_instant_a_crawl_ends_quietly_and_resumes(
    settings: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    crawl = ["crawl", str(settings), "--dir", str(folder)]
    for number, instant_s in enumerate(INSTANTS):
        sign = (signal.SIGINT, signal.SIGHUP)[number % 2]
        complaint = stopped_after(crawl, instant_s, sign)
        assert "Traceback" not in complaint, f"{instant_s}: {complaint}"
        assert "Error" not in complaint, f"{instant_s}: {complaint}"
    done = said(trapline(*crawl, "--visits", 5, "--json"))
    assert done["pages_held"] > 0


@pytest.mark.parametrize("sign", [signal.SIGHUP, signal.SIGTERM])
def test_the_end_of_the_terminal_is_a_clean_stop(
    sign: signal.Signals, settings: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    with started("crawl", settings, "--dir", folder, "--json") as running:
        wait_until(lambda: visits(folder) > 2)
        running.send_signal(sign)
        out, complaint = running.communicate(timeout=60.0)
    assert running.returncode == 0, complaint
    assert '"pages_held"' in out


@pytest.mark.parametrize("command", ["serve", "directory"])
def test_the_end_of_the_terminal_ends_a_server(
    command: str, settings: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    if command == "serve":
        trapline("crawl", settings, "--dir", folder, "--visits", 3)
    with started(command, folder, "--port", free_port(), "--json") as running:
        assert running.stdout.readline()
        running.send_signal(signal.SIGHUP)
        _, complaint = running.communicate(timeout=60.0)
    assert (running.returncode, complaint) == (0, "")


def test_under_nohup_a_crawl_outlives_its_terminal(
    settings: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    words = [*TRAPLINE, "crawl", str(settings), "--dir", str(folder), "--json"]
    deaf = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    program = deaf + "os.execv(sys.argv[1], sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        wait_until(lambda: visits(folder) > 0)
        running.send_signal(signal.SIGHUP)
        before = visits(folder)
        wait_until(lambda: visits(folder) > before)
        running.send_signal(signal.SIGINT)
        _, complaint = running.communicate(timeout=60.0)
    assert running.returncode == 0, complaint
