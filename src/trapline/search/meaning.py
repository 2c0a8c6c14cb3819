"""Meaning: how near a page's best passage is to a query, by static word vectors.

The vector of a passage is the mean of its words' vectors, so pages are found that say the same in
other words. The vectors are WordLlama's (the extra `meaning`): 64 of its 256 numbers, as the first
ones tell most. They lie in the package and are opened as files, since its own loader looks on the
network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import UserMistake

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Floats = NDArray[np.float32]

_PACKAGE: Final = "wordllama"
_WEIGHTS: Final = "weights/l2_supercat_256.safetensors"
_WORDS: Final = "tokenizers/l2_supercat_tokenizer_config.json"
_NUMBERS: Final = 64  # of a vector
_PASSAGE: Final = 160  # words
_MOST: Final = 32  # passages of a page
_LONGEST: Final = 40 * _PASSAGE  # characters of one: what has no spaces ends somewhere


class WordVectors:
    """What words mean, as rows of numbers."""

    def __init__(self, tokenizer: Tokenizer, rows: Floats) -> None:
        self._tokenizer = tokenizer
        self._rows = rows

    def passages(self, title: str, text: str) -> bytes:
        """The vectors of a page's passages, a byte a number."""
        vectors = self._embed(list(_cut(title, text)))
        numbers: NDArray[np.int8] = np.rint(127.0 * vectors).astype(np.int8)
        return numbers.tobytes()

    def nearness(self, query: str, pages: Sequence[bytes]) -> list[float]:
        """How near the best passage of each page is, −1 to 1; a page without passages is as near
        as pages are on average.
        """
        asked = self._embed([query])[0]
        best = [self._best(asked, page) for page in pages]
        known = [near for near in best if near is not None]
        mean = sum(known) / len(known) if known else 0.0
        return [mean if near is None else near for near in best]

    def _best(self, asked: Floats, page: bytes) -> float | None:
        if not page:
            return None
        rows = np.frombuffer(page, np.int8).reshape(-1, _NUMBERS)
        return float((rows @ asked).max()) / 127.0

    def _embed(self, texts: list[str]) -> Floats:
        """Of length 1, or of length 0 for a text without words."""
        vectors = np.zeros((len(texts), _NUMBERS), np.float32)
        for row, text in enumerate(texts):
            # one by one: a batch would start threads, which a robot that forks must not have
            words = self._tokenizer.encode(text, add_special_tokens=False).ids
            if words:
                vectors[row] = self._rows[words].mean(axis=0)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.maximum(lengths, 1e-9)
        return vectors


def open_word_vectors() -> WordVectors:
    """Raises UserMistake where the extra is not installed."""
    found = find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise UserMistake(
            "meaning needs word vectors: install them with `pip install trapline[meaning]`"
        )
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    package = Path(found.submodule_search_locations[0])
    tokenizer: Any = Tokenizer.from_file(str(package / _WORDS))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    (rows,) = load_file(package / _WEIGHTS).values()
    return WordVectors(tokenizer, rows[:, :_NUMBERS].astype(np.float32))


def _cut(title: str, text: str) -> Iterator[str]:
    """Passages, each after the title, which says what they are about.

    >>> list(_cut("Moon", "It orbits."))
    ['Moon . It orbits.']
    """
    words = text.split(maxsplit=_PASSAGE * _MOST)[: _PASSAGE * _MOST] or [""]
    for first in range(0, len(words), _PASSAGE):
        passage = " ".join(words[first : first + _PASSAGE])
        yield f"{title} . {passage}"[:_LONGEST]
