"""Orders at the start of a robot: the last word on a page counts, however often the
lines are read.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trapline.app.engine.begin import begin_run
from trapline.app.engine.build import open_engine
from trapline.app.engine.parts import Engine
from trapline.app.folder.orders.order_file import (
    FORGET,
    REMEMBER,
    SEED,
    VISIT,
    give_order,
)
from trapline.app.settings import settings_from
from trapline.core.cards import FRINGE
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite.store import SqliteStore

URL = "http://127.0.0.1:3/a"
OTHER = "http://127.0.0.2:3/"


@pytest.mark.parametrize(
    ("orders", "kept"), [((FORGET,), False), ((FORGET, REMEMBER), True), ((), True)]
)
def test_what_was_taken_back_is_not_carried_out_again(
    orders: tuple[str, ...], kept: bool, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path)
    home = HostRow(0, "127.0.0.1:3", "http://127.0.0.1:3/")
    page = Page(0, URL, "A", "some words", 1.0, 7, "", "", 1.0, 1.0)
    store.commit(Batch(hosts=[home], urls=[UrlRow(0, URL, 0)], pages=[page]))
    store.close()
    for order in orders:
        give_order(tmp_path, order, URL)
    engine = open_engine(tmp_path, settings_from("the test", {"seeds": [URL]}))
    try:
        begin_run(engine, 2.0)
        assert (engine.holdings.collection.held(0) is not None) is kept
    finally:
        engine.close()


def engine_with(folder: Path, **values: object) -> Engine:
    return open_engine(folder, settings_from("the test", {"seeds": [URL], **values}))


def test_a_seed_is_admitted_once_and_again_by_every_robot(tmp_path: Path) -> None:
    engine = engine_with(tmp_path)
    try:
        begin_run(engine, 2.0)
        give_order(tmp_path, SEED, OTHER)
        assert engine.network.forbid("127.0.0.2:3", "127.0.0.2")
        assert engine.instructions.orders.carry_out(3.0)
        page, host = engine.holdings.book.number(OTHER)
        assert engine.controller.agenda.cards["state"][page] == FRINGE
        assert engine.controller.hosts() == host + 1
        assert engine.network.forbid("127.0.0.2:3", "127.0.0.2") is None
        assert not engine.instructions.orders.carry_out(4.0)
    finally:
        engine.close()


def test_a_seed_is_listed_where_only_listed_pages_are_visited(tmp_path: Path) -> None:
    engine = engine_with(tmp_path, discovery={"follow": False})
    try:
        begin_run(engine, 2.0)
        give_order(tmp_path, SEED, OTHER)
        engine.instructions.orders.carry_out(3.0)
        listed = engine.instructions.listed_pages
        assert listed is not None and listed.in_scope(OTHER)
        engine.holdings.collection.flush()
    finally:
        engine.close()
    engine = engine_with(tmp_path, discovery={"follow": False})
    listed = engine.instructions.listed_pages
    engine.close()
    assert listed is not None and listed.in_scope(OTHER), "before the start tidies up"


def test_a_visit_is_due_at_once_and_ordered_only_once(tmp_path: Path) -> None:
    engine = engine_with(tmp_path)
    try:
        begin_run(engine, 2.0)
        give_order(tmp_path, VISIT, URL)
        engine.instructions.orders.carry_out(3.0)
        assert np.isposinf(engine.controller.agenda.cards["base"][0])
        engine.holdings.collection.flush()
    finally:
        engine.close()
    engine = engine_with(tmp_path)
    try:
        engine.controller.unmeet([0], 4.0)  # as if it had been visited meanwhile
        begin_run(engine, 5.0)
        assert not np.isposinf(engine.controller.agenda.cards["base"][0])
        give_order(tmp_path, VISIT, URL)
        engine.instructions.orders.carry_out(6.0)
        assert np.isposinf(engine.controller.agenda.cards["base"][0])
    finally:
        engine.close()
