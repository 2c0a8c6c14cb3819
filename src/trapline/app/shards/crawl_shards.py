"""The work of `crawl` in shards: a ledger, workers, and a look at both until it is over."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from signal import signal
from typing import Any, Final

from trapline.app.crawl.crawl_settings import CrawlWishes, start_for
from trapline.app.crawl.run_start import RunStart
from trapline.app.engine.topic_examples import is_address, title_and_text
from trapline.app.folder.places.store_link import check_link, linked_address
from trapline.app.output.standard_output import print_json
from trapline.app.settings import Settings, settings_from
from trapline.app.settings_files.given import NOTE, given_from
from trapline.app.settings_files.kept_settings import STORE, Kept, check_free
from trapline.app.settings_tables import OutputTable
from trapline.app.shards.crawl_place import CrawlPlace, place_named
from trapline.app.shards.shard_figures import CrawlFigures, figures_of_shards
from trapline.app.shards.shard_progress import shards_shown
from trapline.app.shards.supervisor import Supervisor
from trapline.app.shards.worker_process import check_clock
from trapline.app.stop_signals import stop_signals
from trapline.core.errors import CrawlBusy, UserMistake
from trapline.core.ledger import Founding, Ledger
from trapline.live.awake_loop import unstopped_s

ON_POSTGRES: Final = 64  # shards, unless it is said otherwise
LOOK_S: Final = 0.5
IDLE_S: Final = 10.0  # all shards have had nothing to do for so long: it is over


def run_in_shards(wishes: CrawlWishes) -> None:
    place = _place_of(wishes)
    _check_folder(place)
    _check_outlets(wishes)
    with _ledger_of(place) as ledger:
        before = ledger.founding()
        start = start_for(wishes, _kept_in(ledger, before, place))
        start.tell()
        if wishes.dry_run:
            _print_plan(start, wishes)
            return
        check_clock(ledger)
        _check_free(ledger, place)
        start.confirm(yes=wishes.yes)
        founding = _found(ledger, before, start, wishes)
        place.link()
        workers = wishes.workers or min(founding.shards, _cores())
        if wishes.ray:
            from trapline.app.shards.ray_workers import RayWorkers

            crew: Supervisor | RayWorkers = RayWorkers(
                place, ledger, start.settings, workers, wishes.ray
            )
        else:
            crew = Supervisor(place, ledger, start.settings, workers)
        figures = _watch_over(crew, ledger, wishes, place)
    _print_summary(figures, wishes, place)


def _place_of(wishes: CrawlWishes) -> CrawlPlace:
    """A folder may stand for a crawl in PostgreSQL, since its last run."""
    if wishes.store:
        return place_named(wishes.store, wishes.folder)
    return place_named(str(wishes.folder))


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
        place.folder.mkdir(parents=True, exist_ok=True)


def _check_outlets(wishes: CrawlWishes) -> None:
    files = [one for one in wishes.changes if one.endswith((".xml", ".atom"))]
    if files or "feed" in wishes.changes:
        raise UserMistake(
            "shards cannot write one feed together: tell changes to a .jsonl file or a URL, or "
            "read the feed of `trapline serve`"
        )


@contextmanager
def _ledger_of(place: CrawlPlace) -> Iterator[Ledger]:
    ledger = place.open_ledger(create=True)
    try:
        yield ledger
    finally:
        ledger.close()


def _kept_in(ledger: Ledger, before: Founding | None, place: CrawlPlace) -> Kept:
    """What the crawl knows of its settings before a run."""
    if before is None:
        return Kept()
    given = given_from(ledger.note(NOTE))
    values = json.loads(before.settings)
    output = OutputTable.model_construct(**(given.output if given else {}))
    settings = settings_from(f"the crawl in {place.shown}", values)
    return Kept(settings.model_copy(update={"output": output}), given)


def _check_free(ledger: Ledger, place: CrawlPlace) -> None:
    """Whoever wants to help joins as a worker: two supervisors would each stop the other's."""
    if ledger.workers():
        raise CrawlBusy(place.shown)


def _found(
    ledger: Ledger, before: Founding | None, start: RunStart, wishes: CrawlWishes
) -> Founding:
    shards = wishes.shards or (before.shards if before else _usual_shards(wishes))
    settings = start.settings
    text = json.dumps(settings_kept(settings))
    founding = Founding(shards, text, settings.budget.visits)
    ledger.establish(founding)
    ledger.set_note(NOTE, start.given.as_note())
    return founding


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


def _usual_shards(wishes: CrawlWishes) -> int:
    return ON_POSTGRES if wishes.store else _cores()


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _watch_over(
    crew: Any, ledger: Ledger, wishes: CrawlWishes, place: CrawlPlace
) -> CrawlFigures:
    """Until Ctrl-C, so many seconds or visits, or nothing is left to do."""
    came: SimpleQueue[int] = SimpleQueue()
    for sign in stop_signals():
        signal(sign, lambda number, _: came.put(number))
    ends = _Ends(wishes, unstopped_s(), figures_of_shards(ledger))
    title = f"crawling into {place.shown}"
    try:
        with shards_shown(title, quiet=wishes.as_json or wishes.quiet) as show:
            while True:
                crew.look_after()
                figures = figures_of_shards(ledger)
                show(figures)
                if ends.has_come(figures, unstopped_s()) or _is_stopped(came):
                    break
    finally:
        crew.stop()
    return figures_of_shards(ledger)


def _is_stopped(came: SimpleQueue[int]) -> bool:
    try:
        came.get(timeout=LOOK_S)
    except Empty:
        return False
    return True


class _Ends:
    def __init__(
        self, wishes: CrawlWishes, began_s: float, before: CrawlFigures
    ) -> None:
        self._began_s = began_s
        self._seconds = wishes.seconds
        self._visits = wishes.visits
        self._before = before.visits
        self._idle_since_s: float | None = None

    def has_come(self, figures: CrawlFigures, now_s: float) -> bool:
        if self._seconds is not None and now_s >= self._began_s + self._seconds:
            return True
        if self._visits is not None and figures.visits - self._before >= self._visits:
            return True
        if not figures.is_idle:
            self._idle_since_s = None
            return False
        if self._idle_since_s is None:
            self._idle_since_s = now_s
        return now_s - self._idle_since_s >= IDLE_S


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
