"""A policy that writes several other pages' offers at a visit: all of them are filed anew."""

from __future__ import annotations

import math

import numpy as np

from trapline.core.cards import BY_DUE, HELD, OTHERS, Cards
from trapline.core.ports import Pages, Seen
from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.worlds.truth import Truth, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.mind import Blank
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.theory.kernel import bare_kernel

PAGES = 200


@bare_kernel
def _settle(cards: Cards, mind: Blank, page: int, seen: Seen, others: Pages) -> int:
    """The pages after it are worth more, or less again, with each visit."""
    cards["base"][page] = 0.0
    cards["shape"][page, 0] = math.inf
    cards["rate"][page, 0] = 0.001 * (1 + page)
    cards["worth"][page, 0] = 1.0
    written = 0
    for other in range(page + 1, min(page + 1 + len(others), len(cards))):
        if cards["state"][other] == HELD and cards["filed"][other] == BY_DUE:
            cards["worth"][other, 0] = 5.0 - cards["worth"][other, 0]
            others[written] = other
            written += 1
    return written


class Unsteady(CardPolicy):
    settle_kernel = staticmethod(_settle)


def _ready(truth: Truth) -> RequestController:
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=Unsteady(),
        budget=Budget(per_s=4.0),
        seeds=[],
    )
    hold_all(controller, truth, np.full(PAGES, -20.0))
    return controller


def _world() -> Truth:
    host = (np.arange(PAGES) % 5).astype(np.int32)
    return make_truth(host=host, rate=np.full(PAGES, 0.01), seed=1)


def test_it_says_which_pages_it_wrote() -> None:
    controller = _ready(_world())
    seen = Seen(0, True, 1.0, 0.0, 20.0, 0.0, 0.0)
    written = controller.refresh.settle(controller.agenda.cards, 7, seen)
    assert list(written) == list(range(7, 7 + 1 + OTHERS))


def test_all_of_them_are_filed_anew_on_both_paths() -> None:
    worlds = [_world() for _ in range(2)]
    controllers = [_ready(world) for world in worlds]
    by_object = drive(controllers[0], worlds[0], room=2, visits=2_000)
    compiled = run_compiled(controllers[1], worlds[1], room=2, visits=2_000)
    np.testing.assert_array_equal(by_object.page, compiled.page)
    np.testing.assert_array_equal(by_object.issued_s, compiled.issued_s)
