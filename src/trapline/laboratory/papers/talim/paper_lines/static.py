"""Talim, Liu, Nain & Coffman, line by line: a fixed number of robots (section 3)."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    Kind,
    PaperLine,
    Verdict,
    always,
    choose,
    not_live,
)

_QUEUE: Final = "theory.queueing.fetcher_queue"
_STATIC: Final = "theory.queueing.static"
_PROPERTY: Final = "tests/property/test_fetcher_queue.py::"
_PAPER: Final = "tests/paper/test_talim.py::"
_FIXED: Final = choose("fetchers/static", says="options = { fetch_rate, process_rate }")

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
)
