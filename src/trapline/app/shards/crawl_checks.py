"""What a crawl in shards is asked for, beside what is there: all that can be refused is looked at
before anything is written.
"""

from __future__ import annotations

import json
import math
import os
import time
from typing import Final

from trapline.app.crawl.crawl_settings import CrawlWishes
from trapline.app.folder.places.store_link import check_link, linked_address
from trapline.app.output.standard_output import print_remark
from trapline.app.settings import settings_from
from trapline.app.settings_files.given import NOTE, given_from
from trapline.app.settings_files.kept_settings import STORE, Kept, check_free
from trapline.app.settings_tables import OutputTable
from trapline.app.shards.crawl_charge import in_charge
from trapline.app.shards.crawl_place import CrawlPlace, place_named
from trapline.core.errors import CrawlBusy, CrawlMissing, ShardsFixed, UserMistake
from trapline.core.ledger import Founding, Ledger
from trapline.postgres.address import read_address

ON_POSTGRES: Final = 64  # shards, unless it is said otherwise
LOOK_S: Final = 0.5  # between two looks whether workers of before are gone


def place_of(wishes: CrawlWishes) -> CrawlPlace:
    """A folder may stand for a crawl in PostgreSQL, since its last run."""
    if wishes.store:
        read_address(wishes.store)  # a folder is none
        return place_named(wishes.store, wishes.folder)
    return place_named(str(wishes.folder))


def check_wishes(wishes: CrawlWishes, place: CrawlPlace) -> None:
    if wishes.ray and not place.address:
        raise UserMistake(
            "workers on Ray need a store that all machines reach: name a PostgreSQL with "
            "--store postgresql://user@host/database"
        )
    files = [one for one in wishes.changes if one.endswith((".xml", ".atom"))]
    if files or "feed" in wishes.changes:
        raise UserMistake(
            "shards cannot write one feed together: tell changes to a .jsonl file or a URL, or "
            "read the feed of `trapline serve`"
        )


def check_folder(place: CrawlPlace) -> None:
    if place.address:
        check_link(place.folder, place.address)
        if not linked_address(place.folder):
            check_free(place.folder)
        return
    if (place.folder / STORE).exists():
        raise UserMistake(
            f"{place.folder} holds an engine of one process, which cannot be cut into shards: "
            "begin the crawl anew with another --dir"
        )
    if not place.exists():
        check_free(place.folder)


def look_at_crawl(place: CrawlPlace, *, busy: bool) -> tuple[Kept, Founding | None]:
    """What the crawl knows of its settings before a run, and how it was made; CrawlBusy if others
    run it, unless it may be `busy`.
    """
    try:
        ledger = place.open_ledger()
    except CrawlMissing:
        return Kept(), None
    try:
        before = ledger.founding()
        assert before is not None
        if not busy:
            _wait_until_free(ledger, place)
        given = given_from(ledger.note(NOTE))
    finally:
        ledger.close()
    values = json.loads(before.settings)
    output = OutputTable.model_construct(**(given.output if given else {}))
    settings = settings_from(f"the crawl in {place.shown}", values)
    return Kept(settings.model_copy(update={"output": output}), given), before


def count_shards(
    wishes: CrawlWishes, before: Founding | None, place: CrawlPlace
) -> int:
    if before is None:
        return wishes.shards or (ON_POSTGRES if place.address else _cores())
    if wishes.shards not in (None, before.shards):
        raise ShardsFixed(place.shown, before.shards, wishes.shards)
    return before.shards


def count_workers(wishes: CrawlWishes, shards: int) -> int:
    workers = min(wishes.workers or _cores(), shards)
    if wishes.workers is not None and workers < wishes.workers:
        print_remark(
            f"{wishes.workers} workers for {shards} shards: {workers} are started, a shard is "
            "run by one"
        )
    return workers


def _wait_until_free(ledger: Ledger, place: CrawlPlace) -> None:
    """Workers that were killed count as gone soon; others say that they are there.

    Whoever wants to help joins as a worker: two supervisors would each say how it is made.
    """
    with in_charge(ledger, place.shown):
        pass  # it is taken again before anything is written
    left_s: dict[str, float] = {}
    while workers := ledger.workers():
        if any(row.left_s > left_s.get(row.name, math.inf) for row in workers):
            raise CrawlBusy(place.shown)
        left_s = {row.name: row.left_s for row in workers}
        time.sleep(LOOK_S)


def _cores() -> int:
    return len(os.sched_getaffinity(0))
