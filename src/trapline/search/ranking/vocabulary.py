"""The vocabulary of a collection: how a query may go on, and how its words are spelt there."""

from __future__ import annotations

import re
from typing import Final

from tantivy import Occur, Query

from trapline.search.index_documents import SPELT
from trapline.search.query_language import LONGEST, words_of
from trapline.search.ranking.word_queries import View

_MOST_TERMS: Final = 3000  # that a misspelt word is compared with
_RARE: Final = 3  # documents: what is not even in so many may be a slip
_SHORTEST: Final = 4  # letters of a word that is corrected, and of its correction
_LONGEST: Final = 30  # letters of a word that goes on
_TITLES: Final = 24  # that are looked at for a suggestion


def suggest(view: View, beginning: str, limit: int) -> list[str]:
    """Titles with the words typed so far, the last of which may be unfinished; then single words
    that it may become.
    """
    words = words_of(beginning[:LONGEST])[:8]
    if not words or limit < 1:
        return []
    if len(words[-1]) > _LONGEST:
        return []
    found = dict.fromkeys(_titles(view, words))
    stem = " ".join(words[:-1])
    for word, _ in view.searcher.terms_with_prefix(SPELT, words[-1], limit=limit):
        if word != words[-1]:
            found.setdefault(f"{stem} {word}".strip(), None)
    return list(found)[:limit]


def spell(view: View, query: str) -> str:
    """The query spelt as the collection spells it; nothing if there is no better way."""
    changed = False
    parts = []
    for part in re.split(r"([^\W_]+)", query[:LONGEST]):
        better = (
            _better(view, part.lower())
            if part.isalpha() and len(part) >= _SHORTEST
            else ""
        )
        changed |= bool(better)
        parts.append(better or part)
    return "".join(parts) if changed else ""


def _titles(view: View, words: list[str]) -> list[str]:
    schema = view.schema
    clauses = [
        (Occur.Must, Query.term_query(schema, "title_spelt", w)) for w in words[:-1]
    ]
    # a word has only letters and digits, so nothing in it is a pattern
    last = Query.regex_query(schema, "title_spelt", f"{words[-1]}.*")
    clauses.append((Occur.Must, last))
    searcher = view.searcher
    hits = searcher.search(Query.boolean_query(clauses), _TITLES, count=False).hits
    titles = [str(searcher.doc(address)["title_spelt"][0]) for _, address in hits]
    # short titles are those of the pages that others are part of
    return sorted((" ".join(title.split()) for title in titles), key=len)


def _better(view: View, word: str) -> str:
    """A word that is spelt nearly like this one and is far more common."""
    searcher = view.searcher
    known = searcher.doc_freq(SPELT, word)
    if known >= _RARE:
        return ""
    best, best_merit = "", 0.0
    for prefix in (word[:2], word[0]):
        for other, count in searcher.terms_with_prefix(
            SPELT, prefix, limit=_MOST_TERMS
        ):
            near = 1 if len(word) < 6 else 2
            if len(other) < _SHORTEST or count < max(_RARE, 10 * known):
                continue
            distance = edit_distance(word, other, near)
            merit = count / 30.0**distance if distance <= near else 0.0
            if merit > best_merit:
                best, best_merit = other, merit
        if best:
            break
    return best


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
