"""omeara/full-model, small: who does what, that nobody exceeds the bound, and that `auto` is not
worse than a rule.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.records import Ticket
from trapline.laboratory.papers.omeara import full_model
from trapline.laboratory.papers.omeara.full_model_bound import (
    bound_of,
    most_relevant,
    relevance_alive,
)
from trapline.laboratory.papers.omeara.full_model_runs import (
    AUTO,
    BOUND,
    DISCOVERY,
    NUTCH,
    Q_LEARNING,
    REFRESH,
    SPLIT,
    UNIFORM,
    FullModelCase,
    FullModelSetting,
    policies_of,
    run_case,
    run_robot,
)
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.worlds.truth import fresh_copy, relevance_at
from trapline.robot.agenda.agenda import Budget

SMALL = FullModelSetting(pages=200, hosts=5, length_s=400.0, budget=1.5)
SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def earned() -> dict[str, list[float]]:
    kinds = (AUTO, Q_LEARNING, DISCOVERY, REFRESH, SPLIT, UNIFORM, NUTCH, BOUND)
    return {
        kind: [run_case(FullModelCase(kind, kind, SMALL), seed).p for seed in SEEDS]
        for kind in kinds
    }


def test_nobody_exceeds_the_bound(earned: dict[str, list[float]]) -> None:
    for kind, ps in earned.items():
        assert kind == BOUND or all(
            p < most for p, most in zip(ps, earned[BOUND], strict=True)
        ), kind


@pytest.mark.parametrize("rival", [Q_LEARNING, DISCOVERY, REFRESH, UNIFORM, NUTCH])
def test_auto_is_ahead_in_every_small_world(
    earned: dict[str, list[float]], rival: str
) -> None:
    assert all(
        ours > theirs for ours, theirs in zip(earned[AUTO], earned[rival], strict=True)
    )


def test_the_papers_controller_does_both_and_more_than_a_fixed_rule(
    earned: dict[str, list[float]],
) -> None:
    assert np.mean(earned[Q_LEARNING]) > np.mean(earned[UNIFORM])
    assert 0.05 < run_robot(SMALL.world(1), SMALL, Q_LEARNING).discovered < 0.95


def test_the_same_world_gives_the_same_run() -> None:
    web = SMALL.world(4)
    first, second = (run_robot(web, SMALL, AUTO) for _ in range(2))
    assert first.p == second.p and np.array_equal(first.recall, second.recall)


def visits_of(kind: str) -> list[tuple[float, int]]:
    """(time, page) of each visit, for kinds that run in one piece."""
    web = SMALL.world(1)
    seen = list[tuple[float, int]]()
    truth = fresh_copy(web.truth)
    discovery, refresh, share = policies_of(kind, SMALL.length_s)
    budget = Budget(per_s=SMALL.budget, discovery_share=share)
    controller = new_controller(
        truth, discovery=discovery, refresh=refresh, budget=budget, seeds=web.seeds
    )

    def watch(now_s: float, ticket: Ticket) -> None:
        seen.append((now_s, ticket.page))

    drive(controller, truth, room=16, visits=601, until_s=SMALL.length_s, watch=watch)
    return seen


def test_discovery_only_never_comes_back() -> None:
    pages = [page for _, page in visits_of(DISCOVERY)]
    assert len(pages) > 100 and len(set(pages)) == len(pages)


def test_a_fixed_split_spends_half_on_each_as_long_as_both_are_wanted() -> None:
    pages = [page for _, page in visits_of(SPLIT)][:200]
    assert 0.45 < len(set(pages)) / len(pages) < 0.6


def test_refresh_only_finds_nothing_after_a_tenth_of_the_time() -> None:
    earned = run_robot(SMALL.world(1), SMALL, REFRESH)
    assert earned.discovered <= (0.1 * SMALL.length_s * SMALL.budget + 1) / (
        0.9 * SMALL.length_s * SMALL.budget
    )
    assert earned.recall[-1] < earned.freshness[-1]


def test_the_bound_counts_a_page_with_the_most_that_it_comes_to() -> None:
    web = FullModelSetting(pages=300, hosts=4, length_s=500.0, drift=1.0).world(2)
    truth = fresh_copy(web.truth)
    most = np.empty(300)
    most_relevant(truth, 500.0, most)
    for now_s in range(0, 500, 5):
        for page in range(300):
            if web.alive(page, float(now_s)):
                assert relevance_at(truth, page, float(now_s)) <= most[page]
    assert most.sum() > 1.02 * web.relevance.sum()


def test_relevance_alive_is_that_of_pages_born_and_not_dead() -> None:
    web = FullModelSetting(pages=300, hosts=4, length_s=500.0, drift=0.0).world(2)
    pages = web.truth.pages
    there = (pages["born_s"] <= 250.0) & (pages["dies_s"] > 250.0)
    assert relevance_alive(fresh_copy(web.truth), 250.0) == pytest.approx(
        pages["relevance"][there].sum()
    )
    assert 0 < np.count_nonzero(there) < 300


def test_drift_can_only_raise_the_bound() -> None:
    worlds = [
        FullModelSetting(pages=200, hosts=4, length_s=300.0, drift=drift).world(5)
        for drift in (0.0, 1.0)
    ]
    still, moving = (bound_of(web.truth, 300.0, budget=1.0) for web in worlds)
    assert moving > still


def test_the_report_has_a_row_for_each_and_says_who_leads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        full_model, "QUICK", FullModelSetting(pages=60, hosts=3, length_s=120.0)
    )
    report = full_model.run(lambda share, what: None, None, quick=True, seeds=2)
    named = {row["id"]: row for row in report.rows}
    assert named["medium/auto"]["less than auto"] == 0.0
    assert named["scarce/bound"]["of the bound"] == pytest.approx(1.0)
    assert {f"claim/highest, {budget}" for budget in full_model.BUDGETS} <= named.keys()
    assert named["claim/below the bound"]["ours"] > 0.0  # type: ignore[operator]
    assert any(
        remark.startswith("scarce (0.9 visits a page): ") for remark in report.remarks
    )
