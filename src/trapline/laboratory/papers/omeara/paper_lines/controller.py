"""O'Meara & Patel, line by line: the request controller and what it learns of one graph."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    Kind,
    PaperLine,
    Stated,
    Verdict,
    choose,
    not_live,
)

_BOTH: Final = choose(
    "discovery/q-learning", "refresh/q-learning", says="both learn in one table"
)

LINES: Final = (
    PaperLine(
        "omeara/eq-9",
        Kind.EQUATION,
        "The index of a page is Q(x, 1) − Q(x, 2), of fetching it over leaving it.",
        "policies.discovery.q_learning:QLearning",
        (
            "tests/unit/policies/discovery/test_q_learning.py::"
            "test_the_index_is_q_1_less_q_2_which_fades_as_the_page_is_left",
        ),
        Verdict.REPRODUCED,
        _BOTH,
    ),
    PaperLine(
        "omeara/eq-10",
        Kind.EQUATION,
        "The update of Q: the reward, what the page becomes, and the children that it shows.",
        "policies.discovery.q_learning:QLearning.discover",
        (
            "tests/unit/policies/discovery/test_q_learning.py::test_eq_10_by_hand",
            "tests/unit/policies/test_q_states.py::"
            "test_a_visit_teaches_its_state_and_those_it_was_left_in",
        ),
        Verdict.REPRODUCED,
        _BOTH,
    ),
    PaperLine(
        "omeara/eq-10-at-once",
        Kind.CLAIM,
        "To the letter a step costs as much as the fringe is long; in closed form it does not.",
        "policies.discovery.q_learning:QLearning",
        (
            "tests/unit/policies/discovery/test_q_learning.py::"
            "test_the_closed_form_is_the_letter",
        ),
        Verdict.EXTENDED,
        choose("discovery/q-learning"),
    ),
    PaperLine(
        "omeara/eq-11",
        Kind.EQUATION,
        "The reward of a first retrieval, of a page found modified, of one found deleted.",
        "theory.discovery.reward:reward",
        (
            "tests/unit/theory/discovery/test_reward.py::test_every_case",
            "tests/unit/policies/test_q_states.py::"
            "test_a_deleted_page_earns_its_relevance_and_is_forgotten",
            "tests/unit/policies/test_q_states.py::test_both_roles_learn_in_one_table",
        ),
        Verdict.REPRODUCED,
        _BOTH,
    ),
    PaperLine(
        "omeara/exploration",
        Kind.POLICY,
        "ε-greedy: with a small probability any page, whatever its index.",
        "policies.discovery.q_learning:QLearning",
        (
            "tests/unit/policies/discovery/test_q_learning.py::"
            "test_epsilon_is_the_share_of_pages_fetched_at_once",
        ),
        Verdict.REPRODUCED,
        choose("discovery/q-learning", says="options = { epsilon = 0.05 }"),
    ),
    PaperLine(
        "omeara/random",
        Kind.POLICY,
        "The lower bound of Figure 3: any page of the fringe, all equally likely.",
        "policies.discovery.random_order:RandomOrder",
        (
            "tests/unit/policies/discovery/test_shared.py::"
            "test_random_chooses_any_page_of_the_fringe_with_the_same_chance",
        ),
        Verdict.REPRODUCED,
        choose("discovery/random"),
    ),
    PaperLine(
        "omeara/fringe-greedy",
        Kind.POLICY,
        "Requests by the page's own score, which nobody knows before the page is fetched: an "
        "oracle. What can be had is the best score of the pages that link to it.",
        "policies.discovery.best_first:BestFirst",
        (
            "tests/paper/test_omeara.py::test_the_order_of_all",
            "tests/unit/policies/discovery/test_shared.py::"
            "test_best_first_rises_and_never_falls",
        ),
        Verdict.CORRECTED,
        choose("discovery/best-first", "discovery/breadth-first"),
    ),
    PaperLine(
        "omeara/upper-bound",
        Kind.CLAIM,
        "The upper bound is the schedule by relevance, links or no links. What links leave of it "
        "is Horn's order of the dominator tree.",
        "theory.discovery.dominator_bound:dominator_bound",
        (
            "tests/paper/test_omeara.py::test_the_order_of_all",
            "tests/property/test_discovery_bounds.py::"
            "test_no_schedule_exceeds_a_bound_at_any_horizon",
        ),
        Verdict.EXTENDED,
        not_live("a bound needs to know the whole web"),
        Stated("the dominator bound is above 0.99 of it"),
    ),
)
