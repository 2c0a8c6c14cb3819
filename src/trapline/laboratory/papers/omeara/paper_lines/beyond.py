"""O'Meara & Patel, line by line: what the paper leaves open."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    Kind,
    PaperLine,
    Stated,
    Verdict,
    WorkedOut,
    by_command,
    choose,
    not_live,
)

LINES: Final = (
    PaperLine(
        "omeara/features",
        Kind.POLICY,
        "Local states by features: relevance of parents, how siblings turned out, and so on.",
        "policies.discovery.features:write_features",
        (
            "tests/paper/test_omeara_generalise.py::test_words_help",
            "tests/unit/policies/discovery/test_mailed_links.py::"
            "test_what_others_promise_counts",
        ),
        Verdict.EXTENDED,
        choose("discovery/value", "discovery/horn"),
    ),
    PaperLine(
        "omeara/generalise",
        Kind.OPEN,
        "A value function that is good on graphs never seen before: the goal of the paper.",
        "policies.discovery.value:Value",
        (
            "omeara/generalise#claim/above best-first",
            "tests/paper/test_omeara_generalise.py::"
            "test_value_is_above_best_first_and_below_the_oracle_with_words",
        ),
        Verdict.EXTENDED,
        choose("discovery/value", says='"auto", the default'),
    ),
    PaperLine(
        "omeara/table-elsewhere",
        Kind.CLAIM,
        "The paper's result is one of its own training graph: on another one its table is no "
        "better than chance.",
        "laboratory.papers.omeara.generalise:run",
        (
            "tests/paper/test_omeara_generalise.py::"
            "test_a_table_learnt_on_another_graph_is_no_better_than_chance",
            "omeara/generalise#claim/table",
            "tests/paper/test_omeara_generalise.py::"
            "test_rows_that_begin_at_their_kins_worth_say_something_of_an_unseen_web",
        ),
        Verdict.EXTENDED,
        choose("discovery/value", says="for webs that nobody has seen"),
        Stated("less than 0.05 above random"),
    ),
    PaperLine(
        "omeara/full-model",
        Kind.OPEN,
        "Modifications and deletions over time, finding and revisiting by one index.",
        "laboratory.papers.omeara.full_model:run",
        (
            "omeara/full-model#claim/highest",
            "tests/paper/test_omeara_full_model.py::"
            "test_auto_is_ahead_in_every_small_world",
            "tests/paper/test_omeara_full_model.py::"
            "test_the_papers_controller_does_both_and_more_than_a_fixed_rule",
        ),
        Verdict.EXTENDED,
        choose(
            "refresh/adaptive-whittle",
            "discovery/value",
            "refresh/q-learning",
            "discovery/q-learning",
            says="the first two or the last two: one queue of prices",
        ),
    ),
    PaperLine(
        "omeara/stronger-guarantees",
        Kind.OPEN,
        "Solutions of restless bandits with stronger guarantees than Whittle's index. No policy "
        "of ours has one. What is had instead is a bound that no schedule exceeds in the long "
        "run, worked out beside each index: so little is left to gain.",
        "theory.ephemeral.bound:relaxed_bound",
        (
            "tests/paper/test_whittle_runs.py::test_the_long_run_and_the_bound",
            "tests/property/test_ephemeral.py::"
            "test_the_bound_is_that_of_brute_force_and_its_rates_use_the_budget",
            "foundations/agenda",
        ),
        Verdict.EXTENDED,
        not_live("a bound needs to know what the web holds"),
        WorkedOut(
            "laboratory.papers.whittle.worked_numbers:least_of_bound",
            "of the bound at least, four sources, M = 1, 2, 3",
        ),
    ),
    PaperLine(
        "omeara/routing",
        Kind.OPEN,
        "Query routing needs to know beforehand what an engine is about.",
        "oasis.selection.registry:make_selector",
        ("oasis/selection", "oasis/cost"),
        Verdict.EXTENDED,
        by_command("`trapline engines ask`: a broker asks the few that matter"),
    ),
    PaperLine(
        "omeara/specialise",
        Kind.OPEN,
        "How can each engine choose its own topic, for the benefit of all?",
        "laboratory.papers.oasis.specialise:run",
        ("oasis/specialise",),
        Verdict.EXTENDED,
        by_command("`trapline engines suggest` says what is asked for and held by few"),
    ),
)
