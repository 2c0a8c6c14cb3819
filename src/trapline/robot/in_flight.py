"""Tickets in flight: handed out, not answered for yet.

>>> flight = InFlight(lease_s=300.0)
>>> ticket = flight.open(Kind.PAGE, page=7, host=0, now_s=5.0, price=1.0)
>>> ticket.number, flight.deadline(), flight.overdue(now_s=306.0) == [ticket]
(0, 305.0, True)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from trapline.core.ports import Arrays
from trapline.core.records import Kind, Ticket


class InFlight:
    def __init__(self, lease_s: float) -> None:
        """A ticket that nobody answered for within `lease_s` seconds is overdue."""
        self._lease_s = lease_s
        self._tickets: dict[int, Ticket] = {}  # in order of issue
        self._landed: dict[int, float] = {}  # when those ended that are not settled yet
        self._number = 0

    def __iter__(self) -> Iterator[Ticket]:
        return iter(list(self._tickets.values()))

    def __len__(self) -> int:
        return len(self._tickets)

    def open(
        self, kind: Kind, page: int, host: int, now_s: float, price: float
    ) -> Ticket:
        ticket = Ticket(self._number, kind, page, host, now_s, price)
        self._tickets[self._number] = ticket
        self._number += 1
        return ticket

    def pass_over(self, number: int) -> None:
        """This ticket and all before it are history."""
        self._number = max(self._number, number + 1)

    def get(self, number: int) -> Ticket | None:
        return self._tickets.get(number)

    def land(self, number: int, ended_s: float) -> bool:
        """The visit ended; False = nobody waits for this ticket any more, or it has
        landed before.
        """
        if number not in self._tickets or number in self._landed:
            return False
        self._landed[number] = ended_s
        return True

    def awaits_rules(self, host: int) -> bool:
        """Whether the robots.txt of this host has come and is not settled yet."""
        landed = (self._tickets[number] for number in self._landed)
        return any(
            ticket.kind is Kind.ROBOTS and ticket.host == host for ticket in landed
        )

    def asks_rules(self, host: int) -> bool:
        """Whether the robots.txt of this host was asked for and is not settled yet."""
        return any(
            ticket.kind is Kind.ROBOTS and ticket.host == host
            for ticket in self._tickets.values()
        )

    def under_way(self) -> Iterator[Ticket]:
        """Those that have not landed yet."""
        return (
            ticket
            for number, ticket in self._tickets.items()
            if number not in self._landed
        )

    def close(self, number: int) -> tuple[Ticket, float | None] | None:
        """Take a ticket out, and when it landed, if it did; None = nobody waits for it any more."""
        ticket = self._tickets.pop(number, None)
        if ticket is None:
            return None
        ended_s = self._landed.pop(number, None)
        if ended_s is not None and ended_s < ticket.issued_s:
            # it ended before the robot stood still, and was restarted with those under way
            ticket = replace(ticket, issued_s=ended_s)
        return ticket, ended_s

    def pages(self) -> set[int]:
        return {ticket.page for ticket in self._tickets.values() if ticket.page >= 0}

    def overdue(self, now_s: float) -> list[Ticket]:
        late: list[Ticket] = []
        for ticket in self._tickets.values():
            if ticket.issued_s + self._lease_s > now_s:
                break
            late.append(ticket)
        return late

    def deadline(self) -> float:
        """When the next ticket is overdue; ∞ = none is in flight."""
        for ticket in self._tickets.values():
            return ticket.issued_s + self._lease_s
        return math.inf

    def restart(self, now_s: float) -> None:
        """Nobody could answer until now: visits under way count as issued now."""
        self._tickets = {
            number: replace(ticket, issued_s=now_s)
            for number, ticket in self._tickets.items()
        }

    def move_times(self, by_s: float) -> None:
        self._tickets = {
            number: replace(ticket, issued_s=ticket.issued_s + by_s)
            for number, ticket in self._tickets.items()
        }
        self._landed = {
            number: ended_s + by_s for number, ended_s in self._landed.items()
        }

    def save(self) -> Arrays:
        rows = [
            (t.number, t.kind, t.page, t.host, t.issued_s, t.price)
            for t in self._tickets.values()
        ]
        return {
            "tickets": np.array(rows, np.float64).reshape(-1, 6),
            "landed": np.array(list(self._landed.items()), np.float64).reshape(-1, 2),
            "number": np.array([self._number]),
        }

    def load(self, saved: Arrays) -> None:
        self._tickets = {}
        for number, kind, page, host, issued_s, price in np.asarray(
            saved["tickets"], np.float64
        ).tolist():
            ticket = Ticket(
                int(number), Kind(int(kind)), int(page), int(host), issued_s, price
            )
            self._tickets[ticket.number] = ticket
        self._landed = {
            int(n): ended
            for n, ended in np.asarray(saved["landed"], np.float64).tolist()
        }
        self._number = int(np.asarray(saved["number"])[0])
