"""Snippets: the piece of a text that answers best, with the words of the query marked.

>>> marker = Marker(ENGLISH, {"orbit": 2.0, "moon": 1.0})
>>> text = "News of the day.\\nThe moon is orbiting the Earth. It has no air."
>>> "".join(f"[{p.text}]" if p.is_match else p.text for p in make_snippet(text, marker))
'The [moon] is [orbiting] the Earth. It has no air.'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from trapline.search.hits import Fragment
from trapline.search.snippet_window import Place, best_window
from trapline.search.tongues import ENGLISH, Tongue

_LENGTH: Final = 220  # characters of a snippet
_LEAD: Final = 90  # characters before the first match, at most
_PREFIX: Final = (
    4  # letters by which words are looked for; the rest is the stemmer's business
)
_MOST: Final = 30  # places of a word that are looked at
_FARTHEST: Final = 200_000  # characters of a text that are looked at
_BETWEEN_LINES: Final = " · "
_SENTENCE: Final = re.compile(r"[.!?…。！？](?=\s|$)|\n")
_SIGNS: Final = ("¶", "\u00ad", "\u200b")  # that nobody wants to read
_ACCENTS: Final = dict(
    zip(
        "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿāăąćčďēęěğīłńňőřśşšťūůűźżž",
        "aaaaaaceeeeiiiinoooooouuuuyyaaaccdeeegilnnorssstuuuzzz",
        strict=True,
    )
)


class Marker:
    """Finds the words of a query in texts of one tongue."""

    def __init__(self, tongue: Tongue, rarity: Mapping[str, float]) -> None:
        self._tongue = tongue
        self.rarity = rarity

    def places(self, text: str) -> list[Place]:
        """Where the words of the query stand, in order."""
        plain = self._plain(text)
        found = [
            place
            for stem in self.rarity
            for place in self._places_of(stem, plain, text)
        ]
        return sorted(found)

    def mark(self, text: str) -> tuple[Fragment, ...]:
        """A whole text in pieces."""
        return _cut(text, self.places(text))

    def _plain(self, text: str) -> str:
        """In small letters, letter by letter, so that places stay what they are; and without
        accents where stemmers leave them out.
        """
        small = text.lower()
        if len(small) != len(text):  # İ is two letters when it is small
            small = "".join(s if len(s := c.lower()) == 1 else c for c in text)
        if self._tongue is not ENGLISH and not small.isascii():
            for letter in _ACCENTS.keys() & set(small):
                small = small.replace(letter, _ACCENTS[letter])
        return small

    def _places_of(self, stem: str, plain: str, text: str) -> Iterator[Place]:
        prefix = self._plain(stem)[:_PREFIX]
        is_sign = self._tongue.code == "signs" and not stem.isascii()
        at = plain.find(prefix)
        left = _MOST
        while at >= 0 and left:
            end = at + len(prefix)
            begins = at == 0 or not plain[at - 1].isalnum()
            if begins and not is_sign:
                while end < len(plain) and plain[end].isalnum():
                    end += 1
            if is_sign or (begins and self._tongue.stems(text[at:end]) == [stem]):
                yield Place(at, end, stem)
                left -= 1
            at = plain.find(prefix, end)


def make_snippet(text: str, marker: Marker) -> tuple[Fragment, ...]:
    """The piece with the rarest words of the query; else the beginning."""
    text = text[:_FARTHEST]
    for sign in _SIGNS:
        text = text.replace(sign, "")
    places = marker.places(text)
    if not places:
        return _cut(opening_of(text.replace("\n", _BETWEEN_LINES)), [])
    inside = best_window(places, marker.rarity, _LENGTH - _LEAD // 2)
    start = _begin(text, inside[0].start)
    end = _finish(text, max(start + _LENGTH, inside[-1].end))
    return _show(text, start, end, [p for p in places if start <= p.start < end])


def opening_of(text: str, length: int = _LENGTH) -> str:
    """The first words of a text.

    >>> opening_of("the moon is far away", 14)
    'the moon is…'
    """
    if len(text) <= length:
        return text
    return text[:length].rsplit(None, 1)[0].rstrip() + "…"


def _begin(text: str, match: int) -> int:
    """The beginning of the sentence, or a word not far before the match."""
    earliest = max(0, match - _LEAD)
    ends = [end.end() for end in _SENTENCE.finditer(text, earliest, match)]
    if ends:
        return ends[-1]
    if earliest == 0:
        return 0
    space = text.find(" ", earliest, match)
    return space + 1 if space >= 0 else earliest


def _finish(text: str, end: int) -> int:
    """The end of the sentence if it is near, else of a word."""
    if end >= len(text):
        return len(text)
    ends = [end.end() for end in _SENTENCE.finditer(text, max(0, end - 60), end)]
    if ends:
        return ends[-1]
    space = text.rfind(" ", max(0, end - 40), end)
    return space if space > 0 else end


def _show(text: str, start: int, end: int, places: list[Place]) -> tuple[Fragment, ...]:
    """A piece of a text, with signs where something is left out."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    moved = [Place(p.start - start, p.end - start, p.stem) for p in places]
    pieces = [
        Fragment(piece.text.replace("\n", _BETWEEN_LINES), piece.is_match)
        for piece in _cut(text[start:end], moved)
    ]
    if start > 0 and not _SENTENCE.search(text, max(0, start - 2), start):
        pieces.insert(0, Fragment("… ", False))
    if end < len(text) and not _SENTENCE.match(text, end - 1):
        pieces.append(Fragment(" …", False))
    return tuple(pieces)


def _cut(text: str, places: list[Place]) -> tuple[Fragment, ...]:
    done = 0
    pieces = []
    for place in places:
        if place.start < done:
            continue
        pieces.append(Fragment(text[done : place.start], False))
        pieces.append(Fragment(text[place.start : place.end], True))
        done = place.end
    pieces.append(Fragment(text[done:], False))
    return tuple(piece for piece in pieces if piece.text)
