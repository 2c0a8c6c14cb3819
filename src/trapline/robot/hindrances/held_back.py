"""What holds the robot back right now, in one line, with what would lift it.

Computed from the controllers' own state: a pure function of the agenda, the hosts, the fetchers and
the queue. Who decides, in this order: the store (nothing is visited while it is locked), the
processor (the response queue is full), the budget (used up, and hosts have room for more), the
fetchers (all at work while hosts are free), then whatever keeps most hosts from being visited.
Hosts that are paused or cannot be found come last: they count only where nothing else is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from trapline.core.cards import FRINGE
from trapline.policies.wording import say_rate, say_span
from trapline.robot.agenda import purchase
from trapline.robot.hindrances.host_hindrances import (
    Hindrance,
    HostTally,
    Seconds,
    tally_hosts,
)
from trapline.robot.hindrances.page_hindrances import (
    NO_PAGES,
    PageTally,
    WaitingPages,
    tally_pages,
)
from trapline.robot.host_gaps import GapCause
from trapline.robot.queue_gauge import QueueFigures
from trapline.robot.request_controller import RequestController
from trapline.robot.visit_costs import VisitCosts, say_spend

# of the last minute that the processor had nothing to do: below, it is what is scarce
BUSY: Final = 0.5


class Cause(StrEnum):
    STORE = "store"
    READING = "reading"
    BUDGET = "budget"
    FETCHERS = "fetchers"
    GAP = "gap"
    CRAWL_DELAY = "Crawl-delay"
    SITE_LIMIT = "site limit"
    SHARE = "share"
    ADDRESS = "address"
    ANSWERS = "answers"
    ROBOTS = "robots.txt"
    NAMES = "names"
    NOT_FOUND = "not found"
    PAUSED = "paused"
    PAGES = "scope.pages"
    NOT_DUE = "not due"
    FAILED = "failed"
    FORBIDDEN = "forbidden"  # by robots.txt
    FINISHED = "finished"
    NOTHING = "nothing"


_GAP_CAUSES: Final = {
    GapCause.MANNERS: Cause.GAP,
    GapCause.CRAWL_DELAY: Cause.CRAWL_DELAY,
    GapCause.SITE_LIMIT: Cause.SITE_LIMIT,
    GapCause.SHARE: Cause.SHARE,
}


@dataclass(frozen=True, slots=True)
class HeldBack:
    """`reason` has the numbers, `lift` says what would lift it; "" = nothing need be lifted."""

    cause: Cause
    reason: str
    lift: str = ""
    also: tuple[str, ...] = ()  # what else keeps hosts from being visited

    def __str__(self) -> str:
        parts = [self.reason, self.lift, *(f"also: {one}" for one in self.also)]
        return "; ".join(filter(None, parts))

    def as_dict(self) -> dict[str, Any]:
        return {
            "cause": str(self.cause),
            "reason": self.reason,
            "lift": self.lift,
            "also": list(self.also),
            "line": str(self),
        }


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around the request controller."""

    queue: QueueFigures
    most_fetchers: int
    host_name: Callable[[int], str]
    store_locked: bool = False


def held_back(
    controller: RequestController, around: Surroundings, now_s: float
) -> HeldBack:
    """What holds the robot back at this moment."""
    answers_s = controller.answer_times(now_s)
    tally = tally_hosts(controller.agenda, controller.host_book, now_s, answers_s)
    return _Moment(controller, around, tally, now_s, answers_s).explain()


