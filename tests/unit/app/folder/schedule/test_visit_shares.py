"""What visits were made for."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

import pytest

from trapline.app.folder.schedule.saved_schedule import SavedSchedule
from trapline.app.folder.schedule.visit_shares import visit_shares
from trapline.core.cards import HELD, blank_cards
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.memory import MemoryStore


def schedule() -> SavedSchedule:
    """Page 0 is worth visits for what changes there, page 1 for its news, page 2 is not held."""
    cards = blank_cards(3)
    cards["state"][:2] = HELD
    cards["worth"] = ((8.0, 0.0), (0.0, 8.0), (0.0, 0.0))
    cards["rate"] = 1.0
    cards["shape"][:, 0] = 1.0
    made: Any = SimpleNamespace(cards=cards)
    return cast("SavedSchedule", made)


def visit(number: int, page: int, price: float = 1.0) -> Visit:
    return Visit(
        number, page, 0, Kind.PAGE, 1.0, 2.0, price, Outcome.OK, 200, False, 1.0
    )


def store(*read: int) -> MemoryStore:
    """Pages that visit number 0, 1 … read before."""
    made = MemoryStore()
    made.commit(
        Batch(
            hosts=[HostRow(0, "h.example:80", "http://h.example/")],
            urls=[UrlRow(page, f"http://h.example/{page}", 0) for page in range(4)],
            visits=[visit(number, page) for number, page in enumerate(read)],
        )
    )
    return made


def test_terms_of_the_price_share_a_revisit() -> None:
    found = visit_shares(schedule(), store(0, 1), [visit(2, 0), visit(3, 1)])
    assert found is not None
    assert found.refresh == pytest.approx(0.5)
    assert found.news == pytest.approx(0.5)
    assert found.discovery == 0.0


def test_a_first_visit_is_discovery_whatever_came_of_it() -> None:
    """Page 2 could not be read, page 3 is read for the first time, page 0 was new, then not."""
    kept = store(0)
    visits = [visit(3, 0), visit(2, 3), visit(1, 2), visit(0, 0)]
    found = visit_shares(schedule(), kept, visits)
    assert found is not None
    assert found.discovery == pytest.approx(0.75)
    assert found.refresh == pytest.approx(0.25)


def test_a_page_that_is_newer_than_the_schedule_is_revisited() -> None:
    found = visit_shares(schedule(), store(3), [visit(1, 3), visit(2, 3)])
    assert found is not None
    assert found.discovery == 0.0
    assert found.refresh == pytest.approx(1.0)


def test_prices_that_say_nothing_count_as_refresh() -> None:
    visits = [visit(1, 1, math.inf), visit(2, 1, 0.0)]
    found = visit_shares(schedule(), store(1), visits)
    assert found is not None
    assert found.refresh == pytest.approx(1.0)


def test_without_visits_there_are_no_shares() -> None:
    assert visit_shares(schedule(), store(), []) is None
