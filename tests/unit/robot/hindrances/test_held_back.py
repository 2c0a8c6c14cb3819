"""What holds the robot back: each cause, from a controller in that situation."""

from __future__ import annotations

from dataclasses import replace

from trapline.core.links import links_to
from trapline.core.records import Kind, Observation, Outcome, Reception, Robots, Ticket
from trapline.policies.registry import make_discovery_policy, make_refresh_policy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.hindrances.held_back import Cause, HeldBack, Surroundings, held_back
from trapline.robot.page_intervals import Interval
from trapline.robot.queue_gauge import QueueFigures
from trapline.robot.request_controller import Limits, RequestController

QUEUE = QueueFigures(
    fetch_rate=10.0,
    process_rate=100.0,
    awake=8,
    active=0,
    queue=0,
    queue_room=16,
    starvation=0.9,
    blocked=0,
    blocked_s=0.0,
)
AROUND = Surroundings(QUEUE, most_fetchers=64, host_name=lambda host: f"h{host}:80")
NO_RULES = Robots("", 1e9)


class Crawl:
    """So many hosts with so many pages each, all on addresses of their own."""

    def __init__(
        self,
        hosts: int = 4,
        pages: int = 3,
        *,
        budget: Budget | None = None,
        gap_s: float = 1.0,
        limits: Limits | None = None,
        located: bool = True,
        address: str = "",
    ) -> None:
        self.controller = RequestController(
            discovery=make_discovery_policy("breadth-first"),
            refresh=make_refresh_policy("posterior"),
            budget=budget or Budget(),
            url=lambda page: f"http://h/{page}",
            gap_s=lambda host, delay_s: max(gap_s, delay_s or 0.0),
            limits=limits or Limits(),
        )
        on_hosts = [page % hosts for page in range(hosts * pages)]
        self.controller.admit(links_to(range(hosts * pages), on_hosts), 0.0)
        for host in range(hosts) if located else ():
            self.controller.locate(host, address or f"192.0.2.{host}", 0.0)

    def visit(
        self,
        now_s: float,
        *,
        robots: Robots = NO_RULES,
        outcome: Outcome = Outcome.OK,
        reception: Reception = Reception.FINE,
        retry_after_s: float = 0.0,
        takes_s: float = 0.0,
    ) -> list[Ticket]:
        """All visits that may be made, and settled when they end."""
        tickets = self.controller.issue(now_s, 1000)
        for ticket in tickets:
            rules = robots if ticket.kind is Kind.ROBOTS else None
            self.controller.land(ticket, now_s + takes_s)
            found = Observation(
                ticket,
                outcome,
                changed=outcome is Outcome.OK,
                relevance=1.0 if outcome is Outcome.OK else 0.0,
                robots=rules,
                reception=reception,
                retry_after_s=retry_after_s,
            )
            self.controller.settle(found, now_s + takes_s)
        return tickets

    def held_back(self, now_s: float, around: Surroundings = AROUND) -> HeldBack:
        return held_back(self.controller, around, now_s)


def busy(**changes: float) -> Surroundings:
    return replace(AROUND, queue=replace(QUEUE, **changes))  # type: ignore[arg-type]


def test_the_gap() -> None:
    crawl = Crawl(hosts=4)
    crawl.visit(1.0)
    found = crawl.held_back(1.5)
    assert found.cause is Cause.GAP
    assert found.reason == "gap 1 s on 4 hosts: at most 4 visits a second"
    assert "more hosts" in found.lift
    assert str(found) == f"{found.reason}; {found.lift}"


def test_one_host_is_named() -> None:
    crawl = Crawl(hosts=1)
    crawl.visit(1.0)
    assert crawl.held_back(1.5).reason == "gap 1 s on h0:80: at most 1 visit a second"


def test_a_crawl_delay() -> None:
    crawl = Crawl(hosts=2)
    crawl.visit(1.0, robots=Robots("User-agent: *\nCrawl-delay: 10", 1e9))
    found = crawl.held_back(1.5)
    assert found.cause is Cause.CRAWL_DELAY
    assert "Crawl-delay of h0:80 is 10 s (and 1 other host)" in found.reason
    assert "0.2 visits a second" in found.reason


def test_the_budget() -> None:
    crawl = Crawl(hosts=50, budget=Budget(per_s=2.0))
    crawl.visit(1.0)
    crawl.visit(3.0)
    found = crawl.held_back(3.01)
    assert found.cause is Cause.BUDGET
    assert "2 visits a second" in found.reason
    assert found.lift == "a larger budget would lift it, up to 50 visits a second"


def test_a_budget_that_hosts_cannot_use_up_is_not_blamed() -> None:
    crawl = Crawl(hosts=4, budget=Budget(per_s=5.0))
    crawl.visit(1.0)
    for now_s in (2.1, 2.3, 2.5, 2.7):
        crawl.visit(now_s)
    assert crawl.held_back(2.71).cause is Cause.GAP


