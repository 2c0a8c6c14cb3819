"""The only place that puts the parts of an engine together: from a folder and settings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from aiohttp.abc import AbstractResolver

from trapline.app.engine.from_settings import (
    LivePolicies,
    accesses,
    fetcher_controller,
    live_policies,
    manners_of,
    request_controller,
    topic_of,
)
from trapline.app.engine.listed_pages import ListedPages
from trapline.app.engine.operator_orders import OperatorOrders
from trapline.app.engine.page_troubles import PageTroubles
from trapline.app.engine.parts import (
    Control,
    Engine,
    Holdings,
    Instructions,
    Network,
    Relevance,
)
from trapline.app.engine.restore import (
    learners_of,
    load_book,
    restore_controller,
    teach_held_texts,
)
from trapline.app.engine.watching.watched_pages import WatchedPages
from trapline.app.folder.label_file import LabelFile
from trapline.app.folder.orders.order_file import OrderFile, orders_in_force
from trapline.app.output.outlets.change_feed import ChangeFeed
from trapline.app.output.standard_output import print_remark
from trapline.app.settings import Settings
from trapline.app.settings_files.given import Given
from trapline.collection.collection import Collection
from trapline.collection.duplicates import Duplicates
from trapline.core.storage import Store
from trapline.net.credentials import Credentials
from trapline.net.options import Limits
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.journal import Journal
from trapline.robot.response.noisy_places import NoisyPlaces
from trapline.scope.gate import Gate
from trapline.scope.reach import Reach
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite.store import SqliteStore
from trapline.topic.topic import Topic


def open_engine(
    folder: Path,
    settings: Settings,
    *,
    limits: Limits | None = None,
    resolver: AbstractResolver | None = None,
    relevance: Relevance | None = None,
    given: Given | None = None,
) -> Engine:
    """Open the engine of a folder, or make one, and restore its state.

    Settings are checked before anything is written. `limits` and `resolver` replace the fetcher's
    own; `relevance` judges (title, text) in place of the topic; `given` is kept for the next run.
    """
    words = Words(OrderFile(folder), LabelFile(folder))
    prepared = prepare(settings, words, limits, resolver)
    store = SqliteStore(folder, say=print_remark)
    with ExitStack() as on_failure:
        on_failure.callback(store.close)
        index = FullTextIndex(folder / "index", say=print_remark)
        on_failure.callback(index.close)
        engine = assemble(Berth(folder, store, index), settings, prepared, relevance)
        on_failure.pop_all()
    engine.given = given
    return engine


class Words(NamedTuple):
    """Where people say what they want."""

    orders: OrderFile
    labels: LabelFile


@dataclass(frozen=True, slots=True)
class Berth:
    """Where an engine lies."""

    folder: Path
    store: Store
    index: FullTextIndex | None  # None = somebody else makes the pages searchable
    # whether a page is for another shard to visit
    is_theirs: Callable[[str], bool] = lambda _: False


class Prepared(NamedTuple):
    """Parts that are made before the store is opened."""

    topic: Topic
    network: Network
    words: Words
    gate: Gate
    policies: LivePolicies
    fetchers: FetcherController


def assemble(
    berth: Berth,
    settings: Settings,
    prepared: Prepared,
    relevance: Relevance | None = None,
) -> Engine:
    """An engine on an open store, with the state that an earlier run left there."""
    store = berth.store
    book = load_book(store)
    versions = settings.earlier_versions()
    collection = Collection(store, book, berth.index, versions=versions)
    holdings = Holdings(
        berth.folder, store, book, berth.index, collection, Duplicates()
    )
    control = _restore_control(settings, prepared, holdings, relevance)
    _group_duplicates(holdings)
    feed = ChangeFeed(store, collection, berth.folder, settings.output.changes)
    with ExitStack() as on_failure:
        on_failure.callback(feed.close)
        words = prepared.words
        is_theirs = berth.is_theirs
        instructions = _instructions(settings, words, holdings, control, is_theirs)
        on_failure.pop_all()
    return Engine(settings, holdings, control, instructions, prepared.network, feed)


def prepare(
    settings: Settings,
    words: Words,
    limits: Limits | None = None,
    resolver: AbstractResolver | None = None,
) -> Prepared:
    manners = manners_of(settings)
    topic = topic_of(settings.topic)
    credentials = Credentials(accesses(settings), settings.proxy())
    orders = words.orders
    return Prepared(
        topic,
        Network(
            manners,
            credentials,
            limits or Limits(),
            resolver,
            orders.in_force.seed_hosts,
        ),
        words,
        Gate(settings.scope.scope(), orders.in_force.bars),
        live_policies(settings),
        fetcher_controller(settings),
    )


def _restore_control(
    settings: Settings,
    prepared: Prepared,
    holdings: Holdings,
    relevance: Relevance | None,
) -> Control:
    topic = prepared.topic
    gate = prepared.gate
    controller = request_controller(
        settings,
        prepared.policies,
        holdings.book,
        prepared.network.manners,
        holdings.collection.robots,
    )
    store = holdings.store
    places = NoisyPlaces()
    reach = Reach(prepared.network.judge_name)
    restored = restore_controller(
        store, controller, learners_of(topic, gate, reach, places), print_remark
    )
    if restored.lost:
        teach_held_texts(store, topic, gate)
    journal = Journal(controller, holdings.collection.note_call, restored.calls)
    fetchers = prepared.fetchers
    return Control(
        journal, fetchers, topic, gate, reach, places, relevance, restored.relearn
    )


def _group_duplicates(holdings: Holdings) -> None:
    groups = holdings.duplicates.load(holdings.store.simhashes())
    for page, same_as in groups.items():
        holdings.collection.note_copy(page, same_as)


def _instructions(
    settings: Settings,
    words: Words,
    holdings: Holdings,
    control: Control,
    is_theirs: Callable[[str], bool],
) -> Instructions:
    orders = words.orders
    store = holdings.store
    collection = holdings.collection
    listed_pages = None
    troubles = None
    if not settings.discovery.follow:
        seeds = orders_in_force(holdings.folder).seeds
        listed = [*settings.canonical_seeds(), *seeds]
        listed_pages = ListedPages(listed, store, collection)
        troubles = PageTroubles(listed_pages, store, collection, holdings.book)
    return Instructions(
        words.labels,
        OperatorOrders(
            orders,
            control.journal,
            store,
            collection,
            holdings.book,
            listed_pages,
            is_theirs,
        ),
        WatchedPages(settings, listed_pages.listed_as if listed_pages else None),
        listed_pages,
        troubles,
    )
