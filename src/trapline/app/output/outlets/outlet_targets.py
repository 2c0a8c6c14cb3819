"""Where changes are told, as users name it: a file that grows, a feed, a receiver on the web, a
service that brings messages.

Each outlet knows by itself how far it has come, so that no change is missed: a file by the number
in its last line, the others by a note in the store. A crash between telling and noting means that a
receiver is told again, under the same numbers.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from trapline.app.output.outlets.feed_file import FeedFile
from trapline.app.output.outlets.jsonl_file import JsonlFile, last_line
from trapline.app.output.outlets.message_service import MessageService, service_at
from trapline.app.output.outlets.outlet import Outlet
from trapline.app.output.outlets.webhook import Webhook, webhook_url
from trapline.core.errors import UserMistake
from trapline.core.storage import Store

FEED: Final = "feed"  # an Atom feed in the folder of the engine
_LINES: Final = ".jsonl"
_FEEDS: Final = (".xml", ".atom")


def check_target(text: str) -> str:
    """The same text, if changes can be told there; else a mistake that says what to do."""
    if text == FEED:
        return text
    if is_webhook(text):
        webhook_url(text)
    elif is_service(text):
        service_at(text)
    else:
        _check_file(text)
    return text


def _check_file(text: str) -> None:
    path = Path(text)
    if path.suffix.lower() not in (_LINES, *_FEEDS):
        raise UserMistake(
            f"cannot tell changes to {text[:200]!r}: name a file that ends in .jsonl, .xml or "
            ".atom, an http(s) URL, an Apprise URL like mailto://…, "
            "or say `feed`"
        )
    if not path.parent.is_dir():
        raise UserMistake(
            f"cannot tell changes to {text}: there is no folder {path.parent}"
        )
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UserMistake(f"cannot tell changes to {text}: it cannot be written")
    if path.suffix.lower() == _LINES and path.exists():
        last_line(path)


def outlet_for(text: str, folder: Path, store: Store) -> Outlet:
    """The outlet that a text names, for the engine in a folder."""
    engine = folder.resolve().name
    if is_webhook(text):
        return Webhook(text, engine)
    if is_service(text):
        return MessageService(text, engine)
    path = folder / "changes.atom" if text == FEED else Path(text)
    if path.suffix.lower() == _LINES:
        return JsonlFile(path, store)
    return FeedFile(path, engine, store)


def is_webhook(text: str) -> bool:
    return text.lower().startswith(("http:", "https:"))


def is_service(text: str) -> bool:
    """By Apprise."""
    return "://" in text and not is_webhook(text)
