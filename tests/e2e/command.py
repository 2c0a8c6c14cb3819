"""Running `trapline` as a user does: a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

TRAPLINE = [sys.executable, "-c", "from trapline.app.commands.main import main; main()"]


def trapline(
    *words: object, timeout_s: float = 60.0
) -> subprocess.CompletedProcess[str]:
    command = [*TRAPLINE, *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=timeout_s, check=False
    )


def started(*words: object) -> subprocess.Popen[str]:
    command = [*TRAPLINE, *map(str, words)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def said(done: subprocess.CompletedProcess[str]) -> Any:
    """The JSON object that a command printed, with nothing around it."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def crumbs(folder: Path) -> list[str]:
    """What lies in a folder, by name; nothing if it was never made."""
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []
