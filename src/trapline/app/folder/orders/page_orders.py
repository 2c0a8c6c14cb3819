"""What people order about single pages: seeds to add, and visits to make now.

A robot at work obeys within seconds, the next one at its start.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from trapline.app.engine.from_settings import manners_of
from trapline.app.engine.seed_check import addresses_of, check_seed, name_in
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.label_file import check_known
from trapline.app.folder.orders.order_file import (
    SEED,
    SUGGEST,
    VISIT,
    give_order,
    give_orders,
    orders_in_force,
)
from trapline.app.folder.places.store_link import shown_place
from trapline.app.settings import settings_from
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical, host_of
from trapline.politeness.addresses import reason_forbidden
from trapline.politeness.manners import Manners


def add_seed(folder: Path, url: str) -> str:
    """Start from this page, too; in the folder of a watch, watch it. Returns its canonical URL."""
    seed = check_seed(url, _manners_in(folder).contact)
    _check_allowed(folder, seed)
    give_order(folder, SEED, seed)
    return seed


def suggest_seed(folder: Path, url: str) -> str:
    """A seed that a language model asks for, perhaps because a page told it to.

    Unlike a person's it names no host: if no person has, the host must lie on public addresses, now
    and whenever the robot connects. Returns its canonical URL.
    """
    seed = suggested_seed(folder, url)
    order_suggested(folder, [seed])
    return seed


def suggested_seed(folder: Path, url: str) -> str:
    """The canonical URL of a seed that a machine asks for; UserMistake if it may not be one."""
    manners = _manners_in(folder)
    named = manners.named_hosts | orders_in_force(folder).seed_hosts
    if host_of(canonical(url)) not in named:
        _check_public(canonical(url))
    seed = check_seed(url, manners.contact)
    _check_allowed(folder, seed)
    return seed


def order_suggested(folder: Path, seeds: Sequence[str]) -> None:
    """Order seeds that were checked, all at once."""
    give_orders(folder, SUGGEST, seeds)


def visit_now(folder: Path, url: str) -> str:
    """Visit a page that the engine knows next, as soon as its host may be visited; returns its
    canonical URL.
    """
    page = canonical(url)
    check_known(folder, page)
    _check_allowed(folder, page)
    give_order(folder, VISIT, page)
    return page


def _manners_in(folder: Path) -> Manners:
    """By the settings of the last robot."""
    store = open_for_reading(folder)
    try:
        settings = json.loads(store.note("settings") or "{}")
    finally:
        store.close()
    return manners_of(settings_from(f"the engine in {shown_place(folder)}", settings))


def _check_public(url: str) -> None:
    for address in sorted(addresses_of(url)):
        reason = reason_forbidden(address, named_by_user=False)
        if reason is not None:
            raise UserMistake(
                f"{name_in(url)} is not public ({reason}): only a person may name it, as a seed "
                "of the crawl"
            )


def _check_allowed(folder: Path, url: str) -> None:
    if orders_in_force(folder).bars(url):
        raise UserMistake(
            f"{url} was forgotten, or its host blocked: take that back first, with `trapline "
            "forget --undo` or `trapline host --resume`"
        )
