from __future__ import annotations

import math

import pytest

from trapline.core.errors import BadNumber, UserMistake
from trapline.politeness.manners import LONGEST_DELAY_S, Manners

MANNERS = Manners(contact="me@lab.org", own={"127.0.0.1:8000": 0.05})


def test_the_gap_is_a_second_unless_the_owner_says_otherwise() -> None:
    assert MANNERS.gap_for("example.org:80") == 1.0
    assert MANNERS.gap_for("127.0.0.1:8000") == 0.05
    assert MANNERS.gap_for("127.0.0.1:8001") == 1.0


def test_crawl_delay_only_lengthens_a_gap() -> None:
    assert MANNERS.gap_for("example.org:80", 0.2) == 1.0
    assert MANNERS.gap_for("example.org:80", 7.0) == 7.0
    assert MANNERS.gap_for("127.0.0.1:8000", 3.0) == 3.0
    assert MANNERS.gap_for("example.org:80", 1e9) == LONGEST_DELAY_S
    assert Manners(gap_s=120.0).gap_for("example.org:80", 60.0) == 120.0


@pytest.mark.parametrize("gap_s", [0.0, 0.99, -1.0, math.nan, math.inf])
def test_rude_defaults_are_refused(gap_s: float) -> None:
    with pytest.raises(BadNumber):
        Manners(gap_s=gap_s)


@pytest.mark.parametrize("gap_s", [-1.0, math.nan, math.inf])
def test_impossible_gaps_of_own_hosts_are_refused(gap_s: float) -> None:
    with pytest.raises(BadNumber):
        Manners(own={"127.0.0.1:80": gap_s})


def test_user_agent_names_product_version_and_contact() -> None:
    assert MANNERS.user_agent().startswith("trapline/")
    assert MANNERS.user_agent().endswith(" (+me@lab.org)")
    assert " " not in Manners().user_agent()


@pytest.mark.parametrize("contact", ["a\r\nX-Evil: 1", "é@lab.org", "a\tb"])
def test_a_contact_cannot_break_the_header(contact: str) -> None:
    with pytest.raises(UserMistake):
        Manners(contact=contact)
