"""The kept versions of a page, and what changed between two of them."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.store_link import shown_place
from trapline.app.output.changes import iso
from trapline.app.output.page_moves import moves_of, place_of
from trapline.app.output.page_names import NAMELESS, names_of
from trapline.app.output.version_diff import compare_versions
from trapline.core.errors import UrlUnknown, UserMistake, VersionUnknown
from trapline.core.spans import read_span
from trapline.core.storage import Store, Version
from trapline.core.urls import canonical


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A kept version, as it is shown."""

    number: int
    at: str  # since when the page said so
    at_s: float
    title: str
    letters: int

    @classmethod
    def of(cls, version: Version, text: str) -> VersionLine:
        at = iso(version.at_s)
        return cls(version.number, at, version.at_s, version.title, len(text))


@dataclass(frozen=True, slots=True)
class PageVersions:
    url: str
    name: str  # by which people call it; "" = it has none
    held: bool  # else the page is gone, and the last version is what it said
    versions: list[VersionLine]
    moved_from: str = ""  # the URL that was asked for; "" = this one

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PageDiff:
    """What changed between two versions; where both are one, nothing."""

    url: str
    name: str
    old: VersionLine
    new: VersionLine
    lines: list[str]  # that went (- …) and came (+ …)
    moved_from: str = ""  # the URL that was asked for; "" = this one
    oldest: bool = False  # a time was asked for of which nothing is kept: it was before

    def as_dict(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "name": self.name,
            "from": asdict(self.old),
            "to": asdict(self.new),
            "diff": self.lines,
            "moved_from": self.moved_from,
            "oldest": self.oldest,
        }


def versions_of(folder: Path, url: str) -> PageVersions:
    """Raises UrlUnknown, or VersionUnknown where nothing is kept."""
    store = open_for_reading(folder)
    try:
        page = _page_of(store, url, folder)
        return PageVersions(
            store.url(page),
            _name(store, page),
            store.held(page) is not None,
            [_line(store, page, version) for version in _versions(store, page)],
            _moved_from(store, page, url),
        )
    finally:
        store.close()


def diff_of(folder: Path, url: str, since: str | None, until: str | None) -> PageDiff:
    """What changed from one version to another: by default, at the last change."""
    store = open_for_reading(folder)
    try:
        page = _page_of(store, url, folder)
        kept = _versions(store, page)
        choose = _Choice(store.url(page), kept, time.time())
        new = kept[-1] if until is None else choose(until, "--to", at_end=True)
        before = kept[max(kept.index(new) - 1, 0)]
        old = before if since is None else choose(since, "--from")
        return PageDiff(
            store.url(page),
            _name(store, page),
            _line(store, page, old),
            _line(store, page, new),
            list(compare_versions(store, page, old, new)),
            _moved_from(store, page, url),
            choose.too_early,
        )
    finally:
        store.close()


class _Choice:
    """A version by its number, or by a time at which the page said so."""

    def __init__(self, url: str, kept: list[Version], now_s: float) -> None:
        self._url = url
        self._kept = kept
        self._now_s = now_s
        self.too_early = False  # a time was named of which nothing is kept

    def __call__(self, said: str, option: str, *, at_end: bool = False) -> Version:
        word = said.strip().lower()
        if word.isdecimal():
            return self._by_number(int(word))
        if (age_s := read_span(word)) is not None:
            at_s = self._now_s - age_s
        else:
            at_s = _time_of(option, said, at_end)
        # of a time before the oldest that is kept, the oldest: nothing else is known
        before = [version for version in self._kept if version.at_s < at_s]
        self.too_early = self.too_early or not before
        return before[-1] if before else self._kept[0]

    def _by_number(self, number: int) -> Version:
        for version in self._kept:
            if version.number == number:
                return version
        numbers = (self._kept[0].number, self._kept[-1].number)
        raise VersionUnknown(self._url, number, numbers)


def _time_of(option: str, said: str, at_end: bool) -> float:
    """Local, as times are shown; and at the end of the second, to which they are shown."""
    text = said.strip()
    try:
        found = datetime.fromisoformat(text)
        is_day = len(text) <= len("2026-01-31")
        after_s = 1.0 if not is_day else 86_400.0 if at_end else 0.0
        return found.timestamp() + after_s
    except (ValueError, OverflowError):
        raise UserMistake(
            f"{option} is {said[:40]!r}: give the number of a version, a date like "
            "2026-01-31 or 2026-01-31T18:00, or an age like 2d, 3h or 10min"
        ) from None


def _page_of(store: Store, url: str, folder: Path) -> int:
    page = store.number_of(canonical(url))
    if page is None:
        raise UrlUnknown(canonical(url), shown_place(folder))
    if store.versions(page):
        return page
    moved = store.number_of(place_of(moves_of(store), canonical(url)))
    return page if moved is None else moved


def _moved_from(store: Store, page: int, url: str) -> str:
    asked = canonical(url)
    return asked if asked != store.url(page) else ""


def _versions(store: Store, page: int) -> list[Version]:
    kept = store.versions(page)
    if not kept:
        raise VersionUnknown(store.url(page))
    return kept


def _name(store: Store, page: int) -> str:
    return names_of(store).get(store.url(page), NAMELESS).name


def _line(store: Store, page: int, version: Version) -> VersionLine:
    text = store.version_text(page, version.number) or ""
    return VersionLine.of(version, text)
