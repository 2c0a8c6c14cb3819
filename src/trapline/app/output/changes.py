"""The change feed as others read it: one line of JSON a change, or an Atom feed of the newest.

The store numbers changes of documents without holes (core/records.py, Diff), so a number says where
a reader stands: whoever has read change 41 asks for what comes after 41. By the number a receiver
also recognizes a change that it is told twice.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice, pairwise
from typing import Any, Final
from xml.etree import ElementTree as Xml

from trapline.app.output.diff_html import diff_html
from trapline.app.output.page_names import NAMELESS, PageName, names_of
from trapline.app.output.readable_text import json_text
from trapline.app.output.version_diff import full_text
from trapline.collection.differences import lines_between
from trapline.core.records import Diff, Turn
from trapline.core.storage import Store

NEWEST: Final = 100  # changes in an Atom feed
AT_ONCE: Final = 100  # changes handed over together
_ATOM: Final = "http://www.w3.org/2005/Atom"
# by XML 1.0
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_TITLE: Final = 300


def iso(seconds: float) -> str:
    """A time as machines and people read it.

    >>> iso(1.5)
    '1970-01-01T00:00:01.500Z'
    """
    return (
        datetime.fromtimestamp(seconds, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )


@dataclass(frozen=True, slots=True)
class Line:
    """One change, as it is told."""

    number: int  # from 1 on, without holes
    url: str
    turn: str  # new, changed or gone; of a watched page also failing or back
    at: str
    at_s: float
    title: str  # of what is held now
    added: int  # words
    removed: int
    # lines that went (- …) and came (+ …), in the order of the page; long ones are cut
    diff: tuple[str, ...] = ()
    name: str = ""  # by which people call the page, where it is on a list
    tags: tuple[str, ...] = ()
    remark: str = ""  # why a page is failing or gone: 404 Not Found

    @property
    def caption(self) -> str:
        """What people call the page."""
        return self.name or self.title or self.url

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def as_json(self) -> str:
        return json_text(self.as_dict())


def lines_after(store: Store, after: int, most: int = AT_ONCE) -> list[Line]:
    """The changes after number `after`, oldest first."""
    found = list(islice(store.diffs(after), most))
    names = names_of(store) if found else {}
    return [_line(store, number, diff, names) for number, diff in found]


def newest_lines(store: Store, most: int = NEWEST, after: int = 0) -> list[Line]:
    """The newest changes after number `after`, newest first."""
    return lines_after(store, max(after, store.newest_diff() - most), most)[::-1]


def _line(store: Store, number: int, diff: Diff, names: Mapping[str, PageName]) -> Line:
    page = store.page(diff.page)
    url = store.url(diff.page)
    called = names.get(url, NAMELESS)
    return Line(
        number,
        url,
        diff.turn,
        iso(diff.at_s),
        diff.at_s,
        page.title[:_LONGEST_TITLE] if page is not None else "",
        diff.added,
        diff.removed,
        _diff_lines(store, diff),
        called.name,
        called.tags,
        diff.remark,
    )


def _diff_lines(store: Store, diff: Diff) -> tuple[str, ...]:
    if diff.turn is not Turn.CHANGED:
        return ()
    last = store.changed_lines(diff.page)
    if last is not None and last.at_s == diff.at_s:
        return tuple(last.lines.split("\n"))
    for old, new in pairwise(store.versions(diff.page)):
        if new.at_s == diff.at_s:
            texts = (full_text(store, diff.page, version) for version in (old, new))
            return tuple(lines_between(*texts).split("\n"))
    return ()


def describe_trouble(line: Line) -> str:
    """What is wrong with a page, or was, for people."""
    over = line.turn == Turn.BACK
    return f"was: {line.remark}" if over and line.remark else line.remark


def describe_size(line: Line) -> str:
    """How many words were added and removed, for people.

    >>> describe_size(Line(1, "http://a/", "changed", "", 0.0, "", added=12, removed=3))
    '+12 −3 words'
    """
    return f"+{line.added} −{line.removed} words" if line.added or line.removed else ""


def atom(engine: str, lines: list[Line]) -> bytes:
    """An Atom feed of changes, newest first, with stable identifiers."""
    Xml.register_namespace("", _ATOM)
    feed = Xml.Element(f"{{{_ATOM}}}feed")
    _put(feed, "title", f"Changes seen by Trapline: {engine}")
    _put(feed, "id", _urn(engine))
    _put(feed, "updated", lines[0].at if lines else iso(0.0))
    _put(_put(feed, "author"), "name", "Trapline")
    for line in lines:
        _add_entry(feed, engine, line)
    Xml.indent(feed)
    return bytes(Xml.tostring(feed, encoding="utf-8", xml_declaration=True))


def _add_entry(feed: Xml.Element, engine: str, line: Line) -> None:
    entry = _put(feed, "entry")
    _put(entry, "title", f"{line.turn}: {line.caption}")
    _put(entry, "id", _urn(f"{engine}#{line.number}#{line.at}#{line.url}"))
    _put(entry, "updated", line.at)
    _put(entry, "link", href=line.url)
    _put(entry, "category", term=line.turn)
    for tag in line.tags:
        _put(entry, "category", term=tag)
    summary = (line.url, line.turn, describe_trouble(line), describe_size(line))
    _put(entry, "summary", " ".join(filter(None, summary)))
    if line.diff:
        _put(entry, "content", diff_html(line.diff), type="html")


def _put(
    parent: Xml.Element, name: str, text: str = "", **attributes: str
) -> Xml.Element:
    child = Xml.SubElement(
        parent,
        f"{{{_ATOM}}}{name}",
        {key: xml_text(text) for key, text in attributes.items()},
    )
    child.text = xml_text(text) or None
    return child


def xml_text(text: str) -> str:
    """The same text without what XML cannot hold.

    >>> xml_text("a\\x00\\ud800\\ufffe]]>")
    'a]]>'
    """
    return _NOT_XML.sub("", text)


def _urn(name: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"trapline:{name}").urn
