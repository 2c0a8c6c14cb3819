"""Families of webs: alike in what counts, different in their build, with training and testing
apart.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, UnknownName
from trapline.laboratory.worlds.families import FAMILIES, Part, family, family_shape
from trapline.laboratory.worlds.host_layout import Layout, new_plan
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape, new_draft

NAMES = sorted(FAMILIES)
PARTS: tuple[Part, Part] = ("train", "test")
FAR = 10**6


def depths(web: LinkedWeb, now_s: float = 0.0) -> NDArray[np.int64]:
    """Clicks from the seeds to each page, over pages that live; FAR where there is no way."""
    truth = web.truth
    source = np.repeat(np.arange(web.pages), np.diff(truth.link_start))
    alive = (truth.born_s <= now_s) & (now_s < truth.dies_s)
    kept = alive[source] & alive[truth.link_to]
    source = source[kept]
    target = truth.link_to[kept]
    depth = np.full(web.pages, FAR)
    depth[web.seeds] = 0
    for clicks in range(web.pages):
        reached = target[depth[source] == clicks]
        fresh = reached[depth[reached] == FAR]
        if not len(fresh):
            break
        depth[fresh] = clicks + 1
    depth[~alive] = -1
    return depth


@pytest.mark.parametrize("name", NAMES)
def test_every_page_can_be_reached_and_nothing_moves(name: str) -> None:
    for pages, part in product((1, 5, 700, 6000), PARTS):
        web = family(name, pages, seed=1, part=part)
        assert web.pages == pages and depths(web).max() < FAR and depths(web).min() == 0
        assert np.all(web.truth.born_s < 0.0) and np.all(np.isinf(web.truth.dies_s))


@pytest.mark.parametrize("name", NAMES)
def test_what_lives_can_be_reached_at_any_instant_where_pages_come_and_go(
    name: str,
) -> None:
    shape = replace(family_shape(name), born_share=0.4, dies_share=0.4, seeds=2)
    web = LinkedWeb.generate(3000, 12, seed=4, shape=shape)
    for now_s in (0.0, 1000.0, 3599.0):
        assert depths(web, now_s).max() < FAR


@pytest.mark.parametrize("name", NAMES)
def test_a_fifth_is_on_topic_and_hubs_are_few_and_poor(name: str) -> None:
    web = family(name, 6000, seed=2)
    assert np.mean(web.subject == 0) == pytest.approx(0.22)
    assert 0.18 < web.relevance.mean() < 0.23
    assert web.relevance[web.subject == 0].sum() > 0.65 * web.relevance.sum()
    assert len(web.hubs) == round(0.03 * 6000) and web.relevance[web.hubs].max() <= 0.1
    source = np.repeat(np.arange(web.pages), np.diff(web.truth.link_start))
    listed = np.isin(source, web.hubs)
    assert web.relevance[web.truth.link_to[listed]].mean() > 2.0 * web.relevance.mean()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_web_again_with_and_without_words(name: str) -> None:
    one = family(name, 900, 3)
    same = family(name, 900, 3)
    silent = family(name, 900, 3, anchors=0.0)
    for part in one.truth._fields:
        assert np.array_equal(getattr(one.truth, part), getattr(same.truth, part))
    assert np.array_equal(one.truth.link_to, silent.truth.link_to)
    assert one.truth.clues["anchor"].any() and not silent.truth.clues["anchor"].any()


def test_training_and_testing_never_meet() -> None:
    train, test = (
        {family("forum", 30, seed, part).seed for seed in range(40)} for part in PARTS
    )
    assert len(train) == len(test) == 40 and not train & test
    one = family("topical", 900, 3, "train")
    other = family("topical", 900, 3, "test")
    assert not np.array_equal(one.subject, other.subject)


def test_families_are_built_differently() -> None:
    webs = {name: family(name, 8000, seed=1) for name in NAMES}
    sizes = {name: np.bincount(web.host) for name, web in webs.items()}
    assert len(sizes["encyclopaedia"]) == 4 and len(sizes["archipelago"]) > 3 * len(
        sizes["topical"]
    )
    assert sizes["archipelago"].max() < 0.05 * 8000 < sizes["topical"].max()
    deep = {name: np.quantile(depths(web), 0.99) for name, web in webs.items()}
    assert deep["forum"] > deep["encyclopaedia"] > deep["topical"]
    links = {name: len(web.truth.link_to) / web.pages for name, web in webs.items()}
    assert (
        links["forum"]
        < 4.0
        < links["encyclopaedia"]
        < links["archipelago"]
        < links["topical"]
        < 10.0
    )


def test_only_hubs_and_invitations_lead_to_another_island() -> None:
    shape = replace(family_shape("archipelago"), seeds=2)
    draft = new_draft(6000, 150, shape, np.random.default_rng(8))
    web = LinkedWeb.generate(6000, 150, seed=8, shape=shape)
    assert np.array_equal(web.subject, draft.subject)
    island = draft.plan.island[web.host]
    source = np.repeat(np.arange(web.pages), np.diff(web.truth.link_start))
    usual = ~np.isin(source, web.hubs)
    away = usual & (island[source] != island[web.truth.link_to])
    # one invitation for each host that is no seed
    assert 0 < np.count_nonzero(away) <= 148
    assert np.all(web.truth.link_to[away] < web.hosts)
    share = np.bincount(island, web.subject == 0) / np.maximum(np.bincount(island), 1)
    assert np.mean(share > 0.5) < 0.3 and share.max() > 0.8


def test_sections_have_heads_and_lie_in_sections_of_their_host() -> None:
    host = np.concatenate(
        (np.arange(7), np.random.default_rng(1).integers(0, 7, 3000))
    ).astype(np.int32)
    for nested in (False, True):
        plan = new_plan(
            host, 7, Layout(section_pages=20, nested=nested), np.random.default_rng(2)
        )
        sections = len(plan.head)
        assert 100 < sections < 160 and np.array_equal(
            np.unique(plan.section), np.arange(sections)
        )
        assert np.array_equal(plan.section[plan.head], np.arange(sections))
        assert np.array_equal(plan.head[:7], np.arange(7)) and np.array_equal(
            plan.within[:7], np.arange(7)
        )
        owner = host[plan.head]
        assert np.array_equal(host, owner[plan.section])
        assert np.array_equal(owner[plan.within], owner)
        later = np.arange(7, sections)
        assert np.all(plan.within[later] < later)
        assert np.any(plan.within[later] >= 7) == nested


def test_directories_of_an_encyclopaedia_hold_the_topic_or_do_not() -> None:
    web = family("encyclopaedia", 12_000, seed=1)
    directory = np.zeros(web.pages, np.int64)
    directory[web.truth.link_to] = web.truth.clues["directory"]
    which = np.unique(directory, return_inverse=True)[1]
    share = np.bincount(which, web.subject == 0) / np.bincount(which)
    assert np.mean(share > 0.5) > 0.1 and np.mean(share < 0.1) > 0.4


@pytest.mark.parametrize(
    ("wrong", "error", "problem"),
    [
        ({"name": "galaxy"}, UnknownName, "family of webs"),
        ({"part": "both"}, UnknownName, "part of a family"),
        ({"seed": -1}, BadNumber, "the seed"),
        ({"pages": 0}, BadNumber, "the number of pages"),
        ({"anchors": 2.0}, BadNumber, "anchors"),
    ],
)
def test_what_is_no_family_is_refused(
    wrong: dict[str, object], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        family(**({"name": "topical", "pages": 100} | wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"chain": 1.5},
        {"lean": -1.0},
        {"section_pages": -1},
        {"islands": 0},
        {"least_links": 0},
        {"hub_links": 0},
    ],
)
def test_impossible_layouts_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadNumber, match=next(iter(wrong))):
        Layout(**wrong)  # type: ignore[arg-type]


def test_a_plain_layout_is_the_web_as_it_was() -> None:
    assert Shape().layout == Layout()
    plan = new_plan(
        np.array([0, 1, 1], np.int32), 2, Layout(), np.random.default_rng(0)
    )
    assert (
        plan.section.tolist() == [0, 1, 1]
        and plan.head.tolist() == [0, 1]
        and plan.island.tolist() == [0, 0]
    )
