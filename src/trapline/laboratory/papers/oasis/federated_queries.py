"""Queries for a federation: known items, and questions that pages of the collection ask."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trapline.laboratory.study.known_items import Called, Item, make_items, plain
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.terms import term_key
from trapline.search.statistics.query_words import query_words, telling_words

KINDS: Final = ("titles", "bodies", "sentences", "questions")
_READ: Final = 8000  # pages that known items are made of
_QUESTION: Final = re.compile(
    r"^[\s\d.:)(QA-]*((?:how|what|why|when|where|which|who|can i|should i)\b"
    r"[^?]{12,90})\?\s*¶?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A query, and the pages that it was made of; any of them answers."""

    kind: str
    text: str
    wanted: frozenset[int]


def make_queries(pages: Sequence[Called], size: int, seed: int) -> list[AskedFor]:
    """At most `size` of titles, half of that of bodies (three rare words) and of sentences, and a
    sixth of questions; mixed.
    """
    # to read all the words of a large collection takes minutes, and few are drawn
    items = make_items(pages[:: 1 + len(pages) // _READ], 2 * size, seed)
    once = _titles_used_once(pages)
    titles = [item for item in items["titles"] if item.query in once]
    half = (size + 1) // 2
    questions = find_questions(pages)
    rng = random.Random(seed)
    rng.shuffle(questions)
    found = [
        *(_ask_for("titles", item) for item in titles[:size]),
        *(_ask_for("bodies", item) for item in items["rare words"][:half]),
        *(_ask_for("sentences", item) for item in items["sentences"][:half]),
        *(_ask_for("questions", item) for item in questions[: max(2, size // 6)]),
    ]
    rng.shuffle(found)
    return found


def find_questions(pages: Sequence[Called]) -> list[Item]:
    """Lines that are a question, of one page only."""
    found: dict[str, set[int]] = {}
    for called in pages:
        for line in called.page.text.split("\n"):
            if line.rstrip(" ¶")[-1:] == "?" and (match := _QUESTION.match(line)):
                found.setdefault(plain(match[1]), set()).add(called.page.page)
    return [Item(q, min(some)) for q, some in found.items() if len(some) == 1]


def _titles_used_once(pages: Sequence[Called]) -> set[str]:
    count = Counter(plain(called.page.title) for called in pages)
    return {title for title, pages_with_it in count.items() if pages_with_it == 1}


def keys_of(text: str, tongues: Sequence[str]) -> QueryKeys:
    words = telling_words(query_words(text, tongues), tongues)
    return QueryKeys.of([[term_key(*stem) for stem in word.stems] for word in words])


def _ask_for(kind: str, item: Item) -> AskedFor:
    return AskedFor(kind, item.query, frozenset((item.page,)))
