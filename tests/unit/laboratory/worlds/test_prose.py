"""The prose of the simulated web: readable, repeatable, and as relevant as the world says."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from trapline.laboratory.worlds import prose, vocabulary

SUBJECTS = range(len(vocabulary.OTHERS) + 1)


def words(
    subject: int, relevance: float, page: int, version: int = 0, topic: str = "space"
) -> list[str]:
    text = " ".join(prose.paragraphs(subject, relevance, page, version, 1, topic=topic))
    return re.findall(r"[\w'-]+", text.lower())


def density(subject: int, relevance: float, page: int, topic: str = "space") -> float:
    found = words(subject, relevance, page, topic=topic)
    return found.count(topic) / len(found)


def all_texts(topic: str = "space") -> list[str]:
    return [
        text
        for page in range(300)
        for subject in [page % len(SUBJECTS)]
        for text in [
            prose.title(subject, page, 1, topic=topic),
            *prose.paragraphs(subject, page % 4 / 3, page, page % 7, 1, topic=topic),
        ]
    ]


def test_there_are_at_least_ten_subjects_with_words_enough_for_a_page() -> None:
    assert len(SUBJECTS) >= 10
    for subject in (vocabulary.SPACE, vocabulary.NEUTRAL, *vocabulary.OTHERS):
        assert (
            len(subject.things) >= 6
            and len(subject.kinds) >= 5
            and len(subject.titles) >= 5
        )
        assert not {"", " "} & {*subject.things, *subject.places, *subject.propers}


def test_the_same_arguments_give_the_same_text_and_another_seed_another() -> None:
    assert prose.paragraphs(0, 0.7, 5, 3, 1) == prose.paragraphs(0, 0.7, 5, 3, 1)
    assert prose.paragraphs(0, 0.7, 5, 3, 1) != prose.paragraphs(0, 0.7, 5, 3, 2)
    assert prose.title(4, 9, 1) == prose.title(4, 9, 1) == prose.anchor(4, 9, 1)
    assert [prose.title(4, 9, seed) for seed in range(5)] != [prose.title(4, 9, 1)] * 5


@pytest.mark.parametrize("subject", SUBJECTS)
def test_pages_have_a_readable_length(subject: int) -> None:
    for page in range(30):
        for relevance in (0.0, 0.3, 1.0):
            assert 110 <= len(words(subject, relevance, page)) <= 400


@pytest.mark.parametrize(
    "topic", ["space", "chess", "machine learning", "music", "garden"]
)
def test_a_page_without_relevance_never_says_the_topic(topic: str) -> None:
    for page in range(40):
        for subject in SUBJECTS:
            assert (
                topic
                not in " ".join(
                    prose.paragraphs(subject, 0.0, page, 2, 1, topic=topic)
                ).lower()
            )
            if subject != 0:
                assert topic not in prose.title(subject, page, 1, topic=topic).lower()


@pytest.mark.parametrize("topic", ["space", "chess", "music"])
def test_a_page_about_the_topic_says_it_often(topic: str) -> None:
    assert min(density(0, 1.0, page, topic) for page in range(200)) >= 0.02


def test_the_density_of_the_topic_word_grows_with_relevance() -> None:
    levels = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    for subject in (0, 3):
        means = [
            sum(density(subject, level, page) for page in range(60)) / 60
            for level in levels
        ]
        assert means == sorted(means)
        for level, mean in zip(levels, means, strict=True):
            assert mean == pytest.approx(level * means[-1], abs=0.12 * means[-1])


def test_many_on_topic_titles_promise_the_topic() -> None:
    titles = [prose.title(0, page, 1) for page in range(300)]
    assert 0.4 < sum("space" in title.lower() for title in titles) / 300 < 0.9


def test_titles_are_fairly_distinct() -> None:
    titles = [prose.title(page % len(SUBJECTS), page, 1) for page in range(1000)]
    assert len(set(titles)) > 900


def test_a_new_version_rewrites_one_or_two_paragraphs_and_leaves_the_rest() -> None:
    for page in range(40):
        for relevance in (0.0, 0.1, 0.5, 1.0):
            editions = [
                prose.paragraphs(page % len(SUBJECTS), relevance, page, v, 1)
                for v in range(12)
            ]
            for old, new in pairwise(editions):
                assert sum(a != b for a, b in zip(old, new, strict=True)) in (1, 2)


def test_every_paragraph_is_rewritten_in_time() -> None:
    first, last = (prose.paragraphs(0, 0.8, 11, version, 1) for version in (0, 9))
    assert all(a != b for a, b in zip(first, last, strict=True))


def test_no_page_says_the_same_sentence_twice() -> None:
    for page in range(200):
        text = " ".join(prose.paragraphs(page % len(SUBJECTS), 0.5, page, page % 5, 1))
        sentences = re.split(r"(?<=\.) ", text)
        assert len(sentences) == len(set(sentences))


@pytest.mark.parametrize("topic", ["space", "chess"])
def test_the_grammar_of_filled_sentences(topic: str) -> None:
    for text in all_texts(topic):
        assert not re.search(
            r"[{}]|  |\b[Aa] [aeio]|\b[Aa]n (?!hon)[^aeiouX]|\bthe the\b", text
        ), text
        assert text[0].isupper() or text[0].isdigit(), text


def test_a_topic_that_is_one_of_our_subjects_uses_its_words() -> None:
    found = set(words(0, 1.0, 3, topic="cooking"))
    assert found & set(vocabulary.COOKING.things)
    assert not found & set(vocabulary.SPACE.things)
