"""Running `trapline` as a user does, in a process of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.e2e.support.forks import Forked

PROGRAM = "from trapline.__main__ import main; main()"
TRAPLINE = [sys.executable, "-c", PROGRAM]  # as a cold start


def trapline(
    *words: object, timeout_s: float = 120.0
) -> subprocess.CompletedProcess[str]:
    return ran(PROGRAM, *words, timeout_s=timeout_s)


def free_port() -> int:
    """Nobody's at the moment: the usual one may be taken by a test beside this one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(*words: object) -> Iterator[Forked]:
    """A command under way; killed in the end, should the test not have ended it."""
    with Forked(PROGRAM, [str(word) for word in words]) as running:
        yield running


def ran(
    program: str, *words: object, timeout_s: float = 120.0
) -> subprocess.CompletedProcess[str]:
    with Forked(program, [str(word) for word in words]) as running:
        out, err = running.communicate(timeout_s)
        return subprocess.CompletedProcess(running.args, running.wait(), out, err)


def wait_until(done: Callable[[], bool], most_s: float = 120.0) -> None:
    """Until it is so; a failure when it takes so long that it never will be."""
    deadline_s = time.monotonic() + most_s
    while not done():
        assert time.monotonic() < deadline_s, f"not so within {most_s:g} s"
        time.sleep(0.02)


def said(done: subprocess.CompletedProcess[str]) -> Any:
    """The JSON object that a command printed, with nothing around it."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def crumbs(folder: Path) -> list[str]:
    """What lies in a folder, by name; nothing if it was never made."""
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []
