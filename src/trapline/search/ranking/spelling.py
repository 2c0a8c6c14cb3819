""" "Did you mean": the words of a query as the collection spells them.

Only words that are wished for are corrected, never the names and values of restrictions. Visitors
are strangers, so a query with many unknown words is left as it is, and an unknown word is compared
with a bounded number of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from string import ascii_lowercase
from typing import Final, NamedTuple

from trapline.search.index_documents import NAMES, SPELT, TEXT, TITLE, URL_WORDS
from trapline.search.query_language import LONGEST, MOST_WORDS, words_of
from trapline.search.query_parts import PHRASE, WORDS, parts_of
from trapline.search.ranking.word_queries import View
from trapline.search.tongues import is_of_words

MOST_UNKNOWN: Final = 6  # words of a query: of more, none is corrected
MOST_COMPARED: Final = (
    300  # terms that an unknown word is compared with, letter by letter
)
_MOST_TERMS: Final = 3000  # of one beginning, the most frequent first
_FEW_TERMS: Final = 50  # of each beginning that is a guess itself
RARE: Final = 3  # documents: what is not even in so many may be a slip
_SHORTEST: Final = 4  # letters of a word that is corrected, and of its correction
_LONGEST: Final = 30  # letters of a word: longer ones are no slips
_MOST_REMEMBERED: Final = 10_000


class Spelt(NamedTuple):
    """A query as the collection spells it."""

    query: str = ""  # nothing = there is no better way
    is_certain: bool = False  # whether no page has some word as it was typed


class Better(NamedTuple):
    """How a word is better spelt."""

    word: str = ""  # nothing = there is no better way
    known: int = 0  # documents that have the word as it was typed


class Offer(NamedTuple):
    """A word that might have been meant."""

    word: str  # nothing = there is none
    documents: int  # that have it


class Speller:
    """Remembers what it has found, as long as the index is the same."""

    def __init__(self) -> None:
        self._found: dict[str, Better] = {}
        self._documents = 0

    def spell(self, view: View, query: str) -> Spelt:
        if self._documents != view.searcher.num_docs:
            self._documents = view.searcher.num_docs
            self._found = {}
        typed = typed_words(query)
        unknown = {word for word in typed if self._is_unknown(view, word)}
        if len(unknown) > MOST_UNKNOWN:
            return Spelt()
        return respell(query, {word: self._better(view, word) for word in unknown})

    def _is_unknown(self, view: View, word: str) -> bool:
        return word in self._found or documents_with(view, word) < RARE

    def _better(self, view: View, word: str) -> Better:
        found = self._found.get(word)
        if found is None:
            known = documents_with(view, word)
            found = Better(best_spelling(view, word, least_of(known)), known)
            if len(self._found) >= _MOST_REMEMBERED:
                self._found = {}
            self._found[word] = found
        return found


def typed_words(query: str) -> set[str]:
    """The words of a query that may be corrected."""
    return {word for _, word in _correctable(query)}


def respell(query: str, better: Mapping[str, Better]) -> Spelt:
    """The query with words replaced by better ones."""
    parts = []
    done = 0
    for start, word in _correctable(query):
        if word in better and better[word].word:
            parts += [query[done:start], better[word].word]
            done = start + len(word)
    if not done:
        return Spelt()
    certain = any(found.word and not found.known for found in better.values())
    return Spelt("".join(parts) + query[done:], certain)


def least_of(known: int) -> int:
    """So many documents must have a word that takes the place of one that so many have.

    >>> least_of(0), least_of(2)
    (3, 20)
    """
    return max(RARE, 10 * known)


def _correctable(query: str) -> Iterator[tuple[int, str]]:
    """Where they begin, and what they are."""
    for start, word in islice(_words_with_places(query[:LONGEST]), MOST_WORDS):
        if word.isalpha() and _SHORTEST <= len(word) <= _LONGEST:
            yield start, word


def _words_with_places(query: str) -> Iterator[tuple[int, str]]:
    """Those that are wished for, in small letters."""
    for part in parts_of(query):
        if part.unwanted or part.problem or part.kind not in (WORDS, PHRASE):
            continue
        start = part.start
        for piece in _cut(part.text):
            # what is spelt otherwise in an index has another length
            if words_of(piece) == [piece.lower()]:
                yield start, piece.lower()
            start += len(piece)


def _cut(text: str) -> Iterator[str]:
    """Words, and what stands between them."""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or is_of_words(text[end]) != is_of_words(text[start]):
            yield text[start:end]
            start = end


def documents_with(view: View, word: str) -> int:
    """How many have a word, with any ending."""
    count = view.searcher.doc_freq
    found = count(SPELT, word)
    for tongue in view.tongues():
        fields = [*(tongue.field(name) for name in (TEXT, TITLE, NAMES)), URL_WORDS]
        stems = tongue.stems(word)
        if len(stems) == 1:
            found = max(found, *(count(field, stems[0]) for field in fields))
    return found


def best_spelling(view: View, word: str, least: int) -> str:
    """A word that is spelt nearly like this one and that far more documents have, `least`
    at any rate.
    """
    near = 1 if len(word) < 6 else 2
    terms = view.searcher.terms_with_prefix(
        SPELT,
        word[:2],
        limit=_MOST_TERMS,
    )
    terms += _terms_with_other_beginnings(view, word)
    common = [(other, count) for other, count in terms if count >= least]
    found = (_most_frequent(word, common, distance) for distance in range(1, near + 1))
    return next(filter(None, found), "")


def _most_frequent(word: str, terms: list[tuple[str, int]], near: int) -> str:
    """Of the terms that are so near."""
    best = "", 0
    letters = set(word)
    likely = (
        (other, count)
        for other, count in terms
        if len(other) >= _SHORTEST
        and abs(len(other) - len(word)) <= near
        and len(letters.symmetric_difference(other)) <= 2 * near
    )
    for other, count in islice(likely, MOST_COMPARED):
        if count > best[1] and edit_distance(word, other, near) <= near:
            best = other, count
    return best[0]


def _terms_with_other_beginnings(view: View, word: str) -> Iterator[tuple[str, int]]:
    """Terms that begin as the word would if one of its first two letters were a slip."""
    for beginning in dict.fromkeys(_other_beginnings(word)):
        yield from view.searcher.terms_with_prefix(
            SPELT,
            beginning,
            limit=_FEW_TERMS,
        )


def _other_beginnings(word: str) -> Iterator[str]:
    """
    >>> found = list(_other_beginnings("psace"))
    >>> [found.index(beginning) for beginning in ("spa", "sac", "pac")], "oce" in found
    ([0, 1, 2], False)
    """
    yield word[1] + word[0] + word[2]
    yield word[1:4]
    yield word[0] + word[2:4]
    for letter in ascii_lowercase:
        yield letter + word[1:3]
        yield letter + word[:2]
        yield word[0] + letter + word[2]
        yield word[0] + letter + word[1]


def edit_distance(one: str, other: str, most: int) -> int:
    """Letters changed, left out, added or swapped with their neighbour; `most`+1 if there are more.

    >>> edit_distance("isolatoin", "isolation", 2), edit_distance("tranzaction", "transaction", 2)
    (1, 1)
    >>> edit_distance("moon", "cooking", 2)
    3
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, wanted in enumerate(other, 1):
            cost = min(
                last[column] + 1, line[-1] + 1, last[column - 1] + (letter != wanted)
            )
            swapped = (
                row > 1
                and column > 1
                and letter == other[column - 2]
                and one[row - 2] == wanted
            )
            line.append(min(cost, before[column - 2] + 1) if swapped else cost)
        if min(line) > most:
            return most + 1
        before, last = last, line
    return min(last[-1], most + 1)
