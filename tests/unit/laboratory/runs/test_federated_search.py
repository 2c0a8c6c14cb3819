"""The broker in pretend time: it asks, merges and learns as the live one does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from trapline.laboratory.runs.federated_search import (
    OWN,
    BrokerHabits,
    PretendBroker,
    Searched,
)
from trapline.laboratory.worlds.federation.fates import Lie, LifeShape
from trapline.laboratory.worlds.federation.federation_world import (
    FederationShape,
    FederationWorld,
)
from trapline.laboratory.worlds.federation.word_index import first_pages
from trapline.oasis.federation import Federation

DAY_S = 86_400.0
SMALL = FederationShape(pages=800, hosts=60, topics=24, engines=6)
EVERYBODY = BrokerHabits(enough=1.0, most=99, learns=False)


def search_some(
    shape: FederationShape, habits: BrokerHabits, queries: int = 60
) -> tuple[PretendBroker, list[Searched]]:
    world = FederationWorld.generate(shape, seed=2)
    broker = PretendBroker(world, habits, np.random.default_rng(2))
    stream = world.queries()
    found = []
    for number in range(queries):
        now_s = shape.life.length_s * number / queries
        found.append(broker.search(stream.ask(now_s), world.at(now_s)))
    return broker, found


def test_merging_answers_is_ranking_all_pages_by_the_shared_rarities() -> None:
    """So experiments on large federations may rank pages, instead of merging answers."""
    world = FederationWorld.generate(SMALL, seed=2)
    moment = world.at(0.0)
    broker = PretendBroker(world, EVERYBODY, np.random.default_rng(2))
    federation = Federation.of(world.describe_all(moment))
    stream = world.queries()
    for _ in range(30):
        query = stream.ask(0.0)
        rarities = [forms[0] for forms in federation.rarities(query.keys)]
        found = world.find(query, rarities)
        ranked = first_pages(found, moment.everything)
        scores = dict(zip(found.page.tolist(), found.score.tolist(), strict=True))
        merged = broker.search(query, moment).pages
        # pages of one score may stand in any order
        assert [scores[page] for page in merged] == pytest.approx(
            [scores[page] for page in ranked.tolist()]
        )


def test_the_own_engine_is_always_asked_and_no_more_than_wanted() -> None:
    _, found = search_some(SMALL, BrokerHabits(most=2, learns=False))
    assert all(one.asked[0] == OWN and len(one.asked) <= 3 for one in found)
    assert all(len(set(one.asked)) == len(one.asked) for one in found)
    assert all(sorted(one.ranked) == list(range(6)) for one in found)
    assert np.mean([one.share for one in found]) > 0.75


def test_lessons_ask_everybody_else() -> None:
    _, found = search_some(SMALL, BrokerHabits(lesson_share=0.5))
    lessons = [one for one in found if one.lesson]
    assert 10 < len(lessons) < 50
    assert all(set(one.asked) | set(one.lesson) == set(range(6)) for one in lessons)
    _, unlearnt = search_some(SMALL, BrokerHabits(lesson_share=0.5, learns=False))
    assert not any(one.lesson for one in unlearnt)


def test_dead_engines_are_asked_once_until_descriptions_are_looked_at_again() -> None:
    life = LifeShape(length_s=DAY_S, dies_share=0.5)
    shape = replace(SMALL, life=life)
    habits = replace(EVERYBODY, refresh_s=np.inf)
    world = FederationWorld.generate(shape, seed=2)
    broker = PretendBroker(world, habits, np.random.default_rng(2))
    stream = world.queries()
    end = world.at(0.95 * DAY_S)
    broker.search(stream.ask(0.0), world.at(0.0))
    before, after = (broker.search(stream.ask(0.0), end) for _ in range(2))
    dead = set(range(6)) - set(end.answering)
    assert len(dead) == 3 and dead <= set(before.asked)
    # with a share of nothing they are last
    assert set(after.ranked[-3:]) == dead


def test_new_engines_are_asked_when_descriptions_are_looked_at_again() -> None:
    life = LifeShape(length_s=10 * DAY_S, born_share=0.5)
    shape = replace(SMALL, life=life)
    _, never = search_some(shape, replace(EVERYBODY, refresh_s=np.inf))
    _, often = search_some(shape, replace(EVERYBODY, refresh_s=3600.0))
    counts = [[len(one.asked) for one in found] for found in (never, often)]
    assert max(counts[0]) < 6 and counts[1][-1] == 6


def test_old_descriptions_tell_what_was_held_before() -> None:
    life = LifeShape(
        length_s=10 * DAY_S, born_share=0.5, began_with=0.2, grown_s=9 * DAY_S
    )
    world = FederationWorld.generate(replace(SMALL, life=life), seed=2)
    now = world.at(9 * DAY_S)
    new = world.describe_all(now)
    old = world.describe_all(now, age_s=4 * DAY_S)
    before = world.at(5 * DAY_S)
    assert [one.key for one in old] == [one.key for one in new]
    for engine, (then, today) in enumerate(zip(old, new, strict=True)):
        born_s = world.fates[engine].born_s
        known = before if engine in before.answering else world.at(born_s)
        assert then.pages == known.held[engine].sum() < today.pages


def test_who_brings_nothing_is_asked_no_more() -> None:
    shape = replace(SMALL, life=LifeShape(liars=(Lie.SILENT,)))
    habits = BrokerHabits(enough=1.0, most=2, refresh_s=np.inf)
    broker, found = search_some(shape, habits, queries=120)
    liar = shape.engines
    assert all(liar in one.asked for one in found[:5])
    assert np.mean([liar in one.asked for one in found[-40:]]) < 0.75
    honest, false = broker.forecast.lessons.trust(["engine 1", "liar 0 (silent)"])
    assert false < 0.1 < honest
    _, unlearnt = search_some(shape, replace(habits, learns=False), queries=120)
    assert np.mean([liar in one.asked for one in unlearnt[-40:]]) > 0.95
