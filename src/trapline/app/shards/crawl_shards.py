"""The work of `crawl` in shards: a ledger, workers, and a look at both until it is over.

All that can be refused is looked at before anything is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote
from typing import Any, Protocol

from trapline.app.crawl.crawl_settings import CrawlWishes, start_for
from trapline.app.crawl.run_start import RunStart
from trapline.app.engine.topic_examples import is_address, title_and_text
from trapline.app.output.standard_output import print_json
from trapline.app.settings import Settings
from trapline.app.settings_files.given import NOTE
from trapline.app.shards.crawl_charge import in_charge
from trapline.app.shards.crawl_checks import (
    check_folder,
    check_wishes,
    count_shards,
    count_workers,
    look_at_crawl,
    place_of,
)
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crawl_watch import Crew, stopping, watch_over
from trapline.app.shards.crew.supervisor import Supervisor
from trapline.app.shards.crew.worker_process import check_clock
from trapline.app.shards.shard_figures import CrawlFigures
from trapline.core.ledger import Founding, Ledger


class Recruiter(Protocol):
    """Who starts the workers of a crawl."""

    def recruit(
        self, place: CrawlPlace, ledger: Ledger, settings: Settings, workers: int
    ) -> Crew: ...

    def close(self) -> None: ...


def run_in_shards(wishes: CrawlWishes) -> None:
    place = place_of(wishes)
    check_wishes(wishes, place)
    check_folder(place)
    kept, before = look_at_crawl(place, busy=wishes.dry_run)
    shards = count_shards(wishes, before, place)
    start = start_for(wishes, kept)
    if wishes.dry_run:
        start.tell()
        _print_plan(start, wishes)
        return
    check_clock(place.clock_off_s())
    workers = count_workers(wishes, shards)
    start.tell()
    start.confirm(yes=wishes.yes)
    recruiter = _find_recruiter(wishes, workers)
    try:
        with (
            _ledger_of(place) as ledger,
            in_charge(ledger, place.shown) as charge,
        ):
            _establish(ledger, shards, start)
            place.link()
            with stopping() as came:
                crew = recruiter.recruit(place, ledger, start.settings, workers)
                figures = watch_over(crew, charge, ledger, wishes, place, came)
    finally:
        recruiter.close()
    _print_summary(figures, wishes, place)


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
        name = quote(place.shown)
        print(f'Next: trapline search {name} "…"   or   trapline serve {name}')
