"""Avrachenkov & Borkar 2015, line by line: numbers, random contents, and what is left open."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    PaperLine,
    Stated,
    Verdict,
    always,
    choose,
    not_live,
)

_TABLE_1: Final = "whittle/table-1"

_SEEN: Final = choose("refresh/adaptive-whittle", says="options = { observed = 1 }")

LINES: Final = (
    PaperLine(
        "whittle/table-1",
        Kind.TABLE,
        "Four sources. The index policy with one visit a slot earns 254.66: that is the mean of "
        "the first 61 slots, beginning with nothing.",
        "laboratory.papers.whittle.table_1:run",
        (
            "whittle/table-1#M=1/index policy",
            "tests/paper/test_whittle_runs.py::"
            "test_254_66_is_the_mean_of_the_first_61_slots",
        ),
        Verdict.CORRECTED,
        not_live("a table of the laboratory"),
        FromTable(_TABLE_1, "M=1/index policy", "in the long run"),
    ),
    PaperLine(
        "whittle/greedy",
        Kind.CLAIM,
        "Always crawling source 1 earns 179.79.",
        "laboratory.papers.whittle.table_1:reward_of_one",
        (
            "whittle/table-1#always source 1",
            "tests/paper/test_whittle_runs.py::test_one_source_alone_is_as_printed",
        ),
        Verdict.REPRODUCED,
        not_live("a number of the laboratory"),
        FromTable(_TABLE_1, "always source 1"),
    ),
    PaperLine(
        "whittle/fig-1",
        Kind.FIGURE,
        "How the interest in an item fades, source by source.",
        "laboratory.papers.whittle.fig_1_to_4:fig_1",
        ("whittle/fig-1",),
        Verdict.REPRODUCED,
        always("[refresh] options = { interest_half_life_s = … }"),
    ),
    PaperLine(
        "whittle/fig-2",
        Kind.FIGURE,
        "M = 1: sources 1 and 2 in turn, 3 and 4 never.",
        "laboratory.papers.whittle.fig_1_to_4:fig_2",
        (
            "whittle/fig-2",
            "tests/paper/test_whittle_runs.py::test_figure_2_sources_1_and_2_in_turn",
        ),
        Verdict.REPRODUCED,
        not_live("a picture of the laboratory"),
        FromTable(_TABLE_1, "M=1/period", "slots"),
    ),
    PaperLine(
        "whittle/fig-3",
        Kind.FIGURE,
        "M = 2: no trivial period. Source 1 always, 2 and 3 irregularly, 4 rarely.",
        "laboratory.papers.whittle.fig_1_to_4:fig_3",
        (
            "whittle/fig-3",
            "tests/paper/test_whittle_runs.py::"
            "test_figure_3_source_1_always_and_an_irregular_cycle_of_seven",
        ),
        Verdict.REPRODUCED,
        not_live("a picture of the laboratory"),
        FromTable(_TABLE_1, "M=2/period", "slots"),
    ),
    PaperLine(
        "whittle/fig-4",
        Kind.FIGURE,
        "M = 2, contents random and seen: “source 1 is crawled from time to time”. It is crawled "
        "always.",
        "laboratory.papers.whittle.fig_1_to_4:fig_4",
        (
            "whittle/fig-4",
            "tests/paper/test_whittle_runs.py::"
            "test_figure_4_source_1_is_visited_always_there_too",
        ),
        Verdict.REFUTED,
        not_live("a picture of the laboratory"),
    ),
    PaperLine(
        "whittle/eq-17",
        Kind.EQUATION,
        "The stochastic model: Poisson arrivals of random utility within a slot.",
        "theory.ephemeral.arrivals:SlotLaw",
        (
            "tests/unit/theory/ephemeral/test_observed.py::"
            "test_the_law_of_a_slot_is_that_of_its_arrivals",
            "tests/unit/laboratory/worlds/test_ephemeral.py::"
            "test_one_slot_of_the_stochastic_model_has_the_right_mean_and_variance",
        ),
        Verdict.REPRODUCED,
        not_live("the Web does it by itself"),
    ),
    PaperLine(
        "whittle/index-where-seen",
        Kind.CLAIM,
        "“The index is actually the same” where contents are seen. It is not, at low rates.",
        "theory.ephemeral.observed:ObservedIndex",
        (
            "tests/paper/test_whittle.py::"
            "test_the_index_is_not_the_same_where_contents_are_seen",
        ),
        Verdict.REFUTED,
        _SEEN,
        Stated("3.4607 where the formula says 3.82731"),
    ),
    PaperLine(
        "whittle/observed",
        Kind.OPEN,
        "“The proposed approach can also be used in the cases when some states are observed”: the "
        "right price of what feeds and sitemaps announce, in continuous time.",
        "theory.ephemeral.content_price:content_price",
        (
            "whittle/observed",
            "tests/unit/theory/ephemeral/test_content_price.py::"
            "test_it_is_the_limit_of_short_slots",
            "tests/unit/laboratory/papers/test_whittle_observed.py::"
            "test_visits_by_content_bring_more_than_by_age_or_greedily",
            "tests/unit/policies/refresh/test_announced_items.py::"
            "test_the_news_are_priced_by_the_index_of_what_is_seen",
        ),
        Verdict.EXTENDED,
        _SEEN,
        Stated("above 1.15 of what visits by age bring at low rates"),
    ),
    PaperLine(
        "whittle/price",
        Kind.CLAIM,
        "With the right multiplier the constraint holds: the price paid online is the bound's.",
        "laboratory.papers.whittle.price:run",
        (
            "whittle/price",
            "tests/unit/laboratory/papers/test_whittle_price.py::"
            "test_the_mean_price_paid_is_the_bounds_price",
        ),
        Verdict.EXTENDED,
        always("the agenda's market price"),
    ),
    PaperLine(
        "whittle/adaptive",
        Kind.OPEN,
        "An adaptive version, where rates of arrival must be estimated online.",
        "policies.refresh.adaptive_whittle:AdaptiveWhittle",
        (
            "tests/unit/policies/refresh/test_adaptive_whittle.py::"
            "test_news_rate_and_its_uncertainty",
            "lspe/learners",
        ),
        Verdict.EXTENDED,
        choose("refresh/adaptive-whittle", says='"auto", the default'),
    ),
    PaperLine(
        "whittle/freshness-too",
        Kind.OPEN,
        "Ephemeral content beside changes of the page itself: prices of both gains add.",
        "theory.price:visit_price",
        (
            "tests/unit/theory/test_price.py::"
            "test_two_gains_of_one_page_add_up_and_the_cost_divides",
            "tests/unit/policies/refresh/test_adaptive_whittle.py::"
            "test_the_price_is_the_sum_of_both_gains",
        ),
        Verdict.EXTENDED,
        choose("refresh/adaptive-whittle"),
    ),
    PaperLine(
        "whittle/indexing-engine",
        Kind.OPEN,
        "“To add to the model the dynamics of the indexing engine”: market price and response "
        "queue decide together whether another fetch is worthwhile.",
        "policies.fetchers.joint:Joint",
        (
            "whittle/joint-control",
            "tests/unit/policies/fetchers/test_joint.py::"
            "test_it_earns_more_than_control_that_knows_no_prices",
            "tests/unit/theory/queueing/test_joint_control.py::"
            "test_no_table_of_wake_ups_is_better",
        ),
        Verdict.EXTENDED,
        choose("fetchers/joint"),
        Stated("more than 1.03 of what separate control earns where reading is slow"),
    ),
)
