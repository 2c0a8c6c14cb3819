"""Lessons: who promises and does not bring falls, and nobody else does."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.oasis.lessons import Lessons, LessonsState
from trapline.oasis.selection.features import FEATURES

ENGINES = ("honest", "liar", "other")
# the liar looks as good as the honest engine
FEATURES_OF_THREE = np.array([[0.0], [0.0], [-3.0]]) * np.ones(len(FEATURES))


def teach(lessons: Lessons, queries: int, asked: tuple[int, ...] | None = None) -> None:
    for _ in range(queries):
        lessons.learn(FEATURES_OF_THREE, ENGINES, np.array([9.0, 0.0, 1.0]), asked)


def test_nothing_learnt_is_trust_of_one() -> None:
    assert Lessons().trust(ENGINES).tolist() == [1, 1, 1]
    assert Lessons().trust(()).shape == (0,)


@pytest.mark.parametrize("asked", [None, (0, 1)])
def test_a_liar_falls_and_the_honest_stay(asked: tuple[int, ...] | None) -> None:
    lessons = Lessons()
    before = lessons.expect(FEATURES_OF_THREE, ENGINES)
    teach(lessons, 200, asked)
    after = lessons.expect(FEATURES_OF_THREE, ENGINES)
    assert after[1] < 0.05 * before[1]
    assert after[0] > 0.85
    assert lessons.trust(ENGINES)[0] >= 1.0


def test_an_engine_that_was_not_asked_has_no_record() -> None:
    lessons = Lessons()
    teach(lessons, 50, (0, 1))
    assert lessons.trust(("other",)).tolist() == [1]
    assert lessons.state().engines == ("honest", "liar")


def test_who_was_asked_alone_and_brought_nothing_falls_too() -> None:
    lessons = Lessons()
    for _ in range(20):
        lessons.learn(FEATURES_OF_THREE, ENGINES, np.zeros(3), (1,))
    assert lessons.trust(("liar",))[0] < 0.1
    assert lessons.weights.tolist() == Lessons().weights.tolist()


def test_a_liar_that_mends_comes_back() -> None:
    lessons = Lessons()
    teach(lessons, 200)
    fallen = lessons.trust(("liar",))[0]
    for _ in range(300):
        lessons.learn(FEATURES_OF_THREE, ENGINES, np.array([0.0, 9.0, 0.0]))
    assert lessons.trust(("liar",))[0] > 20 * fallen


def test_who_brings_nothing_is_doubted_and_may_come_back() -> None:
    lessons = Lessons()
    assert not lessons.find_doubted()
    teach(lessons, 4)  # of which two lists were expected of it: that proves little
    assert not lessons.find_doubted()
    teach(lessons, 20)
    doubted = lessons.find_doubted()
    assert doubted == {"liar"}
    said = lessons.say_record("liar").split()
    assert said[:2] == ["brought", "0"] and 80 < int(said[3]) < 120
    while lessons.trust(("liar",))[0] < 0.5:
        lessons.learn(FEATURES_OF_THREE, ENGINES, np.array([0.0, 9.0, 0.0]))
    # who was doubted is not believed at the first good answer
    assert not lessons.find_doubted()
    assert lessons.find_doubted(doubted) == {"liar"}
    while lessons.trust(("liar",))[0] < 0.7:
        lessons.learn(FEATURES_OF_THREE, ENGINES, np.array([0.0, 9.0, 0.0]))
    assert not lessons.find_doubted(doubted)


def test_what_was_long_ago_fades() -> None:
    """No record outgrows the last thousand queries or so."""
    lessons = Lessons()
    teach(lessons, 4000)
    forecast, brought = lessons.state().records.T
    assert forecast.sum() == pytest.approx(brought.sum())
    assert 900 < forecast.sum() < 1000


def test_opened_results_count_less_than_whole_lists() -> None:
    opened = Lessons()
    opened.learn_opened(FEATURES_OF_THREE, ENGINES, 0, (0, 1))
    listed = Lessons()
    listed.learn(FEATURES_OF_THREE, ENGINES, np.array([1.0, 0.0, 0.0]), (0, 1))
    assert 1 > opened.trust(("liar",))[0] > listed.trust(("liar",))[0]


def test_weights_learn_which_feature_tells() -> None:
    """The first feature is right and the second wrong, again and again."""
    lessons = Lessons()
    features = np.zeros((2, len(FEATURES)))
    features[0, 1] = -1.0
    features[1, 0] = -1.0
    for query in range(200):
        lessons.learn(features, (f"a{query}", f"b{query}"), np.array([1.0, 0.0]))
    gained = lessons.weights - Lessons().weights
    assert gained[0] > 0.01 > -0.01 > gained[1]
    assert not gained[2:].any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -1.0])
def test_what_is_no_number_teaches_nothing(bad: float) -> None:
    lessons = Lessons()
    lessons.learn(FEATURES_OF_THREE, ENGINES, np.array([1.0, bad, 0.0]))
    assert lessons.state().engines == ()


def test_state_is_kept_and_restored() -> None:
    lessons = Lessons()
    teach(lessons, 30)
    again = Lessons.restore(lessons.state())
    expected = lessons.expect(FEATURES_OF_THREE, ENGINES)
    assert again.expect(FEATURES_OF_THREE, ENGINES).tolist() == expected.tolist()


def test_a_state_of_other_features_or_of_nonsense_is_forgotten() -> None:
    records = np.array([[np.nan, 1.0], [-5.0, 3.0]])
    state = LessonsState(np.ones(len(FEATURES) + 1), ("a", "b"), records)
    lessons = Lessons.restore(state)
    assert lessons.weights.tolist() == Lessons().weights.tolist()
    assert lessons.state().engines == ("b",)
    assert np.isfinite(lessons.trust(("a", "b"))).all()
