"""What links show: it leans to the target's relevance, and never tells it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import make_truth

TEXT = ("anchor", "address", "context", "tokens")
GROUPS = ("path", "directory", "prefix")


@cache
def web(seed: int = 5, anchors: float = 1.0) -> LinkedWeb:
    return LinkedWeb.generate(
        20_000,
        hosts=140,
        seed=seed,
        shape=Shape(born_share=0.0, dies_share=0.0, anchors=anchors),
    )


def sources(web: LinkedWeb) -> NDArray[np.int64]:
    return np.repeat(np.arange(web.pages), np.diff(web.truth.link_start))


def agreement(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    return float(np.corrcoef(one, other)[0, 1])


def foretold(group: NDArray[np.integer], value: NDArray[np.float64]) -> float:
    """How well the mean of a group, learnt from half of its members, agrees with the other half."""
    known = np.random.default_rng(0).random(len(value)) < 0.5
    which = np.unique(group, return_inverse=True)[1]
    mean = (np.bincount(which, known * value) + 3.0 * value.mean()) / (
        np.bincount(which, known) + 3.0
    )
    return agreement(mean[which][~known], value[~known])


def test_each_link_has_a_clue_of_its_own() -> None:
    truth = web().truth
    assert np.array_equal(truth.clues["page"], truth.link_to)
    assert np.array_equal(truth.clues["host"], truth.host[truth.link_to])
    assert len(make_truth(host=np.zeros(3, np.int32), rate=np.ones(3)).clues) == 0
    assert len(LinkedWeb.generate(1, hosts=1).truth.clues) == 0


def test_the_same_seed_gives_the_same_clues_and_words_change_nothing_else() -> None:
    one, same, other, silent = (
        LinkedWeb.generate(500, seed=seed, shape=Shape(anchors=anchors)).truth
        for seed, anchors in ((7, 1.0), (7, 1.0), (8, 1.0), (7, 0.0))
    )
    assert np.array_equal(one.clues, same.clues)
    assert not np.array_equal(one.clues["path"][:100], other.clues["path"][:100])
    assert np.array_equal(one.pages, silent.pages) and np.array_equal(
        one.link_to, silent.link_to
    )
    for name in ("page", "host", "place", *GROUPS):
        assert np.array_equal(one.clues[name], silent.clues[name]), name


@pytest.mark.parametrize("seed", [5, 6])
def test_words_agree_with_relevance_but_not_much(seed: int) -> None:
    clues = web(seed).truth.clues
    relevance = web(seed).relevance[web(seed).truth.link_to]
    assert 0.48 < agreement(clues["anchor"], relevance) < 0.62
    assert 0.25 < agreement(clues["address"], relevance) < 0.45
    assert 0.35 < agreement(clues["context"], relevance) < 0.55
    assert abs(agreement(clues["place"], relevance)) < 0.15
    for name in ("anchor", "address", "context"):
        assert clues[name].min() == 0.0 and clues[name].max() <= 1.0


def test_many_anchors_say_nothing_and_some_mislead() -> None:
    anchor = web().truth.clues["anchor"]
    relevance = web().relevance[web().truth.link_to]
    assert 0.4 < np.mean(anchor == 0.0) < 0.6
    assert 0.25 < np.mean(anchor[relevance > 0.5] < 0.1) < 0.5
    assert 0.004 < np.mean(anchor[relevance < 0.1] > 0.6) < 0.02


def test_many_links_to_a_page_are_hardly_better_than_one() -> None:
    """Most repeat the same title, with its mistakes."""
    truth = web().truth
    speaking = np.flatnonzero(truth.clues["anchor"] > 0.0)
    order = speaking[np.lexsort((speaking, truth.link_to[speaking]))]
    twice = truth.link_to[order[1:]] == truth.link_to[order[:-1]]
    error = truth.clues["anchor"] - 0.8 * web().relevance[truth.link_to]
    assert agreement(error[order[1:]][twice], error[order[:-1]][twice]) > 0.3


def test_without_anchors_there_are_no_words_but_groups() -> None:
    silent = web(anchors=0.0).truth.clues
    for name in TEXT:
        assert not silent[name].any(), name
    for name in GROUPS:
        assert silent[name].all(), name
    half = web(anchors=0.5)
    found = agreement(half.truth.clues["anchor"], half.relevance[half.truth.link_to])
    assert 0.2 < found < 0.45


def test_a_directory_is_of_one_host_and_holds_several_pages_that_are_alike_in_part() -> (
    None
):
    here = web()
    truth = web().truth
    # one link to each page: addresses are the page's own
    first = np.unique(truth.link_to, return_index=True)[1]
    page = truth.link_to[first]
    clue = truth.clues[first]
    assert np.array_equal(
        truth.clues["directory"],
        clue["directory"][np.searchsorted(page, truth.link_to)],
    )
    hosts = np.unique(np.c_[clue["directory"], here.host[page]], axis=0)
    within = np.unique(np.c_[clue["prefix"], clue["directory"]], axis=0)
    directories = len(np.unique(clue["directory"]))
    prefixes = len(np.unique(clue["prefix"]))
    assert len(hosts) == directories and len(within) == prefixes
    assert (
        5 < len(page) / directories < 100
        and 3 < len(page) / prefixes < len(page) / directories
    )
    relevance = here.relevance[page]
    by_host = foretold(here.host[page], relevance)
    by_directory = foretold(clue["directory"], relevance)
    assert by_host + 0.05 < by_directory < 0.75


def test_a_host_has_few_paths_and_those_of_lists_lead_to_the_topic() -> None:
    here = web()
    truth = web().truth
    source = sources(here)
    path = truth.clues["path"]
    each = np.unique(np.c_[here.host[source], path], axis=0)[:, 0]
    assert np.bincount(each).max() <= 12
    assert len(np.unique(path)) < 12 * here.hosts / 2  # templates are shared
    listed = np.isin(source, here.hubs)
    boxes = np.unique(path[listed], return_counts=True)
    usual = boxes[0][boxes[1] > np.median(boxes[1])]
    relevance = here.relevance[truth.link_to]
    assert relevance[np.isin(path, usual)].mean() > 1.2 * relevance.mean()
    assert 0.2 < foretold(path, relevance) < 0.6


def test_places_follow_each_other_down_the_page() -> None:
    truth = web().truth
    source = sources(web())
    counts = np.diff(truth.link_start)
    rank = np.rint(truth.clues["place"] * counts[source]).astype(np.int64)
    order = np.lexsort((rank, source))
    assert np.array_equal(
        rank[order], np.arange(len(source)) - truth.link_start[source]
    )
    assert truth.clues["place"].min() >= 0.0 and truth.clues["place"].max() < 1.0


def test_words_of_a_subject_are_used_for_it_mostly() -> None:
    here = web()
    truth = web().truth
    tokens = truth.clues["tokens"]
    on_topic = here.subject[truth.link_to] == 0
    words, which, count = np.unique(tokens, return_inverse=True, return_counts=True)
    share = np.bincount(which.ravel(), np.repeat(on_topic, tokens.shape[1])) / count
    often = (count > 50) & (words != 0)
    assert 500 < len(words) < 2000
    of_topic = often & (share > 0.7)
    assert 20 < np.count_nonzero(of_topic) < 60  # most words say nothing,
    assert np.median(share[of_topic]) < 0.95  # and those of the topic are not sure
    assert 0.5 < np.mean(tokens != 0) < 0.9


@pytest.mark.parametrize(
    "wrong",
    [{"anchors": -0.1}, {"anchors": 1.5}, {"drift": 2.0}, {"drift": float("nan")}],
)
def test_impossible_strengths_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadNumber, match=next(iter(wrong))):
        Shape(**wrong)  # type: ignore[arg-type]
