"""The status of an engine, from its folder alone, also while a robot works on it."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from trapline.app.folder.places.crawl_store import figures_noted
from trapline.app.folder.places.store_link import shown_place
from trapline.app.folder.reach_figures import reachable_counts, say_reach
from trapline.app.folder.robot_state import (
    clock_time,
    held_back_words,
    robot_note,
    robot_since_s,
    robot_state,
    robot_words,
)
from trapline.app.folder.visit_counts import (
    LOOK_BACK,
    ON_TOPIC,
    VisitCounts,
    asked_for,
    count_visits,
)
from trapline.app.folder.visit_words import name_finding
from trapline.app.output.outlets.arrears import Arrears, arrears_of
from trapline.app.shards.shard_figures import CrawlFigures, ShardFigures, sums_of
from trapline.core.ledger import WorkerRow
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Store
from trapline.robot.queue_gauge import QueueFigures

_RECENT: Final = 10  # visits


def queue_parts(fetchers: QueueFigures) -> list[tuple[str, str]]:
    """The fetchers and the response queue, as people read them."""
    return [
        ("fetchers at work", f"{fetchers.active} of {fetchers.awake} awake"),
        ("queue", f"{fetchers.queue} of {fetchers.queue_room}"),
        ("λ per fetcher", _per_second(fetchers.fetch_rate)),
        ("μ processor", _per_second(fetchers.process_rate)),
        ("starved", f"{fetchers.starvation:.0%}"),
        ("blocked", f"{fetchers.blocked:,} ({fetchers.blocked_s:.1f} s)"),
    ]


def _per_second(rate: float) -> str:
    if math.isnan(rate):
        return "–"
    return f"{rate:,.0f}/s" if rate >= 100.0 else f"{rate:.3g}/s"


def unmet_line(words: list[str]) -> str:
    """What to say of topic words that no page had.

    >>> unmet_line(["galaxy"])
    'No page so far has the topic word galaxy: is it spelt as pages spell it?'
    """
    if len(words) == 1:
        return (
            f"No page so far has the topic word {words[0]}: "
            "is it spelt as pages spell it?"
        )
    return (
        f"No page so far has any of the topic words {', '.join(words)}: "
        "are they spelt as pages spell them?"
    )


def alike_line(share: float) -> str:
    """What to say of examples that do not tell pages apart: so many of the pages met are like them.

    >>> alike_line(0.968)
    'The examples do not tell pages apart (97 % of the pages met are like them): add words, \
another example or a counter-example.'
    >>> alike_line(0.0)[:68]
    'The examples do not tell pages apart (no page met so far is like the'
    """
    found = f"{share:.0%}".replace("%", " % of the pages met are like them")
    return (
        "The examples do not tell pages apart "
        f"({found if share > 0.0 else 'no page met so far is like them'}): "
        "add words, another example or a counter-example."
    )


@dataclass(frozen=True, slots=True)
class Status:
    folder: str
    hosts: int
    pages_known: int
    pages_held: int
    visits: int
    # the robot's own figures as of its last note; empty if none has run yet
    robot: dict[str, Any]
    robot_state: str  # "at work", "ended", "died", "silent" or "never ran"
    # when a robot at work began, or one that is not last wrote; None = none has run
    robot_since_s: float | None
    held_back: str  # by what, in a line, with what would lift it
    topic: str  # in words; "" = none, all pages are worth the same
    pages_on_topic: int  # held ones with a relevance of at least ½
    lately: VisitCounts
    undelivered: list[Arrears]  # changes that wait, by the outlet that is to be told
    recent: list[dict[str, Any]]  # newest visits first
    # of a crawl in shards; else there are none
    shards: list[ShardFigures] = field(default_factory=list)
    workers: list[WorkerRow] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def figures(self) -> dict[str, str]:
        """For people: everything that the robot last said of itself, in the order to show it."""
        robot = self.robot
        fetchers = self.robot.get("fetchers", {})
        price = robot.get("market_price")
        shown = {
            "robot": robot_words(self.robot_state, self.robot_since_s),
            "held back by": self.held_back,
            "topic": self.topic or "none: all pages are worth the same",
            "pages held": f"{self.pages_held:,}",
            "pages known": f"{self.pages_known:,}",
            "on the fringe": f"{robot.get('fringe', 0):,}",
            "gone": f"{robot.get('gone', 0):,}",
            "hosts": f"{self.hosts:,}",
            "visits": f"{self.visits:,}",
            "market price": f"{price:.3g}" if price else "–",  # – = none was paid
        }
        if self.shards:
            shown |= sums_of(CrawlFigures(self.shards, self.workers))
        if unreached := say_reach(robot.get("out_of_reach", {})):
            shown["out of reach"] = unreached
        if self.topic:
            shown["on topic"] = self._on_topic()
        if self.lately.counted:
            over = f"of the last {self.lately.counted:,} visits, robots.txt counted"
            shown["outcomes"] = f"{_say_counts(self.lately.outcomes)} ({over})"
            shown["statuses"] = _say_counts(self.lately.statuses)
        if self.undelivered:
            shown["not told yet"] = "; ".join(map(say_arrears, self.undelivered))
        if unmet := robot.get("topic", {}).get("unmet"):
            shown["never met"] = unmet_line(unmet)
        if (alike := robot.get("topic", {}).get("alike")) is not None:
            shown["examples"] = alike_line(alike)
        if fetchers and self.robot_state in ("at work", "silent"):
            shown |= dict(queue_parts(QueueFigures.from_dict(fetchers)))
        return shown

    def _on_topic(self) -> str:
        """The harvest rate, and the share of the collection."""
        lately = self.lately
        said = []
        if lately.harvest_rate is not None:
            over = f"the last {lately.harvested:,} pages read"
            said.append(f"{lately.harvest_rate:.0%} of {over}")
        if self.pages_held:
            share = self.pages_on_topic / self.pages_held
            said.append(f"{share:.0%} of the {self.pages_held:,} held")
        return ", ".join(said) or "–"


def say_arrears(arrears: Arrears) -> str:
    """
    >>> say_arrears(Arrears("https://a.org/… (3f2a)", 2, "it answered 500", None))
    '2 changes to https://a.org/… (3f2a) (it answered 500)'
    """
    said = f"{arrears.changes:,} change{'s' * (arrears.changes != 1)} to {arrears.name}"
    if not arrears.trouble:
        return said
    when = (
        f", since {clock_time(arrears.since_s)}" if arrears.since_s is not None else ""
    )
    return f"{said} ({arrears.trouble}{when})"


def _say_counts(counts: dict[str, int]) -> str:
    """
    >>> _say_counts({"ok": 1200, "gone": 3})
    '1,200 × ok, 3 × gone'
    """
    return ", ".join(f"{count:,} × {name}" for name, count in counts.items())


def status_of(folder: Path, store: Store) -> Status:
    robot = robot_note(store)
    counts = reachable_counts(store, robot)
    state = robot_state(folder, store)
    figures = figures_noted(store) or CrawlFigures([], [])
    visits = store.visits(last=LOOK_BACK)
    return Status(
        folder=shown_place(folder),
        hosts=counts.hosts,
        pages_known=counts.known,
        pages_held=counts.held,
        visits=counts.visits,
        robot=robot,
        robot_state=state,
        robot_since_s=robot_since_s(state, robot),
        held_back=held_back_words(state, robot),
        topic=_topic(store),
        pages_on_topic=store.count_relevant(ON_TOPIC),
        lately=count_visits(store, visits),
        undelivered=[one for one in arrears_of(store) if one.changes > 0],
        recent=[_recent_visit(store, visit) for visit in visits[:_RECENT]],
        shards=figures.rows,
        workers=figures.workers,
    )


def _topic(store: Store) -> str:
    """As the settings of the last run say it."""
    table = json.loads(store.note("settings") or "{}").get("topic") or {}
    parts = [str(table.get("words", ""))]
    for key, name in (("examples", "example"), ("against", "counter-example")):
        if count := len(table.get(key, ())):
            parts.append(f"{count} {name}{'s' * (count > 1)}")
    return ", ".join(filter(None, parts))


def _recent_visit(store: Store, visit: Visit) -> dict[str, Any]:
    is_page = visit.kind is Kind.PAGE
    return {
        "url": asked_for(store, visit),
        "ended_s": visit.ended_s,
        "outcome": Outcome(visit.outcome).name.lower(),
        "found": _name_finding(store, visit) if is_page else visit.outcome.name.lower(),
        "changed": visit.changed,
        "relevance": round(visit.relevance, 3),
        "remark": visit.remark,
    }


def _name_finding(store: Store, visit: Visit) -> str:
    first = store.first_visit(visit.page)
    is_first = first is None or first.number >= visit.number
    return name_finding(visit.outcome, changed=visit.changed, first=is_first)
