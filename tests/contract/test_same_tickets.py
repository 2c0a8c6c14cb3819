"""The live loop on a pretend clock, the laboratory's object path and its compiled path issue the
same tickets.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.contract.pretend_live import run_live
from trapline.laboratory.runs.compiled import run_compiled
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, fresh_copy
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.refresh_policy import KnownPages, RefreshPolicy
from trapline.policies.registry import policy_names, refresh_class
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController

VISITS = 10_000
WEB = LinkedWeb.generate(
    pages=2_000, hosts=40, seed=5, shape=Shape(gap_s=1.0, latency_s=0.3)
)


def example_of(name: str, truth: Truth) -> RefreshPolicy:
    """Told what the world knows; a policy that chooses and runs live, as it runs there."""
    found = refresh_class(name)
    if found.chooses:
        return found()
    probabilities = -np.expm1(-truth.rate)
    return found.example(KnownPages(probabilities, truth.relevance + 0.01))


COMPILED = [
    name
    for name in policy_names("refresh")
    if refresh_class(name).compiles and not refresh_class(name).chooses
]
CHOOSERS = [
    name
    for name in policy_names("refresh")
    if refresh_class(name).chooses and not refresh_class(name).laboratory_only
]


def controller_for(name: str, truth: Truth) -> RequestController:
    return new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=example_of(name, truth),
        budget=Budget(per_s=8.0, discovery_share=0.3),
        seeds=WEB.seeds,
    )


@pytest.mark.parametrize("room", [1, 16])
@pytest.mark.parametrize("name", COMPILED)
def test_three_paths_one_sequence(name: str, room: int) -> None:
    worlds = [fresh_copy(WEB.truth) for _ in range(3)]
    by_object = drive(
        controller_for(name, worlds[0]), worlds[0], room=room, visits=VISITS
    )
    compiled = run_compiled(
        controller_for(name, worlds[1]), worlds[1], room=room, visits=VISITS
    )
    live = run_live(controller_for(name, worlds[2]), worlds[2], room, VISITS)
    assert len(by_object.page) == VISITS
    for other in (compiled, live):
        np.testing.assert_array_equal(by_object.issued_s, other.issued_s)
        np.testing.assert_array_equal(by_object.page, other.page)


@pytest.mark.parametrize("room", [1, 16])
@pytest.mark.parametrize("name", CHOOSERS)
def test_choosers_choose_alike_live_and_in_the_laboratory(name: str, room: int) -> None:
    visits = 4_000
    worlds = [fresh_copy(WEB.truth) for _ in range(2)]
    by_object = drive(
        controller_for(name, worlds[0]), worlds[0], room=room, visits=visits
    )
    live = run_live(controller_for(name, worlds[1]), worlds[1], room, visits)
    assert len(by_object.page) == visits
    np.testing.assert_array_equal(by_object.issued_s, live.issued_s)
    np.testing.assert_array_equal(by_object.page, live.page)
