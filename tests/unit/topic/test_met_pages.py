"""One example among pages that look alike: belonging is set against the pages met."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from trapline.laboratory.worlds import documents
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.reading.html.document import read_html
from trapline.topic.met_pages import MOST, MetPages
from trapline.topic.topic import ENOUGH, Topic
from trapline.topic.word_hashes import WordCounts, count_words

SITE = [f"site{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"] * 2
FIELDS = {
    name: [f"{name}{letter}" for letter in "abcdefghijklmnopqrst"]
    for name in ("star", "tea", "boat", "loom", "coin")
}


def page(field: str, seed: int, own: int = 24) -> WordCounts:
    """A page of a uniform site: what stands on all of its pages, and some words of a field."""
    rng = np.random.default_rng(seed)
    words = rng.choice(FIELDS[field], own)
    return count_words("", " ".join([*SITE, *words, f"only{field}{seed}"]))


def uniform_site(count: int = 125) -> list[tuple[str, WordCounts]]:
    fields = list(FIELDS)
    return [
        (fields[n % len(fields)], page(fields[n % len(fields)], n))
        for n in range(count)
    ]


def crawl(topic: Topic, pages: list[tuple[str, WordCounts]]) -> Topic:
    for _, counts in pages:
        topic.learn(counts, topic.judge(counts))
    return topic


def like(*examples: WordCounts, words: str = "") -> Topic:
    topic = Topic.from_text(words, expects=True)
    for number, counts in enumerate(examples):
        topic.exemplify(number, counts)
    return topic


@pytest.mark.parametrize("examples", [1, 2, 5])
@pytest.mark.parametrize("field", ["star", "tea", "coin"])
def test_few_examples_tell_the_pages_of_a_uniform_site_apart(
    field: str, examples: int
) -> None:
    met = uniform_site()
    topic = like(*(page(field, 900 + n) for n in range(examples)))
    # before anything is known of the site, all of it is like the example
    assert min(topic.judge(counts) for _, counts in met) >= 0.5
    crawl(topic, met)
    ours = [topic.judge(counts) >= 0.5 for of, counts in met if of == field]
    others = [topic.judge(counts) >= 0.5 for of, counts in met if of != field]
    assert np.mean(ours) > 0.9
    assert np.mean(others) < 0.1
    assert topic.alike() is None


@pytest.mark.parametrize("subject", ["space", "databases"])
def test_also_where_many_but_not_all_pages_are_like_the_example_at_first(
    subject: str,
) -> None:
    """A practice web: each example on the topic by itself."""
    shape = Shape(gap_s=0.01, born_share=0.0, dies_share=0.0)
    web = LinkedWeb.generate(125, 3, subject, 2, shape)
    met = []
    for number in range(web.pages):
        html = documents.html(web, number, 0.0, lambda host: f"http://h{host}.test/")
        document = read_html(html.encode(), "utf-8", "http://h0.test/")
        met.append(("", count_words(document.title, document.text)))
    relevance = np.asarray(web.relevance[: web.pages])
    found = []
    for example in np.flatnonzero(relevance > 0.6)[:6].tolist():
        topic = crawl(like(met[example][1]), met)
        found.append([topic.judge(counts) >= 0.5 for _, counts in met])
    belonging = np.mean(found, axis=0)
    assert np.mean(belonging[relevance > 0.6]) > 0.9
    assert np.mean(belonging[relevance < 0.1]) < 0.15


def test_in_whatever_order_the_pages_came() -> None:
    met = uniform_site()
    forwards = crawl(like(page("star", 900)), met)
    backwards = crawl(like(page("star", 900)), met[::-1])
    again = [
        (forwards.judge(counts) >= 0.5) == (backwards.judge(counts) >= 0.5)
        for _, counts in met
    ]
    assert np.mean(again) > 0.95


def test_pages_that_are_all_alike_are_said_to_be_so() -> None:
    alike = [("star", page("star", n, own=200)) for n in range(125)]
    topic = crawl(like(*(page("star", 900 + n, own=200) for n in range(15))), alike)
    share = topic.alike()
    assert share is not None and share > 0.8


def test_an_example_of_nothing_but_what_stands_everywhere_is_said_to_tell_nothing() -> (
    None
):
    met = [
        (field, page(field, n, own=200)) for n, (field, _) in enumerate(uniform_site())
    ]
    topic = crawl(like(count_words("", " ".join([*SITE, "imprint"]))), met)
    assert topic.alike() == 0.0


def test_nothing_is_said_of_a_topic_in_words_or_of_few_pages() -> None:
    words = Topic.from_text("stara starb")
    assert crawl(words, uniform_site()).alike() is None
    assert crawl(like(page("star", 900)), uniform_site(ENOUGH // 2)).alike() is None


def test_what_is_calibrated_survives_a_restart() -> None:
    met = uniform_site()
    topic = crawl(like(page("star", 900)), met[:100])
    state = {name: np.array(array) for name, array in topic.state().items()}
    again = Topic.from_text("", expects=True)
    again.restore(state)
    again.exemplify(0, page("star", 900))  # held pages teach after a restart
    for _, counts in met:
        assert again.judge(counts) == topic.judge(counts)
    assert again.alike() == topic.alike()
    crawl(topic, met[100:])
    crawl(again, met[100:])
    assert [again.judge(counts) for _, counts in met] == [
        topic.judge(counts) for _, counts in met
    ]


def test_a_folder_of_an_earlier_version_has_met_nobody() -> None:
    state = crawl(like(page("star", 900)), uniform_site()).state()
    old = {name: array for name, array in state.items() if "met_" not in name}
    topic = Topic.from_text("", expects=True)
    topic.restore(old)
    assert topic.met.taken == {}


def test_the_middle_moves_only_when_pages_have_doubled() -> None:
    topic = like(page("star", 900))
    seen = []
    for _, counts in uniform_site(300):
        seen.append(topic.judge(page("tea", 901)))
        topic.learn(counts, topic.judge(counts))
    moves = sum(before != after for before, after in pairwise(seen))
    assert 1 <= moves <= 11  # five doublings of pages met, and of words counted


def test_the_sample_is_bounded_and_does_not_depend_on_order_or_repetition() -> None:
    documents = [page("tea", n) for n in range(3 * MOST)]
    one, other = MetPages(), MetPages()
    for counts in documents:
        one.learn(counts)
    for counts in [*documents[::-1], *documents]:
        other.learn(counts)
    one.take_over()
    other.take_over()
    assert list(one.taken) == list(other.taken)
    assert len(one.taken) == MOST
