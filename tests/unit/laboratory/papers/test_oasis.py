"""oasis/selection and oasis/merging: the federation is what it says, and the tables hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trapline.core.errors import UserMistake
from trapline.core.records import Page
from trapline.laboratory.papers.oasis import merging, selection
from trapline.laboratory.papers.oasis.federated_queries import (
    AskedFor,
    find_questions,
    keys_of,
)
from trapline.laboratory.papers.oasis.judging import best_choice, first_of
from trapline.laboratory.papers.oasis.learning import learn_weights
from trapline.laboratory.papers.oasis.lessons_run import brought_by
from trapline.laboratory.papers.oasis.merging import (
    by_cori,
    by_reciprocal_rank,
    by_score,
)
from trapline.laboratory.papers.oasis.study import Study, make_study
from trapline.laboratory.papers.oasis.topics import cut_by_topic
from trapline.laboratory.papers.oasis.trials import Trial
from trapline.laboratory.study.known_items import Called
from trapline.laboratory.study.registry import run_experiment
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.terms import term_key
from trapline.search.ranking.two_looks import Ranked
from trapline.stores.sqlite.store import SqliteStore

TOPICS = ("moon orbit star telescope", "wax honey hive queen", "flour oven yeast bread")
LISTS = [[Ranked(1, 9.0), Ranked(2, 5.0)], [Ranked(2, 6.0), Ranked(3, 4.0)], []]


def page(number: int, host: str, text: str) -> Page:
    return Page(
        number, f"http://{host}/d/{number}", f"T{number}", text, 1, 1, "", "", 1, 1
    )


def trial(held: list[list[bool]]) -> Trial:
    central = [Ranked(n, 1.0) for n in range(len(held))]
    asked = AskedFor("titles", "q", frozenset((0,)))
    return Trial(asked, QueryKeys(()), central, np.array(held), [], [])


def test_hosts_of_one_topic_go_together_and_some_pages_are_held_twice() -> None:
    pages = [
        page(n, f"host{n % 12}.test", f"{TOPICS[n % 3]} common words")
        for n in range(240)
    ]
    held = cut_by_topic(pages, 3, twice=0.3, seed=1)
    homes = {topic: {held[n][0] for n in range(topic, 240, 3)} for topic in range(3)}
    assert sorted(homes.values()) == [{0}, {1}, {2}]
    twice = [holders for holders in held if len(holders) == 2]
    assert 40 < len(twice) < 110
    assert all(first != second for first, second in twice)
    assert held == cut_by_topic(pages, 3, twice=0.3, seed=1)


def test_a_host_larger_than_an_engine_is_cut_by_directory() -> None:
    pages = [
        Page(n, f"http://a.test/{n % 4}/{n}", "", TOPICS[n % 2], 1, 1, "", "", 1, 1)
        for n in range(80)
    ]
    held = cut_by_topic(pages, 2, twice=0.0, seed=1)
    assert [holders[0] for holders in held[:4]] in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_questions_are_lines_that_ask_on_one_page_only() -> None:
    ask = "2.1 How do I feed the bees in winter? ¶"
    pages = [
        Called(page(1, "a", f"Bees\n{ask}\nWhy so often asked?\nSugar."), ()),
        Called(page(2, "a", "Why so often asked?\nHow short?"), ()),
    ]
    assert find_questions(pages) == [("how do i feed the bees in winter", 1)]


def test_keys_leave_stop_words_out() -> None:
    assert keys_of("how to feed bees", ["en"]).words == (
        (term_key("en", "feed"),),
        (term_key("en", "bee"),),
    )


def test_the_oracle_counts_a_page_once() -> None:
    one = trial([[True, True, False], [True, True, False], [False, False, True]])
    assert best_choice(one, 2) in ((0, 2), (1, 2))
    assert one.came_back((0, 1)) == pytest.approx(2 / 3)
    assert one.shares().tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert first_of(np.array([[1.0, 3.0, 2.0]]), 2) == [(1, 2)]


def test_weights_go_to_the_feature_that_tells() -> None:
    rng = np.random.default_rng(3)
    features = rng.normal(size=(300, 4, 2))
    shares = np.eye(4)[np.argmax(features[:, :, 0], axis=1)]
    telling, idle = learn_weights(features, shares)
    assert telling > 2.0
    assert abs(idle) < 0.5


def test_what_engines_brought_is_shared_where_two_bring_it() -> None:
    assert brought_by(LISTS, (0, 1, 2)).tolist() == [1.5, 1.5, 0]
    assert brought_by(LISTS, (0,)).tolist() == [2, 0, 0]


def test_merging() -> None:
    worth = np.array([0.2, 0.9, 0.1])
    assert by_score(LISTS, worth) == [1, 2, 3]
    assert by_reciprocal_rank(LISTS, worth) == [2, 1, 3]
    assert by_cori(LISTS, worth)[0] == 2  # the better engine's first page


@pytest.fixture(scope="module")
def study() -> Study:
    return make_study(lambda done, what: None, True, None)


def test_selection_in_small(study: Study) -> None:
    report = selection.make_report(study, None, 2, None)
    rows = {str(row["id"]): float(row["all"] or 0.0) for row in report.rows}
    assert rows["learnt, 3 asked"] > rows["largest, 3 asked"] + 0.1
    assert rows["oracle, 3 asked"] >= rows["learnt, 3 asked"] > 0.9
    assert rows["learnt, 1 asked"] < rows["learnt, 2 asked"] < rows["learnt, 5 asked"]
    after = rows["learnt, with a liar, after 200 queries"]
    assert rows["learnt, with a liar"] < after <= rows["learnt, 3 asked"] + 0.01


def test_merging_in_small(study: Study) -> None:
    report = merging.make_report(study, None, None)
    rows = {str(row["id"]): float(row["all"] or 0.0) for row in report.rows}
    shared = rows["shared rarities: share of the central ten"]
    assert shared > rows["reciprocal rank: share of the central ten"]
    assert shared > 0.85
    central = rows["one central index: reciprocal rank"]
    assert rows["shared rarities: reciprocal rank"] > central - 0.05
    assert rows["one central index: share of the central ten"] == 1.0


def test_a_study_has_engines_that_describe_what_they_hold(study: Study) -> None:
    assert len(study.members) == 6
    assert sum(member.pages for member in study.members) > 400
    assert all(len(member.sample) == member.pages for member in study.members)
    for member, before in zip(study.members, study.yesterday, strict=True):
        assert 0.8 * member.pages < before.pages < member.pages


@pytest.mark.parametrize("name", ["oasis/selection", "oasis/merging"])
def test_a_collection_too_small_is_named(name: str, tmp_path: Path) -> None:
    SqliteStore(tmp_path / "small").close()
    with pytest.raises(UserMistake, match="200 at least"):
        run_experiment(name, quick=True, data=tmp_path / "small")
