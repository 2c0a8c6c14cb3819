"""Recall and freshness are estimated without the truth; the laboratory has it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from trapline.app.folder.schedule.estimates import estimate_shares
from trapline.app.folder.schedule.saved_schedule import SavedSchedule
from trapline.app.settings import Settings
from trapline.core.cards import FRINGE, HELD
from trapline.core.records import Kind, Outcome, Visit
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.runs.measures import Tracker, quality
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import fresh_copy
from trapline.policies.registry import make_discovery_policy, make_refresh_policy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController

SHAPE = Shape(
    gap_s=0.0, change_every_s=(60.0, 20_000.0), born_share=0.0, dies_share=0.0
)


def saved(controller: RequestController) -> SavedSchedule:
    agenda = controller.agenda
    cards = agenda.cards.copy()
    held = np.flatnonzero(cards["state"] == HELD)
    gains = controller.refresh.page_gains(held, cards["host"][held].astype(np.int64))
    return SavedSchedule(
        settings=Settings(),
        cards=cards,
        hosts=agenda.hosts.copy(),
        till=agenda.books.till.copy(),
        host_names=[],
        policy=controller.refresh,
        pages=held,
        gains=gains,
        stands_for=1.0,
        usual_cost=1.0,
    )


@pytest.mark.parametrize("seed", [1, 3])
@pytest.mark.parametrize("slow", [1.0, 10.0], ids=["quick", "slow"])
def test_both_are_near_the_truth(seed: int, slow: float) -> None:
    """To a tenth (found: nine hundredths at most); and the bands of freshness hold it, also where
    the first guess, before any page is seen twice, is far from it.
    """
    every_s = (60.0 * slow, 20_000.0 * slow)
    shape = replace(SHAPE, change_every_s=every_s)
    web = LinkedWeb.generate(1500, 10, "space", seed, shape)
    options = {"horizon_s": 20_000.0, "interest_half_life_s": 5_000.0}
    controller = new_controller(
        web.truth,
        discovery=make_discovery_policy("auto"),
        refresh=make_refresh_policy("auto", options),
        budget=Budget(per_s=1.0),
        seeds=list(web.seeds),
    )
    tracker = Tracker(web.truth)
    now_s = 0.0
    for visits in (300, 500, 1000, 2000):
        drive(
            controller,
            web.truth,
            room=1,
            visits=visits,
            start_s=now_s,
            until_s=now_s + visits,
            watch=tracker.watch,
        )
        now_s += visits
        truth = quality(fresh_copy(web.truth), tracker.holding(), now_s)
        fringe = controller.agenda.count(FRINGE)
        found = estimate_shares(saved(controller), [], now_s, fringe)
        assert found is not None
        assert found.freshness.low <= truth.freshness <= found.freshness.high
        if controller.refresh.learnt_pages():
            assert found.freshness.value == pytest.approx(truth.freshness, abs=0.1)
            assert found.recall.value == pytest.approx(truth.recall, abs=0.1)
        for estimate in (found.freshness, found.recall):
            assert 0.0 <= estimate.low <= estimate.value <= estimate.high <= 1.0


def few_pages() -> RequestController:
    web = LinkedWeb.generate(60, 3, "space", 1, SHAPE)
    controller = new_controller(
        web.truth,
        discovery=make_discovery_policy("auto"),
        refresh=make_refresh_policy("auto"),
        budget=Budget(per_s=1.0),
        seeds=list(web.seeds),
    )
    drive(controller, web.truth, room=1, visits=20, until_s=20.0)
    return controller


def seen(number: int, page: int, ended_s: float) -> Visit:
    return Visit(
        number, page, 0, Kind.PAGE, ended_s, ended_s, 1.0, Outcome.OK, 200, True, 1.0
    )


def test_visits_since_the_schedule_was_saved_count() -> None:
    """Of a day ago everything may have changed, of what was seen just now nothing."""
    schedule = saved(few_pages())
    now_s = 86_400.0
    old = estimate_shares(schedule, [], now_s, 0)
    held = schedule.pages.tolist()
    again = [seen(100 + page, page, now_s) for page in held]
    fresh = estimate_shares(schedule, again, now_s, 0)
    assert old is not None
    assert fresh is not None
    assert old.freshness.value < 0.5
    assert fresh.freshness.value == pytest.approx(1.0)


def test_pages_held_since_then_count_too() -> None:
    schedule = saved(few_pages())
    nothing = replace(
        schedule,
        pages=schedule.pages[:0],
        gains=schedule.gains.take(slice(0, 0)),
        cards=schedule.cards[:0],
    )
    assert estimate_shares(nothing, [], 100.0, 0) is None
    found = estimate_shares(nothing, [seen(0, 5, 100.0)], 100.0, 0)
    assert found is not None
    assert found.freshness.value == pytest.approx(1.0)
    assert found.recall.value == pytest.approx(1.0)


def test_the_larger_the_fringe_the_smaller_is_recall() -> None:
    schedule = saved(few_pages())
    found = [estimate_shares(schedule, [], 20.0, fringe) for fringe in (0, 10, 1000)]
    recalls = [estimates.recall.value for estimates in found if estimates is not None]
    assert recalls == sorted(recalls, reverse=True)
    assert len(set(recalls)) == 3
