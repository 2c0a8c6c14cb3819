"""A list that changes while it is watched: new pages are admitted, others dropped, new rules take
effect at once.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from typing import Final

from trapline.app.engine.listed_pages import ListedPages
from trapline.app.engine.parts import Engine
from trapline.app.output.page_names import NAMELESS, note_names
from trapline.app.settings import Settings
from trapline.app.settings_files.settings_changes import changes_between
from trapline.core.cards import FRINGE, HELD
from trapline.core.errors import TraplineError
from trapline.core.urls import host_of
from trapline.policies.wording import say_count
from trapline.robot.page_intervals import NO_BOUNDS

LOOK_EVERY_S: Final = 2.0
_LIST: Final = ("seeds", "watch", "extract")  # what takes effect at once


async def follow_list(engine: Engine, now: Callable[[], float]) -> None:
    """Look at the list again and again; for a broken one the old one stays in force."""
    listed = engine.instructions.listed_pages
    followed = engine.followed_list
    if listed is None:
        await asyncio.Event().wait()
        return
    dropped: set[int] = set()
    known = listed.size
    last = engine.settings
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        try:
            settings = await asyncio.to_thread(followed.news) if followed else None
        except TraplineError as mistake:
            engine.say(f"the list has changed, but stays in force as it was: {mistake}")
            settings = None
        if settings is not None:
            if _list_differs(last, settings):
                dropped |= take_list(engine, listed, settings, now())
            _say_others(engine, last, settings)
            last = settings
        if listed.size != known:  # also by a redirect: the rules go with it
            known = listed.size
            apply_bounds(engine, now())
        dropped = _drop(engine, dropped, now())


def _list_differs(before: Settings, after: Settings) -> bool:
    return any(getattr(before, part) != getattr(after, part) for part in _LIST)


def _say_others(engine: Engine, before: Settings, after: Settings) -> None:
    """Settings that are not of the list have changed, too."""
    changes = changes_between(before, after)
    names = [one.name for one in changes if one.name.partition(".")[0] not in _LIST]
    grown = len(before.seeds) != len(after.seeds)
    if grown and math.isclose(_share(before), _share(after)):
        names = [one for one in names if not one.startswith("budget.")]
    if names:
        engine.say(
            f"other settings have changed ({', '.join(names)}): "
            "they count from the next start"
        )


def _share(settings: Settings) -> float:
    """Of each page in the budget: where nobody names a budget, it grows with the list."""
    return settings.budget.per_s / max(len(settings.seeds), 1)


def apply_bounds(engine: Engine, now_s: float) -> None:
    """Names and intervals of all listed pages, and of those where they have moved."""
    listed = engine.instructions.listed_pages
    if listed is None:
        return
    watched = engine.instructions.watched
    urls = listed.urls()
    _note_names(engine, urls)
    number = engine.holdings.book.number
    bounds = {url: watched.interval(url) for url in urls}
    engine.control.journal.bound_intervals(
        {number(url)[0]: one for url, one in bounds.items() if one != NO_BOUNDS}, now_s
    )


def name_place(engine: Engine, url: str) -> None:
    """A listed page has moved to `url`: whatever is told of it has its name."""
    listed = engine.instructions.listed_pages
    if listed is not None and engine.instructions.watched.name(url) != NAMELESS:
        _note_names(engine, listed.urls())


def _note_names(engine: Engine, urls: list[str]) -> None:
    name = engine.instructions.watched.name
    note_names(engine.holdings.collection, {url: name(url) for url in urls})


def take_list(
    engine: Engine, listed: ListedPages, settings: Settings, now_s: float
) -> set[int]:
    """From now on this list is in force; returns the pages to be dropped."""
    book = engine.holdings.book
    watched = engine.instructions.watched
    orders = engine.instructions.orders
    before = set(engine.settings.canonical_seeds())
    seeds = settings.canonical_seeds()
    rules = {url: watched.rules(url) for url in before}
    scope = listed.urls()
    listed.relist([*seeds, *orders.file.in_force.seeds])
    watched.take(settings)
    engine.settings = engine.settings.model_copy(
        update={
            "seeds": settings.seeds,
            "watch": settings.watch,
            "extract": settings.extract,
        }
    )
    added = [url for url in seeds if url not in before]
    for url in added:
        orders.file.in_force.seed_hosts.add(host_of(url))
        orders.admit(url, now_s)
    changed = [
        url for url in seeds if url in before and watched.rules(url) != rules[url]
    ]
    engine.control.journal.order_visits([book.number(url)[0] for url in changed], now_s)
    apply_bounds(engine, now_s)
    if engine.instructions.troubles is not None:
        engine.instructions.troubles.check_rules(now_s)
    note = json.dumps(engine.settings.without_secrets())
    engine.holdings.collection.note("settings", note)
    if engine.instructions.troubles is not None:
        engine.instructions.troubles.check_rules(now_s)
    if engine.loop is not None:
        engine.loop.heed_orders()
    gone = [url for url in scope if not listed.in_scope(url)]
    engine.say(
        f"the list has changed: {say_count(len(added), 'new page')}, "
        f"{len(before - set(seeds))} gone, {len(changed)} with other rules; "
        f"{say_count(len(seeds), 'page')} watched"
    )
    return {book.number(url)[0] for url in gone}


def _drop(engine: Engine, pages: set[int], now_s: float) -> set[int]:
    """Strike pages that are no longer listed; returns those that are visited right now."""
    if not pages:
        return pages
    engine.control.journal.unmeet(sorted(pages), now_s)
    state = engine.controller.agenda.cards["state"]
    return {
        page for page in pages if page < len(state) and state[page] in (FRINGE, HELD)
    }
