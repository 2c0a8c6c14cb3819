"""Relevance: 0.5 means "belongs", however the topic was given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.core.errors import UserMistake
from trapline.topic.calibration import Calibration, middle_of
from trapline.topic.link_clues import link_words
from trapline.topic.teaching_pages import TeachingPages
from trapline.topic.topic import ENOUGH, Topic, normal
from trapline.topic.word_hashes import WordCounts, count_words

SKY, TEA, BOAT = (
    text.split()
    for text in (
        "star planet orbit telescope comet galaxy nebula crater moon eclipse asteroid meteor",
        "leaf kettle cup sugar milk saucer steam aroma garden harvest brew ceremony",
        "sail rudder harbour keel anchor tide mast rope buoy deck hull crew",
    )
)


def page(words: list[str], seed: int, size: int = 60, fill: int = 120) -> WordCounts:
    """A page that takes its words from a field, among words that stand nowhere else."""
    rng = np.random.default_rng(seed)
    chosen = [
        *rng.choice(words, size),
        *(f"{letter}q{seed}{letter}" for letter in map(chr, range(97, 97 + 26))),
    ]
    return count_words(
        "",
        " ".join(
            [*chosen, *(f"w{seed}x{chr(97 + n % 26)}{n}" for n in range(fill - 26))]
        ),
    )


def taught(
    text: str = "",
    like: list[str] | None = None,
    unlike: list[str] | None = None,
    count: int = 8,
) -> Topic:
    topic = Topic.from_text(text)
    for words, side in ((like, True), (unlike, False)):
        for seed in range(count if words else 0):
            topic.exemplify((side, seed), page(words or [], seed), like=side)
    return topic


def test_more_topic_words_are_more_relevant() -> None:
    topic = Topic.from_text("space telescopes")
    scores = [
        topic.relevance("", "space " * hits + " ".join(TEA * 9)) for hits in range(60)
    ]
    assert scores == sorted(scores)
    assert (scores[0], scores[-1]) == (0.0, 1.0)


def test_plural_and_case_do_not_matter() -> None:
    topic = Topic.from_text("space telescopes")
    forms = [
        topic.relevance("", f"{word} {' '.join(TEA)}")
        for word in ("telescope", "Telescopes", "TELESCOPE")
    ]
    assert len(set(forms)) == 1 and forms[0] > 0


def test_the_title_counts_several_times() -> None:
    topic = Topic.from_text("space")
    text = " ".join(TEA * 2 + BOAT * 2 + SKY)
    assert topic.relevance("Space", text) > topic.relevance("", "space " + text)


def test_a_word_in_passing_does_not_make_a_page_belong() -> None:
    words = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200))
    assert Topic.from_text("space").relevance("", f"space {words}") < 0.5
    assert (
        Topic.from_text("space telescope galaxy").relevance("", f"space {words}") < 0.5
    )
    assert (
        Topic.from_text("space telescope galaxy").relevance(
            "Space", f"space galaxy telescope {words}"
        )
        > 0.5
    )


def test_no_topic_means_everything() -> None:
    everything = Topic.from_text("  ")
    assert everything.relevance("Cooking", "tea") == everything.relevance("", "") == 1.0
    links = everything.links(link_words([("http://a/", "tea", "", 0)]), {0: (1, 0)})
    assert links["anchor"][0] == links["address"][0] == links["context"][0] == 1.0


@pytest.mark.parametrize("text", ["of the", "—", "and, or", "1984"])
def test_a_topic_that_says_nothing_is_a_mistake(text: str) -> None:
    with pytest.raises(UserMistake, match="name what they should be about"):
        Topic.from_text(text)


def test_words_that_stand_everywhere_are_no_topic() -> None:
    assert Topic.from_text("the history of space").words == {"history", "space"}


def test_a_page_without_words_does_not_belong() -> None:
    for topic in (Topic.from_text("space"), taught(like=SKY), taught("star", SKY, TEA)):
        assert topic.relevance("", "") == topic.relevance("The", "of and 17") == 0.0


@given(st.text(), st.text(), st.text(min_size=1))
def test_relevance_stays_in_range(title: str, text: str, word: str) -> None:
    try:
        topic = Topic.from_text(f"{word} space")
    except UserMistake:
        return
    topic.exemplify("one", count_words(title, word))
    assert 0.0 <= topic.relevance(title, text) <= 1.0


@pytest.mark.parametrize(
    "topic",
    [
        taught("star planet telescope"),
        taught(like=SKY),
        taught(like=SKY, count=1),
        taught("telescope", SKY),
        taught("star", SKY, TEA),
        taught(like=SKY, unlike=BOAT),
    ],
)
def test_however_a_topic_is_given_its_pages_belong_and_others_do_not(
    topic: Topic,
) -> None:
    ours = [topic.judge(page(SKY, seed)) for seed in range(100, 120)]
    others = [
        topic.judge(page(words, seed))
        for words in (TEA, BOAT)
        for seed in range(100, 120)
    ]
    assert min(ours) > 0.5 and max(others) < 0.2
    assert np.mean(ours) > 0.9


def test_counter_examples_push_away_what_is_like_them() -> None:
    mixed = [page(SKY[:6] + TEA, seed, 90) for seed in range(200, 220)]
    before = taught("star planet orbit")
    after = taught("star planet orbit", unlike=SKY[:3] + TEA)
    assert np.mean([after.judge(counts) for counts in mixed]) < np.mean(
        [before.judge(counts) for counts in mixed]
    )


def middle(
    among: list[float], against: list[float] | None = None, words: int = 3
) -> float:
    return middle_of(Calibration(words, among, against or []))


def test_the_middle_listens_to_examples_and_counter_examples() -> None:
    assert middle([0.35] * 20) > middle([0.25] * 20) > middle([0.05] * 20)
    # bounded, whatever they say
    assert middle([0.05] * 20) > 0.5 * middle([0.2] * 20)
    assert middle([], [0.2] * 10) > middle([])
    assert middle([0.4] * 20, [0.9] * 20) < 0.4  # the examples still belong


def test_an_example_that_changes_replaces_itself_and_changes_sides() -> None:
    topic = taught("star")
    topic.exemplify("x", page(TEA, 1))
    assert topic.judge(page(TEA, 2)) > 0.5
    topic.exemplify("x", page(BOAT, 1))
    assert topic.judge(page(TEA, 2)) < 0.1
    topic.exemplify("x", page(BOAT, 1), like=False)
    assert topic.judge(page(BOAT, 2)) == 0.0


def test_a_topic_that_waits_for_its_examples_finds_nothing_yet() -> None:
    topic = Topic.from_text("", expects=True)
    lessons = TeachingPages(topic)
    lessons.example(7, like=True)
    assert topic.judge(page(SKY, 1)) == 0.0
    lessons.read(8, page(TEA, 1))
    lessons.read(7, count_words("", ""))
    # neither a page nobody named nor one without words teaches
    assert topic.judge(page(TEA, 1)) == 0.0
    lessons.read(7, page(SKY, 1))
    assert topic.judge(page(SKY, 2)) == 1.0 and topic.judge(page(TEA, 2)) == 0.0


def test_the_same_text_is_not_judged_anew_at_each_visit() -> None:
    topic = taught("telescope", SKY)
    text = page(SKY[:4] + TEA + BOAT, 5)
    seen = []
    for seed in range(300):
        seen.append(topic.judge(text))
        topic.learn(counts := page(TEA, seed), topic.judge(counts))
    assert len(set(seen)) <= 4


def test_words_of_the_topic_stay_telling_when_all_pages_have_them() -> None:
    topic = Topic.from_text("telescope")
    for seed in range(500):
        counts = page([*SKY, "telescope", "telescope"], seed)
        topic.learn(counts, topic.judge(counts))
    assert topic.judge(page([*SKY, "telescope", "telescope"], 1000)) > 0.5


def test_words_that_no_page_has_are_named_after_a_while() -> None:
    topic = Topic.from_text("telescope zyzzyva kwyjibo")
    for seed in range(ENOUGH):
        assert topic.unmet() == []
        topic.learn(count_words("", f"a telescope and page {seed}"), 0.0)
    assert topic.unmet() == ["kwyjibo", "zyzzyva"]
    topic.learn(count_words("", "Zyzzyvas!"), 0.0)
    assert topic.unmet() == ["kwyjibo"]


def test_state_survives_and_another_topic_keeps_what_is_general() -> None:
    topic = taught("telescope zyzzyva", SKY)
    for seed in range(120):
        topic.learn(counts := page(TEA, seed), topic.judge(counts))
    again = taught("telescope zyzzyva", SKY)
    other = taught("sail", BOAT)
    state = {name: np.array(array) for name, array in topic.state().items()}
    again.restore(state)
    other.restore(state)
    assert again.judge(page(SKY + TEA, 9)) == topic.judge(page(SKY + TEA, 9)) > 0.0
    assert again.unmet() == topic.unmet() == ["telescope", "zyzzyva"]
    assert other.unmet() == [] and other.documents == 0
    assert np.array_equal(other.frequencies.weights, topic.frequencies.weights)


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_normal_forms_are_never_empty(word: str) -> None:
    assert normal(word)


def test_an_example_without_words_changes_nothing() -> None:
    topic = Topic.from_text("star")
    text = page([*SKY, *TEA, *BOAT], 5)
    before = topic.judge(text)
    lessons = TeachingPages(topic)
    lessons.example(7, like=True)
    lessons.read(7, count_words("", "the 17"))
    assert 0.0 < topic.judge(text) == before


def test_pages_are_to_be_judged_anew_each_time_in_a_young_crawl_and_then_every_second_time() -> (
    None
):
    topic = Topic.from_text("star")
    when = []
    for number in range(1400):
        before = topic.version
        topic.learn(count_words("", f"tea number{number}"), 0.0)
        if topic.version != before:
            when.append(topic.frequencies.documents)
    assert when == [20, 40, 80, 320, 1280]


def test_without_a_topic_nothing_is_judged_anew() -> None:
    topic = Topic(())
    for number in range(100):
        topic.learn(count_words("", f"tea number{number}"), 1.0)
    assert topic.version == 0
