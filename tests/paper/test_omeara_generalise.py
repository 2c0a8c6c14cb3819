"""omeara/generalise, small: training and testing apart, and what a pass through an unseen web is
measured by.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.laboratory.papers.omeara import generalise
from trapline.laboratory.papers.omeara.generalise_runs import (
    BEST_FIRST,
    BREADTH_FIRST,
    FRINGE_GREEDY,
    HORN,
    Q_KIN,
    Q_LEARNING,
    RANDOM,
    TRAINED,
    VALUE,
    PassCase,
    run_case,
    trained_value,
)
from trapline.laboratory.runs.discovery_pass import crawl_once
from trapline.laboratory.worlds.families import FAMILIES, family
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.features import first_weights
from trapline.policies.discovery.value import Value

PAGES = 1_200


def share(
    kind: str, name: str = "topical", anchors: float = 1.0, seed: int = 0
) -> float:
    return run_case(PassCase(kind, kind, name, anchors, PAGES), seed).share


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_value_is_above_best_first_and_below_the_oracle_with_words(name: str) -> None:
    assert (
        share(RANDOM, name)
        < share(BEST_FIRST, name)
        < share(VALUE, name)
        < share(FRINGE_GREEDY, name)
        < 1.0
    )


@pytest.mark.parametrize("kind", [VALUE, HORN, TRAINED])
def test_words_help(kind: str) -> None:
    assert share(kind, anchors=1.0) > share(kind, anchors=0.0)


def test_words_are_nothing_to_those_that_do_not_read() -> None:
    for kind in (BEST_FIRST, BREADTH_FIRST, RANDOM):
        assert share(kind, anchors=1.0) == share(kind, anchors=0.0)


def test_a_table_learnt_on_another_graph_is_no_better_than_chance() -> None:
    found = [
        share(Q_LEARNING, seed=seed) - share(RANDOM, seed=seed) for seed in range(3)
    ]
    assert np.mean(found) < 0.05


def test_rows_that_begin_at_their_kins_worth_say_something_of_an_unseen_web() -> None:
    for name in ("topical", "encyclopaedia"):
        assert share(Q_KIN, name) > share(BREADTH_FIRST, name) + 0.05


def test_horn_is_not_value() -> None:
    assert share(HORN) != share(VALUE)


def test_one_pass_fetches_each_page_once_and_waits_for_no_host() -> None:
    web = family("forum", 600, 0, "test")
    order = crawl_once(web, BreadthFirst(), web.pages).page
    assert sorted(order.tolist()) == list(range(600))


def test_weights_trained_elsewhere_come_from_other_families_only() -> None:
    trained = trained_value("forum", 1.0, 600)
    passes = []
    for name in FAMILIES:
        policy = Value()
        crawl_once(family(name, 600, 1_000, "train"), policy, 600)
        passes.append(policy.mind.weights)
    others = [
        weights
        for name, weights in zip(FAMILIES, passes, strict=True)
        if name != "forum"
    ]
    assert trained.mind.weights == pytest.approx(np.mean(others, axis=0))
    assert not np.allclose(trained.mind.weights, first_weights())
    assert np.allclose(trained.mind.spread, 0.1 * np.eye(len(trained.mind.weights)))


def test_the_report_judges_value_by_what_is_wanted_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(generalise, "QUICK_PAGES", 300)
    report = generalise.run(lambda share, what: None, None, quick=True, seeds=2)
    named = {row["id"]: row for row in report.rows}
    least = min(
        named[f"{name}, with anchors/value"]["ours"] - 0.90  # type: ignore[operator]
        for name in FAMILIES
    )
    assert named["claim/value, with anchors"]["ours"] == pytest.approx(least)
    assert named["claim/on every graph"]["verdict"] in ("holds", "fails")
    assert any(
        "is not shipped" in remark or "is shipped" in remark
        for remark in report.remarks
    )
