"""Printing for machines, and what to do when nobody reads it any more."""

from __future__ import annotations

import os
import select
import sys
from typing import Any, NoReturn

from trapline.app.output.readable_text import json_text


def print_json(value: Any) -> None:
    print(json_text(value))


def print_remark(remark: str) -> None:
    """One line for people, beside whatever is printed for machines."""
    print(f"trapline: {remark}", file=sys.stderr, flush=True)


def check_reader() -> None:
    """BrokenPipeError if nobody reads the standard output any more.

    For whoever prints rarely: a write would tell, but there may be nothing to write for hours.
    """
    try:
        number = sys.stdout.fileno()
    except (OSError, ValueError):  # not a file
        return
    if hasattr(select, "poll"):
        watcher = select.poll()
        watcher.register(
            number, 0
        )  # of a pipe without a reader an error is always told
        if any(what & select.POLLERR for _, what in watcher.poll(0)):
            raise BrokenPipeError


def end_quietly() -> NoReturn:
    """End as if all had been read: whoever uses `| head` has seen enough."""
    discard_standard_output()
    raise SystemExit(0)


def discard_standard_output() -> None:
    """The reader of a pipe has seen enough: what is still printed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
