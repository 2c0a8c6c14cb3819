"""A collection cut into topical engines: hosts that speak of the same things go together.

Hosts larger than an engine should be are cut by their first directory. Then the smallest part joins
the one whose words are nearest, and that again and again; none grows far above the mean. At last
some pages are held by a second engine too, the one whose words are nearest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.records import Page
from trapline.core.urls import host_of
from trapline.search.query_language import words_of

Floats = NDArray[np.float64]
_WIDTH: Final = 2048  # places of a hashed vector of words
_LETTERS: Final = 1500  # of a text that are read
_LARGEST: Final = 1.8  # pages of an engine, as a multiple of the mean
_PAGES: Final = 80  # of a part that are read

Holders = list[tuple[int, ...]]  # for each page the engines that hold it


def cut_by_topic(
    pages: Sequence[Page], engines: int, twice: float, seed: int
) -> Holders:
    """`twice` is the share of the pages that a second engine holds too."""
    parts = _parts(pages, engines)
    vectors = np.array([_part_vector(pages, numbers) for numbers in parts.values()])
    rarity = np.log(len(vectors) / np.maximum((vectors > 0).sum(axis=0), 1))
    sizes = [len(numbers) for numbers in parts.values()]
    groups = _join(vectors, sizes, rarity, engines)
    home = np.zeros(len(pages), np.intp)
    for group, numbers in zip(groups, parts.values(), strict=True):
        home[numbers] = group
    sums = [vectors[groups == engine].sum(axis=0) for engine in range(groups.max() + 1)]
    topics = _unit(np.array(sums) * rarity)
    held: Holders = [(int(engine),) for engine in home]
    rng = np.random.default_rng(seed)
    for number in np.flatnonzero(rng.random(len(pages)) < twice).tolist():
        held[number] += _nearest_other(pages[number], topics, rarity, int(home[number]))
    return held


def _parts(pages: Sequence[Page], engines: int) -> dict[str, list[int]]:
    by_host = defaultdict(list)
    for number, page in enumerate(pages):
        by_host[host_of(page.url)].append(number)
    parts = defaultdict(list)
    for host, numbers in by_host.items():
        for number in numbers:
            cut = len(numbers) * engines > len(pages)
            parts[host + _directory(pages[number].url) if cut else host].append(number)
    # a web of one small host has fewer
    return dict(parts) if len(parts) >= engines else _even_parts(pages, engines)


def _even_parts(pages: Sequence[Page], engines: int) -> dict[str, list[int]]:
    return {
        str(part): list(range(part, len(pages), engines)) for part in range(engines)
    }


def _directory(url: str) -> str:
    """
    >>> _directory("http://a.test/docs/api/x.html"), _directory("http://a.test/x.html")
    ('/docs', '')
    """
    path = url.split("/", 3)[-1]
    first, slash, _ = path.partition("/")
    return f"/{first}" if slash else ""


def _join(
    vectors: Floats, sizes: Sequence[int], rarity: Floats, engines: int
) -> NDArray[np.intp]:
    """For each part its engine, numbered from 0."""
    group = np.arange(len(vectors))
    sums = vectors.copy()
    size = np.array(sizes, np.float64)
    most = _LARGEST * size.sum() / engines
    while (size < np.inf).sum() > engines:
        smallest = int(np.argmin(size))
        near = _unit(sums * rarity) @ _unit(sums[[smallest]] * rarity)[0]
        near[size + size[smallest] > most] -= 10.0  # only if all are so large
        near[(size == np.inf) | (np.arange(len(size)) == smallest)] = -np.inf
        taker = int(np.argmax(near))
        group[group == smallest] = taker
        sums[taker] += sums[smallest]
        size[taker] += size[smallest]
        size[smallest] = np.inf  # gone
    return np.unique(group, return_inverse=True)[1]


def _nearest_other(
    page: Page, topics: Floats, rarity: Floats, home: int
) -> tuple[int, ...]:
    near = topics @ (_page_vector(page) * rarity)
    near[home] = -np.inf
    return (int(np.argmax(near)),) if len(near) > 1 else ()


def _part_vector(pages: Sequence[Page], numbers: Sequence[int]) -> Floats:
    some = numbers[:: 1 + len(numbers) // _PAGES]
    counts = np.sum([_page_vector(pages[number]) for number in some], axis=0)
    vector: Floats = counts * len(numbers) / len(some)
    return vector


def _page_vector(page: Page) -> Floats:
    words = words_of(f"{page.title} {page.text[:_LETTERS]}")
    places = [_place(word) for word in set(words)]
    return np.bincount(places, minlength=_WIDTH).astype(np.float64)


def _place(word: str) -> int:
    return int.from_bytes(word.encode()[:12], "big") % (_WIDTH - 1)


def _unit(vectors: Floats) -> Floats:
    """In logarithms, of length 1."""
    flat = np.log1p(vectors)
    unit: Floats = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-12)
    return unit
