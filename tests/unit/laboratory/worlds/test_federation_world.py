"""The federation world: what engines hold, say and answer, and what is asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.federation.answers import page_of, rescoring_of
from trapline.laboratory.worlds.federation.bags_of_words import Bags
from trapline.laboratory.worlds.federation.fates import Lie, LifeShape
from trapline.laboratory.worlds.federation.federation_world import (
    FederationShape,
    FederationWorld,
)
from trapline.laboratory.worlds.federation.word_index import WordIndex, first_pages
from trapline.oasis.federation import Federation
from trapline.oasis.merging.merged_list import cut_scores
from trapline.oasis.packing import pack_sample, pack_terms, unpack_sample, unpack_terms
from trapline.search.ranking.second_look import WEIGHTS

DAY_S = 86_400.0
SMALL = FederationShape(pages=800, hosts=60, topics=24, engines=6)
LIARS = tuple(lie for lie in Lie if lie is not Lie.NONE)
LIVELY = replace(
    SMALL,
    life=LifeShape(
        length_s=20 * DAY_S,
        born_share=0.34,
        dies_share=0.34,
        began_with=0.2,
        grown_s=10 * DAY_S,
        liars=LIARS,
    ),
)


@pytest.fixture(scope="module")
def world() -> FederationWorld:
    return FederationWorld.generate(SMALL, seed=3)


@pytest.fixture(scope="module")
def lively() -> FederationWorld:
    return FederationWorld.generate(LIVELY, seed=3)


def test_the_same_seed_gives_the_same_world_and_queries() -> None:
    one, two = (FederationWorld.generate(SMALL, seed=5) for _ in range(2))
    assert np.array_equal(one.at(0.0).held, two.at(0.0).held)
    streams = [one.queries(), two.queries()]
    asked = [[stream.ask(float(n)) for n in range(20)] for stream in streams]
    assert asked[0] == asked[1]
    other = FederationWorld.generate(SMALL, seed=6).queries()
    assert asked[0] != [other.ask(float(n)) for n in range(20)]


def test_engines_and_lies_do_not_change_the_web_and_its_queries(
    world: FederationWorld,
) -> None:
    by_host = FederationWorld.generate(replace(SMALL, cut="host"), seed=3)
    liars = replace(SMALL, life=LifeShape(liars=LIARS))
    lied = FederationWorld.generate(liars, seed=3)
    first = world.queries().ask(0.0)
    assert by_host.queries().ask(0.0) == lied.queries().ask(0.0) == first
    assert np.array_equal(lied.at(0.0).everything, world.at(0.0).everything)


def test_some_pages_are_held_by_two_when_cut_by_topic(world: FederationWorld) -> None:
    holders = world.at(0.0).held.sum(axis=0)
    alive = holders > 0
    assert 0.15 < (holders[alive] == 2).mean() < 0.4
    assert holders.max() == 2


def test_cut_by_host_each_page_has_one_engine_and_a_host_too() -> None:
    world = FederationWorld.generate(replace(SMALL, cut="host"), seed=3)
    moment = world.at(0.0)
    assert set(moment.held.sum(axis=0).tolist()) <= {0, 1}
    for host in range(world.web.hosts):
        of_host = moment.held[:, world.web.host == host]
        assert np.count_nonzero(of_host.any(axis=1)) == 1


def test_topical_engines_speak_of_their_own_topics(world: FederationWorld) -> None:
    """Most pages of a topic lie with one engine."""
    held = world.at(0.0).held
    most = []
    for topic in range(SMALL.topics):
        of_topic = held[:, world.about.topic == topic]
        if of_topic.any():
            most.append(of_topic.sum(axis=1).max() / of_topic.any(axis=0).sum())
    assert np.mean(most) > 0.8


def test_too_many_engines_are_refused() -> None:
    with pytest.raises(BadNumber):
        replace(SMALL, engines=25)


def test_descriptions_are_of_what_is_held_and_travel(world: FederationWorld) -> None:
    moment = world.at(0.0)
    member = world.describe(2, moment)
    assert member.pages == moment.held[2].sum()
    word = int(
        world.index.bags.word[world.index.starts[np.flatnonzero(moment.held[2])[0]]]
    )
    documents = int(moment.held[2][world.index.pages_with(word)].sum())
    place = np.flatnonzero(member.terms.keys == world.keys[word])
    found = member.terms.documents[place].tolist()
    assert found == ([documents] if documents > 1 else [])
    assert np.array_equal(
        unpack_terms(pack_terms(member.terms)).keys, member.terms.keys
    )
    assert len(unpack_sample(pack_sample(member.sample))) == len(member.sample) > 5


def test_all_engines_together_find_what_one_index_finds(world: FederationWorld) -> None:
    moment = world.at(0.0)
    federation = Federation.of(world.describe_all(moment))
    stream = world.queries()
    shares = []
    for _ in range(40):
        query = stream.ask(0.0)
        rarities = [forms[0] for forms in federation.rarities(query.keys)]
        found = world.find(query, rarities)
        ten = world.central_ten(query, moment)
        shares.append(np.isin(ten, first_pages(found, moment.everything)).mean())
    assert np.mean(shares) > 0.95


def test_a_score_is_made_of_words_title_and_prominence() -> None:
    """Four pages have the word 5: one in its title, too, and one is linked to."""
    page = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    word = np.array([5, 8, 5, 8, 5, 9, 5, 8])
    count = np.array([2, 2, 2, 2, 1, 3, 2, 2])
    in_title = np.array([False, True, True, False, False, True, False, True])
    index = WordIndex.of(
        Bags(page, word, count, in_title), np.array([0.0, 0.0, 0.0, 0.5])
    )
    found = index.find((5,), (2.0,))
    plain, titled, rare, linked = found.score.tolist()
    assert found.page.tolist() == [0, 1, 2, 3] and rare < plain
    assert titled - plain == pytest.approx(WEIGHTS.title)
    assert linked - plain == pytest.approx(0.5 * WEIGHTS.names)
    # of two words the rarer one counts for more
    both = index.find((5, 9), (1.0, 3.0)).score.tolist()
    assert max(both) == both[2]
    held = np.array([True, False, True, True])
    assert first_pages(found, held, most=2).tolist() == [3, 0]


def test_engines_are_born_grow_and_die(lively: FederationWorld) -> None:
    fates = lively.fates[: LIVELY.engines]
    born = [engine for engine, fate in enumerate(fates) if fate.born_s > 0.0]
    dying = [engine for engine, fate in enumerate(fates) if fate.dies_s < np.inf]
    assert len(born) == 2 and len(dying) == 2 and 0 not in (*born, *dying)
    late = fates[born[0]]
    before, after = lively.at(late.born_s - 1.0), lively.at(late.born_s + 1.0)
    assert born[0] not in before.answering and born[0] in after.answering
    assert not before.held[born[0]].any() and after.held[born[0]].any()
    gone = lively.at(fates[dying[0]].dies_s)
    assert dying[0] not in gone.answering and not gone.held[dying[0]].any()
    grown = [lively.at(days * DAY_S).held[0].sum() for days in (0, 4, 9)]
    assert grown[0] < grown[1] < grown[2]


def test_what_an_engine_gathers_it_meets_along_links(lively: FederationWorld) -> None:
    """Pages come in the order of how many links they lie away from the first."""
    web = lively.web
    pages = lively.gathered[0]
    start = int(pages.min())
    away = {start: 0}
    edge = [start]
    while edge:
        further = []
        for page in edge:
            first, end = web.truth.link_start[page : page + 2]
            for target in web.truth.link_to[first:end].tolist():
                if target not in away:
                    away[target] = away[page] + 1
                    further.append(target)
        edge = further
    met = [away.get(page, web.pages) for page in pages.tolist()]
    assert met[0] == 0 and met == sorted(met) and len(set(met)) > 3


def test_liars_claim_all_and_hold_little(lively: FederationWorld) -> None:
    moment = lively.at(0.0)
    members = lively.describe_all(moment)
    honest = [m for m in members if not m.key.startswith("liar")]
    liars = [m for m in members if m.key.startswith("liar")]
    assert len(liars) == len(LIARS)
    assert all(m.pages > 4 * sum(one.pages for one in honest) for m in liars)
    unpack_terms(pack_terms(liars[0].terms))  # nothing in it cannot be
    unpack_sample(pack_sample(liars[0].sample))
    for engine in range(LIVELY.engines, len(lively.fates)):
        assert moment.held[engine].sum() < 0.03 * LIVELY.pages


@pytest.mark.parametrize("lie", LIARS)
def test_what_liars_answer(lively: FederationWorld, lie: Lie) -> None:
    moment = lively.at(0.0)
    stream = lively.queries()
    engine = LIVELY.engines + LIARS.index(lie)
    findings = 0
    for _ in range(30):
        query = stream.ask(0.0)
        rarities = lively.true_rarities(query, moment.everything)
        answer = lively.answer(engine, query, lively.find(query, rarities), moment)
        invented = [page_of(hit) < 0 for hit in answer.hits]
        assert (
            all(invented) == (lie in (Lie.GARBAGE, Lie.STUFFS, Lie.SILENT))
            or not invented
        )
        assert (lie is Lie.SILENT) <= (len(answer.hits) == 0)
        _, found = cut_scores([answer], rescoring_of(query, rarities))
        findings += len(found)
    # who claims more than can be is found out; who claims what can be is not
    assert (findings > 0) == (lie in (Lie.GARBAGE, Lie.INFLATES))


def test_honest_engines_are_never_found_to_lie(lively: FederationWorld) -> None:
    moment = lively.at(5 * DAY_S)
    stream = lively.queries()
    for _ in range(40):
        query = stream.ask(0.0)
        rarities = lively.true_rarities(query, moment.everything)
        found = lively.find(query, rarities)
        answers = [
            lively.answer(e, query, found, moment) for e in range(LIVELY.engines)
        ]
        cut, findings = cut_scores(answers, rescoring_of(query, rarities))
        assert findings == []
        assert [[hit.score for hit in one.hits] for one in cut] == [
            [hit.score for hit in one.hits] for one in answers
        ]


def test_few_topics_have_most_queries_and_others_later(world: FederationWorld) -> None:
    stream = world.queries()
    now, same, later = (stream.popularity(days * DAY_S) for days in (0, 80, 20))
    assert now == pytest.approx(same) and now.sum() == pytest.approx(1.0)
    assert np.sort(now)[-5:].sum() > 0.4
    first = set(np.argsort(-now)[:5].tolist())
    assert len(first & set(np.argsort(-later)[:5].tolist())) < 4


def test_queries_are_words_of_a_page_on_their_topic(world: FederationWorld) -> None:
    stream = world.queries()
    for _ in range(30):
        query = stream.ask(0.0)
        assert 2 <= len(set(query.words)) == len(query.words) <= 4
        having = [set(world.index.pages_with(word).tolist()) for word in query.words]
        pages = set.intersection(*having)
        assert any(world.about.topic[page] == query.topic for page in pages)
        keys = [forms[0] for forms in query.keys.words]
        assert keys == [int(world.keys[word]) for word in query.words]
