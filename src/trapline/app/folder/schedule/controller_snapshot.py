"""The request controller of a folder as of one moment, also beside a robot at work.

It is brought back as the robot would bring it back (last checkpoint, then the calls since), from
one snapshot of the store; nothing is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from trapline.app.engine.from_settings import (
    live_policies,
    manners_of,
    request_controller,
)
from trapline.app.engine.restore import load_book, restore_controller
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.store_link import shown_place
from trapline.app.settings import Settings, settings_from
from trapline.collection.url_book import HashUrlBook
from trapline.core.errors import ScheduleMissing
from trapline.core.storage import SteadyStore, Store
from trapline.robot.request_controller import RequestController


class ControllerSnapshot(NamedTuple):
    settings: Settings
    book: HashUrlBook
    controller: RequestController
    store: Store


@contextmanager
def controller_snapshot(folder: Path) -> Iterator[ControllerSnapshot]:
    """Of an engine of one process; ScheduleMissing if no robot has run there."""
    store = open_for_reading(folder)
    try:
        with controller_of(store, folder) as found:
            yield found
    finally:
        store.close()


@contextmanager
def controller_of(store: SteadyStore, folder: Path) -> Iterator[ControllerSnapshot]:
    """The same of one part of a store: shards have a controller each."""
    with store.snapshot():
        settings = settings_noted(store, folder)
        book = load_book(store)
        controller = request_controller(
            settings,
            live_policies(settings),
            book,
            manners_of(settings),
            store.robots,
        )
        restore_controller(store, controller)
        yield ControllerSnapshot(settings, book, controller, store)


def settings_noted(store: Store, folder: Path) -> Settings:
    """The settings of the last robot that ran on a folder; ScheduleMissing if none has."""
    said = store.note("settings")
    if said is None:  # no robot has run here since notes are taken
        raise ScheduleMissing(shown_place(folder))
    return settings_from(f"the engine in {shown_place(folder)}", json.loads(said))
