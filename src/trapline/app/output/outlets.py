"""Where changes are told: a file that grows, a feed that is replaced, a receiver on the web.

Each outlet says by itself where it stands, so that nothing is told too seldom: a file by the number
in its last line (never twice either, a torn line is cut off), the others by a note in the store (a
receiver that was told and could not be noted before a crash is told again, under the same numbers).
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import json
import os
from io import FileIO
from pathlib import Path
from typing import Any, Final, Protocol

from yarl import URL

from trapline.app.output.changes import NEWEST, Line, atom, lines_after, newest_lines
from trapline.core.errors import UserMistake
from trapline.core.ports import Store
from trapline.stores.checkpoint_files import sync_folder

FEED: Final = "feed"  # an Atom feed in the folder of the engine
FEEDS: Final = (".xml", ".atom")
TIMEOUT_S: Final = 30.0  # for a receiver's answer
_TAIL: Final = 1 << 20  # bytes in which the last line of a file must lie


class Refused(Exception):
    """A receiver that did not take what it was told."""


class Outlet(Protocol):
    key: str  # under which its place is noted; "" = it need not be
    name: str  # for people: no secret of an address is in it

    def resume(self, noted: int | None, newest: int) -> int:
        """The number of the change that was last told; `noted` is what the store says, `newest` its
        newest change.
        """

    async def tell(self, lines: list[Line]) -> None:
        """Durable when it returns. OSError, TimeoutError or Refused: try again later."""

    def close(self) -> None: ...


def check_target(text: str) -> str:
    """The same text, if changes can be told there; else a mistake that says what to do."""
    if text == FEED:
        return text
    if _is_address(text):
        _address(text)
        return text
    path = Path(text)
    if path.suffix.lower() not in (".jsonl", *FEEDS):
        raise UserMistake(
            f"cannot tell changes to {text[:200]!r}: name a file that ends in .jsonl, .xml or "
            ".atom, an http(s) URL, "
            "or say `feed`"
        )
    if not path.parent.is_dir():
        raise UserMistake(
            f"cannot tell changes to {text}: there is no folder {path.parent}"
        )
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UserMistake(f"cannot tell changes to {text}: it cannot be written")
    if path.suffix.lower() == ".jsonl" and path.exists():
        _last_line(path)
    return text


def outlet_for(text: str, folder: Path, store: Store) -> Outlet:
    """Of the engine in a folder."""
    engine = folder.resolve().name
    if _is_address(text):
        return Webhook(text, engine)
    path = folder / "changes.atom" if text == FEED else Path(text)
    return (
        JsonlFile(path, store)
        if path.suffix.lower() == ".jsonl"
        else FeedFile(path, engine, store)
    )


def _is_address(text: str) -> bool:
    return "://" in text


def _address(text: str) -> URL:
    try:
        url = URL(text)
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host:
        # Not the text itself: such addresses are often secrets.
        raise UserMistake(
            "cannot tell changes to this address: it is not an http:// or https:// URL with a host"
        )
    return url


class JsonlFile:
    """One line of JSON a change, appended and synced.

    The number in the last line says where to go on.
    """

    def __init__(self, path: Path, store: Store) -> None:
        self.key, self.name = str(path.absolute()), str(path)
        self._path = path
        self._store = store
        self._told = 0
        self._file: FileIO | None = None

    def resume(self, noted: int | None, newest: int) -> int:
        self._file = self._path.open("ab", buffering=0)
        try:
            self._told, end = self._standing()
        except BaseException:
            self.close()
            raise
        self._file.truncate(end)
        sync_folder(self._path.parent)
        return self._told

    async def tell(self, lines: list[Line]) -> None:
        await asyncio.to_thread(self._append, lines)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _standing(self) -> tuple[int, int]:
        """(number last told, bytes up to there), if the file is ours alone."""
        assert self._file is not None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserMistake(
                f"another robot tells its changes to {self._path}: name another file"
            ) from None
        last, end = _last_line(self._path)
        told = last.get("number", 0)
        ours = lines_after(self._store, told - 1, most=1) if told else []
        if told and not (
            ours and (last.get("url"), last.get("at_s")) == (ours[0].url, ours[0].at_s)
        ):
            raise UserMistake(
                f"{self._path} ends with change {told} of another engine: name another file"
            )
        return told, end

    def _append(self, lines: list[Line]) -> None:
        assert self._file is not None
        end = self._file.seek(0, os.SEEK_END)
        said = "".join(
            f"{line.as_json()}\n" for line in lines if line.number > self._told
        ).encode()
        try:
            while said:
                said = said[self._file.write(said) :]
            os.fsync(self._file.fileno())
        except OSError:  # a full disk, in the middle of a line
            self._file.truncate(end)
            raise
        self._told = lines[-1].number


def _last_line(path: Path) -> tuple[dict[str, Any], int]:
    """(the last whole line, bytes up to its end); a torn line behind it does not count."""
    size = path.stat().st_size
    first = max(0, size - _TAIL)
    with path.open("rb") as file:
        file.seek(first)
        tail = file.read(size - first)
    whole = tail[: tail.rfind(b"\n") + 1]
    if not whole and first == 0 and (not tail or tail.startswith(b"{")):
        return {}, 0
    try:
        last: dict[str, Any] = json.loads(whole.splitlines()[-1])
        if not isinstance(last["number"], int) or last["number"] < 1:
            raise ValueError(last)
    except (ValueError, TypeError, KeyError, IndexError):
        raise UserMistake(
            f"{path} is not a file of changes (its last line has no number): name another file"
        ) from None
    return last, first + len(whole)


class FeedFile:
    """An Atom feed of the newest changes, replaced as a whole."""

    def __init__(self, path: Path, engine: str, store: Store) -> None:
        self.key, self.name = str(path.absolute()), str(path)
        self._path = path
        self._engine = engine
        self._store = store

    def resume(self, noted: int | None, newest: int) -> int:
        told = noted if noted is not None and self._path.exists() else 0
        return max(told, newest - NEWEST)  # what lies before is not in the feed anyway

    async def tell(self, lines: list[Line]) -> None:
        await asyncio.to_thread(self._replace)

    def close(self) -> None:
        pass

    def _replace(self) -> None:
        unfinished = self._path.with_name(self._path.name + ".unfinished")
        with unfinished.open("wb") as file:
            file.write(atom(self._engine, newest_lines(self._store)))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._path)


class Webhook:
    """POST {"engine": …, "changes": [line, …]}; any 2xx is a yes.

    Redirects are not followed: the user named this one.

    Its address may be on this machine or in this house, because the user named it. One that is new
    to an engine hears of what comes from then on, not of the past.
    """

    def __init__(self, url: str, engine: str) -> None:
        self._url = _address(url)
        self.key = "webhook " + hashlib.sha256(url.encode()).hexdigest()[:16]
        self.name = f"{self._url.scheme}://{self._url.host}:{self._url.port}/… ({self.key[-4:]})"
        self._engine = engine

    def resume(self, noted: int | None, newest: int) -> int:
        return newest if noted is None else min(noted, newest)

    async def tell(self, lines: list[Line]) -> None:
        import aiohttp

        patience = aiohttp.ClientTimeout(total=TIMEOUT_S)
        said = {"engine": self._engine, "changes": [line.as_dict() for line in lines]}
        try:
            async with (
                aiohttp.ClientSession(
                    timeout=patience, cookie_jar=aiohttp.DummyCookieJar()
                ) as session,
                session.post(self._url, json=said, allow_redirects=False) as answer,
            ):
                status = answer.status
        except aiohttp.ClientError:
            # their texts name the address, which may be a secret
            raise Refused("it cannot be reached") from None
        if not 200 <= status < 300:
            raise Refused(f"it answered {status}")

    def close(self) -> None:
        pass
