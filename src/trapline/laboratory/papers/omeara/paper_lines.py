"""O'Meara & Patel, line by line. A new line is one more record."""

from __future__ import annotations

from typing import Final

from trapline.laboratory.study.paper_line import (
    FromTable,
    Kind,
    PaperLine,
    Stated,
    Verdict,
    always,
    by_command,
    choose,
    not_live,
)

_ESTIMATED: Final = by_command(
    "`trapline status` estimates it; `trapline demo` knows its web and measures it"
)
_FIG_4: Final = "omeara/fig-4"

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
        "omeara/eq-9",
        Kind.EQUATION,
        "The index of a page is Q(x, 1) − Q(x, 2), of fetching it over leaving it.",
        "policies.discovery.q_learning:QLearning",
        (
            "tests/unit/policies/discovery/test_q_learning.py::"
            "test_the_index_is_q_1_less_q_2_which_fades_as_the_page_is_left",
        ),
        Verdict.REPRODUCED,
        choose("discovery/q-learning"),
    ),
    PaperLine(
        "omeara/eq-10",
        Kind.EQUATION,
        "The update of Q: the reward, what the page becomes, and the children that it shows.",
        "policies.discovery.q_learning:QLearning.discover",
        ("tests/unit/policies/discovery/test_q_learning.py::test_eq_10_by_hand",),
        Verdict.REPRODUCED,
        choose("discovery/q-learning"),
    ),
    PaperLine(
        "omeara/eq-10-at-once",
        Kind.CLAIM,
        "To the letter a step costs as much as the fringe is long; in closed form it does not.",
        "policies.discovery.q_learning:QLearning",
        (
            "tests/unit/policies/discovery/test_q_learning.py::"
            "test_the_closed_form_is_the_letter",
        ),
        Verdict.EXTENDED,
        choose("discovery/q-learning"),
    ),
    PaperLine(
        "omeara/eq-11",
        Kind.EQUATION,
        "The reward of a first retrieval, of a page found modified, of one found deleted.",
        "theory.discovery.reward:reward",
        (
            "tests/unit/theory/discovery/test_reward.py::test_every_case",
            "tests/unit/policies/discovery/test_q_learning.py::"
            "test_revisits_are_steps_of_eq_10_too",
        ),
        Verdict.REPRODUCED,
        choose("discovery/q-learning"),
    ),
    PaperLine(
        "omeara/exploration",
        Kind.POLICY,
        "ε-greedy: with a small probability any page, whatever its index.",
        "policies.discovery.q_learning:QLearning",
        (
            "tests/unit/policies/discovery/test_q_learning.py::"
            "test_epsilon_is_the_share_of_pages_fetched_at_once",
        ),
        Verdict.REPRODUCED,
        choose("discovery/q-learning", says="options = { epsilon = 0.05 }"),
    ),
    PaperLine(
        "omeara/random",
        Kind.POLICY,
        "The lower bound of Figure 3: any page of the fringe, all equally likely.",
        "policies.discovery.random_order:RandomOrder",
        (
            "tests/unit/policies/discovery/test_shared.py::"
            "test_random_chooses_any_page_of_the_fringe_with_the_same_chance",
        ),
        Verdict.REPRODUCED,
        choose("discovery/random"),
    ),
    PaperLine(
        "omeara/fringe-greedy",
        Kind.POLICY,
        "Requests by the page's own score, which nobody knows before the page is fetched: an "
        "oracle. What can be had is the best score of the pages that link to it.",
        "policies.discovery.best_first:BestFirst",
        (
            "tests/paper/test_omeara.py::test_the_order_of_all",
            "tests/unit/policies/discovery/test_shared.py::"
            "test_best_first_rises_and_never_falls",
        ),
        Verdict.CORRECTED,
        choose("discovery/best-first", "discovery/breadth-first"),
    ),
    PaperLine(
        "omeara/upper-bound",
        Kind.CLAIM,
        "The upper bound is the schedule by relevance, links or no links. What links leave of it "
        "is Horn's order of the dominator tree.",
        "theory.discovery.dominator_bound:dominator_bound",
        (
            "tests/paper/test_omeara.py::test_the_order_of_all",
            "tests/property/test_discovery_bounds.py::"
            "test_no_schedule_exceeds_a_bound_at_any_horizon",
        ),
        Verdict.EXTENDED,
        not_live("a bound needs to know the whole web"),
        Stated("the dominator bound is above 0.99 of it"),
    ),
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
        ),
        Verdict.EXTENDED,
        choose(
            "refresh/adaptive-whittle", "discovery/value", says="one queue of prices"
        ),
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
