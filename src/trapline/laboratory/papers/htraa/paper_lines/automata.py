"""Granmo & Oommen, line by line: one automaton and a tree of them (section 3)."""

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

_AUTOMATA: Final = "policies.refresh.automata"
_TESTS: Final = "tests/unit/policies/refresh/automata/test_automata.py::"
_RUNS: Final = "tests/paper/test_htraa_runs.py::"
_TREE: Final = choose("refresh/htraa")

_CHAIN: Final = "tests/unit/theory/knapsack/test_traa_chain.py::"
_ONE: Final = choose(
    "refresh/traa", "refresh/htraa", says="from the third page on, a tree of them"
)

LINES: Final = (
    PaperLine(
        "htraa/fig-2",
        Kind.FIGURE,
        "One automaton, a scheduler and an unknown world: two pages.",
        f"{_AUTOMATA}.traa:Traa",
        (
            "tests/unit/policies/refresh/automata/test_automata_live.py::"
            "test_traa_divides_two_pages_and_grows_into_a_hierarchy",
        ),
        Verdict.REPRODUCED,
        _ONE,
    ),
    PaperLine(
        "htraa/eq-1-3",
        Kind.EQUATION,
        "How an automaton moves after a change, and its inverse without one.",
        f"{_AUTOMATA}.htraa:HTraa",
        (
            f"{_TESTS}test_rules_1_and_2_and_their_inverses",
            f"{_TESTS}test_states_end_at_1_and_n",
        ),
        Verdict.REPRODUCED,
        _ONE,
    ),
    PaperLine(
        "htraa/fig-3",
        Kind.FIGURE,
        "The transitions of an automaton with five states: none is absorbing.",
        f"{_AUTOMATA}.htraa:HTraa",
        (f"{_TESTS}test_states_end_at_1_and_n",),
        Verdict.REPRODUCED,
        _ONE,
    ),
    PaperLine(
        "htraa/eq-4-8",
        Kind.EQUATION,
        "The Markov chain of one automaton. It knows no scheduler: with EDF the automaton rests at "
        "the same place, with less noise.",
        "theory.knapsack.traa_chain:TraaChain.of",
        (
            f"{_CHAIN}test_the_ways_are_those_of_equations_4_and_5",
            f"{_TESTS}test_two_pages_settle_as_the_markov_chain_of_equations_4_to_8",
            "tests/unit/laboratory/runs/test_unit_values.py::"
            "test_a_twofold_automaton_keeps_to_the_law_of_its_chain",
            "htraa/chain",
        ),
        Verdict.EXTENDED,
        _ONE,
        Stated("within 0.02 of the chain's mean"),
    ),
    PaperLine(
        "htraa/eq-9-15",
        Kind.EQUATION,
        "The law of its states, neighbour by neighbour. ⌊x/(N + 1)⌋ as printed is ⌊x·(N + 1)⌋.",
        "theory.knapsack.traa_chain:TraaChain.law",
        (
            f"{_CHAIN}test_the_law_is_the_eigenvector_of_the_matrix",
            f"{_CHAIN}test_states_without_return_have_no_mass",
            f"{_CHAIN}test_many_states_overflow_nothing",
        ),
        Verdict.CORRECTED,
        _ONE,
    ),
    PaperLine(
        "htraa/eq-16-20",
        Kind.EQUATION,
        "A bound U on the law, which is to vanish away from the optimum because M < 1. It is a "
        "bound; but M goes to 1 with N, and N·U grows. What it bounds does vanish.",
        "theory.knapsack.traa_chain:TraaChain.state_bound",
        (f"{_CHAIN}test_the_papers_bound_holds_but_does_not_vanish",),
        Verdict.REFUTED,
        not_live("a step of a proof"),
    ),
    PaperLine(
        "htraa/theorem-1",
        Kind.CLAIM,
        "One automaton is optimal as its states become many: its share gathers at the optimum, "
        "as one by the root of N.",
        "theory.knapsack.traa_chain:TraaChain.share_sd",
        (f"{_CHAIN}test_theorem_1_the_law_gathers_at_the_optimum_as_one_by_root_n",),
        Verdict.EXTENDED,
        choose("refresh/traa", says="options = { resolution = 500 }"),
        Stated("within 0.001 of it with 6400 states"),
    ),
    PaperLine(
        "htraa/edf",
        Kind.POLICY,
        "Earliest deadline first hands out polls in proportion to shares; exactly, and in O(log n) "
        "a poll while shares move.",
        f"{_AUTOMATA}.fluid_edf:next_turn",
        (
            f"{_TESTS}test_turns_are_those_of_fluid_edf_while_shares_move",
            f"{_TESTS}test_no_leaf_gets_a_poll_too_many_or_too_few",
        ),
        Verdict.EXTENDED,
        choose("refresh/htraa", "refresh/lakg"),
        Stated("never 2.0 polls too many or too few"),
    ),
    PaperLine(
        "htraa/fig-4",
        Kind.FIGURE,
        "A tree of automata, one at every inner node. In Example I page 3 is below T(1,1) and "
        "T(2,2), not T(2,1).",
        f"{_AUTOMATA}.htraa:HTraa",
        (
            f"{_TESTS}test_any_number_of_pages_starts_with_equal_shares",
            f"{_TESTS}test_resolution_by_level_and_power_grid",
        ),
        Verdict.CORRECTED,
        _TREE,
    ),
    PaperLine(
        "htraa/theorem-2",
        Kind.EQUATION,
        "If every automaton rests, all pages have one d: the global optimum (eq. 21–30).",
        f"{_AUTOMATA}.htraa:HTraa.shares",
        (
            "tests/paper/test_htraa.py::test_without_weights_they_rest_in_the_right_one",
            f"{_TESTS}test_htraa_on_sorted_leaves_at_200_000_polls",
        ),
        Verdict.REPRODUCED,
        _TREE,
    ),
    PaperLine(
        "htraa/order-of-leaves",
        Kind.CLAIM,
        "“The ordering of the materials at the leaf nodes does not carry any significance.” For "
        "the resting place it does not; for the speed it does, so much that LAKG passes.",
        "laboratory.papers.htraa.fig_6_to_8_claims:findings",
        (
            f"{_RUNS}test_shuffled_leaves_are_slow_and_lakg_passes",
            "htraa/fig-8#claim/shuffled",
        ),
        Verdict.REFUTED,
        choose("refresh/posterior", says="learns in any order"),
        Stated("below 0.8 of the optimum shuffled, above 0.96 sorted"),
    ),
)
