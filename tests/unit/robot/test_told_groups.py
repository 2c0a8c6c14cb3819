"""The controller tells a policy the groups of pages that become held, once, and after a restart
those of pages that an earlier version held.
"""

from __future__ import annotations

import pytest

from trapline.core.links import links_to
from trapline.core.page_groups import Groups, groups_of
from trapline.core.records import Observation, Outcome
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController


class Listener(Posterior):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[int, Groups, float]] = []

    def join(self, page: int, groups: Groups, met_s: float) -> None:
        super().join(page, groups, met_s)
        self.heard.append((page, groups, met_s))


def new_controller(refresh: RefreshPolicy) -> RequestController:
    return RequestController(
        discovery=BreadthFirst(),
        refresh=refresh,
        budget=Budget(per_s=1.0),
        groups=lambda page: (7, 8 + page % 2, 0),
    )


def visit_all(controller: RequestController, pages: int, rounds: int = 1) -> None:
    host = controller.add_own_host(0.0)
    controller.admit(links_to(range(pages), [host] * pages), 0.0)
    now_s = 0.0
    for _ in range(pages * rounds):
        now_s = max(now_s + 1.0, controller.next_time())
        for ticket in controller.issue(now_s, 1):
            controller.land(ticket, now_s)
            seen = Observation(ticket, Outcome.OK, True, 1.0)
            controller.settle(seen, now_s)


def test_a_page_that_becomes_held_is_told_with_its_groups_and_when_it_was_met() -> None:
    policy = Listener()
    visit_all(new_controller(policy), 4, rounds=3)
    assert [(page, groups) for page, groups, _ in policy.heard] == [
        (0, (7, 8, 0)),
        (1, (7, 9, 0)),
        (2, (7, 8, 0)),
        (3, (7, 9, 0)),
    ]
    met_s = [met_s for *_, met_s in policy.heard]
    assert met_s == sorted(met_s)
    assert met_s[0] == 1.0


@pytest.mark.parametrize("before", [Uniform, Posterior])
def test_pages_of_a_state_without_groups_are_told_when_it_is_loaded(
    before: type[RefreshPolicy],
) -> None:
    earlier = new_controller(before())
    visit_all(earlier, 4, rounds=3)
    saved = {
        name: array
        for name, array in earlier.save().items()
        if not name.startswith("refresh.clock")
    }
    policy = Listener()
    new_controller(policy).load(saved)
    assert sorted({page for page, *_ in policy.heard}) == [0, 1, 2, 3]
    assert policy.grouped_pages() == 4


def test_groups_are_of_host_directory_and_twins() -> None:
    page = groups_of("http://a.test/en/guide/start?x=1")
    assert groups_of("http://a.test/en/guide/start?x=2") == page
    assert groups_of("http://a.test/en/guide/end")[:2] == page[:2]
    assert groups_of("http://a.test/en/guide/end")[2] != page[2]
    assert groups_of("http://a.test/de/guide/start")[2] == page[2]
    assert groups_of("http://b.test/de/guide/start")[2] != page[2]
    assert groups_of("http://a.test/")[1:] == (0, 0)
    assert groups_of("http://a.test/en/")[2] == 0
    assert all(0 < group < 2**48 for group in page)