def test_a_budget_that_keeps_free_hosts_waiting_is_blamed() -> None:
    crawl = Crawl(hosts=4, budget=Budget(per_s=5.0))
    crawl.visit(1.0)
    crawl.visit(2.1)
    assert crawl.held_back(2.11).cause is Cause.BUDGET


def test_a_site_that_refuses_is_left_alone() -> None:
    crawl = Crawl(hosts=1)
    crawl.visit(1.0)
    crawl.visit(
        3.0,
        outcome=Outcome.FAILED,
        reception=Reception.REFUSED,
        retry_after_s=30.0,
    )
    found = crawl.held_back(3.5)
    assert found.cause is Cause.SITE_LIMIT
    assert found.reason.startswith("h0:80 refused us")
    assert "for 29.5 s" in found.reason


def test_the_limit_of_a_site_that_was_learnt() -> None:
    crawl = Crawl(hosts=1, pages=40, gap_s=0.0)
    now_s = 1.0
    crawl.visit(now_s)
    while crawl.held_back(now_s + 0.01).cause is not Cause.SITE_LIMIT:
        assert now_s < 20.0
        now_s += 0.1
        crawl.visit(now_s)
        crawl.visit(now_s + 0.02, outcome=Outcome.FAILED, reception=Reception.REFUSED)
    now_s += 60.0
    crawl.visit(now_s)
    found = crawl.held_back(now_s + 0.01)
    assert found.cause is Cause.SITE_LIMIT
    assert "the limit of h0:80" in found.reason


def test_a_share_of_a_host() -> None:
    crawl = Crawl(hosts=1, budget=Budget(per_s=10.0))
    crawl.controller.bound(0, 0.01, 0.0)
    crawl.visit(1.0)
    found = crawl.held_back(5.0)
    assert found.cause is Cause.SHARE
    assert "a visit every 10 s" in found.reason


def test_one_address_for_many_hosts() -> None:
    crawl = Crawl(hosts=10, address="192.0.2.1")
    crawl.visit(1.0)
    found = crawl.held_back(1.5)
    assert found.cause is Cause.ADDRESS
    assert "9 hosts wait" in found.reason
    assert "at most 1 visit a second" in found.reason


def test_answers_that_take_long() -> None:
    crawl = Crawl(hosts=3)
    crawl.visit(1.0)
    crawl.controller.issue(3.0, 10)
    found = crawl.held_back(8.0, busy(active=3))
    assert found.cause is Cause.ANSWERS
    assert found.reason == (
        "answers: 3 hosts take 5 s each to answer: at most 0.5 visits a second"
    )


def test_the_time_of_robots_txt_is_not_that_of_pages() -> None:
    """The gap is shorter than an answer, so that answers are what is waited for, also in it."""
    crawl = Crawl(hosts=1)
    crawl.visit(1.0)
    crawl.visit(3.0, takes_s=7.0)
    found = crawl.held_back(10.5)
    assert found.reason == (
        "answers: h0:80 takes 7 s to answer: at most 0.125 visits a second"
    )


def test_answers_bound_the_visits_that_gaps_allow() -> None:
    crawl = Crawl(hosts=1)
    crawl.visit(1.0)
    crawl.visit(3.0, takes_s=0.6)
    found = crawl.held_back(4.0)
    assert found.cause is Cause.GAP
    assert "at most 0.625 visits a second" in found.reason


def test_fetchers_that_are_all_at_work() -> None:
    crawl = Crawl(hosts=20)
    crawl.controller.issue(1.0, 4)
    most = replace(busy(awake=4, active=4), most_fetchers=4)
    found = crawl.held_back(1.5, most)
    assert found.cause is Cause.FETCHERS
    assert "all 4 are at work, while 16 hosts" in found.reason
    assert "[fetchers] most" in found.lift
    policy = crawl.held_back(1.5, busy(awake=4, active=4))
    assert "keeps 4 of 64 awake" in policy.reason
    reading = crawl.held_back(1.5, busy(awake=4, active=4, starvation=0.1))
    assert reading.cause is Cause.READING


def test_reading() -> None:
    found = Crawl().held_back(1.0, busy(queue=16))
    assert found.cause is Cause.READING
    assert "16 of 16 places" in found.reason
    assert "100 visits a second" in found.reason


def test_a_locked_store() -> None:
    found = Crawl().held_back(1.0, replace(AROUND, store_locked=True))
    assert found.cause is Cause.STORE


def test_robots_txt_that_does_not_answer() -> None:
    crawl = Crawl(hosts=3)
    crawl.visit(1.0, robots=Robots(None, 601.0))
    found = crawl.held_back(2.5)
    assert found.cause is Cause.ROBOTS
    assert "robots.txt of h0:80 and 2 other hosts is not answering" in found.reason
    assert "for 10 min" in found.reason


def test_names_that_are_looked_up() -> None:
    found = Crawl(hosts=3, located=False).held_back(1.0)
    assert found.cause is Cause.NAMES
    assert "h0:80 and 2 other hosts are being looked up" in found.reason


