"""Avrachenkov & Borkar 2015, line by line: the problem and its index."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    PaperLine,
    Verdict,
    WorkedOut,
    always,
    choose,
    not_live,
)

_TABLE_1: Final = "whittle/table-1"
_SOURCE: Final = "theory.ephemeral.source"
_PRICED: Final = choose(
    "refresh/adaptive-whittle", says="its offers are the index for short slots"
)

LINES: Final = (
    PaperLine(
        "whittle/eq-1",
        Kind.EQUATION,
        "What one slot brings: u = Λξ(1 − e^(−μT))/μ.",
        f"{_SOURCE}:EphemeralSource.gain",
        (
            "tests/unit/theory/ephemeral/test_source.py::"
            "test_gain_survival_and_ceiling_are_those_of_equation_1",
            "tests/paper/test_whittle.py::test_only_source_1",
        ),
        Verdict.REPRODUCED,
        _PRICED,
        FromTable(_TABLE_1, "always source 1"),
    ),
    PaperLine(
        "whittle/eq-2-3",
        Kind.EQUATION,
        "Content fades and grows, X ← αX + u; a visit takes it all.",
        "laboratory.worlds.ephemeral:EphemeralWorld",
        (
            "tests/unit/laboratory/worlds/test_ephemeral.py::"
            "test_the_mean_model_is_the_recursion_of_the_paper",
            "tests/unit/laboratory/worlds/test_ephemeral.py::test_a_visit_takes_all",
        ),
        Verdict.REPRODUCED,
        not_live("the Web does it by itself"),
    ),
    PaperLine(
        "whittle/eq-4-6",
        Kind.EQUATION,
        "The average reward under a budget on the average, and its Lagrangian: a bound that no "
        "policy exceeds in the long run.",
        "theory.ephemeral.bound:relaxed_bound",
        (
            "tests/paper/test_whittle.py::test_no_policy_can_earn_more",
            "tests/property/test_ephemeral.py::"
            "test_the_bound_is_that_of_brute_force_and_its_rates_use_the_budget",
        ),
        Verdict.REPRODUCED,
        always("the multiplier is the market price, found online"),
        FromTable(_TABLE_1, "M=2/bound", "for M = 2"),
    ),
    PaperLine(
        "whittle/eq-7-10",
        Kind.EQUATION,
        "The dynamic programme of one source with a subsidy for waiting (with Lemmas 1–3).",
        f"{_SOURCE}:EphemeralSource.price",
        (
            "tests/property/test_ephemeral.py::"
            "test_the_price_is_the_subsidy_at_which_waiting_and_visiting_are_equal",
        ),
        Verdict.REPRODUCED,
        _PRICED,
    ),
    PaperLine(
        "whittle/eq-11-12",
        Kind.EQUATION,
        "Above one subsidy a source is never visited, below another always.",
        f"{_SOURCE}:EphemeralSource.due_age",
        (
            "tests/unit/theory/ephemeral/test_source.py::"
            "test_the_due_age_is_the_first_whose_price_is_high_enough",
            "tests/unit/theory/test_price.py::test_offer_age_at_the_ends",
        ),
        Verdict.REPRODUCED,
        _PRICED,
    ),
    PaperLine(
        "whittle/eq-13-15",
        Kind.EQUATION,
        "How many slots a source waits until its price is that of the market.",
        f"{_SOURCE}:Sources.due_age",
        (
            "tests/unit/theory/ephemeral/test_source.py::"
            "test_the_due_age_is_the_first_whose_price_is_high_enough",
        ),
        Verdict.REPRODUCED,
        always("the agenda files a page by the time at which its price is reached"),
    ),
    PaperLine(
        "whittle/theorem-1",
        Kind.EQUATION,
        "The index in closed form, eq. (16). At contents of u* and above the printed log⁺ counts "
        "no slots and so gives no price; they are taken at once, at the price x/C.",
        f"{_SOURCE}:EphemeralSource.price_at",
        (
            "tests/unit/theory/ephemeral/test_source.py::"
            "test_above_the_ceiling_all_is_taken_at_once",
            "tests/unit/theory/ephemeral/test_source.py::"
            "test_the_state_form_is_continuous_up_to_the_ceiling",
        ),
        Verdict.CORRECTED,
        _PRICED,
    ),
    PaperLine(
        "whittle/remark",
        Kind.EQUATION,
        "On the contents that occur the index is simpler: a function of the age alone.",
        f"{_SOURCE}:Sources.price",
        (
            "tests/property/test_ephemeral.py::"
            "test_the_state_form_on_the_grid_is_the_age_form",
        ),
        Verdict.REPRODUCED,
        _PRICED,
    ),
    PaperLine(
        "whittle/lemma-4-5",
        Kind.CLAIM,
        "The problem is indexable: prices rise with content, and visits begin at a threshold.",
        f"{_SOURCE}:Sources.price",
        (
            "tests/property/test_ephemeral.py::"
            "test_prices_and_contents_never_fall_with_age",
        ),
        Verdict.REPRODUCED,
        always("a page's due time is where its price reaches the market's"),
    ),
    PaperLine(
        "whittle/costs",
        Kind.ASSUMPTION,
        "Visits may cost C_i each; the budget is then one of costs.",
        "theory.ephemeral.bound:relaxed_bound",
        (
            "tests/unit/theory/ephemeral/test_bound.py::test_costs_count",
            "tests/unit/laboratory/papers/test_whittle_price.py::"
            "test_a_budget_in_units_of_cost_buys_what_is_worth_its_cost",
            "tests/unit/robot/test_visit_costs.py::"
            "test_a_budget_of_bytes_is_spent_to_the_byte_and_on_what_is_worth_its_bytes",
        ),
        Verdict.REPRODUCED,
        always('[budget] cost = "visits", "bytes" or "seconds", learnt page by page'),
    ),
    PaperLine(
        "whittle/policy",
        Kind.POLICY,
        "Visit the sources of the highest index, for known parameters.",
        "policies.refresh.whittle:SlottedWhittle",
        (
            "tests/unit/policies/refresh/test_whittle.py::"
            "test_the_controller_earns_the_exact_long_run_reward",
            "tests/paper/test_whittle_runs.py::test_the_long_run_and_the_bound",
        ),
        Verdict.REPRODUCED,
        choose("refresh/adaptive-whittle", says="where nobody tells the parameters"),
        WorkedOut(
            "laboratory.papers.whittle.worked_numbers:least_of_bound",
            "of the bound at least, M = 1, 2, 3",
        ),
    ),
    PaperLine(
        "whittle/static",
        Kind.POLICY,
        "Fixed frequencies (the paper's reference 15), blind to what a source holds now.",
        "policies.refresh.slots.frequency:Frequency",
        ("lspe/learners",),
        Verdict.REPRODUCED,
        not_live("it must be told all parameters; see refresh/adaptive-whittle"),
    ),
)
