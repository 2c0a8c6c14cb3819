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

_BANDITS: Final = "tests/unit/theory/bandits/"

LINES: Final = (
    PaperLine(
        "omeara/eq-4-8",
        Kind.EQUATION,
        "Dynamic programming: the value of a policy, of the best one, and Q, by equations and from "
        "samples. Small restless bandits are solved by it, and every price of the robot is "
        "checked against their exact indices.",
        "theory.bandits.markov_decisions:Decisions",
        (
            f"{_BANDITS}test_markov_decisions.py::"
            "test_the_value_of_a_policy_is_the_sum_of_what_it_earns",
            f"{_BANDITS}test_markov_decisions.py::"
            "test_the_optimum_keeps_bellmans_equation",
            f"{_BANDITS}test_markov_decisions.py::"
            "test_q_learning_finds_what_dynamic_programming_does",
            f"{_BANDITS}test_our_prices.py::test_the_visit_price_of_detections",
            f"{_BANDITS}test_our_prices.py::"
            "test_eq_9_of_the_table_is_that_of_dynamic_programming",
        ),
        Verdict.REPRODUCED,
        not_live("joint states are as many as the product of all pages' states"),
    ),
    PaperLine(
        "omeara/index-and-optimum",
        Kind.OPEN,
        "How good the index is. In small bandits that are drawn, Whittle's is near the optimum; "
        "eq. (9) to the letter, without a subsidy, is behind what a visit brings at once.",
        "theory.bandits.joint_optimum:JointArms",
        (
            f"{_BANDITS}test_joint_optimum.py::"
            "test_the_index_policy_is_near_the_optimum_of_drawn_arms",
            f"{_BANDITS}test_joint_optimum.py::"
            "test_gittins_index_is_optimal_for_arms_that_do_not_move_when_they_are_left",
            f"{_BANDITS}test_restless_arm.py::"
            "test_eq_9_without_a_subsidy_has_the_sign_of_the_index_but_not_its_order",
        ),
        Verdict.EXTENDED,
        not_live(
            "an optimum of six arms says nothing of a crawl but how near the index is"
        ),
        Stated("0.0021 below the optimum; without a subsidy 0.021"),
    ),
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