@dataclass(frozen=True, slots=True)
class _Moment:
    controller: RequestController
    around: Surroundings
    tally: HostTally
    now_s: float
    answers_s: Seconds

    def explain(self) -> HeldBack:
        if self.around.store_locked:
            return HeldBack(
                Cause.STORE,
                "another program has locked the store: no visits until it is free",
                "close the program that reads store.sqlite",
            )
        if self.around.queue.queue >= self.around.queue.queue_room:
            return self._reading()
        return self._budget() or self._fetchers() or self._hosts() or self._rest()

    def _reading(self) -> HeldBack:
        queue = self.around.queue
        rate = _visits(queue.process_rate) if queue.process_rate > 0.0 else "little"
        return HeldBack(
            Cause.READING,
            f"reading: {queue.queue} of {queue.queue_room} places of the response queue are "
            f"taken, and the processor reads {rate}",
            "more cores would lift it",
            self._also(Hindrance.NONE),
        )

    def _budget(self) -> HeldBack | None:
        """Used up, while hosts would take as many visits and more."""
        agenda = self.controller.agenda
        per_s = agenda.budget.per_s
        spent = purchase.bucket_opens(agenda.books) > self.now_s
        costs = self.controller.costs
        # visits that the budget pays for
        paid = per_s / costs.usual
        wanted = self.tally.ceiling >= paid or self._mostly_free()
        if not (math.isfinite(per_s) and spent and wanted):
            return None
        return HeldBack(
            Cause.BUDGET,
            f"the budget of {_say_budget(per_s, costs)} is used up",
            f"a larger budget would lift it, up to {_visits(self.tally.ceiling)}"
            if math.isfinite(self.tally.ceiling)
            else "a larger budget would lift it",
            self._also(Hindrance.NONE),
        )

    def _fetchers(self) -> HeldBack | None:
        """All that are awake are at work, while most hosts could be visited."""
        queue = self.around.queue
        if queue.active < queue.awake or not self._mostly_free():
            return None
        free = _say_hosts(self.tally.counts[Hindrance.FREE])
        if queue.awake < self.around.most_fetchers:
            if queue.starvation < BUSY:
                return self._reading()
            return HeldBack(
                Cause.FETCHERS,
                f"fetchers: the policy keeps {queue.awake} of {self.around.most_fetchers} awake, "
                f"all at work, while {free} could be visited",
                'it wakes more as it learns; [fetchers] policy = "fixed" would, at once',
                self._also(Hindrance.NONE),
            )
        return HeldBack(
            Cause.FETCHERS,
            f"fetchers: all {queue.awake} are at work, while {free} could be visited",
            "more of them would lift it: [fetchers] most",
            self._also(Hindrance.NONE),
        )

    def _mostly_free(self) -> bool:
        """More hosts may be visited now than have to wait for their turn."""
        counts = self.tally.counts
        waiting = counts[Hindrance.GAP] + counts[Hindrance.ADDRESS]
        return counts[Hindrance.FREE] > 0 and counts[Hindrance.FREE] >= waiting

    def _hosts(self) -> HeldBack | None:
        """What keeps most hosts from being visited, of those that will be."""
        ways = {
            Hindrance.GAP: self._gap,
            Hindrance.ADDRESS: self._address,
            Hindrance.ANSWER: self._answer,
            Hindrance.ALONE: self._alone,
            Hindrance.CLOSED: self._robots_txt,
            Hindrance.UNLOCATED: self._names,
        }
        counts = self.tally.counts
        kind = max(ways, key=lambda kind: counts[kind])
        # else the loop is about to visit those that are free
        decides = counts[kind] > 0 and counts[kind] >= counts[Hindrance.FREE]
        return ways[kind]() if decides else None

    def _gap(self) -> HeldBack:
        causes = self.tally.causes
        cause = max(causes, key=lambda cause: causes[cause])
        host = self.tally.examples[cause]
        gap_s = float(self.controller.agenda.hosts["gap"][host])
        words = _GapWords(
            causes[cause], self.around.host_name(host), gap_s, self._most_visits()
        )
        return HeldBack(_GAP_CAUSES[cause], *words.say(cause), self._also())

    def _most_visits(self) -> str:
        ceiling = self.tally.ceiling
        return f"at most {_visits(ceiling)}" if math.isfinite(ceiling) else ""

    def _address(self) -> HeldBack:
        count = self.tally.counts[Hindrance.ADDRESS]
        host = self.tally.example(Hindrance.ADDRESS)
        address = int(self.controller.agenda.hosts["address"][host])
        gap_s = float(self.controller.agenda.books.addresses["gap"][address])
        return HeldBack(
            Cause.ADDRESS,
            f"one address for many: {_say_hosts(count)} wait for others on their address, such as "
            f"{self.around.host_name(host)} (gap {say_span(gap_s)}): {self._most_visits()}",
            "hosts on other addresses, or `own` gaps, would lift it",
            self._also(),
        )

    def _answer(self) -> HeldBack:
        count = self.tally.counts[Hindrance.ANSWER]
        slow = self.tally.kinds == Hindrance.ANSWER
        takes = say_span(float(self.answers_s[slow].mean()))
        host = self.around.host_name(self.tally.example(Hindrance.ANSWER))
        who = (
            f"{host} takes {takes}"
            if count == 1
            else f"{_say_hosts(count)} take {takes} each"
        )
        return self._waiting(f"{who} to answer: {self._most_visits()}")

    def _under_way(self) -> HeldBack:
        count = self.controller.under_way
        since_s = self.controller.waits_since()
        waits = f", for {say_span(self.now_s - since_s)} now"
        return self._waiting(
            f"{_say_hosts(count, 'visit')} {_is(count)} under way"
            f"{waits if since_s < self.now_s else ''}"
        )

    def _waiting(self, what: str) -> HeldBack:
        return HeldBack(
            Cause.ANSWERS, f"answers: {what}", "more hosts would lift it", self._also()
        )

    def _alone(self) -> HeldBack:
        count = self.tally.counts[Hindrance.ALONE]
        host = self.tally.example(Hindrance.ALONE)
        who = self._name_hosts(host, count)
        return HeldBack(
            Cause.SITE_LIMIT,
            f"{who} refused us or failed (429, 503, Retry-After, no answer), "
            f"and {_is(count)} left alone{self._for(host)}",
            "it is tried again by itself",
            self._also(Hindrance.ALONE),
        )

    def _robots_txt(self) -> HeldBack:
        count = self.tally.counts[Hindrance.CLOSED]
        host = self.tally.example(Hindrance.CLOSED)
        return HeldBack(
            Cause.ROBOTS,
            f"robots.txt of {self._name_hosts(host, count)} is not answering: nobody goes there"
            f"{self._for(host)}",
            "it is asked for again by itself; its owner can lift it",
            self._also(Hindrance.CLOSED),
        )

    def _names(self) -> HeldBack:
        count = self.tally.counts[Hindrance.UNLOCATED]
        host = self.tally.example(Hindrance.UNLOCATED)
        return HeldBack(
            Cause.NAMES,
            f"names: {self._name_hosts(host, count)} {_is(count)} being looked up",
            "",
            self._also(),
        )

    def _rest(self) -> HeldBack:
        """Nothing is offered on any host that may be visited."""
        controller = self.controller
        if self.tally.counts[Hindrance.FREE]:
            free = _say_hosts(self.tally.counts[Hindrance.FREE])
            return HeldBack(
                Cause.NOTHING, f"nothing: {free} may be visited", "", self._also()
            )
        if controller.under_way:
            return self._under_way()
        refusing = controller.host_book.gaps.refusing()
        pages = tally_pages(controller.agenda, refusing)
        return (
            self._not_due(pages)
            or self._refusals(pages.refused)
            or self._failures(pages)
            or self._pauses(pages)
            or self._robots_rules(pages.forbidden)
            or self._lost_names()
            or self._nothing_left()
        )

    def _nothing_left(self) -> HeldBack:
        """Offers open later of which it is not known why, or none does."""
        next_s = self.controller.next_time()
        if next_s == math.inf:
            return HeldBack(
                Cause.FINISHED, "nothing is left to visit", "", self._also()
            )
        wait = self._until(next_s)
        return HeldBack(
            Cause.NOT_DUE, f"nothing is due yet: the next in {wait}", "", self._also()
        )

    def _not_due(self, pages: PageTally) -> HeldBack | None:
        held = pages.due
        if not held.pages:
            return None
        which = "the held page" if held.pages == 1 else "the next of {:,} held pages"
        due = f"{which.format(held.pages)} is due in {self._until(held.opens_s)}"
        if self.controller.is_full:
            return HeldBack(
                Cause.PAGES, f"{self._full()}; {due}", "a larger scope.pages", ()
            )
        also = (*self._other_pages(pages), *self._also())
        return HeldBack(Cause.NOT_DUE, f"nothing is due yet: {due}", "", also)

    def _refusals(self, refused: WaitingPages) -> HeldBack | None:
        if not refused.pages:
            return None
        count = len(refused.hosts)
        who = self._name_hosts(int(refused.hosts[0]), count)
        return HeldBack(
            Cause.SITE_LIMIT,
            f"{who} refused us (429, 503, Retry-After), and {_is(count)} asked again in "
            f"{self._until(refused.opens_s)}",
            "it is tried again by itself",
            self._also(),
        )

    def _failures(self, pages: PageTally) -> HeldBack | None:
        if not pages.failed.pages:
            return None
        also = (*self._other_pages(pages._replace(failed=NO_PAGES)), *self._also())
        lift = "they are tried again by themselves"
        return HeldBack(Cause.FAILED, self._say_failed(pages.failed), lift, also)

    def _robots_rules(self, forbidden: WaitingPages) -> HeldBack | None:
        if not forbidden.pages:
            return None
        return HeldBack(
            Cause.FORBIDDEN,
            self._say_forbidden(forbidden),
            f"its owner can lift it; it is read again in {self._until(forbidden.opens_s)}",
            self._also(),
        )

    def _pauses(self, pages: PageTally) -> HeldBack | None:
        if not self.tally.counts[Hindrance.PAUSED]:
            return None
        return HeldBack(
            Cause.PAUSED,
            self._count(Hindrance.PAUSED),
            "`trapline host DIR HOST --resume` lifts it",
            (*self._other_pages(pages), *self._also(Hindrance.PAUSED)),
        )

    def _lost_names(self) -> HeldBack | None:
        if not self.tally.counts[Hindrance.LOST]:
            return None
        return HeldBack(
            Cause.NOT_FOUND,
            self._count(Hindrance.LOST),
            "their names are looked up again by itself",
            self._also(Hindrance.LOST),
        )

    def _other_pages(self, pages: PageTally) -> Iterator[str]:
        """What pages wait for beside their time."""
        if pages.failed.pages:
            yield self._say_failed(pages.failed)
        if pages.forbidden.pages:
            yield self._say_forbidden(pages.forbidden)

    def _say_failed(self, failed: WaitingPages) -> str:
        wait = self._until(failed.opens_s)
        if failed.pages == 1:
            return f"1 page that failed is tried again in {wait}"
        return (
            f"{failed.pages:,} pages that failed are tried again, the first in {wait}"
        )

    def _say_forbidden(self, forbidden: WaitingPages) -> str:
        count = len(forbidden.hosts)
        who = self._name_hosts(int(forbidden.hosts[0]), count)
        pages = _say_hosts(forbidden.pages, "page")
        return f"robots.txt of {who} forbids {pages} there"

    def _until(self, at_s: float) -> str:
        return say_span(max(0.0, at_s - self.now_s))

    def _full(self) -> str:
        most = self.controller.most_pages
        fringe = self.controller.agenda.count(FRINGE)
        return f"scope.pages is reached: {most:,.0f} are held, {fringe:,} wait on the fringe"

    def _also(self, but: Hindrance = Hindrance.NONE) -> tuple[str, ...]:
        """What else keeps hosts from being visited, not only until their turn comes."""
        kinds = (Hindrance.ALONE, Hindrance.CLOSED, Hindrance.PAUSED, Hindrance.LOST)
        said = [
            self._count(kind)
            for kind in kinds
            if kind != but and self.tally.counts[kind]
        ]
        return (*said, *([self._full()] if self.controller.is_full else ()))

    def _count(self, kind: Hindrance) -> str:
        count = self.tally.counts[kind]
        who = self._name_hosts(self.tally.example(kind), count)
        return {
            Hindrance.ALONE: f"{who} {_is(count)} left alone for a while",
            Hindrance.CLOSED: f"robots.txt of {who} is not answering",
            Hindrance.PAUSED: f"{who} {_is(count)} paused or blocked",
            Hindrance.LOST: f"{who} cannot be found, or may not be visited",
        }[kind]

    def _name_hosts(self, host: int, count: int) -> str:
        name = self.around.host_name(host)
        if count == 1:
            return name
        return f"{name} and {_say_hosts(count - 1, 'other host')}"

    def _for(self, host: int) -> str:
        wait_s = float(self.controller.agenda.hosts["ready"][host]) - self.now_s
        return f" for {say_span(wait_s)}" if 0.0 < wait_s < math.inf else ""


