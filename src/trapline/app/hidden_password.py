"""`ps` shows the words of a command to everybody on the machine: one with a password in the address
of a store begins anew without it, and hands it on in the environment, which only its owner reads.

It is looked for before anything else is loaded.
"""

from __future__ import annotations

import os
import sys
from typing import Final

_MARK: Final = "postgres"


def begin_without_password() -> None:
    words = sys.argv[1:]
    if not any(_MARK in word and "://" in word for word in words):
        return
    password, shown = hide_in_words(words)
    if password:
        os.environ["PGPASSWORD"] = password
        os.execv(sys.executable, [sys.executable, *_program(words), *shown])


def hide_in_words(words: list[str]) -> tuple[str, list[str]]:
    """The password in them ("" = there is none), and the words without it.

    >>> hide_in_words(["crawl", "--store=postgresql://postgres:b%40c@db/postgres"])
    ('b@c', ['crawl', '--store=postgresql://postgres@db/postgres'])
    >>> hide_in_words(["search", "postgres://db/x", "moon"])
    ('', ['search', 'postgres://db/x', 'moon'])
    """
    from trapline.core.errors import StoreAddressBad
    from trapline.postgres.address import read_address
    from trapline.postgres.password_hiding import hide_password, password_in

    shown = list(words)
    found = ""
    for place, word in enumerate(words):
        begin = word.find(_MARK)
        option, address = word[: max(begin, 0)], word[max(begin, 0) :]
        try:
            password = password_in(address) if read_address(address) else ""
        except (StoreAddressBad, ValueError):
            continue  # it is refused, and ends at once
        if password and not found:
            found = password
            shown[place] = f"{option}{hide_password(address)}"
    return found, shown


def _program(words: list[str]) -> list[str]:
    """What stands before them, if this process was begun with them."""
    begun = sys.orig_argv
    if begun[len(begun) - len(words) :] == words:
        return begun[1 : len(begun) - len(words)]
    return ["-m", "trapline"]
