"""Guesses to plan from before there is a folder: read from words, and told again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from trapline.app.folder.planning.plan import Guess
from trapline.app.settings_tables import BudgetTable, visits_per_second
from trapline.core.errors import BadNumber, UserMistake
from trapline.core.spans import read_span
from trapline.policies.wording import say_rate, say_span
from trapline.politeness.manners import LEAST_GAP_S

PAGES_A_HOST: Final = 100
MOST_PAGES: Final = 10**12


class Guesses(NamedTuple):
    pages: int
    hosts: int
    budget: float  # visits a second; ∞ = unlimited
    change_every_s: float  # median of the pages that belong
    spread: float  # two thirds of them lie within this factor
    gap_s: float
    latency_s: float
    on_topic_share: float
    told: list[Guess]


def guess_span(name: str, text: str) -> float:
    """Seconds.

    >>> guess_span("--gap", "2s"), guess_span("--gap", "1.5 min"), guess_span("--gap", "10d")
    (2.0, 90.0, 864000.0)
    """
    seconds = read_span(text) or 0.0
    if seconds <= 0.0:
        raise BadNumber(name, repr(text), "a time like 2s, 5min, 6h, 10d or 1y")
    return seconds


def read_guesses(given: Mapping[str, Any]) -> Guesses:
    """By the names of the options; None = not given, and guessed by us."""
    if given.get("pages") is None:
        raise UserMistake("how many pages do you expect? Guess with --pages, like 5000")
    pages = _read_count("--pages", given["pages"])
    hosts = _or_else(given, "hosts", max(1, pages // PAGES_A_HOST))
    budget = visits_per_second(_or_else(given, "budget", BudgetTable().visits))
    every_s = guess_span("--change-every", _or_else(given, "change-every", "10d"))
    spread = _read_number("--spread", _or_else(given, "spread", 5.0), 1.0, 1000.0)
    gap_s = guess_span("--gap", _or_else(given, "gap", f"{LEAST_GAP_S:g}s"))
    latency_s = guess_span("--latency", _or_else(given, "latency", "1s"))
    share = _or_else(given, "on-topic-share", 1.0)
    found = Guesses(
        pages,
        _read_count("--hosts", hosts),
        budget,
        every_s,
        spread,
        gap_s,
        latency_s,
        _read_number("--on-topic-share", share, 1e-6, 1.0),
        [],
    )
    _check_hosts(found)
    return found._replace(told=_tell_guesses(found, given))


def _or_else(given: Mapping[str, Any], name: str, guess: Any) -> Any:
    return guess if given.get(name) is None else given[name]


def _read_count(name: str, count: int) -> int:
    if not 1 <= count <= MOST_PAGES:
        raise BadNumber(name, count, "1 or more")
    return count


def _read_number(name: str, number: float, least: float, most: float) -> float:
    if not least <= number <= most:  # nan neither
        raise BadNumber(name, number, f"from {least:g} to {most:g}")
    return number


def _check_hosts(found: Guesses) -> None:
    if found.hosts > found.pages:
        raise BadNumber(
            "--hosts", found.hosts, f"at most --pages, {found.pages}: a host has a page"
        )


def _tell_guesses(found: Guesses, given: Mapping[str, Any]) -> list[Guess]:
    """What the answer rests on, for people."""
    budget = "no limit" if math.isinf(found.budget) else say_rate(found.budget)
    lines = {
        "pages": f"{found.pages:,}",
        "hosts": f"{found.hosts:,}, with as many pages each",
        "budget": budget,
        "change-every": f"{say_span(found.change_every_s)} between changes, in the median",
        "spread": f"two thirds of the pages within a factor of {found.spread:g} of that",
        "gap": f"{say_span(found.gap_s)} between visits to a host",
        "latency": f"{say_span(found.latency_s)} until an answer is there",
        "on-topic-share": f"{100.0 * found.on_topic_share:.3g} % of the pages belong to the topic",
    }
    return [
        Guess(name, text, given.get(name) is not None) for name, text in lines.items()
    ]
