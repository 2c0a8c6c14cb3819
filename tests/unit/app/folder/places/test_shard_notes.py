"""What the robots of several shards say, as if they were one."""

from __future__ import annotations

import json
from typing import Any

from trapline.app.folder.places.shard_notes import JOINED, join_status
from trapline.app.folder.reach_figures import SHUT
from trapline.app.output.outlets.arrears import NOTE as CHANGES


def note(**said: Any) -> str:
    fetchers = {
        "awake": 2,
        "active": 1,
        "queue": 3,
        "queue_room": 16,
        "fetch_rate": 4.0,
        "process_rate": 100.0,
        "starvation": 0.5,
        "blocked": 1,
        "blocked_s": 0.5,
    }
    usual = {
        "time_s": 5.0,
        "written_s": 6.0,
        "began_s": 1.0,
        "market_price": 2.0,
        "visits": 10,
        "held": 7,
        "fringe": 2,
        "gone": 1,
        "fetchers": fetchers,
        "held_back": {"cause": "budget", "line": "the budget is used up"},
        "topic": {"read": 7, "unmet": ["moon", "tide"], "alike": 0.5},
        "out_of_reach": {"hosts": {"no contact": 1, "in another shard": 4}},
    }
    return json.dumps({**usual, **said})


def joined(*notes: str) -> Any:
    return json.loads(join_status(list(notes)))


def test_counts_are_sums_and_times_the_newest() -> None:
    found = joined(note(), note(visits=1, fringe=5, written_s=9.0, began_s=0.5))
    assert (found["visits"], found["held"], found["fringe"]) == (11, 14, 7)
    assert (found["written_s"], found["began_s"]) == (9.0, 0.5)


def test_prices_are_means_of_those_that_were_paid() -> None:
    assert joined(note(), note(market_price=4.0))["market_price"] == 3.0
    assert joined(note(), note(market_price=0.0))["market_price"] == 2.0


def test_fetchers_add_up_and_their_rates_do_not() -> None:
    fetchers = joined(note(), note(), note())["fetchers"]
    assert (fetchers["awake"], fetchers["process_rate"]) == (6, 300.0)
    assert (fetchers["fetch_rate"], fetchers["starvation"]) == (4.0, 0.5)


def test_a_word_is_unmet_if_no_shard_has_met_it() -> None:
    met = {"read": 1, "unmet": ["tide"], "alike": None}
    assert joined(note(), note(topic=met))["topic"]["unmet"] == ["tide"]
    assert joined(note(), note(topic=met))["topic"]["alike"] is None


def test_the_cause_that_holds_most_shards_back_is_told() -> None:
    gap = {"cause": "gap", "line": "a gap"}
    found = joined(note(held_back=gap), note(), note(written_s=1.0))
    assert found["held_back"]["line"] == "the budget is used up (2 of 3 shards)"
    assert joined(note())["held_back"]["line"] == "the budget is used up"


def test_hosts_that_another_shard_visits_are_not_out_of_reach() -> None:
    assert joined(note(), note())["out_of_reach"] == {"hosts": {"no contact": 2}}
    shut = [
        json.dumps({"a:80": "in another shard"}),
        json.dumps({"b:80": "no contact"}),
    ]
    assert json.loads(JOINED[SHUT](shut)) == {"b:80": "no contact"}


def test_an_outlet_is_in_arrears_with_the_changes_of_all_shards() -> None:
    calm = {"name": "x", "told": 3, "trouble": "", "named": True}
    late = {**calm, "told": 4, "trouble": "it answered 500", "since_s": 1.0}
    notes = [json.dumps({"x": calm}), json.dumps({"x": late})]
    [found] = json.loads(JOINED[CHANGES](notes)).values()
    assert (found["told"], found["trouble"]) == (7, "it answered 500")
    assert found["named"]
