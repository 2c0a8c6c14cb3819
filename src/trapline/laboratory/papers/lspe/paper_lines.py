"""Avrachenkov & Borkar 2019, line by line. A new line is one more record."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    Live,
    PaperLine,
    Verdict,
    choose,
    not_live,
)

_TABLE_1: Final = "lspe/table-1"
_POLICY: Final = "policies.refresh.slots.lspe"
_TESTS: Final = "tests/unit/policies/refresh/slots/test_lspe.py::"
_COINS: Final = not_live(
    "its coins decide how many sources are visited, so it keeps to no budget; "
    '[refresh] policy = "adaptive-whittle" learns the same sources'
)
_LEARNT: Final[Live] = choose("refresh/adaptive-whittle")

LINES: Final = (
    PaperLine(
        "lspe/eq-1-3",
        Kind.EQUATION,
        "States between visits are means: X ← αX + u, and u after a visit.",
        f"{_POLICY}:Lspe",
        (
            f"{_TESTS}test_states_are_the_mean_recursion",
            "tests/unit/laboratory/worlds/test_ephemeral.py::"
            "test_the_mean_model_is_the_recursion_of_the_paper",
        ),
        Verdict.REPRODUCED,
        _COINS,
    ),
    PaperLine(
        "lspe/lifetimes",
        Kind.ASSUMPTION,
        "Content older than M_i is dropped.",
        "laboratory.worlds.ephemeral:EphemeralWorld",
        (
            "tests/unit/laboratory/worlds/test_ephemeral.py::"
            "test_items_that_outlive_their_time_are_gone",
            "tests/unit/laboratory/worlds/test_ephemeral.py::"
            "test_each_source_may_have_a_lifetime_of_its_own",
        ),
        Verdict.REPRODUCED,
        not_live("the Web does it by itself"),
    ),
    PaperLine(
        "lspe/objective",
        Kind.EQUATION,
        "The reward is what visits bring, ΣXν. In (6) and in the averages it is printed as ΣX, by "
        "which never to visit is best.",
        "laboratory.papers.lspe.run:run_lspe",
        ("tests/paper/test_lspe.py::test_nobody_exceeds_the_bound_for_as_many_visits",),
        Verdict.CORRECTED,
        _COINS,
    ),
    PaperLine(
        "lspe/eq-4-5",
        Kind.EQUATION,
        "The index of the 2015 paper, its log⁺ among it.",
        "theory.ephemeral.source:EphemeralSource.price_at",
        (
            "tests/unit/theory/ephemeral/test_source.py::"
            "test_above_the_ceiling_all_is_taken_at_once",
        ),
        Verdict.CORRECTED,
        _LEARNT,
    ),
    PaperLine(
        "lspe/thresholds",
        Kind.EQUATION,
        "A threshold that depends on what the others hold, T = q₀ + q₁s + q₂s². The second q₁ as "
        "printed is q₂.",
        f"{_POLICY}:Lspe.thresholds",
        (f"{_TESTS}test_thresholds_depend_on_what_the_others_hold",),
        Verdict.CORRECTED,
        _COINS,
    ),
    PaperLine(
        "lspe/coin",
        Kind.EQUATION,
        "Whether a source is visited is a coin, a logit of content less threshold.",
        f"{_POLICY}:Lspe.chances",
        (f"{_TESTS}test_the_coin_is_the_papers_logit",),
        Verdict.REPRODUCED,
        _COINS,
    ),
    PaperLine(
        "lspe/eq-6",
        Kind.EQUATION,
        "The Poisson equation of the chain; the critic fits its solution.",
        f"{_POLICY}:Lspe.learn",
        (f"{_TESTS}test_the_critic_finds_the_values_of_a_small_chain",),
        Verdict.REPRODUCED,
        _COINS,
    ),
    PaperLine(
        "lspe/eq-7-9",
        Kind.EQUATION,
        "The actor climbs the gradient of the log-probability. In (8) the component of source i "
        "has the term of i only; the sum over all as printed is wrong.",
        f"{_POLICY}:Lspe.learn",
        (f"{_TESTS}test_the_actor_follows_the_gradient_of_the_log_chance",),
        Verdict.CORRECTED,
        _COINS,
    ),
    PaperLine(
        "lspe/averages",
        Kind.EQUATION,
        "LSPE(0): Ā averages φ(φ′ − φ)ᵀ, its bracket misplaced in print; at n = 0 the steps as "
        "printed divide by zero and erase B̄(−1).",
        f"{_POLICY}:LspeOptions",
        (f"{_TESTS}test_the_critic_finds_the_values_of_a_small_chain",),
        Verdict.CORRECTED,
        _COINS,
    ),
    PaperLine(
        "lspe/sherman-morrison",
        Kind.EQUATION,
        "The update of the inverse, (n+1)/n·[P − Pφφᵀ P/(n + φᵀPφ)]; as printed it needs itself.",
        f"{_POLICY}:LspeOptions",
        (
            f"{_TESTS}test_both_inverses_lead_to_the_same_values",
            "lspe/table-1#lspe/by Sherman–Morrison",
        ),
        Verdict.CORRECTED,
        _COINS,
        FromTable(_TABLE_1, "lspe/by Sherman–Morrison", "a slot"),
    ),
    PaperLine(
        "lspe/tikhonov",
        Kind.POLICY,
        "Two repairs of instability: thresholds kept in [u, u*], and Tikhonov's inverse.",
        f"{_POLICY}:Lspe.thresholds",
        (
            f"{_TESTS}test_thresholds_are_projected_on_what_a_source_can_hold",
            f"{_TESTS}test_both_inverses_lead_to_the_same_values",
        ),
        Verdict.REPRODUCED,
        _COINS,
    ),
    PaperLine(
        "lspe/steps",
        Kind.POLICY,
        "Step sizes a(n) and b(n) in place of 1/(n+1); a(0) as printed divides by zero.",
        f"{_POLICY}:LspeOptions",
        ("lspe/table-1#lspe/b(n) for 1/(n+1)",),
        Verdict.CORRECTED,
        _COINS,
        FromTable(_TABLE_1, "lspe/b(n) for 1/(n+1)", "a slot"),
    ),
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
        choose("refresh/uniform", says="visits in turn"),
        FromTable(_TABLE_1, "round-robin", "a slot, in turn"),
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
