"""The sum of statistics: added one by one as all at once, and no engine drowns the others."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.oasis import fair_sum
from trapline.oasis.fair_sum import FairSum, most_counted, words_a_page
from trapline.oasis.shared_table import sum_tables, table_version
from trapline.oasis.terms import TermTable


def table(pages: int, seed: int, terms: int = 50) -> TermTable:
    random = np.random.default_rng(seed)
    keys = random.choice(200, terms, replace=False).astype(np.uint64)
    documents = random.integers(1, pages + 1, terms).astype(np.uint32)
    weights = np.ones(terms, np.float32)
    return TermTable.of(pages, keys, documents, weights, weights)


@pytest.mark.parametrize("at_once", [1, 120, 10**6])
def test_one_by_one_is_the_same_as_all_at_once(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_sum, "_AT_ONCE", at_once)
    tables = {f"engine {n}": (n, table(100 + n, n)) for n in range(9)}
    expected = sum_tables(tables)
    found = FairSum(most_pages=10**6)
    for _, one in tables.values():
        found.add(one)
    versions = {key: version for key, (version, _) in tables.items()}
    summed = found.finish(table_version(versions))
    assert (summed.version, summed.pages) == (expected.version, expected.pages)
    assert summed.keys.tolist() == expected.keys.tolist()
    assert summed.documents.tolist() == expected.documents.tolist()


def test_nothing_adds_up_to_nothing() -> None:
    empty = FairSum(10).finish("")
    assert (empty.pages, len(empty.keys)) == (0, 0)


def test_the_sum_keeps_the_terms_of_most_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_sum, "MOST_TERMS", 10)
    one = table(1000, 1)
    found = FairSum(10**6)
    found.add(one)
    kept = found.finish("v")
    assert sorted(kept.documents.tolist()) == sorted(one.documents.tolist())[-10:]
    assert kept.keys.tolist() == sorted(kept.keys.tolist())


def test_an_engine_that_claims_ten_milliards_hardly_moves_rarities() -> None:
    honest = {f"e{n}": (1, table(300_000, n)) for n in range(9)}
    liar = TermTable(
        10**10,
        np.array([500], np.uint64),
        np.array([2**32 - 1], np.uint32),
        np.ones(1, np.float32),
        np.ones(1, np.float32),
    )
    pages = [one.pages for _, one in honest.values()]
    with_liar = FairSum(most_counted([*pages, liar.pages]))
    for _, one in honest.values():
        with_liar.add(one)
    with_liar.add(liar)
    without = sum_tables(honest)
    keys = [int(key) for key in without.keys]
    before = np.array(without.rarities(keys))
    after = np.array(with_liar.finish("v").rarities(keys))
    naive = np.array(sum_tables({**honest, "liar": (1, liar)}).rarities(keys))
    assert np.abs(after - before).max() < 2.0 < np.abs(naive - before).max()


def flat_claim(words: int) -> TermTable:
    """Of a hundred pages of which each has every second word."""
    one = np.ones(words, np.float32)
    having = np.full(words, 50, np.uint32)
    return TermTable(100, np.arange(words, dtype=np.uint64), having, one, one)


def test_an_engine_that_claims_every_word_does_not_count() -> None:
    honest, liar = flat_claim(7_000), flat_claim(9_000)
    assert words_a_page(honest) == 3_500.0
    total = FairSum(10**6)
    for one in (honest, liar):
        total.add(one)
    found = total.finish("v")
    assert (found.pages, len(found.keys)) == (100, 7_000)
