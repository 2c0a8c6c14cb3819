"""The work of `crawl` in shards: a ledger, workers, and a look at both until it is over.

All that can be refused is looked at before anything is written.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from signal import signal
from typing import Any, Final, Protocol

from trapline.app.crawl.crawl_settings import CrawlWishes, start_for
from trapline.app.crawl.run_start import RunStart
from trapline.app.engine.topic_examples import is_address, title_and_text
from trapline.app.folder.places.store_link import check_link, linked_address
from trapline.app.output.standard_output import print_json, print_remark
from trapline.app.settings import Settings, settings_from
from trapline.app.settings_files.given import NOTE, given_from
from trapline.app.settings_files.kept_settings import STORE, Kept, check_free
from trapline.app.settings_tables import OutputTable
from trapline.app.shards.crawl_ends import CrawlEnds
from trapline.app.shards.crawl_place import CrawlPlace, place_named
from trapline.app.shards.crew.supervisor import Supervisor
from trapline.app.shards.crew.worker_process import check_clock
from trapline.app.shards.shard_figures import CrawlFigures, figures_of_shards
from trapline.app.shards.shard_progress import shards_shown
from trapline.app.stop_signals import stop_signals
from trapline.core.errors import (
    CrawlBusy,
    CrawlMissing,
    ShardsFixed,
    StoreAway,
    UserMistake,
)
from trapline.core.ledger import Founding, Ledger
from trapline.live.awake_loop import unstopped_s
from trapline.postgres.address import read_address

ON_POSTGRES: Final = 64  # shards, unless it is said otherwise
LOOK_S: Final = 0.5


class Crew(Protocol):
    """Who keeps workers running."""

    @property
    def is_over(self) -> bool:
        """Whether all workers have ended by themselves: they were drained."""

    def look_after(self) -> None:
        """Start anew what has died; WorkersFail if that is of no use."""

    def stop(self) -> None:
        """Have all shards saved and given up, then all workers end."""


class Recruiter(Protocol):
    """Who starts them."""

    def recruit(
        self, place: CrawlPlace, ledger: Ledger, settings: Settings, workers: int
    ) -> Crew: ...

    def close(self) -> None: ...


def run_in_shards(wishes: CrawlWishes) -> None:
    place = _place_of(wishes)
    _check_wishes(wishes, place)
    _check_folder(place)
    kept, before = _look_at(place, busy=wishes.dry_run)
    shards = _count_shards(wishes, before, place)
    start = start_for(wishes, kept)
    if wishes.dry_run:
        start.tell()
        _print_plan(start, wishes)
        return
    check_clock(place.clock_off_s())
    workers = _count_workers(wishes, shards)
    start.tell()
    start.confirm(yes=wishes.yes)
    recruiter = _find_recruiter(wishes, workers)
    try:
        with _ledger_of(place) as ledger:
            _establish(ledger, shards, start)
            place.link()
            with _stopping() as came:
                crew = recruiter.recruit(place, ledger, start.settings, workers)
                figures = _watch_over(crew, ledger, wishes, place, came)
    finally:
        recruiter.close()
    _print_summary(figures, wishes, place)


def _place_of(wishes: CrawlWishes) -> CrawlPlace:
    """A folder may stand for a crawl in PostgreSQL, since its last run."""
    if wishes.store:
        read_address(wishes.store)  # a folder is none
        return place_named(wishes.store, wishes.folder)
    return place_named(str(wishes.folder))


def _check_wishes(wishes: CrawlWishes, place: CrawlPlace) -> None:
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


def _check_folder(place: CrawlPlace) -> None:
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


def _look_at(place: CrawlPlace, *, busy: bool) -> tuple[Kept, Founding | None]:
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


def _count_shards(
    wishes: CrawlWishes, before: Founding | None, place: CrawlPlace
) -> int:
    if before is None:
        return wishes.shards or (ON_POSTGRES if place.address else _cores())
    if wishes.shards not in (None, before.shards):
        raise ShardsFixed(place.shown, before.shards, wishes.shards)
    return before.shards


def _count_workers(wishes: CrawlWishes, shards: int) -> int:
    workers = min(wishes.workers or _cores(), shards)
    if wishes.workers is not None and workers < wishes.workers:
        print_remark(
            f"{wishes.workers} workers for {shards} shards: {workers} are started, a shard is "
            "run by one"
        )
    return workers


def _find_recruiter(wishes: CrawlWishes, workers: int) -> Recruiter:
    if not wishes.ray:
        return Supervisor()
    from trapline.app.shards.crew.ray_cluster import RayCluster

    return RayCluster(wishes.ray, workers)


@contextmanager
def _ledger_of(place: CrawlPlace) -> Iterator[Ledger]:
    if not place.address:
        place.folder.mkdir(parents=True, exist_ok=True)
    ledger = place.open_ledger(create=True)
    try:
        yield ledger
    finally:
        ledger.close()


def _wait_until_free(ledger: Ledger, place: CrawlPlace) -> None:
    """Workers that were killed count as gone soon; others say that they are there.

    Whoever wants to help joins as a worker: two supervisors would each say how it is made.
    """
    left_s: dict[str, float] = {}
    while workers := ledger.workers():
        if any(row.left_s > left_s.get(row.name, math.inf) for row in workers):
            raise CrawlBusy(place.shown)
        left_s = {row.name: row.left_s for row in workers}
        time.sleep(LOOK_S)


def _establish(ledger: Ledger, shards: int, start: RunStart) -> None:
    settings = start.settings
    text = json.dumps(settings_kept(settings))
    ledger.establish(Founding(shards, text, settings.budget.per_s))
    ledger.set_note(NOTE, start.given.as_note())


def settings_kept(settings: Settings) -> dict[str, Any]:
    """What other machines need: no secrets, and examples as texts, for files are here only."""
    values = settings.without_secrets()
    topic = settings.topic
    values["topic"] = {
        "words": topic.words,
        "examples": [_as_text(one) for one in topic.examples],
        "against": [_as_text(one) for one in topic.against],
    }
    output = settings.output
    return {**values, "output": {"warc": output.warc, "versions": output.versions}}


def _as_text(example: str) -> str:
    return example if is_address(example) else "\n".join(title_and_text(example))


def _cores() -> int:
    return len(os.sched_getaffinity(0))


@contextmanager
def _stopping() -> Iterator[SimpleQueue[int]]:
    """Signals that came; from here on they end the crawl in order."""
    came: SimpleQueue[int] = SimpleQueue()
    before = {
        sign: signal(sign, lambda number, _: came.put(number))
        for sign in stop_signals()
    }
    try:
        yield came
    finally:
        for sign, handler in before.items():
            signal(sign, handler)


def _watch_over(
    crew: Crew,
    ledger: Ledger,
    wishes: CrawlWishes,
    place: CrawlPlace,
    came: SimpleQueue[int],
) -> CrawlFigures:
    """Until Ctrl-C, so many seconds or visits, or nothing is left to do."""
    title = f"crawling into {place.shown}"
    try:
        figures = _look(ledger, None)
        ends = CrawlEnds(wishes.seconds, wishes.visits, figures)
        with shards_shown(title, quiet=wishes.as_json or wishes.quiet) as show:
            while not _is_stopped(came) and not crew.is_over:
                crew.look_after()
                figures = _look(ledger, figures)
                show(figures)
                if ends.has_come(figures, unstopped_s()):
                    break
    finally:
        crew.stop()
    return _look(ledger, figures)


def _look(ledger: Ledger, last: CrawlFigures | None) -> CrawlFigures:
    """While the store is away, the figures of before."""
    try:
        return figures_of_shards(ledger)
    except StoreAway:
        if last is None:
            raise
        return last


def _is_stopped(came: SimpleQueue[int]) -> bool:
    try:
        came.get(timeout=LOOK_S)
    except Empty:
        return False
    return True


def _print_plan(start: RunStart, wishes: CrawlWishes) -> None:
    from trapline.app.crawl.dry_run import print_plan

    print_plan(wishes.folder, start.settings, as_json=wishes.as_json)


def _print_summary(
    figures: CrawlFigures, wishes: CrawlWishes, place: CrawlPlace
) -> None:
    if wishes.as_json:
        print_json({"store": place.shown, **figures.as_dict()})
    elif not wishes.quiet:
        print(
            f"{figures.visits:,} visits, {figures.held:,} pages held, {figures.fringe:,} on the "
            f"fringe, in {len(figures.rows)} shards."
        )
        print(
            f'Next: trapline search {place.shown} "…"   or   trapline serve {place.shown}'
        )
