"""What an engine consists of, in groups that belong together."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path

from aiohttp.abc import AbstractResolver

from trapline.app.engine.followed_list import FollowedList
from trapline.app.engine.listed_pages import ListedPages
from trapline.app.engine.operator_orders import OperatorOrders
from trapline.app.engine.seed_check import on_this_machine
from trapline.app.engine.watched_pages import WatchedPages
from trapline.app.folder.label_file import LabelFile
from trapline.app.output.outlets.change_feed import ChangeFeed
from trapline.app.output.standard_output import print_remark
from trapline.app.settings import Settings
from trapline.app.settings_files.given import Given
from trapline.collection.collection import Collection
from trapline.collection.duplicates import Duplicates
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import FRINGE, GONE, HELD
from trapline.core.storage import Store
from trapline.live.loop import Loop
from trapline.net.credentials import Credentials
from trapline.net.options import Limits
from trapline.politeness.addresses import reason_forbidden
from trapline.politeness.manners import Manners
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.journal import Journal
from trapline.robot.request_controller import RequestController
from trapline.robot.response.noisy_places import NoisyPlaces
from trapline.scope.gate import Gate
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
    index: FullTextIndex
    collection: Collection
    duplicates: Duplicates

    def close(self) -> None:
        self.index.close()
        self.store.close()


@dataclass(frozen=True, slots=True)
class Control:
    """What decides: where to go next, how many fetchers work, what is relevant and in scope."""

    journal: Journal
    fetchers: FetcherController
    topic: Topic
    gate: Gate
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
        if not self.manners.contact and not on_this_machine(address):
            return f"{address} is not on this machine, and no contact is given"
        named = host_name in self.manners.named_hosts or host_name in self.seed_hosts
        return reason_forbidden(address, named_by_user=named)


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
    loop: Loop | None = None  # since it was first run
    followed_list: FollowedList | None = None  # of a watch
    # Tells people, in one line, what they should know of the run under way.
    say: Callable[[str], None] = print_remark

    @property
    def store(self) -> Store:
        return self.holdings.store

    @property
    def controller(self) -> RequestController:
        return self.control.journal.controller

    def stop(self) -> None:
        """End the run under way, cleanly."""
        if self.loop is not None:
            self.loop.stop()

    def close(self) -> None:
        """Let go of the folder, after the run has ended."""
        self.feed.close()
        self.holdings.close()

    def status_note(self) -> str:
        """The robot's own figures, for `status` in another process."""
        agenda = self.controller.agenda
        topic = self.control.topic
        figures = {
            "time_s": self.controller.now_s,
            "written_s": time.time(),
            "visits": int(agenda.tally("visits")),
            "held": agenda.count(HELD),
            "fringe": agenda.count(FRINGE),
            "gone": agenda.count(GONE),
            "market_price": agenda.tally("market"),
            "topic": {"read": topic.documents, "unmet": topic.unmet()},
            "fetchers": self.control.fetchers.figures().as_dict(),
            "switching": self.control.fetchers.switching_curves(),
        }
        return json.dumps(figures)
