"""Avrachenkov & Borkar 2019, line by line: the model and the learner."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    Live,
    PaperLine,
    Stated,
    Verdict,
    choose,
    not_live,
)

_TABLE_1: Final = "lspe/table-1"
_POLICY: Final = "policies.refresh.slots.lspe"
_TESTS: Final = "tests/unit/policies/refresh/slots/test_lspe.py::"
_SOURCE: Final = "theory.ephemeral.source"
_LIFETIME: Final = "tests/unit/theory/ephemeral/test_lifetime.py::"
_COINS: Final = choose(
    "refresh/lspe",
    says="from rewards alone; draws in place of coins, which would keep to no budget",
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
        "lspe/lifetime-factor",
        Kind.EQUATION,
        "Its u has the factor 1 − α^M, which lowers all prices of a source alike. That is right "
        "for one that nobody visits; of one that is visited, content younger than M is all there.",
        f"{_SOURCE}:Sources.price",
        (
            f"{_LIFETIME}test_the_papers_factor_makes_all_prices_of_a_source_too_low_alike",
            f"{_LIFETIME}test_nothing_is_gained_by_waiting_beyond_the_lifetime",
            "lspe/lifetime",
            "tests/unit/laboratory/papers/test_lspe_lifetime.py::"
            "test_the_index_by_ages_beats_the_papers_factor",
        ),
        Verdict.CORRECTED,
        not_live("when a page drops an item is not seen between visits"),
        Stated("above 0.98 of the bound where M = 1, and below 0.9 with the factor"),
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
        not_live("its critic has four features: their matrix is solved as it is"),
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
)
