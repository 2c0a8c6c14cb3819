"""The words of a query as term statistics have them: stems in the tongues of a federation."""

from __future__ import annotations

from collections.abc import Iterable
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


def _telling(tongue: Tongue, words: list[str]) -> set[str]:
    return {word for word in words if not tongue.is_stop(word)} or set(words)
