"""Labels: what people said of pages, one line of JSON each in the engine's folder.

A file of its own and not a table of the store, because a robot may be at work on the store: a line is appended and
synced, whoever runs, and the robot reads what was appended a moment later. The last word on a page counts.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from trapline.core.errors import FolderMissing, UrlUnknown
from trapline.core.urls import canonical
from trapline.stores.sqlite import SqliteStore

FILE: Final = "labels.jsonl"


def write_label(folder: Path, url: str, belongs: bool) -> str:
    """Note down that a page belongs to the topic, or not; returns the URL as it is known."""
    page = canonical(url)
    if not folder.is_dir():
        raise FolderMissing(folder)
    _check_known(folder, page)
    line = json.dumps({"url": page, "belongs": belongs}) + "\n"
    with (folder / FILE).open("ab") as file:
        file.write(b"\n" if _torn(folder / FILE) else b"")
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())
    return page


class LabelFile:
    """What has been appended since it was last looked at."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._read = 0  # bytes

    @property
    def size(self) -> int:
        """Bytes read so far."""
        return self._read

    def news(self) -> dict[str, bool]:
        """URL → belongs, the last word on each. Lines that cannot be read are passed over, a torn one waits."""
        try:
            if self._path.stat().st_size <= self._read:
                return {}
            with self._path.open("rb") as file:
                file.seek(self._read)
                lines = file.read()
        except OSError:  # nobody has labelled anything yet
            return {}
        whole = lines[: lines.rfind(b"\n") + 1]
        self._read += len(whole)
        return dict(label for line in whole.splitlines() if (label := _label(line)) is not None)


def _label(line: bytes) -> tuple[str, bool] | None:
    """One line of the file.

    >>> _label(b'{"url": "http://127.0.0.1/", "belongs": true}'), _label(b"{")
    (('http://127.0.0.1/', True), None)
    """
    try:
        said = json.loads(line)
        url, belongs = said["url"], said["belongs"]
    except (ValueError, TypeError, KeyError):
        return None
    return (url, belongs) if isinstance(url, str) and isinstance(belongs, bool) else None


def _torn(path: Path) -> bool:
    """Whether a crash left half a line at the end."""
    if path.stat().st_size == 0:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def _check_known(folder: Path, url: str) -> None:
    store = SqliteStore(folder, read_only=True)
    try:
        if not any(row.url == url for row in store.urls()):
            raise UrlUnknown(url, folder)
    finally:
        store.close()
