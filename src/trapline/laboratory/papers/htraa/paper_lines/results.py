"""Granmo & Oommen, line by line: what they earn (section 4)."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    PaperLine,
    Stated,
    Verdict,
    choose,
    not_live,
)

_FIG_5: Final = "htraa/fig-5"
_TESTS: Final = "tests/unit/policies/refresh/automata/test_automata.py::"
_RUNS: Final = "tests/paper/test_htraa_runs.py::"
_TREE: Final = choose("refresh/htraa")

LINES: Final = (
    PaperLine(
        "htraa/zipf",
        Kind.ASSUMPTION,
        "α/k^β, called q, is the probability that the page of rank k changes: p.",
        "laboratory.worlds.polling:PollingWorld",
        (
            "tests/unit/laboratory/worlds/test_polling.py::"
            "test_zipf_is_alpha_over_rank_to_the_beta",
            "tests/unit/laboratory/worlds/test_polling.py::"
            "test_one_perturbation_swaps_two_neighbours",
        ),
        Verdict.CORRECTED,
        not_live("a world of the laboratory"),
    ),
    PaperLine(
        "htraa/fig-5",
        Kind.FIGURE,
        "Inaction-penalty is the most accurate, reward-penalty the quickest.",
        "laboratory.papers.htraa.fig_5:run",
        (
            "htraa/fig-5#claim/accurate/detected",
            f"{_RUNS}test_figure_5_both_learn_first_and_penalties_learn_best",
        ),
        Verdict.REPRODUCED,
        choose("refresh/htraa", says='options = { mode = "inaction-penalty" }'),
        FromTable(_FIG_5, "inaction-penalty/detected", "of the bound"),
    ),
    PaperLine(
        "htraa/rewards-inferior",
        Kind.CLAIM,
        "Only relying on rewards is slightly inferior to the other two.",
        "laboratory.papers.htraa.fig_5:run",
        ("htraa/fig-5#claim/rewards/detected",),
        Verdict.REPRODUCED,
        choose("refresh/htraa", says='options = { mode = "reward-inaction" }'),
        FromTable(_FIG_5, "claim/rewards/detected", "of the bound, at the least"),
    ),
    PaperLine(
        "htraa/fig-6",
        Kind.FIGURE,
        "(.3, 1.5): H-TRAA is superior on sorted leaves; with perturbations LAKG is.",
        "laboratory.papers.htraa.fig_6_to_8:fig_6",
        ("htraa/fig-6#claim/LAKG passes", "htraa/fig-6#claim/perturbed"),
        Verdict.REPRODUCED,
        choose("refresh/htraa", "refresh/lakg"),
    ),
    PaperLine(
        "htraa/fig-7",
        Kind.FIGURE,
        "(.3, 1.0): less unlike pages, and H-TRAA superior all the same.",
        "laboratory.papers.htraa.fig_6_to_8:fig_7",
        ("htraa/fig-7#claim/superior",),
        Verdict.REPRODUCED,
        _TREE,
    ),
    PaperLine(
        "htraa/fig-8",
        Kind.FIGURE,
        "(.9, 1.5): H-TRAA and LAKG breach the boundary set by the proportional policy.",
        "laboratory.papers.htraa.fig_6_to_8:fig_8",
        (
            "htraa/fig-8#claim/breach",
            f"{_RUNS}test_htraa_breaches_what_proportional_really_detects",
        ),
        Verdict.REPRODUCED,
        choose("refresh/htraa", "refresh/lakg"),
    ),
    PaperLine(
        "htraa/doubling",
        Kind.CLAIM,
        "A resolution that doubles from level to level helps perturbed leaves, in (.9, 1.5) not "
        "quite to LAKG's level, and costs sorted ones.",
        "laboratory.papers.htraa.fig_6_to_8:cases_of",
        (
            "htraa/fig-6#claim/doubling costs",
            f"{_TESTS}test_resolution_by_level_and_power_grid",
        ),
        Verdict.REPRODUCED,
        choose("refresh/htraa", says="options = { level_factor = 2.0 }"),
    ),
    PaperLine(
        "htraa/fig-9",
        Kind.FIGURE,
        "Ranks change every 80,000 polls: it recovers quickly.",
        "laboratory.papers.htraa.fig_9_10:fig_9",
        ("htraa/fig-9#claim/recovers", "htraa/fig-9#claim/beats LAKG"),
        Verdict.REPRODUCED,
        _TREE,
    ),
    PaperLine(
        "htraa/fig-10",
        Kind.FIGURE,
        "Ranks change every 1,000 polls: it improves steadily and never is optimal.",
        "laboratory.papers.htraa.fig_9_10:fig_10",
        ("htraa/fig-10#claim/improves", "htraa/fig-10#claim/never optimal"),
        Verdict.REPRODUCED,
        _TREE,
    ),
    PaperLine(
        "htraa/irregular",
        Kind.CLAIM,
        "Results are similar if periods are not fixed (end of 4.3.4): switches at random times.",
        "laboratory.papers.htraa.irregular:run",
        (
            "htraa/irregular",
            "tests/unit/laboratory/papers/test_htraa_knapsack.py::"
            "test_regular_and_irregular_switches_meet_the_same_learners",
        ),
        Verdict.EXTENDED,
        choose("refresh/htraa", "refresh/lakg"),
        Stated("above 0.7 of the optimum in both over a whole run"),
    ),
    PaperLine(
        "htraa/fig-11",
        Kind.FIGURE,
        "More pages slow LAKG down, in learning and in adapting.",
        "laboratory.papers.htraa.fig_11_12:fig_11",
        ("htraa/fig-11#claim/LAKG learns", "htraa/fig-11#claim/LAKG adapts"),
        Verdict.REPRODUCED,
        choose("refresh/lakg"),
    ),
    PaperLine(
        "htraa/fig-12",
        Kind.FIGURE,
        "H-TRAA scales sub-linearly with the pages, as long as their leaves are sorted by rate, "
        "which nobody can do who does not know the rates.",
        "laboratory.papers.htraa.fig_11_12:fig_12",
        (
            "htraa/fig-12#claim/sub-linear",
            "htraa/fig-12#claim/sub-linear, shuffled",
        ),
        Verdict.CORRECTED,
        choose("refresh/posterior", says="needs no order"),
    ),
    PaperLine(
        "htraa/unlike-lakg",
        Kind.CLAIM,
        "“In contrast to the LAKG, the H-TRAA scales sub-linearly.” LAKG does so too: its polls to "
        "learn grow with a power of the pages below 1.",
        "laboratory.papers.htraa.fig_11_12_claims:sublinear_claim",
        ("htraa/fig-12#claim/unlike LAKG",),
        Verdict.REFUTED,
        choose("refresh/lakg"),
    ),
    PaperLine(
        "htraa/orders-of-magnitude",
        Kind.CLAIM,
        "H-TRAA converges orders of magnitude faster than LAKG: several times faster on sorted "
        "leaves, more and more so as pages grow; on shuffled ones it does not.",
        "laboratory.papers.htraa.fig_11_12_claims:faster_claim",
        ("htraa/fig-12#claim/learns", "htraa/fig-12#claim/learns, shuffled"),
        Verdict.CORRECTED,
        choose("refresh/htraa", "refresh/lakg"),
    ),
)
