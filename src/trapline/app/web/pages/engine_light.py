"""Whose collection a page shows, and whether a robot is filling it: at the top of every page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trapline.app.folder.places.store_link import engine_name
from trapline.app.folder.robot_state import robot_note, robot_state
from trapline.app.web.pages.frame import ENGINE, Site
from trapline.app.web.pages.markup import NOTHING, Html, element
from trapline.core.storage import Store
from trapline.policies.wording import say_count


@dataclass(frozen=True, slots=True)
class Engine:
    name: str
    held: int
    known: int
    fringe: int
    at_work: bool  # a robot is filling the folder
    is_broker: bool = False
    others: int = 0  # engines that a broker knows besides this one
    site: Site = ENGINE

    def light(self) -> Html:
        said = "crawling" if self.at_work else "not crawling"
        others = say_count(self.others, "other engine")
        link = element("a", others, href="/engines")
        return element(
            "span",
            element("span", class_="light on" if self.at_work else "light"),
            element("span", f"{self.name}: {said}"),
            link if self.is_broker else NOTHING,
            class_="engine",
            id="engine",
        )


def engine_of(folder: Path, store: Store) -> Engine:
    counts = store.counts()
    return Engine(
        engine_name(folder),
        counts.held,
        counts.known,
        int(robot_note(store).get("fringe") or 0),
        robot_state(folder, store) == "at work",
    )
