from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.core.errors import UserMistake
from trapline.topic.relevance import Topic, normal

TOPIC = Topic.from_text("space telescopes")


def test_one_word_in_a_hundred_is_one_half() -> None:
    assert TOPIC.relevance("", "telescope " + "tea " * 99) == pytest.approx(0.5)
    assert TOPIC.relevance("", "tea " * 100) == 0.0
    assert TOPIC.relevance("", "") == 0.0


def test_more_topic_words_are_more_relevant() -> None:
    scores = [TOPIC.relevance("", "space " * hits + "tea " * (100 - hits)) for hits in range(101)]
    assert scores == sorted(scores)
    assert scores[-1] <= 1.0


def test_plural_and_case_do_not_matter() -> None:
    forms = [TOPIC.relevance("", f"{word} one two") for word in ("telescope", "Telescopes", "TELESCOPE", "Spaces")]
    assert len(set(forms)) == 1 and forms[0] > 0


def test_the_title_counts_several_times() -> None:
    text = "tea " * 100
    assert TOPIC.relevance("Space", text) > TOPIC.relevance("", "space " + text) > 0


def test_no_topic_means_everything() -> None:
    everything = Topic.from_text("  ")
    assert everything.relevance("Cooking", "tea") == everything.link_score("tea", "http://a/") == 1.0


@pytest.mark.parametrize("text", ["of the", "—", "and, or"])
def test_a_topic_that_says_nothing_is_a_mistake(text: str) -> None:
    with pytest.raises(UserMistake, match="name what they should be about"):
        Topic.from_text(text)


def test_words_that_stand_everywhere_are_no_topic() -> None:
    assert Topic.from_text("the history of space").words == {"history", "space"}


def test_a_link_promises_by_anchor_or_url() -> None:
    url = "http://example.org/a/1.html"
    assert TOPIC.link_score("All about telescopes", url) > 0.5
    assert TOPIC.link_score("here", "http://example.org/space/2") > 0.5
    assert TOPIC.link_score("here", "http://example.org/t%C3%A9/%73pace") > 0.5  # as a reader sees it
    assert TOPIC.link_score("here", url) == 0.0
    assert TOPIC.link_score("http space", "https://a/") < 1.0


@given(st.text(), st.text(), st.text(min_size=1))
def test_scores_stay_in_range(title: str, text: str, word: str) -> None:
    topic = Topic([word, "space"])
    assert 0.0 <= topic.relevance(title, text) <= 1.0
    assert 0.0 <= topic.link_score(title, text) <= 1.0


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_normal_forms_are_never_empty(word: str) -> None:
    assert normal(word)
