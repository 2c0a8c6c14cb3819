"""Kernels that compare the words of links with the topic (see link_clues.py)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import TOKENS
from trapline.theory.kernel import kernel
from trapline.topic.document_frequencies import weight_of
from trapline.topic.vectors import part_of
from trapline.topic.word_kernels import Hashes, Weights

LINES: Final = 4  # of a link: its words, its host, its path, the words around it
_ANCHOR_TOKENS: Final = 4  # of the tokens, at most so many from the words of the link


@kernel
def fill_likeness(
    words: Hashes,
    ends: Hashes,
    weights: Weights,
    known: Hashes,
    parts: Weights,
    strongest: float,
    stops: Hashes,
    anchor: Weights,
    address: Weights,
    context: Weights,
    tokens: NDArray[np.int32],
) -> None:
    begin = 0
    for link in range(anchor.size):
        line = LINES * link
        anchor[link] = _likeness(
            words, begin, ends[line], weights, known, parts, strongest, stops[:0]
        )
        address[link] = _likeness(
            words, ends[line], ends[line + 2], weights, known, parts, strongest, stops
        )
        context[link] = _likeness(
            words,
            ends[line + 2],
            ends[line + 3],
            weights,
            known,
            parts,
            strongest,
            stops[:0],
        )
        own = tokens[link]
        kept = 0
        for i in range(begin, ends[line]):
            kept = _keep(own, kept, words[i], _ANCHOR_TOKENS)
        # the end of a path tells most
        for i in range(ends[line + 2] - 1, ends[line + 1] - 1, -1):
            if not _is_among(stops, words[i]):
                kept = _keep(own, kept, words[i], TOKENS)
        begin = ends[line + 3]


@kernel
def _likeness(
    words: Hashes,
    begin: int,
    end: int,
    weights: Weights,
    known: Hashes,
    parts: Weights,
    strongest: float,
    stops: Hashes,
) -> float:
    """Scaled cosine of a short text, each word counted once."""
    product = square = 0.0
    for i in range(begin, end):
        if _is_among(words[begin:i], words[i]) or _is_among(stops, words[i]):
            continue
        weight = weight_of(weights, words[i])
        square += weight * weight
        product += weight * part_of(known, parts, words[i])
    scaled = (
        product / (np.sqrt(square) * strongest)
        if square > 0.0 and strongest > 0.0
        else 0.0
    )
    return min(1.0, max(0.0, scaled))


@kernel
def _keep(tokens: Hashes, kept: int, word: int, most: int) -> int:
    if kept < most and not _is_among(tokens[:kept], word):
        tokens[kept] = word
        return kept + 1
    return kept


@kernel
def _is_among(few: Hashes, word: int) -> bool:
    for one in few:  # noqa: SIM110 (kernels know no generator)
        if one == word:
            return True
    return False
