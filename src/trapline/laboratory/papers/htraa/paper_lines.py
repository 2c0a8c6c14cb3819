"""Granmo & Oommen, line by line. A new line is one more record."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    PaperLine,
    Stated,
    Verdict,
    always,
    choose,
    not_live,
)

_FIG_5: Final = "htraa/fig-5"
_AUTOMATA: Final = "policies.refresh.automata"
_TESTS: Final = "tests/unit/policies/refresh/automata/test_automata.py::"
_RUNS: Final = "tests/paper/test_htraa_runs.py::"
_TREE: Final = choose("refresh/htraa")

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
        ),
        Verdict.REPRODUCED,
        not_live("pages must all be there when it begins, and it never learns again"),
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
        "htraa/fig-2",
        Kind.FIGURE,
        "One automaton, a scheduler and an unknown world: two pages.",
        f"{_AUTOMATA}.traa:Traa",
        (
            "tests/unit/policies/refresh/automata/test_automata_live.py::"
            "test_traa_knows_its_two_pages_only",
        ),
        Verdict.REPRODUCED,
        choose("refresh/htraa", says="is a tree of them"),
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
        _TREE,
    ),
    PaperLine(
        "htraa/fig-3",
        Kind.FIGURE,
        "The transitions of an automaton with five states: none is absorbing.",
        f"{_AUTOMATA}.htraa:HTraa",
        (f"{_TESTS}test_states_end_at_1_and_n",),
        Verdict.REPRODUCED,
        _TREE,
    ),
    PaperLine(
        "htraa/eq-4-8",
        Kind.EQUATION,
        "The Markov chain of one automaton. It knows no scheduler: with EDF the automaton rests at "
        "the same place, with less noise.",
        f"{_AUTOMATA}.traa:Traa",
        (f"{_TESTS}test_two_pages_settle_as_the_markov_chain_of_equations_4_to_8",),
        Verdict.EXTENDED,
        _TREE,
        Stated("within 0.02 of the chain's mean"),
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
    PaperLine(
        "htraa/zipf",
        Kind.ASSUMPTION,
        "α/k^β, called q, is the probability that the page of rank k changes: p.",
        "laboratory.worlds.polling:PollingWorld",
        (
            "tests/unit/laboratory/worlds/test_polling.py::"
            "test_zipf_is_alpha_over_rank_to_the_beta",
            "tests/unit/laboratory/worlds/test_polling.py::"
            "test_one_perturbation_swaps_two_neighbours",
        ),
        Verdict.CORRECTED,
        not_live("a world of the laboratory"),
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
    PaperLine(
        "htraa/fig-5",
        Kind.FIGURE,
        "Inaction-penalty is the most accurate, reward-penalty the quickest.",
        "laboratory.papers.htraa.fig_5:run",
        (
            "htraa/fig-5#claim/accurate/detected",
            f"{_RUNS}test_figure_5_both_learn_first_and_penalties_learn_best",
        ),
        Verdict.REPRODUCED,
        choose("refresh/htraa", says='options = { mode = "inaction-penalty" }'),
        FromTable(_FIG_5, "inaction-penalty/detected", "of the bound"),
    ),
    PaperLine(
        "htraa/rewards-inferior",
        Kind.CLAIM,
        "Only relying on rewards is slightly inferior to the other two.",
        "laboratory.papers.htraa.fig_5:run",
        ("htraa/fig-5#claim/rewards/detected",),
        Verdict.REPRODUCED,
        choose("refresh/htraa", says='options = { mode = "reward-inaction" }'),
        FromTable(_FIG_5, "claim/rewards/detected", "of the bound, at the least"),
    ),
    PaperLine(
        "htraa/fig-6",
        Kind.FIGURE,
        "(.3, 1.5): H-TRAA is superior on sorted leaves; with perturbations LAKG is.",
        "laboratory.papers.htraa.fig_6_to_8:fig_6",
        ("htraa/fig-6#claim/LAKG passes", "htraa/fig-6#claim/perturbed"),
        Verdict.REPRODUCED,
        choose("refresh/htraa", "refresh/lakg"),
    ),
    PaperLine(
        "htraa/fig-7",
        Kind.FIGURE,
        "(.3, 1.0): less unlike pages, and H-TRAA superior all the same.",
        "laboratory.papers.htraa.fig_6_to_8:fig_7",
        ("htraa/fig-7#claim/superior",),
        Verdict.REPRODUCED,
        _TREE,
    ),
    PaperLine(
        "htraa/fig-8",
        Kind.FIGURE,
        "(.9, 1.5): H-TRAA and LAKG breach the boundary set by the proportional policy.",
        "laboratory.papers.htraa.fig_6_to_8:fig_8",
        (
            "htraa/fig-8#claim/breach",
            f"{_RUNS}test_htraa_breaches_what_proportional_really_detects",
        ),
        Verdict.REPRODUCED,
        choose("refresh/htraa", "refresh/lakg"),
    ),
    PaperLine(
        "htraa/doubling",
        Kind.CLAIM,
        "A resolution that doubles from level to level helps perturbed leaves, in (.9, 1.5) not "
        "quite to LAKG's level, and costs sorted ones.",
        "laboratory.papers.htraa.fig_6_to_8:cases_of",
        (
            "htraa/fig-6#claim/doubling costs",
            f"{_TESTS}test_resolution_by_level_and_power_grid",
        ),
        Verdict.REPRODUCED,
        choose("refresh/htraa", says="options = { level_factor = 2.0 }"),
    ),
    PaperLine(
        "htraa/fig-9",
        Kind.FIGURE,
        "Ranks change every 80,000 polls: it recovers quickly.",
        "laboratory.papers.htraa.fig_9_10:fig_9",
        ("htraa/fig-9#claim/recovers", "htraa/fig-9#claim/beats LAKG"),
        Verdict.REPRODUCED,
        _TREE,
    ),
    PaperLine(
        "htraa/fig-10",
        Kind.FIGURE,
        "Ranks change every 1,000 polls: it improves steadily and never is optimal.",
        "laboratory.papers.htraa.fig_9_10:fig_10",
        ("htraa/fig-10#claim/improves", "htraa/fig-10#claim/never optimal"),
        Verdict.REPRODUCED,
        _TREE,
    ),
    PaperLine(
        "htraa/fig-11",
        Kind.FIGURE,
        "More pages slow LAKG down, in learning and in adapting.",
        "laboratory.papers.htraa.fig_11_12:fig_11",
        ("htraa/fig-11#claim/LAKG learns", "htraa/fig-11#claim/LAKG adapts"),
        Verdict.REPRODUCED,
        choose("refresh/lakg"),
    ),
    PaperLine(
        "htraa/fig-12",
        Kind.FIGURE,
        "H-TRAA scales sub-linearly with the pages, as long as their leaves are sorted by rate, "
        "which nobody can do who does not know the rates.",
        "laboratory.papers.htraa.fig_11_12:fig_12",
        (
            "htraa/fig-12#claim/sub-linear",
            "htraa/fig-12#claim/sub-linear, shuffled",
        ),
        Verdict.CORRECTED,
        choose("refresh/posterior", says="needs no order"),
    ),
    PaperLine(
        "htraa/unlike-lakg",
        Kind.CLAIM,
        "“In contrast to the LAKG, the H-TRAA scales sub-linearly.” LAKG does so too: its polls to "
        "learn grow with a power of the pages below 1.",
        "laboratory.papers.htraa.fig_11_12_claims:sublinear_claim",
        ("htraa/fig-12#claim/unlike LAKG",),
        Verdict.REFUTED,
        choose("refresh/lakg"),
    ),
    PaperLine(
        "htraa/orders-of-magnitude",
        Kind.CLAIM,
        "H-TRAA converges orders of magnitude faster than LAKG: several times faster on sorted "
        "leaves, more and more so as pages grow; on shuffled ones it does not.",
        "laboratory.papers.htraa.fig_11_12_claims:faster_claim",
        ("htraa/fig-12#claim/learns", "htraa/fig-12#claim/learns, shuffled"),
        Verdict.CORRECTED,
        choose("refresh/htraa", "refresh/lakg"),
    ),
    PaperLine(
        "htraa/rival",
        Kind.OPEN,
        "A learner that beats the automata: a posterior of each page's rate, and the index.",
        "policies.refresh.posterior:Posterior",
        (
            f"{_RUNS}test_posterior_on_shuffled_leaves_at_100_000_polls",
            "htraa/scale",
        ),
        Verdict.EXTENDED,
        choose("refresh/posterior"),
        Stated("0.985, 0.990 and 0.980 of the optimum at the least, shuffled"),
    ),
    PaperLine(
        "htraa/switching-rival",
        Kind.CLAIM,
        "In switching worlds the automata find near-optimal solutions; so does the posterior.",
        "policies.refresh.posterior:Posterior",
        (f"{_RUNS}test_posterior_late_in_a_switching_world", "htraa/fig-9"),
        Verdict.EXTENDED,
        choose("refresh/posterior", says="options = { remembers = 50 }"),
        Stated("0.95 of the optimum at the least"),
    ),
    PaperLine(
        "htraa/whole-steps",
        Kind.CLAIM,
        "What no schedule of whole polls exceeds, whatever it knows.",
        "theory.polling.whole_steps:slotted_bound",
        (
            "tests/paper/test_htraa.py::test_the_index_with_known_probabilities",
            "tests/unit/theory/test_polling.py::test_no_schedule_exceeds_the_bound",
        ),
        Verdict.EXTENDED,
        not_live("a bound needs to know every page's rate"),
        Stated("the index has 0.994 of it at the least"),
    ),
)
