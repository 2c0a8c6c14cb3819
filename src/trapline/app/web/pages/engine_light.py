"""Whose collection a page shows, and whether a robot is filling it: at the top of every page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trapline.app.folder.metrics import SILENT_S, robot_note, silence_s
from trapline.app.folder.status import AT_WORK
from trapline.app.web.pages.markup import Html, element
from trapline.core.storage import Store


@dataclass(frozen=True, slots=True)
class Engine:
    name: str
    held: int
    known: int
    fringe: int
    at_work: bool  # a robot is filling the folder
    has_run: bool  # one has, at some time

    def light(self) -> Html:
        said = "crawling" if self.at_work else "robot not running"
        return element(
            "span",
            element("span", class_="light on" if self.at_work else "light"),
            f"{self.name}: {said}",
            class_="engine",
            id="engine",
        )


def engine_of(folder: Path, store: Store) -> Engine:
    counts = store.counts()
    robot = robot_note(store)
    silent_s = silence_s(robot)
    begun = bool(store.note(AT_WORK))
    return Engine(
        folder.resolve().name,
        counts.held,
        counts.known,
        int(robot.get("fringe") or 0),
        begun and silent_s is not None and silent_s <= SILENT_S,
        silent_s is not None,
    )
