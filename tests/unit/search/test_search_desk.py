"""Questions side by side: a slow one holds up nobody, and everybody is answered in time."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from trapline.core.errors import BadQuery, SearchBusy
from trapline.search.questions import Answer, Question
from trapline.search.search_desk import SearchDesk


class Searches:
    """A query processor for which "slow" takes until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.begun = threading.Event()

    def ask(self, question: Question) -> Answer:
        if question.text == "bad":
            raise BadQuery(question.text, "it is bad")
        if question.text == "slow":
            self.begun.set()
            assert self.go.wait(60.0)
        return Answer([], question.limit + question.offset, 0.0)


@pytest.fixture
def searches() -> Iterator[Searches]:
    found = Searches()
    yield found
    found.go.set()


def desk(
    searches: Searches, at_once: int, waiting: int, within_s: float = 60.0
) -> SearchDesk:
    return SearchDesk(searches, at_once, waiting, within_s)  # type: ignore[arg-type]


def test_a_slow_question_holds_up_nobody(searches: Searches) -> None:
    place = desk(searches, at_once=2, waiting=10)
    slow = place.join_line(Question("slow", 1, 0))
    assert [place.ask(Question("quick", number)).total for number in range(20)] == list(
        range(20)
    )
    assert not slow.done()
    searches.go.set()
    assert slow.result(60.0).total == 1
    place.close()


def test_a_line_that_is_full_says_so_at_once(searches: Searches) -> None:
    place = desk(searches, at_once=1, waiting=1)
    place.join_line(Question("slow", 1, 0))
    assert searches.begun.wait(60.0)
    waiting = place.join_line(Question("quick", 1, 0))
    with pytest.raises(SearchBusy, match="too many are searching"):
        place.join_line(Question("quick", 1, 0))
    place.close()
    assert waiting.cancelled()


def test_whoever_waits_too_long_is_told_so(searches: Searches) -> None:
    place = desk(searches, at_once=1, waiting=5, within_s=0.05)
    with pytest.raises(SearchBusy, match="no answer within"):
        place.ask(Question("slow"))
    with pytest.raises(SearchBusy):
        place.ask(Question("quick"))
    place.close()


def test_a_mistake_is_the_answer(searches: Searches) -> None:
    place = desk(searches, at_once=1, waiting=5)
    with pytest.raises(BadQuery):
        place.ask(Question("bad"))
    assert place.ask(Question("quick", 7)).total == 7
    place.close()
