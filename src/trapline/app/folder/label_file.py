"""Labels: what people said of pages and texts, one line each in the engine's folder.

The last label of a page counts. A text is an example of the topic, or a counter-example, as those
in the settings are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.json_lines import JsonLines, JsonLinesFile
from trapline.app.folder.places.said_lines import add_lines
from trapline.app.folder.places.store_link import shown_place
from trapline.core.errors import UrlUnknown
from trapline.core.urls import canonical

KIND: Final = "labels"
FILE: Final = f"{KIND}.jsonl"


def write_label(folder: Path, url: str, belongs: bool) -> str:
    """Note down that a page belongs to the topic, or not; returns the URL as it is known."""
    page = canonical(url)
    check_known(folder, page)
    add_lines(folder, KIND, [{"url": page, "belongs": belongs}])
    return page


class Labels(NamedTuple):
    """What belongs to the topic (True), and what does not."""

    pages: dict[str, bool]  # by URL
    texts: dict[str, bool]


def write_labels(folder: Path, labels: Labels) -> None:
    """Note down several at once, of pages that the engine may not know yet."""
    lines = [{"url": url, "belongs": belongs} for url, belongs in labels.pages.items()]
    texts = [
        {"text": text, "belongs": belongs} for text, belongs in labels.texts.items()
    ]
    add_lines(folder, KIND, lines + texts)


class LabelFile:
    """Hands out the labels that people have written since the last call of `news`."""

    def __init__(self, folder: Path, lines: JsonLines | None = None) -> None:
        """`lines` in place of the folder's file."""
        self._lines = lines or JsonLinesFile(folder / FILE)

    @property
    def size(self) -> int:
        """Bytes read so far."""
        return self._lines.size

    def news(self) -> Labels:
        """The last label of each."""
        lines = self._lines.news()
        return Labels(_said_of("url", lines), _said_of("text", lines))


def _said_of(what: str, lines: list[dict[str, Any]]) -> dict[str, bool]:
    found = [(line.get(what), line.get("belongs")) for line in lines]
    return {
        name: belongs
        for name, belongs in found
        if isinstance(name, str) and isinstance(belongs, bool)
    }


def check_known(folder: Path, url: str) -> None:
    """Raise UrlUnknown unless the engine has met this URL."""
    store = open_for_reading(folder)
    try:
        if store.number_of(url) is None:
            raise UrlUnknown(url, shown_place(folder))
    finally:
        store.close()
