"""O'Meara & Patel, line by line: the robot, its parts, and how it is judged."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    Kind,
    PaperLine,
    Verdict,
    always,
    by_command,
    choose,
)

_ESTIMATED: Final = by_command(
    "`trapline status` estimates it; `trapline demo` knows its web and measures it"
)

LINES: Final = (
    PaperLine(
        "omeara/fig-1",
        Kind.FIGURE,
        "Oasis: engines that specialise and pass queries on to each other.",
        "oasis.federation:Federation",
        (
            "tests/e2e/test_federation_demo.py::"
            "test_engines_hold_their_topics_and_answer_as_one",
        ),
        Verdict.EXTENDED,
        by_command("`trapline demo --engines 4`, `trapline engines`"),
    ),
    PaperLine(
        "omeara/fig-2",
        Kind.FIGURE,
        "The robot: request controller, fetchers, fetcher controller, response queue, response "
        "processor, collection.",
        "robot.request_controller:RequestController",
        ("tests/contract/test_same_tickets.py::test_three_paths_one_sequence",),
        Verdict.REPRODUCED,
        always("the circle of the live loop"),
    ),
    PaperLine(
        "omeara/eq-1",
        Kind.EQUATION,
        "Recall and freshness of a collection, by relevance; a modified page is another page.",
        "laboratory.runs.measures:quality",
        (
            "tests/paper/test_omeara_measures.py::"
            "test_recall_freshness_quality_and_performance_are_those_worked_out_by_hand",
        ),
        Verdict.REPRODUCED,
        _ESTIMATED,
    ),
    PaperLine(
        "omeara/eq-2",
        Kind.EQUATION,
        "Quality is the smaller of recall and freshness.",
        "laboratory.runs.measures:Quality",
        (
            "tests/paper/test_omeara_measures.py::"
            "test_the_same_at_one_instant_from_what_is_held",
        ),
        Verdict.REPRODUCED,
        _ESTIMATED,
    ),
    PaperLine(
        "omeara/eq-3",
        Kind.EQUATION,
        "Performance is the integral of quality over the schedule.",
        "laboratory.runs.measures:Performance",
        (
            "tests/paper/test_omeara_measures.py::"
            "test_recall_freshness_quality_and_performance_are_those_worked_out_by_hand",
            "omeara/full-model",
        ),
        Verdict.REPRODUCED,
        _ESTIMATED,
    ),
    PaperLine(
        "omeara/fetcher-controller",
        Kind.OPEN,
        "Average-reward reinforcement learning for the number of fetchers.",
        "policies.fetchers.average_reward:AverageReward",
        (
            "tests/unit/policies/fetchers/test_average_reward.py::"
            "test_a_small_queue_is_learnt_to_within_a_tenth",
            "talim/learners",
        ),
        Verdict.EXTENDED,
        choose("fetchers/average-reward"),
    ),
    PaperLine(
        "omeara/rapid-fire",
        Kind.ASSUMPTION,
        "A minimum time between requests to one server.",
        "robot.agenda.host_turns:land",
        (
            "tests/property/test_no_host_hurried.py::test_no_host_is_hurried",
            "tests/property/test_no_host_hurried.py::test_no_host_is_hurried_by_discovery",
        ),
        Verdict.EXTENDED,
        always("[manners] gap_s, a second at the least on hosts of others"),
    ),
    PaperLine(
        "omeara/links-first",
        Kind.ASSUMPTION,
        "A document cannot be requested before one that links to it was retrieved.",
        "laboratory.runs.graph_traversal:traverse",
        (
            "tests/unit/laboratory/runs/test_graph_traversal.py::"
            "test_every_fetch_but_a_seed_follows_a_link",
        ),
        Verdict.REPRODUCED,
        always("pages are found by links, feeds and sitemaps"),
    ),
    PaperLine(
        "omeara/relevance",
        Kind.ASSUMPTION,
        "Relevance is given, by a vector space model; here it is learnt from words and examples.",
        "topic.topic:Topic",
        (
            "tests/unit/topic/test_topic.py::"
            "test_however_a_topic_is_given_its_pages_belong_and_others_do_not",
        ),
        Verdict.EXTENDED,
        always("[topic] words, examples, against"),
    ),
)
