"""Suggestions: topics that nobody holds, engines that lie near, engines that hold the same."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

import pytest

from trapline.oasis.service.past_queries import (
    Overlap,
    PastQuery,
    PlannedEngine,
    ShownPage,
    Usual,
    answer_quality,
)
from trapline.oasis.service.query_groups import MOST, group_queries
from trapline.oasis.service.service_plan import plan_service
from trapline.oasis.service.suggestion import LEAVE_TO, NEW_ENGINE, SHIFT

SPACE = PlannedEngine(
    "space",
    "space telescopes",
    10_000,
    frozenset({"space", "telescope"}),
    {"mars": 900, "rover": 400, "telescope": 3_000, "orbit": 2_000, "history": 800},
)
KITCHEN = PlannedEngine(
    "kitchen",
    "cooking at home",
    10_000,
    frozenset({"cooking", "home"}),
    {"mars": 3, "tea": 2_000, "cake": 3_000, "history": 700, "oven": 1_500},
)
ENGINES = (SPACE, KITCHEN)


def well(text: str, a_day: float = 5.0, **hits: int) -> PastQuery:
    return PastQuery(text, tuple(text.split()), a_day, 50, 2.0, 0.8, hits)


def badly(
    text: str, a_day: float = 5.0, found: int = 1, *opened: ShownPage
) -> PastQuery:
    return PastQuery(text, tuple(text.split()), a_day, found, 0.4, shown=opened)


ANSWERED = [
    well("telescope orbit", space=10),
    well("tea cake", kitchen=10),
    well("cake oven", 10.0, kitchen=10),
]


def test_what_is_answered_well_needs_nothing() -> None:
    assert plan_service(ANSWERED, ENGINES) == []
    assert plan_service([], ENGINES) == plan_service([], []) == []


def test_a_topic_that_nobody_holds_is_one_for_a_new_engine() -> None:
    bad = [
        badly("bicycle gears", 6.0),
        badly("bicycle brakes", 3.0),
        badly("history bicycle", 1.0),
    ]
    [found] = plan_service(ANSWERED + bad, ENGINES)
    assert (found.kind, found.engine) == (NEW_ENGINE, "")
    assert found.words[0] == "bicycle" and set(found.words[:3]) <= {
        "bicycle",
        "gears",
        "brakes",
    }
    assert found.words[-1] == "history", "a word that engines know says less"
    assert found.queries == ("bicycle gears", "bicycle brakes", "history bicycle")
    assert 0.0 < found.queries_a_day < 10.0
    assert found.gain == pytest.approx(found.queries_a_day / 30.0)
    assert "asked 10 times a day" in found.reason


def test_an_engine_near_a_topic_should_shift_to_it() -> None:
    page = ShownPage("http://mars.org/rover", "space", opened=True)
    other = ShownPage("http://shop.org/bars", "kitchen")
    bad = [badly("mars rover", 4.0, 2, page, other), badly("mars soil", 4.0)]
    [found] = plan_service(ANSWERED + bad, ENGINES)
    assert (found.kind, found.engine) == (SHIFT, "space")
    assert found.examples == ("http://mars.org/rover",), "nobody opened the other"
    assert "those of space" in found.reason


def test_words_of_the_topic_make_an_engine_near_though_it_has_none_of_the_pages() -> (
    None
):
    bad = [badly("cooking rhubarb"), badly("cooking rhubarb home")]
    assert {one.engine for one in plan_service(ANSWERED + bad, ENGINES)} == {"kitchen"}


def test_two_topics_are_two_suggestions_and_the_larger_gain_comes_first() -> None:
    bad = [
        badly("bicycle gears", 2.0),
        badly("chess opening", 9.0),
        badly("bicycle brakes", 2.0),
        badly("chess endgame", 9.0),
    ]
    found = plan_service(ANSWERED + bad, ENGINES)
    assert [one.words[0] for one in found] == ["chess", "bicycle"]
    assert found[0].gain > found[1].gain > 0.0


def test_a_word_that_most_pages_have_binds_nothing() -> None:
    engines = [
        replace(engine, documents={**engine.documents, "guide": 8_000})
        for engine in ENGINES
    ]
    bad = [badly("guide bicycle"), badly("guide chess")]
    assert len(plan_service(ANSWERED + bad, engines)) == 2


def test_what_hardly_anybody_asks_is_left_alone() -> None:
    assert plan_service([*ANSWERED, badly("bicycle gears", 0.01)], ENGINES) == []


def shared(text: str, space: int, kitchen: int) -> PastQuery:
    shown = [ShownPage(f"http://space.org/{text}/{n}", "space") for n in range(space)]
    shown += [
        ShownPage(f"http://kitchen.org/{text}/{n}", "kitchen") for n in range(kitchen)
    ]
    hits = {"space": space, "kitchen": kitchen}
    return PastQuery(text, tuple(text.split()), 5.0, 50, 2.0, 0.9, hits, tuple(shown))


def test_engines_that_hold_the_same_leave_it_to_whom_answers_it_better() -> None:
    both = [shared("tea", 2, 8), shared("orbit", 9, 1)]
    left = plan_service(both, ENGINES, [Overlap("space", "kitchen", 0.5)])
    assert [(one.kind, one.engine, one.other, one.words) for one in left] == [
        (LEAVE_TO, "kitchen", "space", ("orbit",)),
        (LEAVE_TO, "space", "kitchen", ("tea",)),
    ]
    assert left[1].against == ("http://space.org/tea/0", "http://space.org/tea/1")
    assert "5,000 pages become free" in left[0].reason


def test_of_two_alike_the_smaller_leaves() -> None:
    pair = [Overlap("space", "kitchen", 0.9)]
    large = replace(KITCHEN, pages=20_000)
    [left] = plan_service([shared("tea", 5, 5)], [SPACE, large], pair)
    assert (left.engine, left.other) == ("space", "kitchen")
    large = replace(SPACE, pages=20_000)
    [left] = plan_service([shared("tea", 5, 5)], [large, KITCHEN], pair)
    assert (left.engine, left.other) == ("kitchen", "space")


def test_a_word_that_nobody_has_does_not_hide_the_topic_of_a_query() -> None:
    bad = [badly("mars rover"), badly("mars zzzz")]
    [found] = plan_service(ANSWERED + bad, ENGINES)
    assert found.queries == ("mars rover", "mars zzzz")


def test_a_little_overlap_is_welcome() -> None:
    both = [shared("tea", 2, 8)]
    assert plan_service(both, ENGINES, [Overlap("space", "kitchen", 0.1)]) == []
    assert plan_service(both, ENGINES, [Overlap("space", "gone", 0.9)]) == []


def test_what_is_left_to_others_are_counter_examples_of_the_shift() -> None:
    past = [*ANSWERED, shared("tea", 2, 8), badly("mars rover", 6.0)]
    found = plan_service(past, ENGINES, [Overlap("space", "kitchen", 0.5)])
    [shift] = [one for one in found if one.kind == SHIFT]
    assert shift.engine == "space"
    assert shift.against == ("http://space.org/tea/0", "http://space.org/tea/1")


def test_without_descriptions_rare_are_the_words_that_few_queries_have() -> None:
    nameless = [PlannedEngine("one", "", 100), PlannedEngine("two", "", 100)]
    bad = [badly("how bicycle"), badly("how chess"), badly("how bicycle gears")]
    found = plan_service([*bad, *(badly(f"how x{n}", 0.1) for n in range(9))], nameless)
    assert {one.kind for one in found} == {NEW_ENGINE}
    assert found[0].words[0] == "bicycle"


def test_the_order_of_queries_and_engines_does_not_matter() -> None:
    past = [*ANSWERED, shared("tea", 2, 8), badly("mars rover"), badly("bicycle gears")]
    overlaps = [Overlap("space", "kitchen", 0.5)]
    expected = plan_service(past, ENGINES, overlaps)
    for seed in range(5):
        Random(seed).shuffle(past)
        assert plan_service(past, ENGINES[::-1], overlaps) == expected


def test_good_scores_are_those_that_people_opened_once_they_are_enough() -> None:
    found = [PastQuery(f"f{n}", ("f",), 1.0, 9, 4.0) for n in range(20)]
    opened = [PastQuery(f"o{n}", ("o",), 1.0, 9, 2.0, opened=0.6) for n in range(10)]
    assert Usual.of(found + opened[:9]) == Usual(4.0, 0.0)
    assert Usual.of(found + opened).score == 2.0
    assert Usual.of(found + opened).opened == pytest.approx(0.2)
    assert Usual.of([]) == Usual(1.0, 0.0)


@pytest.mark.parametrize(
    ("found", "best", "opened", "expected"),
    [
        (0, 9.0, 0.0, 0.0),
        (9, 9.0, 0.0, 1.0),
        (9, 1.0, 0.0, 0.5),
        (1, 2.0, 0.0, 1 / 3),
        (1, 0.0, 0.6, 0.6),
        (9, -1.0, 0.0, 0.0),
    ],
)
def test_how_well_a_query_was_answered(
    found: int, best: float, opened: float, expected: float
) -> None:
    query = PastQuery("moon", ("moon",), 1.0, found, best, opened, times=9)
    assert answer_quality(query, Usual(2.0, 0.0)) == pytest.approx(expected)


def test_what_nobody_opens_was_not_answered_though_it_scores_well() -> None:
    query = PastQuery("moon", ("moon",), 1.0, 9, 2.0)
    asked = [replace(query, times=times) for times in (0, 2, 20)]
    qualities = [answer_quality(one, Usual(2.0, 0.5)) for one in asked]
    assert qualities == pytest.approx([1.0, 0.5, 1 / 11])


def test_an_engine_that_nobody_would_miss_may_go_anywhere() -> None:
    third = PlannedEngine("third", "", 500, documents={"tea": 100})
    held = ShownPage("http://a.org/", "kitchen"), ShownPage("http://a.org/", "third")
    tea = PastQuery(
        "tea", ("tea",), 9.0, 50, 2.0, 0.9, {"kitchen": 1, "third": 1}, held
    )
    bad = [badly("bicycle gears", 6.0), badly("bicycle brakes", 3.0)]
    found = plan_service([*ANSWERED, tea, *bad], [*ENGINES, third])
    assert [(one.kind, one.engine) for one in found] == [(SHIFT, "third")]
    assert "hardly anything" in found[0].reason


def test_an_engine_that_was_never_shown_is_not_sent_anywhere() -> None:
    third = PlannedEngine("third", "gardens", 500, documents={"rose": 100})
    bad = [badly("bicycle gears", 6.0), badly("bicycle brakes", 3.0)]
    [found] = plan_service([*ANSWERED, *bad], [*ENGINES, third])
    assert found.kind == NEW_ENGINE


def test_an_engine_does_not_shift_for_less_than_it_would_lose() -> None:
    often = well("telescope", 500.0, space=10)
    found = plan_service([*ANSWERED, often, badly("mars rover", 20.0)], ENGINES)
    assert [(one.kind, one.engine) for one in found] == [(NEW_ENGINE, "")]


def test_an_engine_is_told_of_one_topic_the_one_that_gains_most() -> None:
    bad = [badly("mars rover", 4.0), badly("orbit decay", 3.0)]
    found = plan_service([*ANSWERED, *bad], ENGINES)
    assert [(one.kind, one.engine) for one in found] == [
        (SHIFT, "space"),
        (NEW_ENGINE, ""),
    ]


def test_every_query_is_in_one_group_and_words_of_no_weight_bind_nothing() -> None:
    queries = [("the", "mars"), ("the", "tea"), (), ("tea", "cake"), ("mars",)]
    groups = group_queries(queries, {"the": 0.0, "mars": 3.0, "tea": 3.0, "cake": 3.0})
    assert groups == [[0, 4], [1, 3], [2]]
    assert group_queries([], {}) == []


def test_as_many_queries_as_are_grouped_take_seconds_at_most() -> None:
    chance = Random(1)
    words = [f"w{n}" for n in range(300)]
    queries = [tuple(chance.sample(words, 3)) for _ in range(MOST)]
    began = time.process_time()
    groups = group_queries(queries, dict.fromkeys(words, 1.0))
    assert time.process_time() - began < 30.0
    assert sorted(place for group in groups for place in group) == list(range(MOST))
