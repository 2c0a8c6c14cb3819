"""The status of an engine, from its folder alone, also while a robot works on it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trapline.app.folder.reach_figures import reachable_counts, say_reach
from trapline.app.folder.robot_state import robot_note, robot_state
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Store
from trapline.robot.queue_gauge import QueueFigures


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
    recent: list[dict[str, Any]]  # newest visits first

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def figures(self) -> dict[str, str]:
        """For people: everything that the robot last said of itself, in the order to show it."""
        robot = self.robot
        fetchers = self.robot.get("fetchers", {})
        price = robot.get("market_price")
        shown = {
            "pages held": f"{self.pages_held:,}",
            "pages known": f"{self.pages_known:,}",
            "on the fringe": f"{robot.get('fringe', 0):,}",
            "gone": f"{robot.get('gone', 0):,}",
            "hosts": f"{self.hosts:,}",
            "visits": f"{self.visits:,}",
            "market price": f"{price:.3g}" if price else "–",  # – = none was paid
        }
        if unreached := say_reach(robot.get("out_of_reach", {})):
            shown["out of reach"] = unreached
        if unmet := robot.get("topic", {}).get("unmet"):
            shown["never met"] = unmet_line(unmet)
        if (alike := robot.get("topic", {}).get("alike")) is not None:
            shown["examples"] = alike_line(alike)
        if fetchers:
            shown |= dict(queue_parts(QueueFigures.from_dict(fetchers)))
        return shown


def status_of(folder: Path, store: Store) -> Status:
    robot = robot_note(store)
    counts = reachable_counts(store, robot)
    return Status(
        folder=str(folder),
        hosts=counts.hosts,
        pages_known=counts.known,
        pages_held=counts.held,
        visits=counts.visits,
        robot=robot,
        robot_state=robot_state(folder, store),
        recent=[_recent_visit(store, visit) for visit in store.visits(last=10)],
    )


def _recent_visit(store: Store, visit: Visit) -> dict[str, Any]:
    return {
        "url": store.url(visit.page) if visit.kind is Kind.PAGE else "robots.txt",
        "ended_s": visit.ended_s,
        "outcome": Outcome(visit.outcome).name.lower(),
        "changed": visit.changed,
        "relevance": round(visit.relevance, 3),
        "remark": visit.remark,
    }
