"""Talim, Liu, Nain & Coffman, line by line: what the paper assumes and leaves open."""

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

_PHASES: Final = "tests/unit/theory/queueing/test_phase_queue.py::"
_CLASSES: Final = "tests/unit/theory/queueing/test_fetcher_classes.py::"

LINES: Final = (
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
        choose(
            "fetchers/phase-type", says="dynamic, and so better than a fixed number"
        ),
    ),
    PaperLine(
        "talim/service-times",
        Kind.OPEN,
        "“Replacing exponential distributions by general ones” in the dynamic control: a law in "
        "phases is fitted to three moments of measured times, and its best table found exactly.",
        "theory.queueing.phase_queue:PhaseQueue",
        (
            "talim/service-times",
            f"{_PHASES}test_no_table_is_better",
            f"{_PHASES}test_one_phase_is_the_queue_of_the_paper",
            "tests/unit/policies/fetchers/test_phase_type.py::"
            "test_what_it_has_learnt_costs_less_than_the_plan_for_exponential_times",
        ),
        Verdict.EXTENDED,
        choose("fetchers/phase-type"),
    ),
    PaperLine(
        "talim/arrivals",
        Kind.OPEN,
        "Arrivals of general laws: fetch times in phases, or one stream of pages at any pace.",
        "theory.queueing.renewal_queue:RenewalQueue",
        (
            "talim/arrivals",
            "tests/unit/theory/queueing/test_renewal_queue.py::"
            "test_exponential_times_are_the_paper",
            "tests/unit/laboratory/papers/test_talim_general.py::"
            "test_simulated_arrivals_are_near_the_exact_ones",
        ),
        Verdict.EXTENDED,
        not_live("the table for exponential fetch times is at most a little dearer"),
    ),
    PaperLine(
        "talim/classes",
        Kind.OPEN,
        "Robots that are not identical: any number of speeds, solved as section 3 is.",
        "theory.queueing.fetcher_classes:ClassQueue",
        (
            "talim/classes",
            f"{_CLASSES}test_the_cost_is_the_one_of_plain_value_iteration",
            f"{_CLASSES}test_two_equal_speeds_are_one",
        ),
        Verdict.EXTENDED,
        not_live("fetchers of one process are alike; it is the hosts that are not"),
    ),
    PaperLine(
        "talim/areas",
        Kind.OPEN,
        "Robots “allocated to different parts of the network”: which area gets the next one. It "
        "pays a rent and goes where it is worth most.",
        "theory.queueing.areas.rents:worth_at_rent",
        (
            "talim/areas",
            "tests/unit/theory/queueing/areas/test_areas.py::"
            "test_the_bound_lies_below_the_optimum_and_worths_come_near_it",
            "tests/unit/laboratory/papers/test_talim_general.py::"
            "test_worths_beat_shares_and_nobody_beats_the_bound",
        ),
        Verdict.EXTENDED,
        not_live(
            "a process has one response processor, and a shard visits its own hosts only; what "
            "shards share is the budget, divided by bids"
        ),
    ),
)
