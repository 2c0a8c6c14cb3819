"""O'Meara & Patel, line by line: what it earns on one graph."""

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

_FIG_4: Final = "omeara/fig-4"

LINES: Final = (
    PaperLine(
        "omeara/fig-3",
        Kind.FIGURE,
        "Performance against traversals of one graph: 96 % of the upper bound after 30.",
        "laboratory.papers.omeara.fig_3:run",
        (
            "omeara/fig-3#claim/near",
            "tests/paper/test_omeara.py::"
            "test_ninety_five_per_cent_of_the_upper_bound_after_thirty",
        ),
        Verdict.REPRODUCED,
        choose("discovery/q-learning", says="a web crawled again and again is learnt"),
        FromTable(
            _FIG_4,
            "q-learning/performance of the whole traversal, of the bound",
            "of the upper bound, printed .96",
        ),
    ),
    PaperLine(
        "omeara/worse-at-first",
        Kind.CLAIM,
        "With Q = 0 the first traversals are worse than random. They are nothing but the rule for "
        "ties: so at random or to the last, not to the first, which is breadth-first.",
        "laboratory.papers.omeara.fig_3:claims_of",
        (
            "tests/paper/test_omeara.py::test_the_first_traversals_are_worse_than_random",
            "tests/paper/test_omeara.py::"
            "test_between_equals_the_first_comes_first_is_breadth_first_and_no_worse_than_"
            "random_here",
        ),
        Verdict.CORRECTED,
        choose("discovery/q-learning", says='options = { ties = "random" }'),
    ),
    PaperLine(
        "omeara/passes-greedy",
        Kind.CLAIM,
        "Fringe-greedy, though an oracle, is exceeded after seven traversals.",
        "laboratory.papers.omeara.fig_3:first_above",
        (
            "tests/paper/test_omeara.py::"
            "test_fringe_greedy_is_passed_within_ten_traversals",
            "omeara/fig-3#claim/passes",
        ),
        Verdict.REPRODUCED,
        choose("discovery/q-learning"),
        Stated("after 2 and within 10 traversals"),
    ),
    PaperLine(
        "omeara/children",
        Kind.CLAIM,
        "In eq. (10) children count with the control that they get next. Read to the letter (left "
        "alone) it learns less where the topic is rare.",
        "laboratory.papers.omeara.fig_3:claims_of",
        ("tests/paper/test_omeara.py::test_to_the_letter_it_learns_less",),
        Verdict.CORRECTED,
        choose("discovery/q-learning", says='options = { children = "passive" }'),
        Stated("0.965 of the bound where the topic is common, and 0.99 if they count"),
    ),
    PaperLine(
        "omeara/fig-4",
        Kind.FIGURE,
        "The first 700 documents: low scores are requested sooner, and lead on.",
        "laboratory.papers.omeara.fig_4_5:fig_4",
        (
            "omeara/fig-4#claim/sooner",
            "tests/paper/test_omeara.py::"
            "test_poor_pages_that_lead_on_are_asked_for_sooner",
        ),
        Verdict.REPRODUCED,
        choose("discovery/q-learning"),
        FromTable(
            _FIG_4,
            "q-learning/poor pages among the first 100",
            "poor pages of the first 100; fringe-greedy: none",
        ),
    ),
    PaperLine(
        "omeara/paid-after-700",
        Kind.CLAIM,
        "That it pays within 700 documents, as the picture suggests: documents 351 to 700 are "
        "better, the sum of all 700 is not yet.",
        "laboratory.papers.omeara.fig_4_5:claims_of",
        ("omeara/fig-4#claim/paid",),
        Verdict.REFUTED,
        not_live("it is about the first 700 of thirty traversals"),
        FromTable(_FIG_4, "claim/paid", "of the bound beside fringe-greedy"),
    ),
    PaperLine(
        "omeara/fig-5",
        Kind.FIGURE,
        "Fringe-greedy takes the best in sight and stays away from the bound.",
        "laboratory.papers.omeara.fig_4_5:fig_5",
        ("omeara/fig-5#claim/fails",),
        Verdict.REPRODUCED,
        not_live("fringe-greedy is an oracle: see omeara/fringe-greedy"),
        FromTable(
            _FIG_4,
            "fringe-greedy/performance of the whole traversal, of the bound",
            "of the bound",
        ),
    ),
)
