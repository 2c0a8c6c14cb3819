"""The hosts of a crawl: where they stand, what their robots.txt says, what they are owed, and
whether they may be visited at all.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import UnknownPage
from trapline.core.ports import Arrays
from trapline.core.records import (
    HostRules,
    Judgement,
    Kind,
    Observation,
    Robots,
    Ticket,
)
from trapline.politeness.robots_txt import host_rules
from trapline.politeness.rules import Rules
from trapline.robot.agenda import host_turns
from trapline.robot.agenda.agenda import Agenda
from trapline.robot.host_gaps import GapCause, HostGaps
from trapline.robot.rules_book import RulesBook

LATELY: Final = 0.2  # weight of the newest answer in the mean of its host


def _pack(value: Any) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def _unpack(array: NDArray[np.generic]) -> Any:
    return json.loads(array.tobytes())


def _delays_in(texts: dict[int, str]) -> dict[int, float]:
    delays_s = {
        host: Rules.from_text(text).crawl_delay_s for host, text in texts.items()
    }
    return {host: delay for host, delay in delays_s.items() if delay is not None}


class HostBook:
    def __init__(self, agenda: Agenda, gaps: HostGaps, rules: RulesBook) -> None:
        self.gaps = gaps
        self.rules = rules
        self._agenda = agenda
        self._delays_s: dict[int, float] = {}  # Crawl-delays
        self._addresses: dict[str, int] = {}
        # seconds that pages of a host took to answer, running means: for those who explain
        self._answers_s: dict[int, float] = {}
        self._stopped: set[int] = set()  # hosts that a person has paused or blocked
        # when this state was last taken over from an earlier run
        self._resumed_s = -math.inf

    def __len__(self) -> int:
        return int(self._agenda.tally("hosts"))

    def addresses(self) -> dict[int, str]:
        """Where hosts were located, by number."""
        named = {number: address for address, number in self._addresses.items()}
        numbers = self._agenda.hosts["address"][: len(self)].tolist()
        return {
            host: named[number] for host, number in enumerate(numbers) if number >= 0
        }

    def meet(self, last: int) -> None:
        """Have records for hosts up to this one."""
        while (host := len(self)) <= last:
            if not self.gaps.known:
                raise UnknownPage(host, host)
            self._agenda.add_host(self.gaps.gap_s(host, None))

    def locate(self, host: int, address: str | None, now_s: float) -> None:
        """Where the host is reached; None = it may not be visited."""
        if address is None:
            self._agenda.block(host)
            return
        if address not in self._addresses:
            self._addresses[address] = self._agenda.add_address()
        if host in self._stopped:
            self._agenda.note_address(host, self._addresses[address])
        else:
            self._agenda.locate(host, self._addresses[address], now_s)
        # an earlier run may have been there, and killed before it wrote that down
        if self._resumed_s > -math.inf:
            host_turns.owe(self._agenda.books, host, self._resumed_s)

    def pause(self, host: int, now_s: float, *, paused: bool) -> None:
        self.meet(host)
        if paused:
            self._stopped.add(host)
            self._agenda.block(host)
        elif host in self._stopped:
            self._stopped.discard(host)
            address = int(self._agenda.hosts["address"][host])
            if address >= 0:  # else the caller has yet to find it
                self._agenda.locate(host, address, now_s)

    @property
    def stopped(self) -> frozenset[int]:
        """Hosts that a person has paused or blocked."""
        return frozenset(self._stopped)

    def gap_cause(self, host: int) -> GapCause:
        """What makes the gap of a host as long as it is."""
        return self.gaps.cause(host, self._delays_s.get(host))

    def answer_times(self) -> NDArray[np.float64]:
        """Seconds that a page of each host takes to answer; the mean of all where none was read, 0
        where none was anywhere.
        """
        count = len(self._answers_s)
        known_s = np.fromiter(self._answers_s.values(), np.float64, count)
        times_s = np.full(len(self), known_s.mean() if count else 0.0)
        times_s[np.fromiter(self._answers_s, np.int64, count)] = known_s
        return times_s

    def has_rules(self, host: int) -> bool:
        """Whether each page is to be judged before it is visited."""
        return bool(self._agenda.hosts["ruled"][host])

    def judge(self, host: int, url: str) -> Judgement:
        return self.rules.judge(host, url)

    def set_rules(self, host: int, robots: Robots | HostRules) -> None:
        """What a host's robots.txt says, from now on."""
        if isinstance(robots, Robots):
            self.rules.put(host, robots)
            robots = host_rules(robots)
        else:
            self.rules.drop(host)
        hosts = self._agenda.hosts
        # fail closed: nobody goes there until robots.txt can be had
        if not robots.open:
            host_turns.postpone(self._agenda.books, host, robots.until_s)
        hosts["rules_until"][host] = robots.until_s
        hosts["ruled"][host] = robots.ruled
        self._delays_s.pop(host, None)
        if robots.delay_s is not None:
            self._delays_s[host] = robots.delay_s
        self.owe_gap(host)

    def note_answer(
        self, ticket: Ticket, ended_s: float, observation: Observation, now_s: float
    ) -> None:
        """How a host took a visit: its pace, and until when it wants to be left alone."""
        host = ticket.host
        if ticket.kind is Kind.PAGE:
            took_s = max(0.0, ended_s - ticket.issued_s)
            mean_s = self._answers_s.get(host, took_s)
            self._answers_s[host] = mean_s + LATELY * (took_s - mean_s)
        retry_after_s = observation.retry_after_s
        until_s = self.gaps.note_answer(
            host, ticket.issued_s, ended_s, observation.reception, retry_after_s
        )
        # hardly ever, and a kernel costs
        if retry_after_s > 0.0 or until_s > -math.inf:
            host_turns.postpone(
                self._agenda.books, host, max(until_s, now_s + retry_after_s)
            )
        if self.gaps.moves(host):
            self.owe_gap(host)

    def owe_gap(self, host: int) -> None:
        """The gap may be another from now on; a longer one is owed from the last visit on."""
        if self.gaps.known:
            delay_s = self._delays_s.get(host)
            hosts = self._agenda.hosts
            addresses = self._agenda.books.addresses
            gap_s = self.gaps.gap_s(host, delay_s)
            was_s = float(hosts["gap"][host])
            host_turns.set_gap(self._agenda.books, host, gap_s)
            if gap_s > was_s and (address := int(hosts["address"][host])) >= 0:
                host_turns.owe(
                    self._agenda.books, host, float(addresses["ended"][address])
                )

    def resume(self, now_s: float) -> None:
        """Nobody knows which visits were made: every host owes its gap from now, one that is
        located later too.
        """
        self._resumed_s = now_s
        for host in range(len(self)):
            host_turns.owe(self._agenda.books, host, now_s)

    def renew_gaps(self) -> None:
        if self.gaps.known:
            for host in range(len(self)):
                self.owe_gap(host)
            self._agenda.renew_address_gaps()

    def move_times(self, by_s: float) -> None:
        self._resumed_s += by_s
        self.gaps.move_times(by_s)

    def save(self) -> Arrays:
        stopped = np.array(sorted(self._stopped), np.int64)
        resumed = np.array([self._resumed_s])
        return {
            "addresses": _pack(list(self._addresses.items())),
            "delays": np.array(list(self._delays_s.items()), np.float64).reshape(-1, 2),
            "stopped": stopped,
            "resumed": resumed,
            **self.gaps.save(),
        }

    def load(self, saved: Arrays) -> None:
        if "texts" in saved:  # as version 0.1 saved it
            addresses, texts = _unpack(saved["texts"])
            self._delays_s = _delays_in(dict(texts))
        else:
            addresses = _unpack(saved["addresses"])
            delays = np.asarray(saved["delays"], np.float64).tolist()
            self._delays_s = {int(host): delay_s for host, delay_s in delays}
        self._addresses = dict(addresses)
        self._stopped = set(np.asarray(saved["stopped"], np.int64).tolist())
        self._resumed_s = float(np.asarray(saved["resumed"], np.float64)[0])
        self.gaps.load(saved)
