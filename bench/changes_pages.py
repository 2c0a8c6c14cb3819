"""Real pages from a folder, and how they are edited: at places where such things stand."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple

from changes_values import Values  # type: ignore[import-not-found]  # it stands beside this file
from trapline.core.errors import UserMistake
from trapline.reading.html.document import read_html

MOST_BYTES: Final = 200_000
LEAST_WORDS: Final = 150
MOST_OF_ONE_SITE: Final = 3

_PARAGRAPH: Final = re.compile(r"<p\b[^>]*>([^<>]{120,})</p>", re.IGNORECASE)
_CELL: Final = re.compile(r"<td\b[^>]*>([^<>]{3,})</td>", re.IGNORECASE)
_CODE: Final = re.compile(r"<pre\b[^>]*>([^<>]{20,})", re.IGNORECASE)
_HEADING: Final = re.compile(r"<h[23]\b[^>]*>([^<>]{4,})", re.IGNORECASE)
_ITEM: Final = re.compile(r"<li\b[^>]*>([^<>]{10,})", re.IGNORECASE)
_TITLE: Final = re.compile(r"<title\b[^>]*>([^<>]{4,})", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<![\w.&#-])([2-9]\d?)(?= [a-z]{3})")
_BODY_END: Final = re.compile(r"</body", re.IGNORECASE)
_HEADING_END: Final = re.compile(r"</h1>", re.IGNORECASE)

# where a text may stand; {} is the text
FURNITURE: Final = {
    "footer": "<div class='footer'><p>{}</p></div>",
    "foot": "<footer>{}</footer>",
    "end": "<p>{}</p>",
    "article": "<p>{}</p>",
    "byline": "<p class='meta'>{}</p>",
    "span": "<p><span>By Ann Miller</span> | <span>{}</span></p>",
}
CONTENT: Final = {
    "paragraph": "<p>{}</p>",
    "sentence": "<p>Please note what is new since the spring of this year. {}</p>",
    "cell": "<table><tr><td>Details</td><td>{}</td></tr></table>",
    "item": "<ul><li>See above</li><li>{}</li></ul>",
}
PLACES: Final = {**FURNITURE, **CONTENT}


class Case(NamedTuple):
    """One edit of one page; `news`: whether a reader calls it a change."""

    page: Path
    kind: str
    text: str  # with gaps, or how real text is changed
    place: str
    news: bool


def lot(text: str) -> int:
    """Where chance puts something: the same everywhere."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def is_aside(name: str) -> bool:
    """Whether a page or a wording belongs to the half that is set aside."""
    return lot(f"half {name}") % 2 == 1


def find_pages(folder: Path, count: int) -> list[Path]:
    """Pages with words, of as many sites as there are."""
    if not folder.is_dir():
        raise UserMistake(f"there is no folder {folder}: name one with HTML pages")
    files = sorted(
        (path.relative_to(folder) for path in folder.rglob("*.html")),
        key=lambda path: lot(str(path)),
    )
    taken: dict[str, int] = {}
    found = []
    for path in files:
        site = path.parts[0]
        if taken.get(site, 0) < MOST_OF_ONE_SITE and _is_fit(folder / path):
            taken[site] = taken.get(site, 0) + 1
            found.append(path)
        if len(found) == count:
            return found
    raise UserMistake(f"{folder} has {len(found)} pages that will do, not {count}")


def _is_fit(file: Path) -> bool:
    if not file.is_file() or file.stat().st_size > MOST_BYTES:
        return False
    html = read_page(file)
    page = read_html(html.encode(), "", "http://a/")
    long = len(page.text.split()) >= LEAST_WORDS
    read = [one for one in _PARAGRAPH.findall(html) if _is_read(one, page.text)]
    return long and not page.noindex and len(read) >= 3


def read_page(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "replace")


def insert(html: str, text: str, place: str) -> str:
    """A page with a text at a place of it."""
    piece = text if text.startswith("<") else PLACES[place].format(text)
    at = _where(html, place)
    return html[:at] + piece + html[at:]


def _where(html: str, place: str) -> int:
    found: list[int] = []
    if place == "article" or place in CONTENT:
        text = read_html(html.encode(), "", "http://a/").text
        whole = _PARAGRAPH.finditer(html)
        found = [one.end() for one in whole if _is_read(one[1], text)]
    elif place in ("byline", "span"):
        found = [one.end() for one in _HEADING_END.finditer(html)]
    if found:
        return found[len(found) // 2]
    ends = list(_BODY_END.finditer(html))
    return ends[-1].start() if ends else len(html)


def change_text(html: str, how: str, values: Values) -> str | None:
    """A page with a change in its real text; None = it has no place for it."""
    found = _place_of(html, how)
    if found is None:
        return None
    start, end = found.span(1)
    new = "".join(_changed(found[1], how, values))
    return None if new == found[1] else html[:start] + new + html[end:]


def _place_of(html: str, how: str) -> re.Match[str] | None:
    pattern = {
        "cell changed": _CELL,
        "code changed": _CODE,
        "heading changed": _HEADING,
        "item added": _ITEM,
        "title changed": _TITLE,
    }.get(how, _PARAGRAPH)
    text = read_html(html.encode(), "", "http://a/").text
    fit = [
        found
        for found in pattern.finditer(html)
        if (pattern is _TITLE or _is_read(found[1], text))
        and (how != "number changed" or _NUMBER.search(found[1]))
    ]
    return fit[len(fit) // 2] if fit else None


def _is_read(words: str, text: str) -> bool:
    """Whether it is part of what a reader reads, and not of a menu."""
    return " ".join(unescape(words).split()) in text


def _changed(text: str, how: str, values: Values) -> Iterator[str]:
    words = text.split(" ")
    middle = len(words) // 2
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    match how:
        case "sentence removed":
            yield " ".join(sentences[:-1]) if len(sentences) > 1 else text
        case "sentence added":
            yield f"{text} The {values['word']} part was added by {values['name']}."
        case "number changed":
            yield _NUMBER.sub(lambda found: str(int(found[1]) + 1), text, count=1)
        case "paragraph removed":
            yield ""
        case "item added":
            yield f"{text}</li><li>The {values['word']} one, by {values['name']}"
        case "negated":
            yield " ".join([*words[:middle], "not", *words[middle:]])
        case _:
            yield " ".join([*words[:middle], values["word"], *words[middle + 1 :]])
