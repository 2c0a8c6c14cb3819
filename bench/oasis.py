"""How fast is the choice among 256 engines, and what does it hold in memory? `bench/oasis.py`.

Engines are made up: words by Zipf's law out of a vocabulary of a million, 40,000 terms an engine,
`--sampled` pages (1,000) of 100 words. Processor time of one choice (features, forecast, whom to
ask) with queries of three to six words, common ones among them.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.federation import Federation, Member
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.sample import Sample
from trapline.oasis.selection.forecast import Forecast, choose
from trapline.oasis.selection.registry import make_selector, selector_names
from trapline.oasis.terms import TermTable

VOCABULARY = 1_000_000
PAGES = 10_000
WORDS = 100  # of a sampled page
GOAL_MS = 5.0


def make_engine(number: int, terms: int, sampled: int) -> Member:
    rng = np.random.default_rng(number)
    drawn = np.unique(zipf(rng, 12 * terms))[:terms]
    documents = np.minimum(1 + (PAGES * 3) // (drawn + 3), PAGES).astype(np.uint32)
    keys = scatter(drawn)
    order = np.argsort(keys)
    weights = rng.uniform(0.3, 1.8, len(drawn)).astype(np.float32)
    table = TermTable(
        PAGES, keys[order], documents[order], weights, weights / np.float32(10)
    )
    return Member(str(number), table, make_sample(rng, sampled))


def make_sample(rng: np.random.Generator, sampled: int) -> Sample:
    rows = [np.unique(zipf(rng, WORDS)) for _ in range(sampled)]
    starts = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
    keys = np.concatenate([np.sort(scatter(row)) for row in rows])
    weights = rng.uniform(0.3, 1.8, len(keys)).astype(np.float32)
    return Sample(starts, keys, weights, rng.random(len(keys)) < 0.05)


def zipf(rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Numbers of words: the commonest are 0, 1, 2 …"""
    drawn = np.exp(rng.random(count) * np.log(VOCABULARY)) - 1.0
    return np.asarray(drawn, np.int64)


def scatter(words: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Keys, all over the 40 bits."""
    mixed: NDArray[np.uint64] = words.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return mixed >> np.uint64(24)


def make_queries(count: int) -> list[QueryKeys]:
    rng = np.random.default_rng(7)
    found = []
    for _ in range(count):
        # words that a page has, but for stop words
        words = 50 + zipf(rng, int(rng.integers(3, 7)))
        found.append(QueryKeys.of([[int(key)] for key in scatter(words)]))
    return found


def times_ms(work: Callable[[QueryKeys], object], queries: list[QueryKeys]) -> str:
    spent = []
    for query in queries:
        began = time.process_time()
        work(query)
        spent.append(1000 * (time.process_time() - began))
    spent.sort()
    p50, p95 = (spent[int(len(spent) * share)] for share in (0.5, 0.95))
    return f"p50 {p50:5.2f} ms  p95 {p95:5.2f} ms  mean {np.mean(spent):5.2f} ms"


def held_mb(federation: Federation) -> float:
    own = [getattr(federation, name) for name in ("keys", "starts", "engine")]
    own += [federation.documents, federation.mean, federation.variance]
    shared = [federation.shared.keys, federation.shared.documents]
    samples = federation.samples
    pages = [samples.keys, samples.starts, samples.page, samples.weight]
    pages += [samples.in_title, samples.engine, samples.title_words]
    return float(sum(part.nbytes for part in (*own, *shared, *pages))) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", type=int, default=256)
    parser.add_argument("--terms", type=int, default=40_000)
    parser.add_argument("--sampled", type=int, default=1000)
    parser.add_argument("--queries", type=int, default=300)
    told = parser.parse_args()
    members = [make_engine(n, told.terms, told.sampled) for n in range(told.engines)]
    began = time.process_time()
    federation = Federation.of(members)
    made_s = time.process_time() - began
    del members
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{told.engines} engines, {told.terms:,} terms, {told.sampled:,} sampled pages"
    )
    print(
        f"made in {made_s:.1f} s, holds {held_mb(federation):.0f} MB, peak {peak:.0f} MB"
    )
    queries = make_queries(told.queries)
    for name in selector_names():
        selector = make_selector(name)
        spent = times_ms(partial(selector.score, federation=federation), queries)
        print(f"  {name:<18} {spent}")
    forecast = Forecast()
    spent = times_ms(lambda q: choose(forecast.shares(q, federation)), queries)
    print(f"choosing: {spent}  (goal {GOAL_MS:.0f})")


if __name__ == "__main__":
    main()
