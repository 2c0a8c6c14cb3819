"""Shared checks over all selectors, and what each is famous for."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.oasis.hand_made import COMMON, MOON, UNKNOWN, WAX, table, three
from trapline.core.errors import UnknownName
from trapline.oasis.federation import Federation, Member
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.sample import Sample
from trapline.oasis.selection.features import FEATURES, feature_matrix
from trapline.oasis.selection.registry import make_selector, selector_names
from trapline.oasis.terms import TermTable

MOON_QUERY = QueryKeys(((MOON,), (COMMON,)))
WAX_QUERY = QueryKeys(((WAX,),))
KNOWING = [name for name in selector_names() if name != "largest"]
QUERIES = {
    "empty": QueryKeys(()),
    "unknown": QueryKeys(((UNKNOWN,),)),
    "half unknown": QueryKeys(((UNKNOWN,), (MOON,))),
    "long": QueryKeys(tuple((key,) for key in range(40))),
}
NOTHING = Member("nothing", TermTable.empty(), Sample.empty())
WITHOUT_SAMPLE = Member("private", table(500, {MOON: 100}), Sample.empty())


@pytest.mark.parametrize("name", KNOWING)
def test_who_knows_the_word_is_asked_first(name: str) -> None:
    federation = Federation.of(three())
    selector = make_selector(name)
    assert np.argmax(selector.score(QueryKeys(((MOON,),)), federation)) == 0
    assert np.argmax(selector.score(WAX_QUERY, federation)) == 1


@pytest.mark.parametrize("name", selector_names())
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_scores_are_finite_whatever_is_asked_and_whoever_is_there(
    name: str, query: QueryKeys
) -> None:
    selector = make_selector(name)
    for members in ([], [NOTHING], [NOTHING, WITHOUT_SAMPLE], [*three(), NOTHING]):
        scores = selector.score(query, Federation.of(members))
        assert scores.shape == (len(members),)
        assert scores.dtype == np.float64
        assert np.isfinite(scores).all()


@pytest.mark.parametrize("name", selector_names())
def test_the_order_of_engines_decides_nothing(name: str) -> None:
    selector = make_selector(name)
    scores = selector.score(MOON_QUERY, Federation.of(three()))
    turned = selector.score(MOON_QUERY, Federation.of(three()[::-1]))
    assert scores.tolist() == pytest.approx(turned[::-1].tolist())


def test_largest_looks_at_size_alone() -> None:
    scores = make_selector("largest").score(WAX_QUERY, Federation.of(three()))
    assert scores.tolist() == [1000, 1000, 10_000]


def test_taily_counts_pages_above_one_threshold() -> None:
    """Two engines with the same words, one of which has them in weightier places."""
    light = Member("light", table(1000, {MOON: 100}, mean=0.5), Sample.empty())
    heavy = Member("heavy", table(1000, {MOON: 100}, mean=1.5), Sample.empty())
    both = Federation.of([light, heavy])
    scores = make_selector("taily").score(QueryKeys(((MOON,),)), both)
    assert scores[1] > 20 * scores[0]
    assert scores.sum() == pytest.approx(50, rel=0.2)


def test_features_are_named() -> None:
    found = feature_matrix(MOON_QUERY, Federation.of(three()))
    assert found.shape == (3, len(FEATURES))


def test_an_unknown_selector_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="cori"):
        make_selector("corri")
