"""The token of a folder: whoever knows it may give orders over HTTP.

It is made once, in a file that only its owner can read.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from typing import Final

FILE: Final = "token"
_BYTES: Final = 32
_LEAST: Final = 16  # characters: what is shorter can be guessed


def read_token(folder: Path) -> str:
    """The token, made if there is none; "" = it can neither be read nor made."""
    path = folder / FILE
    with suppress(OSError):
        if not path.exists():
            _make(path)
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return token if len(token) >= _LEAST else ""


def is_token(token: str, said: str) -> bool:
    """Whether somebody said the token; how long this takes does not tell how much was right.

    >>> is_token("a" * 16, "a" * 16), is_token("a" * 16, "ä"), is_token("", "")
    (True, False, False)
    """
    return bool(token) and compare_digest(token.encode(), said.encode())


def _make(path: Path) -> None:
    """Written under another name first: nobody ever reads half a token, and two who make one at
    once agree on the first.
    """
    unfinished = path.with_name(f"{FILE}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        unfinished.unlink()
