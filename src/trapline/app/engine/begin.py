"""What happens once, at the start of a run."""

from __future__ import annotations

import json
import math
import time

from trapline.app.engine.parts import Engine
from trapline.app.engine.watching.list_changes import apply_bounds
from trapline.app.folder.robot_state import AT_WORK
from trapline.app.settings_files.given import NOTE as GIVEN
from trapline.core.cards import GONE, UNMET
from trapline.core.links import links_to
from trapline.robot.journal import Journal


def begin_run(engine: Engine, now_s: float) -> None:
    """Take back the tickets of an earlier run, then admit the seeds and carry out orders."""
    journal = engine.control.journal
    listed_pages = engine.instructions.listed_pages
    _note_start(engine)
    journal.take_back_all(now_s)
    engine.controller.renew_gaps()
    if engine.seat is not None:
        journal.spend(engine.seat.lease.rate_per_s, now_s)
    if listed_pages is not None:
        listed_pages.tidy(engine.controller, engine.store, now_s)
    number = engine.holdings.book.number
    seeds = engine.settings.canonical_seeds()
    starts = [number(seed) for seed in seeds if not engine.is_theirs(seed)]
    _prefer_seeds(engine, [page for page, _ in starts])
    if listed_pages is None:  # `tidy` has done this for listed pages
        _retry_given_up(journal, [page for page, _ in starts], now_s)
    if engine.control.relearn:
        starts += _unmet_pages(engine)
    pages = [page for page, _ in starts]
    hosts = [host for _, host in starts]
    journal.admit(links_to(pages, hosts), now_s)
    engine.instructions.orders.carry_out(now_s)
    apply_bounds(engine, now_s)
    if engine.instructions.troubles is not None:
        engine.instructions.troubles.check_rules(now_s)


def _note_start(engine: Engine) -> None:
    collection = engine.holdings.collection
    settings = json.dumps(engine.settings.without_secrets())
    collection.note("settings", settings)  # for `why`, and for the next run
    collection.note(GIVEN, engine.given.as_note() if engine.given else "")
    collection.note(AT_WORK, "yes")
    engine.began_s = time.time()


def _prefer_seeds(engine: Engine, seeds: list[int]) -> None:
    """What the user names is shown, and not its copies."""
    holdings = engine.holdings
    for page, same_as in holdings.duplicates.prefer(seeds).items():
        holdings.collection.note_copy(page, same_as)


def _retry_given_up(journal: Journal, seeds: list[int], now_s: float) -> None:
    """Whoever names a page that was given up wants it tried again, unless it was forgotten."""
    cards = journal.controller.agenda.cards
    given_up = [
        page for page in seeds if page < len(cards) and cards["state"][page] == GONE
    ]
    journal.unmeet(
        [page for page in given_up if cards["not_before"][page] < math.inf], now_s
    )


def _unmet_pages(engine: Engine) -> list[tuple[int, int]]:
    """(page, host) of known URLs that the controller has not met."""
    cards = engine.controller.agenda.cards
    listed_pages = engine.instructions.listed_pages
    return [
        (row.page, row.host)
        for row in engine.store.urls()
        if (listed_pages is None or listed_pages.in_scope(row.url))
        and (row.page >= len(cards) or cards["state"][row.page] == UNMET)
    ]
