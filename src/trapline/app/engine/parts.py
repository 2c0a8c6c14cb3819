"""What an engine consists of, in groups that belong together."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp.abc import AbstractResolver

from trapline.app.engine.listed_pages import ListedPages
from trapline.app.engine.operator_orders import OperatorOrders
from trapline.app.engine.page_troubles import PageTroubles
from trapline.app.engine.seed_check import on_this_machine
from trapline.app.engine.watching.followed_list import FollowedList
from trapline.app.engine.watching.watched_pages import WatchedPages
from trapline.app.folder.label_file import LabelFile
from trapline.app.output.outlets.change_feed import ChangeFeed
from trapline.app.output.standard_output import print_remark
from trapline.app.settings import Settings
from trapline.app.settings_files.given import Given
from trapline.app.shards.seat import Seat
from trapline.collection.collection import Collection
from trapline.collection.duplicates import Duplicates
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import FRINGE, GONE, HELD
from trapline.core.storage import Store
from trapline.live.loop import Loop
from trapline.net.credentials import Credentials
from trapline.net.options import Limits
from trapline.politeness.addresses import is_ip_address, reason_forbidden
from trapline.politeness.manners import Manners
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.hindrances.held_back import HeldBack, Surroundings, held_back
from trapline.robot.journal import Journal
from trapline.robot.request_controller import RequestController
from trapline.robot.response.noisy_places import NoisyPlaces
from trapline.scope.gate import Gate
from trapline.scope.reach import Obstacle, Reach
from trapline.search.index import FullTextIndex
from trapline.topic.topic import Topic

# Judges (title, text) in place of the topic.
Relevance = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the engine holds in its folder: URLs, documents, and the index over them."""

    folder: Path
    store: Store
    book: HashUrlBook
    index: FullTextIndex | None  # None = somebody else makes the pages searchable
    collection: Collection
    duplicates: Duplicates

    def close(self) -> None:
        if self.index is not None:
            self.index.close()
        self.store.close()


@dataclass(frozen=True, slots=True)
class Control:
    """What decides: where to go next, how many fetchers work, what is relevant and in scope."""

    journal: Journal
    fetchers: FetcherController
    topic: Topic
    gate: Gate
    reach: Reach
    places: NoisyPlaces
    relevance: Relevance | None = None
    # The journal could not be replayed: the schedule since the checkpoint is learnt anew.
    relearn: bool = False


@dataclass(frozen=True, slots=True)
class Instructions:
    """What people tell the engine beside its settings."""

    labels: LabelFile
    orders: OperatorOrders
    watched: WatchedPages
    # Only these pages are visited, and no link is followed; None = links are followed.
    listed_pages: ListedPages | None = None
    troubles: PageTroubles | None = None  # of listed pages


@dataclass(frozen=True, slots=True)
class Network:
    """How hosts are reached, and which of their addresses may be."""

    manners: Manners
    credentials: Credentials  # what single hosts are sent: secrets
    limits: Limits
    resolver: AbstractResolver | None = None  # of host names; None = the system's
    seed_hosts: Set[str] = frozenset()  # of seeds that people order, also later

    def forbid(self, host_name: str, address: str) -> str | None:
        """Why an address may not be contacted; None = it may."""
        if self._lacks_contact(address):
            return f"{address} is not on this machine, and no contact is given"
        named = host_name in self.manners.named_hosts or host_name in self.seed_hosts
        return reason_forbidden(address, named_by_user=named)

    def obstacle(self, host_name: str, address: str) -> Obstacle | None:
        """The same in a word."""
        if self.forbid(host_name, address) is None:
            return None
        lacking = self._lacks_contact(address)
        return Obstacle.NO_CONTACT if lacking else Obstacle.PRIVATE

    def judge_name(self, host_name: str) -> Obstacle | None:
        """What keeps us from a host as far as its name:port tells: only an address does."""
        name = host_name.rpartition(":")[0].strip("[]")
        return self.obstacle(host_name, name) if is_ip_address(name) else None

    def _lacks_contact(self, address: str) -> bool:
        return not self.manners.contact and not on_this_machine(address)


@dataclass(slots=True)
class Engine:
    """A robot on its folder. `build.open_engine` makes one, `run.run_engine` runs it."""

    settings: Settings
    holdings: Holdings
    control: Control
    instructions: Instructions
    network: Network
    feed: ChangeFeed
    given: Given | None = None  # what the next run is to go on with; None = settings
    seat: Seat | None = None  # among the shards of a crawl; None = it has all of it
    loop: Loop | None = None  # since it was first run
    followed_list: FollowedList | None = None  # of a watch
    began_s: float | None = None  # the run under way, by the wall clock
    saved_s: float | None = None  # when a checkpoint had all there was, likewise
    held_back: HeldBack | None = None  # as of the last note
    # Hears the log's line of each visit, at once.
    hear_visit: Callable[[dict[str, Any]], None] = lambda _: None
    # Tells people, in one line, what they should know of the run under way.
    say: Callable[[str], None] = print_remark

    @property
    def store(self) -> Store:
        return self.holdings.store

    @property
    def controller(self) -> RequestController:
        return self.control.journal.controller

    def is_theirs(self, url: str) -> bool:
        """Whether a page is for another shard to visit."""
        return self.seat is not None and self.seat.is_theirs(url)

    def stop(self) -> None:
        """End the run under way, cleanly."""
        if self.loop is not None:
            self.loop.stop()

    def close(self) -> None:
        """Let go of the folder, after the run has ended."""
        self.feed.close()
        self.holdings.close()

    def note_saved(self) -> None:
        self.saved_s = time.time()

    def status_note(self) -> str:
        """The robot's own figures, for `status` in another process."""
        agenda = self.controller.agenda
        topic = self.control.topic
        self.held_back = self._explain_pace()
        figures = {
            "time_s": self.controller.now_s,
            "written_s": time.time(),
            "began_s": self.began_s,
            "held_back": self.held_back.as_dict(),
            "visits": int(agenda.tally("visits")),
            "held": agenda.count(HELD),
            "fringe": agenda.count(FRINGE),
            "gone": agenda.count(GONE),
            "market_price": agenda.tally("market"),
            "topic": {
                "read": topic.documents,
                "unmet": topic.unmet(),
                "alike": topic.alike(),
            },
            "out_of_reach": self.out_of_reach(),
            "fetchers": self.control.fetchers.figures().as_dict(),
            "switching": self.control.fetchers.switching_curves(),
        }
        return json.dumps(figures)

    def out_of_reach(self) -> dict[str, dict[str, int]]:
        """Hosts that can never be visited, and links to them."""
        reach = self.control.reach
        struck = reach.struck
        numbered = {"hosts": len(struck), "pages": sum(struck.values())}
        return {"hosts": reach.hosts(), "links": reach.links(), "numbered": numbered}

    def _explain_pace(self) -> HeldBack:
        """What holds the robot back now; with 100,000 hosts that takes some milliseconds."""
        loop = self.loop
        around = Surroundings(
            self.control.fetchers.figures(),
            self.settings.fetchers.most,
            self.holdings.book.host_name,
            store_locked=loop is not None and loop.is_held,
        )
        now_s = self.controller.now_s if loop is None else loop.now_s
        return held_back(self.controller, around, now_s)
