"""How we behave by default, and what the owners of hosts allow us beyond that."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from trapline import __version__
from trapline.core.errors import BadNumber, UserMistake
from trapline.politeness.rule_packing import PRODUCT

_REACHABLE: Final = re.compile(r"[^\s@]+@[^\s@]+|https?://\S+")
LEAST_GAP_S: Final = 1.0
# a Crawl-delay beyond a day is obeyed as a day: robots.txt is read anew then anyway
LONGEST_DELAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Manners:
    """Gaps are seconds between the end of one visit to a host and the start of the next; hosts are
    name:port.
    """

    contact: str = ""  # a mail address or page where the owner of a site reaches us
    gap_s: float = LEAST_GAP_S
    # hosts whose owner allows another gap, also below 1 s
    own: Mapping[str, float] = field(default_factory=dict)
    # hosts that the user named: they may lie on private or loopback addresses
    named_hosts: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not LEAST_GAP_S <= self.gap_s < math.inf:
            raise BadNumber(
                "gap_s",
                self.gap_s,
                f"at least {LEAST_GAP_S:g} second (list a host of your own for less)",
            )
        for host_name, gap_s in self.own.items():
            if not 0.0 <= gap_s < math.inf:
                raise BadNumber(f"the gap of {host_name}", gap_s, "0 or more seconds")
        # it travels in a header
        if not (self.contact.isascii() and self.contact.isprintable()):
            raise UserMistake(
                f"the contact {self.contact!r} must be one line of plain ASCII, like me@example.org"
            )
        if self.contact and not _REACHABLE.search(self.contact):
            raise UserMistake(
                f"the contact {self.contact!r} reaches nobody: give me@example.org, or https://…"
            )

    def gap_for(self, host_name: str, crawl_delay_s: float | None = None) -> float:
        """The gap owed to a host. Its robots.txt may ask for more than its gap, never for less.

        >>> manners = Manners(own={"localhost:8000": 0.1})
        >>> manners.gap_for("example.org:80"), manners.gap_for("localhost:8000")
        (1.0, 0.1)
        >>> manners.gap_for("localhost:8000", crawl_delay_s=5.0)
        5.0
        """
        gap_s = self.own.get(host_name, self.gap_s)
        return (
            gap_s
            if crawl_delay_s is None
            else max(gap_s, min(crawl_delay_s, LONGEST_DELAY_S))
        )

    def user_agent(self) -> str:
        """The User-Agent header: who we are, which version, whom to tell.

        >>> Manners(contact="me@lab.org").user_agent().partition("/")[0]
        'trapline'
        """
        return f"{PRODUCT}/{__version__}" + (
            f" (+{self.contact})" if self.contact else ""
        )
