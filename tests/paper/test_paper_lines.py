"""Every line of the five papers has a place, a check that exists, and a word on how to have it
live; every experiment of the papers is a check of some line, and no equation, figure or table is
left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.paper.paper_line_checks import problems
from trapline.core.errors import UnknownName
from trapline.laboratory.study.paper_book import (
    PAPERS,
    all_lines,
    as_dict,
    count_verdicts,
    lines_of,
    papers_named,
)
from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    PaperLine,
    Stated,
    Verdict,
    WorkedOut,
    always,
    by_command,
    choose,
    not_live,
)
from trapline.laboratory.study.registry import EXPERIMENTS

KEYS = [paper.key for paper in PAPERS]
SOUND = lines_of("whittle")[0]

# how many each paper numbers, and those that stand under another name than their number
EQUATIONS = {"omeara": 11, "whittle": 17, "lspe": 9, "htraa": 30, "talim": 25}
NAMED = {
    "whittle/theorem-1": range(16, 17),
    "htraa/theorem-2": range(21, 31),
    "talim/proposition-1": range(8, 9),
    "talim/proposition-2": range(9, 12),
    "talim/lemma-2": range(12, 13),
    "talim/lemma-3": range(13, 15),
}

# dynamic programming, until small restless bandits are solved by it
AWAITED = {"omeara": range(4, 9)}


def equations_of(name: str) -> range:
    if name in NAMED:
        return NAMED[name]
    numbers = re.search(r"/eq-(\d+)(?:-(\d+))?", name)
    if numbers is None:
        return range(0)
    first = int(numbers[1])
    return range(first, int(numbers[2] or first) + 1)


@pytest.mark.parametrize("key", KEYS)
def test_every_line_is_sound(key: str) -> None:
    assert [said for line in lines_of(key) for said in problems(line)] == []


@pytest.mark.parametrize("key", KEYS)
def test_lines_are_of_their_paper_and_have_names_of_their_own(key: str) -> None:
    names = [line.id for line in lines_of(key)]
    assert len(set(names)) == len(names)
    assert all(name.startswith(f"{key}/") for name in names)


@pytest.mark.parametrize("key", KEYS)
def test_every_experiment_of_a_paper_checks_a_line(key: str) -> None:
    named = {check.partition("#")[0] for line in all_lines() for check in line.check}
    assert {one for one in EXPERIMENTS if one.startswith(f"{key}/")} - named == set()


def test_all_figures_and_tables_are_there() -> None:
    """As the papers count them; Tables 3–5 of `talim` are its Lemma 1 in pictures."""
    wanted = {
        "omeara": [f"fig-{one}" for one in range(1, 6)],
        "whittle": ["table-1", *(f"fig-{one}" for one in range(1, 5))],
        "lspe": ["table-1"],
        "htraa": [f"fig-{one}" for one in range(1, 13)],
        "talim": ["table-1", "table-2", *(f"fig-{one}" for one in range(1, 9))],
    }
    names = {line.id for line in all_lines()}
    assert {f"{key}/{one}" for key, ones in wanted.items() for one in ones} <= names


@pytest.mark.parametrize("key", EQUATIONS)
def test_all_numbered_equations_are_there(key: str) -> None:
    found = [number for line in lines_of(key) for number in equations_of(line.id)]
    missing = set(range(1, EQUATIONS[key] + 1)) - set(found)
    assert missing == set(AWAITED.get(key, ()))


def test_equations_are_counted_by_their_ids() -> None:
    assert [*equations_of("toys/eq-4-8")] == [4, 5, 6, 7, 8]
    assert [*equations_of("toys/eq-4")] == [*equations_of("toys/eq-4-at-once")] == [4]
    assert [*equations_of("toys/equal")] == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"where": "theory.no_such_room:price"}, "nothing at"),
        ({"where": "theory.price:no_such_name"}, "nothing at"),
        ({"check": ("tests/paper/test_whittle.py::test_nothing",)}, "no test"),
        ({"check": ("tests/paper/test_nobody.py::test_it",)}, "no test"),
        ({"check": ("whittle/fig-99",)}, "neither a test nor an experiment"),
        ({"check": ("whittle/table-1#M=4/index policy",)}, "has no row"),
        ({"check": ("htraa/fig-6#claim/nothing",)}, "nothing that htraa/fig-6"),
        ({"check": ("omeara/fig-4#claim/paid",)}, "reproduced, but"),
        (
            {"check": ("omeara/fig-4#claim/near",), "verdict": Verdict.REFUTED},
            "refuted, but omeara/fig-4#claim/near holds",
        ),
        ({"number": FromTable("whittle/table-1", "M=4")}, "no number in row"),
        ({"number": Stated("about 123456.5")}, "no test of it knows"),
        ({"live": choose("refresh/unifrom")}, "no policy"),
        ({"live": choose("refresh/optimal")}, "laboratory only"),
        ({"live": choose("harvest/uniform")}, "no policy"),
    ],
)
def test_what_is_wrong_with_a_line_is_found(wrong: dict[str, Any], said: str) -> None:
    assert problems(SOUND) == []
    [found] = problems(replace(SOUND, **wrong))
    assert found.startswith("whittle/eq-1: ") and said in found


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"check": ()}, "no check"),
        ({"where": "somewhere"}, "nowhere"),
        ({"live": choose()}, "live"),
    ],
)
def test_a_line_without_a_check_a_place_or_a_word_on_live_cannot_be_made(
    wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        replace(SOUND, **wrong)


def test_what_a_line_says() -> None:
    line = PaperLine(
        "toys/eq-1",
        Kind.EQUATION,
        "Toys.",
        "theory.price:visit_price",
        ("whittle/table-1",),
        Verdict.EXTENDED,
        choose("refresh/htraa", "fetchers/static", says="told"),
        FromTable("whittle/table-1", "M=1/index policy", "a slot"),
    )
    found = as_dict(line)
    assert found["live"] == (
        '[refresh] policy = "htraa"; [fetchers] policy = "static"; told'
    )
    assert found["number"] == "260.39 (paper: 254.66) a slot"
    assert found["policies"] == ["refresh/htraa", "fetchers/static"]
    assert by_command("`trapline status`").text == "`trapline status`"
    assert always("so").text == "every crawl: so"
    assert not_live("why").text == "not live: why"
    one = WorkedOut("laboratory.papers.whittle.worked_numbers:least_of_bound", "of it")
    assert one.text == "0.999174 of it"


def test_verdicts_are_counted() -> None:
    lines = all_lines()
    counts = count_verdicts(lines)
    assert sum(counts.values()) == len(lines) >= 90
    assert set(counts) == set(Verdict)


def test_a_paper_that_is_none_is_named_with_those_that_are() -> None:
    assert [paper.key for paper in papers_named(None)] == KEYS
    assert [paper.key for paper in papers_named("talim")] == ["talim"]
    with pytest.raises(UnknownName, match="omeara"):
        papers_named("omara")
