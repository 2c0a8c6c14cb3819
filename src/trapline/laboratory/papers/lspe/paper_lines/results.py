"""Avrachenkov & Borkar 2019, line by line: what it earns, and what is left open."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    PaperLine,
    Verdict,
    choose,
    not_live,
)

_TABLE_1: Final = "lspe/table-1"
_REWARDS: Final = "tests/unit/policies/refresh/slots/test_lspe_from_rewards.py::"
_COINS: Final = not_live(
    "a number of the actor-critic as published, whose coins keep to no budget; "
    '[refresh] policy = "lspe" does'
)

LINES: Final = (
    PaperLine(
        "lspe/table-1",
        Kind.TABLE,
        "The four sources; their utilities ξ = 1, .7, .2, .08 are missing in print.",
        "laboratory.worlds.ephemeral_table:TABLE_I",
        ("tests/paper/test_whittle.py::test_only_source_1",),
        Verdict.CORRECTED,
        not_live("a table of the laboratory"),
    ),
    PaperLine(
        "lspe/about-160",
        Kind.CLAIM,
        "About one arm is sampled, and the reward is around 160. So it is on the mean; from seed "
        "to seed it is anything between 60 and 290.",
        "laboratory.papers.lspe.table_1:run",
        (
            "lspe/table-1#lspe/as published",
            "tests/paper/test_lspe.py::"
            "test_as_published_it_earns_around_160_with_about_one_arm_and_a_wide_spread",
        ),
        Verdict.REPRODUCED,
        _COINS,
        FromTable(_TABLE_1, "lspe/as published", "a slot"),
    ),
    PaperLine(
        "lspe/283",
        Kind.CLAIM,
        "The index with one arm earns 283. No policy with one arm earns more than 260.39.",
        "theory.ephemeral.bound:relaxed_bound",
        (
            "tests/paper/test_lspe.py::test_283_with_one_arm_is_out_of_reach",
            "lspe/table-1#whittle, M = 1",
        ),
        Verdict.REFUTED,
        not_live("a number of the laboratory"),
        FromTable(_TABLE_1, "whittle, M = 1", "in 10,000 slots"),
    ),
    PaperLine(
        "lspe/little-known",
        Kind.CLAIM,
        "“It hardly uses any information about the parameters.” Its states and intervals need "
        "all of them; and visiting in turn, which needs none, earns more.",
        "laboratory.papers.lspe.table_1:baseline_rows",
        (
            "tests/paper/test_lspe.py::"
            "test_who_knows_little_and_learns_nothing_earns_more",
            "lspe/table-1#round-robin",
        ),
        Verdict.REFUTED,
        choose("refresh/lspe", "refresh/uniform", says="the second visits in turn"),
        FromTable(_TABLE_1, "round-robin", "a slot, in turn"),
    ),
    PaperLine(
        "lspe/from-rewards",
        Kind.OPEN,
        "A variant that really uses no information: states guessed from what visits brought, steps "
        "from the sizes of rewards. The gradient as printed unlearns what the states say, because "
        "the reward of an action is missing in it.",
        "policies.refresh.slots.lspe_from_rewards:LspeFromRewards",
        (
            f"{_REWARDS}test_nothing_told_it_earns_nearly_all_of_table_1",
            f"{_REWARDS}test_the_gradient_as_printed_unlearns_what_the_states_say",
            f"{_REWARDS}test_units_of_rewards_do_not_matter",
            "lspe/learners",
        ),
        Verdict.CORRECTED,
        choose("refresh/lspe"),
    ),
    PaperLine(
        "lspe/scaled",
        Kind.OPEN,
        "Why it is unstable: contents of hundreds beside κ = 2. With features in shares of u* "
        "the result is steady, at two arms.",
        "laboratory.papers.lspe.table_1:VARIANTS",
        (
            "lspe/table-1#lspe/features by u*",
            "tests/paper/test_lspe.py::test_scaled_features_are_far_steadier",
        ),
        Verdict.EXTENDED,
        _COINS,
        FromTable(_TABLE_1, "lspe/features by u*", "a slot, with two arms"),
    ),
    PaperLine(
        "lspe/gradient",
        Kind.CLAIM,
        "What the actor learns is worth something. The same coins with thresholds that never move "
        "come nearer to the bound (as published: .57 of it).",
        "laboratory.papers.lspe.table_1:VARIANTS",
        ("lspe/table-1#lspe/thresholds at u, never moved",),
        Verdict.REFUTED,
        _COINS,
        FromTable(
            _TABLE_1,
            "lspe/thresholds at u, never moved",
            "of the bound for as many visits, unlearnt",
            "of the bound",
        ),
    ),
    PaperLine(
        "lspe/successor",
        Kind.OPEN,
        "A learner that comes near the optimum: rates and decays from (age, reward) pairs, priced "
        "as if they were right.",
        "policies.refresh.slots.slot_learner:SlottedLearner",
        (
            "lspe/learners",
            "tests/unit/laboratory/papers/test_ephemeral_experiments.py::"
            "test_who_knows_is_best_and_who_learns_comes_near",
        ),
        Verdict.EXTENDED,
        choose("refresh/adaptive-whittle", says="decay is a setting there"),
    ),
)
