"""Granmo & Oommen, line by line: polling as a knapsack, and policies of others (sections 1, 2)."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    Kind,
    PaperLine,
    Stated,
    Verdict,
    always,
    choose,
    not_live,
)

_AUTOMATA: Final = "policies.refresh.automata"
_TESTS: Final = "tests/unit/policies/refresh/automata/test_automata.py::"

_KNAPSACK: Final = "tests/unit/theory/knapsack/test_equality_knapsack.py::"
_LIVE: Final = "tests/unit/policies/refresh/automata/test_automata_live.py::"

LINES: Final = (
    PaperLine(
        "htraa/fig-1",
        Kind.FIGURE,
        "Pages change at rates of their own, and a poll sees only whether they did.",
        "laboratory.worlds.polling:PollingWorld",
        (
            "tests/unit/laboratory/worlds/test_polling.py::"
            "test_after_so_many_steps_a_page_has_changed_with_probability_1_minus_q_to_the_"
            "gap",
        ),
        Verdict.REPRODUCED,
        not_live("the Web does it by itself"),
    ),
    PaperLine(
        "htraa/knapsack",
        Kind.EQUATION,
        "The nonlinear equality fractional knapsack (2.1), with any unit values that never rise. "
        "At the optimum they are equal for what is in the knapsack; what is worth less from the "
        "start stays out, which Lemma 1 leaves aside.",
        "theory.knapsack.equality_knapsack:best_mix",
        (
            f"{_KNAPSACK}test_no_move_between_two_materials_gains",
            f"{_KNAPSACK}test_it_finds_what_a_search_finds",
            f"{_KNAPSACK}test_polling_is_one_of_its_cases",
            f"{_KNAPSACK}test_constant_values_are_the_classical_greedy_knapsack",
        ),
        Verdict.CORRECTED,
        not_live("it needs to know what every material is worth"),
    ),
    PaperLine(
        "htraa/stochastic-knapsack",
        Kind.EQUATION,
        "The stochastic one (2.2): unit values are seen as noisy zeros and ones only, and learnt. "
        "Materials of four families, not polling.",
        "laboratory.runs.unit_values:fill",
        (
            "htraa/knapsack",
            "tests/unit/laboratory/runs/test_unit_values.py::"
            "test_automata_fill_a_knapsack_from_noisy_zeros_and_ones",
            "tests/unit/laboratory/papers/test_htraa_knapsack.py::"
            "test_the_knapsack_is_filled_nearly_as_well_as_can_be",
        ),
        Verdict.EXTENDED,
        choose(
            "refresh/htraa", "refresh/lakg", says="pages are the materials of a crawl"
        ),
        Stated("0.97 of the optimum at the least"),
    ),
    PaperLine(
        "htraa/detection",
        Kind.EQUATION,
        "A poll finds a change with probability d(x) = 1 − q^(1/x). It counts evenly spaced polls; "
        "in whole steps a little less is found.",
        "theory.polling.allocation:detections",
        (
            "tests/paper/test_htraa.py::test_the_table_to_five_digits",
            "tests/unit/theory/test_polling.py::"
            "test_the_formula_is_no_less_than_the_bound_of_whole_steps",
        ),
        Verdict.CORRECTED,
        not_live("d is what a poll finds, not what one decides"),
    ),
    PaperLine(
        "htraa/lemma-1",
        Kind.EQUATION,
        "At the optimum all pages have one d; so x is in proportion to −ln q.",
        "theory.polling.allocation:best_rates",
        (
            "tests/paper/test_htraa.py::test_the_table_to_five_digits",
            "tests/unit/theory/test_polling.py::test_equal_weights_by_the_formula",
        ),
        Verdict.REPRODUCED,
        not_live("it needs to know every page's rate"),
        Stated("0.56111, 0.88147 and 0.97702 in the three worlds"),
    ),
    PaperLine(
        "htraa/weights",
        Kind.CLAIM,
        "Where pages matter unequally the automata rest in the wrong place: they equalise w·d, "
        "the optimum equalises w·[d + (1−d)·ln(1−d)].",
        "theory.polling.allocation:best_rates",
        (
            "tests/paper/test_htraa.py::"
            "test_with_weights_the_automata_rest_in_the_wrong_place",
            "tests/paper/test_htraa.py::test_without_weights_they_rest_in_the_right_one",
        ),
        Verdict.EXTENDED,
        choose("refresh/posterior", says="prices what matters; automata ignore it"),
        Stated("0.02 to 0.12 of the detections are lost"),
    ),
    PaperLine(
        "htraa/uniform",
        Kind.POLICY,
        "All pages alike.",
        "policies.refresh.uniform:Uniform",
        (
            "tests/unit/laboratory/runs/test_polling.py::"
            "test_in_turn_detections_are_those_of_the_formula",
            "tests/paper/test_htraa.py::test_the_table_to_five_digits",
        ),
        Verdict.REPRODUCED,
        choose("refresh/uniform"),
        Stated("0.12266, 0.53038 and 0.23212 in the three worlds"),
    ),
    PaperLine(
        "htraa/proportional",
        Kind.POLICY,
        "In proportion to known probabilities of change.",
        "policies.refresh.proportional:Proportional",
        (f"{_TESTS}test_proportional_and_optimal_shares",),
        Verdict.REPRODUCED,
        not_live("it must be told every page's rate"),
    ),
    PaperLine(
        "htraa/optimal",
        Kind.POLICY,
        "The Lagrangian optimum, for known probabilities and any weights.",
        "policies.refresh.optimal:Optimal",
        (f"{_TESTS}test_proportional_and_optimal_shares",),
        Verdict.EXTENDED,
        not_live("it must be told every page's rate"),
    ),
    PaperLine(
        "htraa/estimator",
        Kind.POLICY,
        "Poll in turn for a while, then in proportion to what was seen.",
        "policies.refresh.estimator:Estimator",
        (
            f"{_TESTS}test_estimator_polls_in_turn_and_then_by_what_it_saw",
            f"{_TESTS}test_a_longer_phase_estimates_better",
            f"{_LIVE}test_the_estimator_visits_by_what_its_phase_saw",
            f"{_LIVE}test_a_page_that_comes_after_the_phase_gets_the_mean_and_then_its_own",
        ),
        Verdict.REPRODUCED,
        choose("refresh/estimator"),
    ),
    PaperLine(
        "htraa/lakg",
        Kind.POLICY,
        "The learning automata knapsack game, an automaton a page. With λ = 1, as the paper sets "
        "it, no more than N pages fit; with λ = 2 they do.",
        f"{_AUTOMATA}.lakg:Lakg",
        (
            f"{_TESTS}test_lakg_moves_by_what_fits_in_the_knapsack",
            f"{_TESTS}test_lakg_stays_on_its_grid",
        ),
        Verdict.CORRECTED,
        choose("refresh/lakg"),
    ),
    PaperLine(
        "htraa/last-update",
        Kind.ASSUMPTION,
        "What pages say of their last update is not reliable and ignored. Here feeds and sitemaps "
        "are believed as far as they turn out true.",
        "robot.change_signals:ChangeSignals",
        (
            "tests/unit/robot/test_manners_kept.py::"
            "test_a_page_that_is_said_to_have_changed_comes_first",
        ),
        Verdict.EXTENDED,
        always("change signals bring a visit forward"),
    ),
)
