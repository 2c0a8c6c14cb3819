"""What people order about single pages: seeds to add, and visits to make now.

A robot at work obeys within seconds, the next one at its start.
"""

from __future__ import annotations

import json
from pathlib import Path

from trapline.app.engine.seed_check import check_seed
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.label_file import check_known
from trapline.app.folder.order_file import SEED, VISIT, give_order, orders_in_force
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical


def add_seed(folder: Path, url: str) -> str:
    """Start from this page, too; in the folder of a watch, watch it. Returns its canonical URL."""
    seed = check_seed(url, _contact_in(folder))
    _check_allowed(folder, seed)
    give_order(folder, SEED, seed)
    return seed


def visit_now(folder: Path, url: str) -> str:
    """Visit a page that the engine knows next, as soon as its host may be visited; returns its
    canonical URL.
    """
    page = canonical(url)
    check_known(folder, page)
    _check_allowed(folder, page)
    give_order(folder, VISIT, page)
    return page


def _contact_in(folder: Path) -> str:
    """The contact by the settings of the last robot."""
    store = open_for_reading(folder)
    try:
        settings = json.loads(store.note("settings") or "{}")
    finally:
        store.close()
    return str(settings.get("manners", {}).get("contact", ""))


def _check_allowed(folder: Path, url: str) -> None:
    if orders_in_force(folder).bars(url):
        raise UserMistake(
            f"{url} was forgotten, or its host blocked: take that back first, with `trapline "
            "forget --undo` or `trapline host --resume`"
        )
