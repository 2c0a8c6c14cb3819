"""Labels: what people said of pages, one line each in the engine's folder.

The last word on a page counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from trapline.app.folder.json_lines import JsonLinesFile, append_line
from trapline.core.errors import FolderMissing, UrlUnknown
from trapline.core.urls import canonical
from trapline.stores.sqlite import SqliteStore

FILE: Final = "labels.jsonl"


def write_label(folder: Path, url: str, belongs: bool) -> str:
    """Note down that a page belongs to the topic, or not; returns the URL as it is known."""
    page = canonical(url)
    check_known(folder, page)
    append_line(folder / FILE, {"url": page, "belongs": belongs})
    return page


class LabelFile:
    """What people have said since it was last looked at."""

    def __init__(self, folder: Path) -> None:
        self._lines = JsonLinesFile(folder / FILE)

    @property
    def size(self) -> int:
        """Bytes read so far."""
        return self._lines.size

    def news(self) -> dict[str, bool]:
        """URL → belongs, the last word on each."""
        return dict(
            label for said in self._lines.news() if (label := _label(said)) is not None
        )


def _label(said: dict[str, Any]) -> tuple[str, bool] | None:
    url = said.get("url")
    belongs = said.get("belongs")
    return (
        (url, belongs) if isinstance(url, str) and isinstance(belongs, bool) else None
    )


def check_known(folder: Path, url: str) -> None:
    """Raise UrlUnknown unless the engine has met this URL."""
    if not folder.is_dir():
        raise FolderMissing(folder)
    store = SqliteStore(folder, read_only=True)
    try:
        if not any(row.url == url for row in store.urls()):
            raise UrlUnknown(url, folder)
    finally:
        store.close()
