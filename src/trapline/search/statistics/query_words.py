"""The words of a query as term statistics have them: stems in the tongues of a federation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from trapline.search.query_language import read_query
from trapline.search.tongues import Tongue, all_tongues


class QueryWord(NamedTuple):
    """A word that tells something, and its stems: (tongue, stem) in each of some tongues."""

    word: str
    stems: tuple[tuple[str, str], ...]


def query_words(query: str, tongues: Iterable[str]) -> list[QueryWord]:
    """The words of a query that tell something in the tongues of these codes.

    >>> query_words("how to vacuum", ["en"])
    [QueryWord(word='vacuum', stems=(('en', 'vacuum'),))]
    """
    wanted = set(tongues)
    spoken = [tongue for tongue in all_tongues() if tongue.code in wanted]
    words = list(dict.fromkeys(read_query(query).words))
    telling = {tongue.code: _telling(tongue, words) for tongue in spoken}
    found = []
    for word in words:
        stems = [
            (tongue.code, stem)
            for tongue in spoken
            if word in telling[tongue.code]
            for stem in tongue.stems(word)
        ]
        if stems:
            found.append(QueryWord(word, tuple(dict.fromkeys(stems))))
    return found


def telling_words(words: list[QueryWord], tongues: Sequence[str]) -> list[QueryWord]:
    """Those that tell something in the query's own tongue; all of them, if none does.

    "The" is a word like others in French: a French page that has it is rare, and whom to ask would
    hang on that. The query's tongue is the one in which most of its words decide nothing, the first
    of `tongues` where several are alike; they come most frequent first.

    >>> words = query_words("the wax of bees", ["en", "fr"])
    >>> [word.word for word in words]
    ['the', 'wax', 'of', 'bees']
    >>> [word.word for word in telling_words(words, ["fr", "en"])]
    ['wax', 'bees']
    """
    by_tongue = {
        code: [word for word in words if code in dict(word.stems)] for code in tongues
    }
    own = min(by_tongue.values(), key=len, default=words)
    return own or words


def _telling(tongue: Tongue, words: list[str]) -> set[str]:
    return {word for word in words if not tongue.is_stop(word)} or set(words)
