"""Talim, Liu, Nain & Coffman, line by line. A new line is one more record."""

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

_QUEUE: Final = "theory.queueing.fetcher_queue"
_STATIC: Final = "theory.queueing.static"
_SWITCHING: Final = "theory.queueing.switching"
_ITERATION: Final = "theory.queueing.value_iteration"
_PROPERTY: Final = "tests/property/test_fetcher_queue.py::"
_PAPER: Final = "tests/paper/test_talim.py::"
_FIXED: Final = choose("fetchers/static", says="options = { fetch_rate, process_rate }")
_WOKEN: Final = choose(
    "fetchers/adaptive", "fetchers/switching", says="rates measured, or told"
)

LINES: Final = (
    PaperLine(
        "talim/fig-1",
        Kind.FIGURE,
        "Robots bring pages to a finite queue before one indexing engine.",
        f"{_QUEUE}:FetcherQueue",
        (
            "tests/unit/laboratory/worlds/test_queue.py::"
            "test_a_fixed_number_costs_what_the_formula_says",
        ),
        Verdict.REPRODUCED,
        always("fetchers, response queue, response processor"),
    ),
    PaperLine(
        "talim/eq-1-4",
        Kind.EQUATION,
        "The cost of N robots: starvation and loss of an M/M/1/K queue. As a quotient of sums it "
        "is right at ρ = 1 too.",
        f"{_QUEUE}:FetcherQueue.static_cost",
        (
            f"{_PROPERTY}test_the_cost_of_a_load_is_right_to_twelve_digits",
            "tests/unit/theory/queueing/test_static.py::"
            "test_empty_and_full_are_the_ends_of_a_geometric_law",
        ),
        Verdict.REPRODUCED,
        _FIXED,
    ),
    PaperLine(
        "talim/eq-5-7",
        Kind.EQUATION,
        "The derivative of the cost changes sign once (with Tables 3–5 of Appendix B).",
        f"{_STATIC}:best_load",
        (
            "tests/unit/theory/queueing/test_static.py::"
            "test_the_papers_derivative_changes_sign_at_the_best_load",
        ),
        Verdict.REPRODUCED,
        _FIXED,
    ),
    PaperLine(
        "talim/lemma-1",
        Kind.CLAIM,
        "One best load, below, at or above 1 as γ is below, at or above γ(K) = μ(K+2)/K.",
        f"{_STATIC}:best_load",
        (
            f"{_PROPERTY}test_lemma_1_the_cost_strictly_falls_to_the_best_load_and_strictly_"
            "rises_after_it",
            f"{_PROPERTY}test_lemma_1_the_best_load_is_1_at_the_balanced_weight_and_on_its_"
            "side_elsewhere",
            "talim/claims#Lemma 1: one minimum",
        ),
        Verdict.REPRODUCED,
        _FIXED,
    ),
    PaperLine(
        "talim/proposition-1",
        Kind.POLICY,
        "The best fixed number of robots, eq. (8).",
        f"{_QUEUE}:FetcherQueue.best_static",
        (
            f"{_PROPERTY}test_proposition_1_no_number_of_fetchers_is_cheaper",
            "talim/claims#Proposition 1",
        ),
        Verdict.REPRODUCED,
        _FIXED,
    ),
    PaperLine(
        "talim/proposition-2",
        Kind.CLAIM,
        "The best load grows with γ, beyond all bounds (eq. 9–11). In the proof (K+1)/K is "
        "(K+2)/K.",
        f"{_STATIC}:best_load",
        (
            f"{_PROPERTY}test_proposition_2_the_best_load_never_falls_with_the_weight",
            f"{_PROPERTY}test_proposition_2_some_weight_makes_any_load_too_small",
            "talim/claims#Proposition 2: monotone",
        ),
        Verdict.CORRECTED,
        choose("fetchers/static", says="options = { weight = 2.0 }"),
    ),
    PaperLine(
        "talim/fig-2",
        Kind.FIGURE,
        "The best number of robots grows with γ.",
        "laboratory.papers.talim.fig_2_to_5:fig_2",
        ("talim/fig-2",),
        Verdict.REPRODUCED,
        _FIXED,
    ),
    PaperLine(
        "talim/lemma-2",
        Kind.OPEN,
        "The best load by K: never falls if γ ≤ μ, else rises to some K₀ and falls (eq. 12; “any "
        "ideas?”). No exception was found; K₀ is within 1 of 1 + 4/(γ/μ − 1).",
        "laboratory.papers.talim.claims:grows_then_falls",
        (
            "talim/claims#Lemma 2: γ ≤ μ",
            "talim/claims#Lemma 2: γ > μ",
            "talim/claims#Lemma 2: K_0",
            f"{_PAPER}test_where_the_best_load_is_greatest",
        ),
        Verdict.EXTENDED,
        not_live("the queue's room is a setting: [fetchers] queue_room"),
    ),
    PaperLine(
        "talim/lemma-3",
        Kind.CLAIM,
        "The best load goes to 1 as the queue grows (eq. 13–14).",
        f"{_STATIC}:best_load",
        (
            f"{_PROPERTY}test_lemma_3_the_best_load_goes_to_1_as_the_queue_grows",
            "talim/claims#Lemma 3",
        ),
        Verdict.REPRODUCED,
        not_live("the queue's room is a setting: [fetchers] queue_room"),
    ),
    PaperLine(
        "talim/eq-15-16",
        Kind.EQUATION,
        "For long queues the number is μ/λ, rounded to the cheaper side.",
        f"{_STATIC}:endless_cost",
        (f"{_PAPER}test_a_long_queue_has_the_number_of_equation_16",),
        Verdict.REPRODUCED,
        _FIXED,
    ),
    PaperLine(
        "talim/fig-3",
        Kind.FIGURE,
        "The best load by K.",
        "laboratory.papers.talim.fig_2_to_5:fig_3",
        ("talim/fig-3",),
        Verdict.REPRODUCED,
        not_live("a picture of the laboratory"),
    ),
    PaperLine(
        "talim/fig-4",
        Kind.FIGURE,
        "The best number by K.",
        "laboratory.papers.talim.fig_2_to_5:fig_4",
        ("talim/fig-4",),
        Verdict.REPRODUCED,
        not_live("a picture of the laboratory"),
    ),
    PaperLine(
        "talim/fig-5",
        Kind.FIGURE,
        "The best number for a queue without end, by μ/λ.",
        "laboratory.papers.talim.fig_2_to_5:fig_5",
        ("talim/fig-5",),
        Verdict.REPRODUCED,
        not_live("a picture of the laboratory"),
    ),
    PaperLine(
        "talim/states",
        Kind.ASSUMPTION,
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
    PaperLine(
        "talim/loss",
        Kind.ASSUMPTION,
        "A page that finds the queue full is lost. Here nothing is: a full queue pauses fetching.",
        "robot.fetcher_controller:FetcherController",
        (
            "tests/e2e/test_slow_processor.py::"
            "test_a_slow_processor_puts_fetchers_to_sleep_and_loses_nothing",
        ),
        Verdict.EXTENDED,
        always("loss becomes waiting, at the same weight"),
    ),
    PaperLine(
        "talim/rates-known",
        Kind.ASSUMPTION,
        "Rates are known. Measured instead, the plan is nearly as good on all 45 cells.",
        "policies.fetchers.adaptive:Adaptive",
        (
            "tests/paper/test_talim_learners.py::"
            "test_adaptive_is_within_2_percent_of_the_optimum_after_100_000_events",
            "talim/learners",
        ),
        Verdict.EXTENDED,
        choose("fetchers/adaptive", says="the default"),
        Stated("at most 1.02 of the optimum after 100,000 events"),
    ),
    PaperLine(
        "talim/any-law-static",
        Kind.OPEN,
        "Indexing times of any law, for a fixed number of robots: M/G/1/K.",
        "theory.queueing.general_queue:GeneralQueue",
        (
            "tests/unit/theory/queueing/test_indexing_times.py::"
            "test_exponential_times_are_the_queue_of_the_paper",
            "tests/unit/theory/queueing/test_indexing_times.py::"
            "test_a_simulation_with_very_different_times_agrees",
        ),
        Verdict.EXTENDED,
        not_live("the dynamic plan, which is better, takes the measured mean"),
    ),
    PaperLine(
        "talim/two-speeds",
        Kind.OPEN,
        "Robots that are not identical: two speeds, solved as section 3 is.",
        "theory.queueing.two_speeds:TwoSpeedQueue",
        (
            "tests/unit/theory/queueing/test_two_speeds.py::"
            "test_the_cost_is_the_one_of_plain_value_iteration",
            "tests/unit/theory/queueing/test_two_speeds.py::"
            "test_two_equal_speeds_are_one",
        ),
        Verdict.EXTENDED,
        not_live("fetchers of one process are alike; it is the hosts that are not"),
    ),
)
