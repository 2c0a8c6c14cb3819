"""What a page is about, as far as counting words can tell.

    relevance = density / (density + half),   density = share of a page's words that are topic words

with half = 1 %, so that a page on which one word in a hundred is a topic word has relevance 0.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from trapline.core.errors import UserMistake

HALF: Final = 0.01
LINK_HALF: Final = 0.1  # an anchor has few words: one topic word in ten is even odds
TITLE_TIMES: Final = 5  # a word of the title weighs as much as this many of the text

_WORD: Final = re.compile(r"[^\W_]+")
# Words that stand in every English text: as topic words they would make everything relevant.
_EVERYWHERE: Final = frozenset(
    re.findall(
        r"\w+",
        "a about an and are as at be but by for from has have how i if in into is it its not of on or our that the "
        "their this to was we were what when where which who why will with you your",
    )
)


class Topic:
    """A set of words. Without words (no topic was asked for) every page and link has relevance 1.

    >>> topic = Topic.from_text("space telescopes")
    >>> round(topic.relevance("A shed", "One telescope stood in the shed. " * 20), 2)
    0.94
    >>> topic.relevance("Cooking", "Boil the water."), Topic(()).relevance("Cooking", "Boil the water.")
    (0.0, 1.0)
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(normal(word) for word in words)

    @classmethod
    def from_text(cls, text: str) -> Topic:
        """The topic that a user wrote; empty = everything. UserMistake when it holds no word that could tell pages."""
        words = [word for word in _words(text) if word not in _EVERYWHERE]
        if text.strip() and not words:
            raise UserMistake(f"the topic {text!r} has no word that tells pages apart: name what they should be about")
        return cls(words)

    def relevance(self, title: str, text: str) -> float:
        """How much of a page is about the topic, in [0, 1]."""
        if not self.words:
            return 1.0
        title_hits, title_count = self._count(title)
        text_hits, text_count = self._count(text)
        return _odds(TITLE_TIMES * title_hits + text_hits, TITLE_TIMES * title_count + text_count, HALF)

    def link_score(self, anchor: str, url: str) -> float:
        """What a link promises by its anchor or its URL, whichever promises more, in [0, 1].

        >>> topic = Topic.from_text("space")
        >>> topic.link_score("more", "http://example.org/space/1") > topic.link_score("more", "http://example.org/tea")
        True
        """
        if not self.words:
            return 1.0
        address = unquote(url.partition("://")[2])
        return max(_odds(*self._count(anchor), LINK_HALF), _odds(*self._count(address), LINK_HALF))

    def _count(self, text: str) -> tuple[int, int]:
        """(topic words, all words) of a text."""
        words = _WORD.findall(text.lower())
        hits = {word: normal(word) in self.words for word in set(words)}  # a text repeats itself: normalise once
        return sum(map(hits.__getitem__, words)), len(words)


def normal(word: str) -> str:
    """Lower case, and the singular where a simple rule finds it.

    >>> [normal(word) for word in ("Galaxies", "boxes", "stars", "gas", "class", "Venus")]
    ['galaxy', 'box', 'star', 'gas', 'class', 'venus']
    """
    word = word.lower()
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses", "zes")) else word[:-1]


def _words(text: str) -> Iterator[str]:
    return (match[0] for match in _WORD.finditer(text.lower()))


def _odds(hits: int, count: int, half: float) -> float:
    density = hits / count if count else 0.0
    return density / (density + half)