def test_hosts_that_cannot_be_found_or_are_paused() -> None:
    crawl = Crawl(hosts=2, located=False)
    for host in range(2):
        crawl.controller.locate(host, None, 0.0)
    assert crawl.held_back(1.0).cause is Cause.NOT_FOUND
    crawl.controller.pause(0, 1.0, paused=True)
    found = crawl.held_back(1.0)
    assert found.cause is Cause.PAUSED
    assert found.reason == "h0:80 is paused or blocked"
    assert found.also == ("h1:80 cannot be found, or may not be visited",)
    assert "--resume" in found.lift


def test_what_is_lost_stands_beside_what_decides() -> None:
    crawl = Crawl(hosts=3)
    crawl.controller.locate(2, None, 0.0)
    crawl.visit(1.0)
    found = crawl.held_back(1.5)
    assert found.cause is Cause.GAP
    assert "also: h2:80 cannot be found" in str(found)


def test_nothing_is_due_yet() -> None:
    crawl = Crawl(hosts=1, pages=3)
    crawl.controller.bound_intervals(
        {page: Interval(least_s=100.0) for page in range(2)}, 0.0
    )
    for now_s in (1.0, 3.0, 5.0):
        crawl.visit(now_s)
    crawl.visit(7.0, outcome=Outcome.FAILED)
    found = crawl.held_back(9.0)
    assert found.cause is Cause.NOT_DUE
    assert found.reason == "nothing is due yet: the next of 2 held pages is due in 94 s"
    assert found.also == ("1 page that failed is tried again in 58 s",)


def test_pages_that_failed_are_tried_again() -> None:
    crawl = Crawl(hosts=1, pages=2)
    crawl.visit(1.0)
    crawl.visit(3.0, outcome=Outcome.FAILED, reception=Reception.TROUBLE)
    crawl.visit(5.0, outcome=Outcome.FAILED, reception=Reception.TROUBLE)
    found = crawl.held_back(9.0)
    assert found.cause is Cause.FAILED
    assert found.reason == "2 pages that failed are tried again, the first in 54 s"


def test_a_site_that_refuses_its_only_page() -> None:
    crawl = Crawl(hosts=1, pages=1)
    crawl.visit(1.0)
    crawl.visit(
        3.0,
        outcome=Outcome.FAILED,
        reception=Reception.REFUSED,
        retry_after_s=90.0,
    )
    found = crawl.held_back(4.0)
    assert found.cause is Cause.SITE_LIMIT
    assert "h0:80 refused us (429, 503, Retry-After)" in found.reason
    assert "is asked again in 89 s" in found.reason


def test_robots_txt_that_forbids_everything() -> None:
    crawl = Crawl(hosts=2, pages=2)
    crawl.visit(1.0, robots=Robots("User-agent: *\nDisallow: /", 86401.0))
    assert crawl.visit(3.0) == []
    found = crawl.held_back(4.0)
    assert found.cause is Cause.FORBIDDEN
    assert found.reason == "robots.txt of h0:80 and 1 other host forbids 4 pages there"
    assert found.lift == "its owner can lift it; it is read again in 24 h"


def test_all_hosts_are_paused_while_pages_wait_for_their_time() -> None:
    crawl = Crawl(hosts=1, pages=1)
    crawl.visit(1.0)
    crawl.visit(3.0, outcome=Outcome.FAILED)
    crawl.controller.pause(0, 4.0, paused=True)
    found = crawl.held_back(9.0)
    assert found.cause is Cause.PAUSED
    assert "--resume" in found.lift


def test_as_many_pages_are_held_as_may_be() -> None:
    crawl = Crawl(hosts=1, pages=9, limits=Limits(pages=2))
    for now_s in range(1, 20):
        crawl.visit(float(now_s))
    found = crawl.held_back(19.5)
    assert "scope.pages is reached: 2 are held, 7 wait on the fringe" in str(found)


def test_nothing_is_left() -> None:
    crawl = Crawl(hosts=1, pages=1)
    crawl.controller.forget([0], 1.0)
    found = crawl.held_back(2.0)
    assert found.cause is Cause.FINISHED
    assert found.lift == ""


def test_the_last_visit_is_waited_for() -> None:
    crawl = Crawl(hosts=1, pages=1)
    crawl.visit(1.0)
    crawl.controller.issue(3.0, 1)
    found = crawl.held_back(3.1)
    assert found.cause is Cause.ANSWERS
    assert found.reason == "answers: 1 visit is under way, for 0.1 s now"


def test_nothing_holds_back_hosts_that_are_free() -> None:
    found = Crawl().held_back(1.0)
    assert found.cause is Cause.NOTHING


def test_it_can_be_written_down() -> None:
    said = Crawl().held_back(1.0).as_dict()
    assert said["cause"] == "nothing"
    assert said["line"] == said["reason"]


def test_before_anything_was_fetched() -> None:
    crawl = Crawl(hosts=2, gap_s=0.0, budget=Budget(per_s=1.0))
    assert crawl.held_back(0.0).cause is Cause.NOTHING