@dataclass(frozen=True, slots=True)
class _GapWords:
    hosts: int
    host: str  # one of them
    gap_s: float  # of that one
    most: str  # visits that all gaps allow

    def say(self, cause: GapCause) -> tuple[str, str]:
        """(reason, what would lift it)"""
        gap = say_span(self.gap_s)
        where = self.host if self.hosts == 1 else _say_hosts(self.hosts)
        most = f": {self.most}" if self.most else ""
        if cause is GapCause.CRAWL_DELAY:
            return (
                f"Crawl-delay of {self.host} is {gap}{self._others()}{most}",
                "its owner asks for it; more hosts would lift it",
            )
        if cause is GapCause.SITE_LIMIT:
            return (
                f"the limit of {self.host}, learnt from its refusals: a visit every {gap}"
                f"{self._others()}{most}",
                "more hosts would lift it",
            )
        if cause is GapCause.SHARE:
            return (
                f"the share of {self.host}: a visit every {gap}{self._others()}{most}",
                "a larger share, or more hosts, would lift it",
            )
        return f"gap {gap} on {where}{most}", "more hosts or `own` gaps would lift it"

    def _others(self) -> str:
        count = self.hosts - 1
        return f" (and {_say_hosts(count, 'other host')})" if count else ""


def _say_budget(per_s: float, costs: VisitCosts) -> str:
    if not costs.counts:
        return _visits(per_s)
    return f"{say_spend(per_s, costs.kind)} ({_visits(per_s / costs.usual)})"


def _visits(per_s: float) -> str:
    """A pace of visits.

    >>> _visits(4.0), _visits(1 / 600)
    ('4 visits a second', '6 visits an hour')
    """
    count, unit = say_rate(per_s).split(" ", 1)
    return f"{count} visit{'s' * (count != '1')} {unit}"


def _say_hosts(count: int, name: str = "host") -> str:
    """So many hosts.

    >>> _say_hosts(1), _say_hosts(1200)
    ('1 host', '1,200 hosts')
    """
    return f"{count:,} {name}{'s' * (count != 1)}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
