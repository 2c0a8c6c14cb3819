"""q-learning: eq. (10) by hand, and the lazy closed form against the letter.

The letter goes over the whole fringe.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.core.cards import blank_cards
from trapline.core.errors import BadNumber, UnknownName
from trapline.core.links import NO_LINKS, links_to
from trapline.core.ports import Found, Scores
from trapline.core.records import Outcome
from trapline.laboratory.runs.graph_traversal import traverse
from trapline.policies.discovery.q_learning import QLearning
from trapline.theory.discovery.graph import Graph, web_graph
from trapline.theory.discovery.reward import reward

CARDS = blank_cards(9)
Table = dict[tuple[int, int], tuple[float, float]]


def found(
    page: int, relevance: float, *targets: int, outcome: Outcome = Outcome.OK
) -> Found:
    """All targets are new."""
    return Found(
        page,
        relevance,
        links_to(targets, [0] * len(targets)),
        np.ones(len(targets), np.bool_),
        outcome,
    )


def letter(**options: float | str) -> QLearning:
    """As in the paper: every row begins at 0."""
    return QLearning(start="zero", **options)  # type: ignore[arg-type]


def once(policy: QLearning, *visits: Found) -> list[Scores]:
    policy.start_over()
    return [
        policy.discover(CARDS, visit, float(now_s))
        for now_s, visit in enumerate(visits)
    ]


def same(table: Table, expected: Table) -> None:
    assert table.keys() == expected.keys()
    assert np.array([table[x] for x in expected]) == pytest.approx(
        np.array([*expected.values()]), rel=1e-9, abs=1e-15
    )


# Seed 0 leads to 1 and 2, page 1 to 3. Fetched in the order 0, 2, 1, 3: page 1 is left once, page 3
# never.
WAY = (
    found(-1, 0.0, 0),
    found(0, 0.2, 1, 2),
    found(2, 0.6),
    found(1, 0.4, 3),
    found(3, 0.8),
)


@pytest.mark.parametrize("children", ["active", "passive"])
def test_eq_10_by_hand(children: str) -> None:
    policy = letter(alpha=0.5, gamma=0.1, children=children)
    once(policy, *WAY)
    # All children are worth nothing yet: α·r. Page 1 was left, then fetched: Q(x,2) = αγ·Q(x,1) =
    # 0, for Q(x,1) was 0.
    same(
        policy.table(),
        {
            (-1, 0): (0.1, 0.0),
            (0, 1): (0.2, 0.0),
            (0, 2): (0.3, 0.0),
            (1, 3): (0.4, 0.0),
        },
    )
    once(policy, *WAY)
    opened_by_0, opened_by_1 = (0.2 + 0.3, 0.4) if children == "active" else (0.0, 0.0)
    expected = {
        (-1, 0): (0.5 * 0.1 + 0.5 * (0.2 + 0.1 * opened_by_0), 0.0),
        (0, 1): (
            0.5 * 0.2 + 0.5 * (0.4 + 0.1 * opened_by_1),
            0.5 * 0.0 + 0.5 * 0.1 * 0.2,
        ),
        (0, 2): (0.5 * 0.3 + 0.5 * 0.6, 0.0),
        (1, 3): (0.5 * 0.4 + 0.5 * 0.8, 0.0),
    }
    same(policy.table(), expected)
    before = policy.table()
    once(policy, *WAY)
    opened = (
        (before[0, 1][0] + before[0, 2][0]) if children == "active" else before[0, 1][1]
    )
    assert policy.table()[-1, 0][0] == pytest.approx(
        0.5 * before[-1, 0][0] + 0.5 * (0.2 + 0.1 * opened)
    )


def test_passive_zero_leaves_q_2_alone() -> None:
    policy = letter(passive="zero")
    for _ in range(3):
        once(policy, *WAY)
    assert {passive for _, passive in policy.table().values()} == {0.0}
    assert not policy.rescores and letter().rescores


def test_the_index_is_q_1_less_q_2_which_fades_as_the_page_is_left() -> None:
    policy = letter(alpha=0.5, gamma=0.1)
    for _ in range(2):
        once(policy, *WAY)
    active, passive = policy.table()[0, 1]
    assert passive > 0.0
    *_, scores = once(policy, *WAY[:2])
    assert scores.scores[0] == active  # what the index never exceeds
    indices = [policy.rescore(1)]
    for page in (2, 4, 5):
        policy.discover(CARDS, found(-1, 0.0, page), 2.0) if page > 2 else None
        policy.discover(CARDS, found(page, 0.1), 3.0)
        indices.append(policy.rescore(1))
    # the last time that it was left is learnt from when the next choice is made
    c = 1 - 0.5 + 0.5 * 0.1
    assert indices == pytest.approx(
        [active - passive * fade for fade in (1, 1, c, c**2)]
    )


def literal(
    graph: Graph,
    orders: list[list[int]],
    alpha: float,
    gamma: float,
    children: str,
    traversals: int,
) -> Table:
    """Eqs. (9)–(11) word by word.

    After each choice every page of the fringe that was left learns from it.
    """
    q: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for _ in range(traversals):
        state = {int(seed): (-1, int(seed)) for seed in graph.seeds}
        since = dict.fromkeys(state, 0)
        left: list[int] = []
        met = set(state)
        order = []
        while state:
            chosen = min(
                state,
                key=lambda page: (
                    q[state[page]][1] - q[state[page]][0],
                    since[page],
                    page,
                ),
            )
            for page in left:
                x = state[page]
                q[x][1] = (1 - alpha) * q[x][1] + alpha * (
                    0.0 + gamma * q[x][0 if page == chosen else 1]
                )
            x = state.pop(chosen)
            left = list(state)
            order.append(chosen)
            links = graph.link_to[
                graph.link_start[chosen] : graph.link_start[chosen + 1]
            ].tolist()
            new = [page for page in dict.fromkeys(links) if page not in met]
            opened = sum(
                q[chosen, page][0 if children == "active" else 1] for page in new
            )
            gain = reward(True, False, False, 0.0, float(graph.relevance[chosen]))
            q[x][0] = (1 - alpha) * q[x][0] + alpha * (gain + gamma * opened)
            met.update(new)
            state |= {page: (chosen, page) for page in new}
            since |= dict.fromkeys(new, len(order))
        orders.append(order)
    return {x: (one, two) for x, (one, two) in q.items()}


def random_graph(seed: int, pages: int, links: int) -> Graph:
    rng = np.random.default_rng(seed)
    start = np.sort(rng.integers(0, links + 1, pages + 1))
    start[0] = 0
    start[-1] = links
    return web_graph(
        rng.random(pages),
        start,
        rng.integers(0, pages, links),
        rng.integers(0, pages, 3),
    )


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    pages=st.integers(1, 40),
    alpha=st.sampled_from([0.05, 0.3, 0.5, 1.0]),
    gamma=st.sampled_from([0.0, 0.1, 0.5, 0.95]),
    children=st.sampled_from(["active", "passive"]),
)
def test_the_closed_form_is_the_letter(
    seed: int, pages: int, alpha: float, gamma: float, children: str
) -> None:
    graph = random_graph(seed, pages, 4 * pages)
    policy = letter(alpha=alpha, gamma=gamma, children=children)
    expected: list[list[int]] = []
    table = literal(graph, expected, alpha, gamma, children, traversals=8)
    assert [traverse(policy, graph).order.tolist() for _ in range(8)] == expected
    same(policy.table(), table)


def test_a_graph_where_the_index_must_fade_for_the_right_choice() -> None:
    """The heap's order by Q(x,1) alone would choose another page: this test would not notice if
    they never differed.
    """
    differ = 0
    for seed in range(30):
        graph = random_graph(seed, 30, 120)
        learnt, zero = (
            letter(alpha=0.3, gamma=0.95, passive=passive)
            for passive in ("learnt", "zero")
        )
        for _ in range(6):
            one, other = (traverse(policy, graph).order for policy in (learnt, zero))
        differ += not np.array_equal(one, other)
    assert differ > 10


def test_gamma_0_comes_to_be_fringe_greedy() -> None:
    graph = random_graph(5, 40, 400)
    policy = letter(alpha=0.5, gamma=0.0)
    for _ in range(60):
        order = traverse(policy, graph).order
    fringe = {int(seed) for seed in graph.seeds}
    met = set(fringe)
    for page in order.tolist():
        assert page == max(fringe, key=lambda other: graph.relevance[other])
        new = (
            set(
                graph.link_to[
                    graph.link_start[page] : graph.link_start[page + 1]
                ].tolist()
            )
            - met
        )
        met |= new
        fringe = (fringe | new) - {page}


def order_of_ties(ties: str, seed: int = 0) -> list[int]:
    policy = letter(ties=ties, seed=seed)
    scores = once(policy, found(-1, 0.0, 3), found(3, 0.5, 4, 5), found(4, 0.5, 1, 6))
    since = {
        page: float(since)
        for one in scores
        for page, since in zip(one.pages.tolist(), one.since_s, strict=True)
    }
    assert all((one.since_s <= now_s).all() for now_s, one in enumerate(scores))
    return sorted((1, 5, 6), key=lambda page: (since[page], page))


def test_ties() -> None:
    assert order_of_ties("first") == [5, 1, 6]
    assert order_of_ties("last") == [1, 6, 5]
    assert len({tuple(order_of_ties("random", seed)) for seed in range(40)}) == 6


def test_rows_begin_at_what_their_kin_are_worth_and_move_with_them() -> None:
    policy = QLearning()
    *_, scores = once(policy, found(-1, 1.0, 0, 1), found(0, 0.4, 2, 3, 4))
    assert scores.scores.tolist() == [0.4] * 3
    promised = scores.scores[0]
    moved = policy.discover(CARDS, found(2, 0.9, 5), 2.0)
    assert moved.pages.tolist() == [5, 4, 3]  # a child, and the siblings that wait
    assert moved.scores[1] == moved.scores[2] > promised
    poorer = policy.discover(CARDS, found(3, 0.0), 3.0)
    assert poorer.pages.tolist() == [4] and poorer.scores[0] < moved.scores[1]
    assert policy.rescore(4) == poorer.scores[0]


def test_a_page_that_a_better_page_leads_to_begins_anew() -> None:
    policy = QLearning()
    once(policy, found(-1, 1.0, 0, 1), found(0, 0.2, 2, 3))
    told_again = Found(1, 0.8, links_to([2, 4], [0, 0]), np.array([False, True]))
    scores = policy.discover(CARDS, told_again, 2.0)
    assert scores.pages.tolist()[:2] == [2, 4]
    assert scores.scores[0] == scores.scores[1] > policy.rescore(3)


def test_a_page_that_comes_back_keeps_its_place_among_its_kin() -> None:
    """Else it would be before itself, and those met before it would never have their turn."""
    policy = QLearning()
    once(policy, found(-1, 1.0, 0), found(0, 0.4, 2, 3, 4, 5))
    policy.discover(CARDS, found(3, 0.0, outcome=Outcome.GONE), 2.0)
    policy.discover(CARDS, found(0, 0.4, 3), 3.0)  # the same page leads to it again
    scores = policy.discover(CARDS, found(5, 0.9), 4.0)
    # 3 has a row of its own since it was followed
    assert set(scores.pages.tolist()) == {2, 4}


def test_a_row_that_was_followed_is_its_own_and_no_longer_its_kins() -> None:
    policy = QLearning(alpha=1.0, gamma=0.0)
    way = (found(-1, 1.0, 0), found(0, 0.4, 1, 2), found(1, 0.9), found(2, 0.1))
    once(policy, *way)
    *_, scores = once(policy, *way[:2])
    assert dict(zip(scores.pages.tolist(), scores.scores, strict=True)) == {
        1: 0.9,
        2: 0.1,
    }
    # nothing of a sibling's lesson moves it
    assert len(policy.discover(CARDS, way[2], 3.0).pages) == 0


def test_epsilon_is_the_share_of_pages_fetched_at_once() -> None:
    targets = list(range(9))
    policy = letter(epsilon=0.25, seed=3)
    explored = 0
    for _ in range(400):
        [scores] = once(policy, found(-1, 0.0, *targets))
        explored += int(np.isinf(scores.scores).sum())
        assert all(
            np.isinf(policy.rescore(page))
            for page in scores.pages[np.isinf(scores.scores)].tolist()
        )
    assert explored / 3600 == pytest.approx(0.25, abs=0.03)


def test_a_page_gone_at_its_first_visit_is_worth_nothing() -> None:
    policy = letter()
    once(policy, found(-1, 0.0, 0), found(0, 0.9, outcome=Outcome.GONE))
    assert policy.table() == {(-1, 0): (0.0, 0.0)}


def test_a_page_of_which_nothing_is_known_teaches_nothing() -> None:
    policy = letter()
    scores = policy.discover(CARDS, found(7, 0.9, 8), 1.0)
    assert scores.pages.tolist() == [8] and policy.table() == {(7, 8): (0.0, 0.0)}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": 1.5}, "alpha"),
        ({"alpha": float("nan")}, "alpha"),
        ({"gamma": 1.0}, "gamma"),
        ({"gamma": -0.1}, "gamma"),
        ({"epsilon": 1.1}, "epsilon"),
        ({"seed": -1}, "seed"),
        ({"seed": 0.5}, "seed"),
    ],
)
def test_numbers_out_of_range(options: dict[str, float], said: str) -> None:
    with pytest.raises(BadNumber, match=f"^{said} is"):
        QLearning(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["start", "children", "passive", "ties"])
def test_unknown_names(option: str) -> None:
    with pytest.raises(UnknownName, match=f"no {option} named 'both'"):
        QLearning(**{option: "both"})  # type: ignore[arg-type]


def test_rows_stay_as_the_table_grows() -> None:
    policy = letter(gamma=0.0)
    pages = 10_000
    cards = blank_cards(pages + 1)
    everybody: Sequence[int] = range(pages)
    many = Found(
        -1,
        0.0,
        links_to(everybody, np.zeros(pages, np.int64)),
        np.ones(pages, np.bool_),
    )
    for parent in range(4):
        policy.start_over()
        policy.discover(cards, many._replace(page=parent - 1), 0.0)
        policy.discover(cards, Found(parent, 0.5, NO_LINKS, np.zeros(0, np.bool_)), 1.0)
    table = policy.table()
    assert len(table) == 4 * pages
    assert {x for x, (one, _) in table.items() if one} == {
        (parent - 1, parent) for parent in range(4)
    }
