"""Printing for machines, and what to do when nobody reads it any more."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from trapline.app.output.readable_text import json_text


def print_json(value: Any) -> None:
    print(json_text(value))


def print_remark(remark: str) -> None:
    """One line for people, beside whatever is printed for machines."""
    print(f"trapline: {remark}", file=sys.stderr, flush=True)


def end_quietly() -> NoReturn:
    """End as if all had been read: whoever uses `| head` has seen enough."""
    discard_standard_output()
    raise SystemExit(0)


def discard_standard_output() -> None:
    """The reader of a pipe has seen enough: what is still printed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
