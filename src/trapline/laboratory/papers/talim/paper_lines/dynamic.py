"""Talim, Liu, Nain & Coffman, line by line: robots that are woken one by one (section 4)."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    PaperLine,
    Verdict,
    always,
    choose,
    not_live,
)

_QUEUE: Final = "theory.queueing.fetcher_queue"
_SWITCHING: Final = "theory.queueing.switching"
_ITERATION: Final = "theory.queueing.value_iteration"
_PROPERTY: Final = "tests/property/test_fetcher_queue.py::"
_PAPER: Final = "tests/paper/test_talim.py::"
_WOKEN: Final = choose(
    "fetchers/adaptive", "fetchers/switching", says="rates measured, or told"
)

LINES: Final = (
    PaperLine(
        "talim/eq-17",
        Kind.EQUATION,
        "The states of the process. (0, 0) is never left and is excluded; so a departure at (1, 0) "
        "must wake.",
        f"{_SWITCHING}:Plan",
        (
            "tests/unit/theory/queueing/test_switching.py::"
            "test_what_cannot_happen_wakes_nobody",
            "tests/unit/robot/test_fetcher_controller.py::"
            "test_nobody_is_never_all_with_nothing_to_do",
        ),
        Verdict.REPRODUCED,
        _WOKEN,
    ),
    PaperLine(
        "talim/eq-18-21",
        Kind.EQUATION,
        "Costs and transitions. Misprints repaired: min(r+a, N) in (19), K for N in (20), the "
        "probability of fictitious events.",
        f"{_ITERATION}:iterate",
        (
            f"{_PAPER}test_the_figures_have_the_printed_cost_and_iterations",
            "tests/unit/theory/queueing/test_value_iteration.py::"
            "test_the_iterations_costs_and_plans_of_figures_6_to_8",
        ),
        Verdict.CORRECTED,
        _WOKEN,
    ),
    PaperLine(
        "talim/eq-22-24",
        Kind.EQUATION,
        "Average cost and its optimality equation (with Proposition 3), solved exactly.",
        f"{_SWITCHING}:solve",
        (
            "tests/unit/theory/queueing/test_switching.py::"
            "test_the_best_plan_is_the_optimum_of_the_linear_programme",
            f"{_PROPERTY}test_no_table_is_cheaper_and_one_change_of_mind_never_helps",
        ),
        Verdict.EXTENDED,
        _WOKEN,
    ),
    PaperLine(
        "talim/proposition-4",
        Kind.EQUATION,
        "Relative value iteration. θ is T(h)(x̂), without the factor τ.",
        f"{_ITERATION}:iterate",
        (
            f"{_PAPER}test_table_1_is_where_value_iteration_stopped",
            f"{_PROPERTY}test_value_iteration_stops_near_the_exact_cost",
        ),
        Verdict.CORRECTED,
        not_live("policy iteration finds the same plan, exactly and sooner"),
        FromTable("talim/fig-6", "iterations", "iterations at γ = 1.0"),
    ),
    PaperLine(
        "talim/eq-25",
        Kind.EQUATION,
        "The average cost is starvation and loss rate, weighted.",
        f"{_SWITCHING}:play",
        (
            f"{_PROPERTY}test_the_cost_is_starvation_and_loss_and_playing_the_plan_costs_the_"
            "same",
        ),
        Verdict.REPRODUCED,
        always("starvation and waiting are measured: `trapline status`"),
    ),
    PaperLine(
        "talim/lemma-4",
        Kind.CLAIM,
        "The process is communicating, but multichain: policies may have several closed classes.",
        "theory.queueing.control:policy_iteration",
        (
            "tests/unit/theory/queueing/test_control.py::"
            "test_the_papers_policy_with_several_recurrent_classes_is_mended",
        ),
        Verdict.REPRODUCED,
        not_live("a lemma"),
    ),
    PaperLine(
        "talim/fig-6",
        Kind.FIGURE,
        "The best plan at γ = 1.0, and its cost.",
        "laboratory.papers.talim.fig_6_to_8:fig_6",
        (
            "talim/fig-6#cost",
            f"{_PAPER}test_the_switching_curves_are_those_of_an_independent_computation",
        ),
        Verdict.REPRODUCED,
        _WOKEN,
        FromTable("talim/fig-6", "cost"),
    ),
    PaperLine(
        "talim/fig-7",
        Kind.FIGURE,
        "The best plan at γ = 1.4 = γ(K), and its cost.",
        "laboratory.papers.talim.fig_6_to_8:fig_7",
        ("talim/fig-7#cost",),
        Verdict.REPRODUCED,
        _WOKEN,
        FromTable("talim/fig-7", "cost"),
    ),
    PaperLine(
        "talim/fig-8",
        Kind.FIGURE,
        "The best plan at γ = 2.0, and its cost.",
        "laboratory.papers.talim.fig_6_to_8:fig_8",
        ("talim/fig-8#cost",),
        Verdict.REPRODUCED,
        _WOKEN,
        FromTable("talim/fig-8", "cost"),
    ),
    PaperLine(
        "talim/monotone",
        Kind.OPEN,
        "The best plan always is a pair of monotone switching curves: suspected, unproved. No "
        "exception was found.",
        f"{_SWITCHING}:Plan.is_monotone",
        (
            "talim/claims#Monotone switching",
            f"{_PROPERTY}test_the_best_plans_seen_are_decreasing_switching_curves",
        ),
        Verdict.EXTENDED,
        _WOKEN,
    ),
    PaperLine(
        "talim/rate",
        Kind.ASSUMPTION,
        "“Throughout the experiments μ was set to 0.5.” Every printed number has μ = 1.",
        "laboratory.papers.talim.printed:MU",
        (f"{_PAPER}test_the_static_optimum_is_as_printed",),
        Verdict.CORRECTED,
        not_live("live it is measured"),
    ),
    PaperLine(
        "talim/table-1",
        Kind.TABLE,
        "Static against dynamic with N = N_s. C_d as printed is where value iteration stopped, up "
        "to 4e-5 above the least cost; γ = 1.13 is 17/15.",
        "laboratory.papers.talim.table_1_2:table_1",
        (
            "talim/table-1",
            f"{_PAPER}test_table_1_is_where_value_iteration_stopped",
            f"{_PAPER}test_the_dynamic_plan_is_as_printed_but_for_the_errata",
            f"{_PAPER}test_the_weights_printed_as_1_13_are_balanced",
        ),
        Verdict.CORRECTED,
        _WOKEN,
        FromTable("talim/table-1", "λ=0.1,K=5,γ=1.4/C_d", "at λ = .1, K = 5, γ = 1.4"),
    ),
    PaperLine(
        "talim/table-2",
        Kind.TABLE,
        "Static against dynamic with N free. Two of 18 costs are those of other queues.",
        "laboratory.papers.talim.table_1_2:table_2",
        (
            "talim/table-2",
            f"{_PAPER}test_the_errata_of_table_2_are_costs_of_other_queues",
            f"{_PAPER}test_more_fetchers_than_table_2_was_given_change_nothing",
        ),
        Verdict.CORRECTED,
        _WOKEN,
        FromTable(
            "talim/table-2", "λ=0.05,K=10,γ=1.2/C_d", "at λ = .05, K = 10, γ = 1.2"
        ),
    ),
    PaperLine(
        "talim/static-dynamic",
        Kind.CLAIM,
        "Waking robots one by one is never dearer than any fixed number.",
        f"{_QUEUE}:FetcherQueue.solve",
        (
            f"{_PROPERTY}test_a_dynamic_plan_is_never_dearer_than_any_fixed_number",
            f"{_PROPERTY}test_more_fetchers_never_cost_more",
        ),
        Verdict.REPRODUCED,
        _WOKEN,
    ),
)
