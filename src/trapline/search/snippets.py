"""Snippets: the piece of a text that answers best, with the words of the query marked.

>>> from trapline.search.tongues import ENGLISH
>>> marker = Marker(ENGLISH, {"orbit": 2.0, "moon": 1.0})
>>> text = "News of the day.\\nThe moon is orbiting the Earth. It has no air."
>>> "".join(f"[{p.text}]" if p.is_match else p.text for p in make_snippet(text, marker))
'The [moon] is [orbiting] the Earth. It has no air.'
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Final

from trapline.search.hits import Fragment
from trapline.search.snippet_window import Place, best_window
from trapline.search.tongues import ENGLISH, Tongue, fold_letter, is_of_words

_LENGTH: Final = 220  # characters of a snippet
_LEAD: Final = 90  # characters before the first match, at most
# Letters by which words are looked for; the rest is the stemmer's business. English stems differ
# from words in their last letter only (cities, city: citi).
_PREFIX: Final = 4
_SHORTEST_PREFIX: Final = 2
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
# How letters begin in UTF-8 that Latin-1 has not. Between them lie accents and punctuation.
_BEYOND_LATIN: Final = bytes(
    (*range(0xC4, 0xCC), *range(0xCD, 0xE2), *range(0xE3, 0xF5))
)
# places of a word that are compared; in what is shown, all are marked
_MOST: Final = 20
_PHRASE: Final = 100.0  # what a phrase is worth to a snippet, beside rarities of words
_FARTHEST: Final = 200_000  # characters of a text that are looked at
_BETWEEN_LINES: Final = " · "
_SENTENCE: Final = re.compile(r"[.!?…。！？](?=\s|$)|\n")
_SIGNS: Final = ("¶", "\u00ad", "\u200b")  # that nobody wants to read
_GAP: Final = r"[\W_]{1,20}"  # between the words of a phrase


class Marker:
    """Finds the words and phrases of a query in texts of one tongue."""

    def __init__(
        self,
        tongue: Tongue,
        rarity: Mapping[str, float],
        phrases: Sequence[Sequence[str]] = (),
    ) -> None:
        """`rarity` of the stems that are marked; phrases are words in a row."""
        self._tongue = tongue
        self._stems = list(rarity)
        self._phrases = {
            " ".join(stems): stems
            for words in phrases
            if len(stems := self._row(words)) > 1
        }
        # a phrase is demanded: no other words are worth as much
        self.rarity = {**rarity, **dict.fromkeys(self._phrases, _PHRASE)}

    def places(self, text: str) -> list[Place]:
        """Where words and phrases stand, in order."""
        return self._places_in(_stem_spelling(text), text, sys.maxsize)

    def first_places(self, text: str) -> list[Place]:
        """Some of them, faster: of each word a few."""
        found = self._places_in(_latin_spelling(text), text, _MOST)
        if len({place.stem for place in found}) == len(self.rarity):
            return found
        # a word that is not there, or one with letters of which Latin-1 knows nothing
        if not _has_letters_beyond_latin(text):
            return found
        return self._places_in(_stem_spelling(text), text, _MOST)

    def _places_in(
        self,
        plain: str,
        text: str,
        most: int,
    ) -> list[Place]:
        found = [
            place
            for stem in self._stems
            for place in islice(self._places_of(stem, plain, text), most)
        ]
        for name, stems in self._phrases.items():
            found += islice(
                self._places_in_a_row(
                    name,
                    stems,
                    plain,
                    text,
                ),
                most,
            )
        return sorted(found, key=lambda place: (place.start, -place.end))

    def mark(self, text: str) -> tuple[Fragment, ...]:
        """A whole text in pieces."""
        return _cut(text, self.places(text))

    def _row(self, words: Sequence[str]) -> list[str]:
        return [stem for word in words for stem in self._tongue.stems(word)]

    def _places_of(
        self,
        stem: str,
        plain: str,
        text: str,
    ) -> Iterator[Place]:
        prefix = self._prefix(stem)
        is_sign = self._is_sign(stem)
        at = plain.find(prefix)
        while at >= 0:
            end = at + len(prefix)
            begins = at == 0 or not is_of_words(text[at - 1])
            if begins and not is_sign:
                while end < len(text) and is_of_words(text[end]):
                    end += 1
            if is_sign or (begins and self._is_word(text[at:end], stem)):
                yield Place(at, end, stem)
            at = plain.find(prefix, end)

    def _is_word(self, word: str, stem: str) -> bool:
        """Marks on letters may make several stems of one word."""
        stems = self._tongue.stems(word)
        return stems == [stem] or (self._tongue.code != "signs" and stem in stems)

    def _places_in_a_row(
        self, name: str, stems: Sequence[str], plain: str, text: str
    ) -> Iterator[Place]:
        for found in self._pattern(stems).finditer(plain):
            if self._tongue.stems(text[found.start() : found.end()]) == stems:
                yield Place(found.start(), found.end(), name)

    def _pattern(self, stems: Sequence[str]) -> re.Pattern[str]:
        """What may be a phrase: the stemmer has the last word."""
        if all(map(self._is_sign, stems)):
            return re.compile(r"[\W_]{0,9}".join(map(re.escape, stems)))
        words = (rf"{re.escape(self._prefix(stem))}[^\W_]{{0,60}}" for stem in stems)
        return re.compile(rf"(?<![^\W_]){_GAP.join(words)}")

    def _prefix(self, stem: str) -> str:
        letters = max(_SHORTEST_PREFIX, len(stem) - 1)
        return stem[: letters if self._tongue is ENGLISH else min(_PREFIX, letters)]

    def _is_sign(self, stem: str) -> bool:
        return self._tongue.code == "signs" and not stem.isascii()


def make_snippet(text: str, marker: Marker) -> tuple[Fragment, ...]:
    """The piece with the rarest words of the query; else the beginning."""
    text = text[:_FARTHEST]
    places = marker.first_places(text)
    if not places:
        return _cut(opening_of(_readable(text[: 4 * _LENGTH])), [])
    inside = best_window(places, marker.rarity, _LENGTH - _LEAD // 2)
    start = _begin(text, inside[0].start)
    end = _finish(text, max(start + _LENGTH, inside[-1].end))
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return _show(
        text,
        start,
        end,
        marker.places(text[start:end]),
    )


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


def _show(
    text: str,
    start: int,
    end: int,
    places: list[Place],
) -> tuple[Fragment, ...]:
    """A piece of a text, with signs where something is left out."""
    pieces = [
        Fragment(_readable(piece.text), piece.is_match)
        for piece in _cut(text[start:end], places)
    ]
    if start > 0 and not _SENTENCE.search(text, max(0, start - 2), start):
        pieces.insert(0, Fragment("… ", False))
    if end < len(text) and not _SENTENCE.match(text, end - 1):
        pieces.append(Fragment(" …", False))
    return tuple(pieces)


def _readable(text: str) -> str:
    """On one line, without signs that nobody wants to read."""
    for sign in _SIGNS:
        text = text.replace(sign, "")
    return text.replace("\n", _BETWEEN_LINES)


# Texts as stems are spelt, letter by letter, so that places stay what they are.


def _latin_spelling(text: str) -> str:
    """In a twentieth of the time; letters that Latin-1 has not are lost.

    >>> _latin_spelling("Élan – “Naïve” Łódź")
    'elan ? ?naive? ?od?'
    """
    if text.isascii():
        return text.lower()
    return (
        text.encode("latin-1", "replace").translate(_latin_letters()).decode("latin-1")
    )


def _has_letters_beyond_latin(text: str) -> bool:
    """
    >>> _has_letters_beyond_latin("“naïve” – €"), _has_letters_beyond_latin("Łódź")
    (False, True)
    """
    if text.isascii():
        return False
    encoded = text.encode("utf-8", "replace")
    return len(encoded) > len(encoded.translate(None, _BEYOND_LATIN))


def _stem_spelling(text: str) -> str:
    """
    >>> _stem_spelling("Élan – “Naïve” Łódź")
    'elan - "naive" lodz'
    """
    small = text.lower()
    if small.isascii():
        return small
    if len(small) != len(text):  # İ is two letters when it is small
        small = "".join(s if len(s := c.lower()) == 1 else c for c in text)
    for letter in set(_BEYOND_ASCII.findall(small)):
        if letter != (folded := fold_letter(letter)):
            small = small.replace(letter, folded)
    return small


@cache
def _latin_letters() -> bytes:
    """What each letter of Latin-1 becomes."""
    folded = (fold_letter(chr(letter)) for letter in range(256))
    return "".join(folded).encode("latin-1", "replace")


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
