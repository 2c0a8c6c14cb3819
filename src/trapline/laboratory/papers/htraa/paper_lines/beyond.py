"""Granmo & Oommen, line by line: rivals, and what is left to do."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    Kind,
    PaperLine,
    Stated,
    Verdict,
    by_command,
    choose,
    not_live,
)

_RUNS: Final = "tests/paper/test_htraa_runs.py::"

LINES: Final = (
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
    PaperLine(
        "htraa/further-work",
        Kind.OPEN,
        "Other classes of knapsacks, the integer one among them. Visits are wholes and may differ "
        "in cost: a slot's visits are an integer knapsack, which the price by cost fills well.",
        "policies.refresh.slots.slot_chooser:SlottedChooser",
        (
            "tests/unit/policies/refresh/slots/test_slot_chooser.py::"
            "test_with_costs_it_earns_what_the_exact_cycle_does_and_spends_its_budget",
            "tests/unit/policies/refresh/slots/test_slot_chooser.py::"
            "test_where_the_best_cannot_be_afforded_nothing_is_chosen_in_its_stead",
        ),
        Verdict.EXTENDED,
        by_command('[budget] cost = "bytes" or "seconds"'),
    ),
)
