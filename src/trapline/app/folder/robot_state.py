"""Whether a robot is at work on a folder, and whether it is healthy: from the folder alone."""

from __future__ import annotations

import fcntl
import json
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from trapline.app.folder.places.crawl_store import figures_noted
from trapline.app.shards.shard_figures import SILENT_S, CrawlFigures
from trapline.core.errors import TraplineError
from trapline.core.storage import Store
from trapline.policies.wording import say_span

AT_WORK: Final = "at work"  # a note of the robot that only its clean end takes back
# one that has not written for so long, twice a second as it does, may be dead: its lock tells
SUSPECT_S: Final = 5.0


def robot_note(store: Store) -> dict[str, Any]:
    """What the robot last said of itself; empty = none has run yet."""
    found: dict[str, Any] = json.loads(store.note("status") or "{}")
    return found


def silence_s(robot: dict[str, Any]) -> float | None:
    """Since the robot last wrote, by the wall clock.

    What was written in the future, by a clock that was wrong, is as old as it is far off.
    """
    written_s = robot.get("written_s")
    return None if written_s is None else abs(time.time() - written_s)


def health(folder: Path, store: Store) -> tuple[bool, dict[str, Any]]:
    """(whether the robot is healthy, facts about it)"""
    try:
        counts = store.counts()
        silent_s = silence_s(robot_note(store))
        begun = bool(store.note(AT_WORK))  # and not ended
        figures = figures_noted(store)
        at_work = (silent_s is not None and silent_s <= SILENT_S) or _is_locked(folder)
    except (TraplineError, OSError, ValueError) as error:
        return False, {"status": "failing", "reason": str(error)}
    facts = {
        "pages_held": counts.held,
        "visits": counts.visits,
        "robot_silence_s": silent_s,
    }
    reason = _trouble(silent_s, begun, at_work) if figures is None else _lack(figures)
    if reason:
        return False, {"status": "failing", "reason": reason, **facts}
    return True, {"status": "ok", **facts}


def robot_state(folder: Path, store: Store) -> str:
    """In a word or two: "at work", "silent", "died", "ended" or "never ran"."""
    if (figures := figures_noted(store)) is not None:
        return figures.state
    silent_s = silence_s(robot_note(store))
    if silent_s is None:
        return "never ran"
    if not store.note(AT_WORK):
        return "ended" if silent_s <= SILENT_S or not _is_locked(folder) else "silent"
    if silent_s > SUSPECT_S and not _is_locked(folder):
        return "died"
    return "silent" if silent_s > SILENT_S else "at work"


def robot_since_s(state: str, robot: dict[str, Any]) -> float | None:
    """When a robot at work began, or one that is not last wrote; None = none has run yet."""
    since_s: float | None = robot.get("began_s") if state == "at work" else None
    return since_s or robot.get("written_s")


def robot_words(state: str, since_s: float | None) -> str:
    """Whether the robot is alive, and since when: "at work since 14:02", "died 3 min ago"."""
    if since_s is None:
        return state
    if state == "at work":
        return f"at work since {clock_time(since_s)}"
    span = say_span(round(abs(time.time() - since_s)))
    return f"silent for {span}" if state == "silent" else f"{state} {span} ago"


def held_back_words(state: str, robot: dict[str, Any]) -> str:
    """What holds the robot back now, in a line; or that there is none at work."""
    if state in ("at work", "silent"):
        return str(robot.get("held_back", {}).get("line") or "it has not said yet")
    if state == "never ran":
        return "no robot has run here yet"
    finished = robot.get("held_back", {}).get("cause") == "finished"
    done = ": nothing was left to visit" if finished and state == "ended" else ""
    return f"no robot is at work{done}; started again with the same --dir, it goes on"


def clock_time(at_s: float) -> str:
    """The time of day, with the date unless it is today's."""
    at = datetime.fromtimestamp(at_s)
    today = at.date() == datetime.now().date()
    return f"{at:%H:%M}" if today else f"{at:%Y-%m-%d %H:%M}"


def _trouble(silent_s: float | None, begun: bool, at_work: bool) -> str:
    """Why the robot is not healthy; "" = it is, or none has run."""
    if silent_s is None:
        return ""
    if at_work and silent_s > SILENT_S:
        return f"the robot has written nothing for {silent_s:.0f} s"
    if begun and not at_work:
        return f"the robot died, or was killed, {silent_s:.0f} s ago: start it again"
    return ""


def _lack(figures: CrawlFigures) -> str:
    """Which shards nobody runs, though somebody should; "" = none."""
    lapsed = [str(row.shard) for row in figures.rows if row.lapsed]
    if figures.state == "silent":
        return "its workers have said nothing for more than a minute"
    if not lapsed:
        return ""
    who = "shard" if len(lapsed) == 1 else "shards"
    return (
        f"the worker of {who} {', '.join(lapsed)} died, or was killed: start one again"
    )


def _is_locked(folder: Path) -> bool:
    """Whether a robot holds the folder.

    Asked only when it is silent, because asking holds the lock for a moment.
    """
    try:
        with (folder / "lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False
