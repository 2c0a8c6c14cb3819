"""Labels: the last word on a page counts, and both sides must have been heard."""

from __future__ import annotations

import numpy as np

from trapline.topic.classifier import MOST, Classifier
from trapline.topic.document_frequencies import Frequencies
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import WordCounts, count_words

WEIGHTS = Frequencies().weights


def page(word: str, seed: int) -> WordCounts:
    rng = np.random.default_rng(seed)
    return count_words(
        "", f"{word} {word}s " + " ".join(f"w{n}x" for n in rng.integers(0, 500, 30))
    )


def taught(labels: int) -> Classifier:
    classifier = Classifier()
    for seed in range(labels):
        classifier.put(
            seed, page("star" if seed % 2 else "tea", seed), belongs=seed % 2 == 1
        )
    return classifier


def test_without_labels_nothing_changes() -> None:
    classifier = Classifier()
    classifier.background([page("star", 1)] * 9, [page("tea", 1)] * 9)
    assert classifier.blend(0.3, page("star", 5), WEIGHTS) == 0.3


def test_who_has_only_said_yes_has_not_said_where_to_stop() -> None:
    classifier = Classifier()
    for seed in range(30):
        classifier.put(seed, page("star", seed), belongs=True)
    assert classifier.blend(0.3, page("tea", 99), WEIGHTS) == 0.3
    classifier.background([], [page("tea", seed) for seed in range(30)])
    assert classifier.blend(0.3, page("tea", 99), WEIGHTS) < 0.2
    assert classifier.blend(0.3, page("star", 99), WEIGHTS) > 0.6


def test_the_more_labels_the_more_they_decide() -> None:
    ours = [
        taught(labels).blend(0.0, page("star", 999), WEIGHTS)
        for labels in (0, 2, 10, 40, 200)
    ]
    others = [
        taught(labels).blend(1.0, page("tea", 999), WEIGHTS)
        for labels in (0, 2, 10, 40, 200)
    ]
    assert ours == sorted(ours) and ours[0] == 0.0 and ours[-1] > 0.75
    assert (
        others == sorted(others, reverse=True)
        and others[0] == 1.0
        and others[-1] < 0.25
    )


def test_the_last_word_counts_in_whatever_order() -> None:
    one = Classifier()
    other = Classifier()
    labels = [(seed, seed % 2 == 1) for seed in range(20)]
    for seed, belongs in labels:
        one.put(seed, page("star" if belongs else "tea", seed), belongs=belongs)
    for seed, belongs in (
        [(seed, not belongs) for seed, belongs in labels] + labels[::-1] + labels[::-1]
    ):
        other.put(seed, page("star" if seed % 2 else "tea", seed), belongs=belongs)
    assert len(one) == len(other) == 20
    here, there = (
        classifier.blend(0.5, page("star", 99), WEIGHTS) for classifier in (one, other)
    )
    assert abs(here - there) < 1e-9


def test_pages_without_words_neither_teach_nor_are_judged() -> None:
    classifier = taught(20)
    before = classifier.blend(0.5, page("star", 99), WEIGHTS)
    classifier.put("empty", count_words("", ""), belongs=False)
    assert classifier.blend(0.5, page("star", 99), WEIGHTS) == before
    assert classifier.blend(0.0, count_words("", ""), WEIGHTS) == 0.0


def test_the_newest_labels_are_kept() -> None:
    classifier = Classifier()
    for seed in range(MOST + 50):
        classifier.put(seed, page("star", seed), belongs=True)
    assert len(classifier) == MOST


def test_a_topic_is_corrected_by_labels() -> None:
    topic = Topic.from_text("star")
    film = [
        count_words("", f"film star actor {n}x screen cinema star") for n in range(40)
    ]
    sky = [
        count_words("", f"star planet comet {n}x orbit galaxy star") for n in range(40)
    ]
    assert topic.judge(film[-1]) == topic.judge(sky[-1]) == 1.0
    for n in range(30):
        topic.label(("film", n), film[n], belongs=False)
        topic.label(("sky", n), sky[n], belongs=True)
    assert topic.judge(film[-1]) < 0.5 < topic.judge(sky[-1])
