"""The rules of all hosts in bounded memory, and what refusals cost."""

from __future__ import annotations

from trapline.core.records import Judgement, Robots
from trapline.politeness.rule_packing import pack_rules
from trapline.robot.refusals import FREE_S, MOST_S, PAY, Refusals
from trapline.robot.rules_book import RulesBook

URL = "http://a.org/secret/x"
CLOSED = Robots(None, 9.0)


def robots(host: int, size: int = 300) -> Robots:
    lines = "".join(f"Disallow: /{host}/{number:030d}\n" for number in range(size))
    text = f"User-agent: *\nDisallow: /secret\n{lines}"
    return Robots(text, 9.0, pack_rules(text))


def small_book() -> tuple[RulesBook, list[int]]:
    """Room for few hosts; and which were loaded."""
    asked: list[int] = []

    def load(host: int) -> Robots:
        asked.append(host)
        return robots(host)

    return RulesBook(load, most_bytes=200_000), asked


def test_what_was_let_go_is_loaded_again() -> None:
    book, asked = small_book()
    for host in range(50):
        book.put(host, robots(host))
        assert book.nbytes <= 200_000
    assert not book.judge(49, URL).allowed and asked == []
    assert not book.judge(0, URL).allowed and asked == [0]
    assert not book.judge(0, URL).allowed and asked == [0]
    assert book.judge(0, "http://a.org/open").allowed
    assert book.nbytes <= 200_000


def test_those_asked_for_lately_stay() -> None:
    book, asked = small_book()
    for host in range(50):
        book.put(host, robots(host))
        book.judge(0, URL)
    assert asked == []


def test_rules_that_nobody_knows_any_more_close_the_host() -> None:
    assert not RulesBook().judge(0, URL).allowed
    assert not RulesBook(lambda host: CLOSED).judge(0, URL).allowed
    book = RulesBook()
    book.put(0, CLOSED)
    assert not book.judge(0, URL).allowed


def test_one_host_larger_than_all_is_kept_while_it_is_asked() -> None:
    book = RulesBook(robots, most_bytes=10)
    assert not book.judge(3, URL).allowed
    assert not book.judge(4, URL).allowed


def no(cost_s: float) -> Judgement:
    return Judgement(False, cost_s)


def test_a_host_pays_for_what_it_costs_and_others_beside_it_more() -> None:
    refusals = Refusals()
    refusals.begin()
    assert refusals.refuse(1, 0, no(FREE_S / 2), 10.0) is None
    first = refusals.refuse(2, 0, no(FREE_S), 10.0)
    second = refusals.refuse(3, 1, no(2 * FREE_S), 10.0)
    assert first is not None and second is not None
    assert first - 10.0 >= PAY * 1.5 * FREE_S
    assert second - 10.0 >= 2 * PAY * 2 * FREE_S
    assert refusals.is_enough()
    refusals.begin()
    assert not refusals.is_enough()
    later = refusals.refuse(4, 2, no(2 * FREE_S), 1000.0)  # nobody pays any more
    assert later is not None and later - 1000.0 < 1.1 * PAY * 2 * FREE_S


def test_pages_that_are_allowed_count_as_work_too() -> None:
    refusals = Refusals()
    refusals.begin()
    refusals.spend(0, Judgement(True, 2 * MOST_S))
    assert refusals.is_enough() and refusals.pages == {}


def test_to_have_rules_at_hand_counts_once_a_call() -> None:
    refusals = Refusals()
    refusals.begin()
    large = Judgement(True, 0.0, load_s=0.6 * MOST_S)
    for _ in range(9):
        refusals.spend(0, large)
    assert not refusals.is_enough()
    refusals.spend(1, large)
    assert refusals.is_enough()
