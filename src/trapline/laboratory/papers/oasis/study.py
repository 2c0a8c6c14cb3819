"""What the experiments of `oasis` work with: descriptions of engines, and queries tried on all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trapline.core.errors import UserMistake
from trapline.laboratory.papers.oasis.federated_collection import (
    ENGINES,
    describe_yesterday,
    federate,
    read_searchable,
)
from trapline.laboratory.papers.oasis.federated_queries import make_queries
from trapline.laboratory.papers.oasis.trials import Trial, try_queries
from trapline.laboratory.study.report import Progress
from trapline.oasis.federation import Federation, Member

WORLD: Final = 3000  # pages of a web of the laboratory
QUICK_WORLD: Final = 400
SIZE: Final = 600  # titles, and as many bodies
LEAST_PAGES: Final = 200


@dataclass(frozen=True, slots=True)
class Study:
    members: list[Member]
    yesterday: list[Member]  # as they described themselves a day before
    judged: list[Trial]
    stream: list[Trial]  # other queries, to learn from
    urls: dict[int, str]

    @property
    def federation(self) -> Federation:
        return Federation.of(self.members)


def make_study(
    progress: Progress, quick: bool, data: Path | None, age: bool = True
) -> Study:
    """`age` = whether yesterday's descriptions are wanted."""
    most = 2000 if quick else 1_000_000
    pages = read_searchable(data, QUICK_WORLD if quick else WORLD, most)
    if len(pages) < LEAST_PAGES:
        raise UserMistake(
            f"{data} holds {len(pages)} pages: a federation needs {LEAST_PAGES} at least"
        )
    engines = 6 if quick else ENGINES
    collection = federate(pages, engines, 0, _part(progress, 0.0, 0.4))
    yesterday = describe_yesterday(collection, 1) if age else collection.members
    shared = collection.federation.shared
    size = 40 if quick else SIZE
    judged = make_queries(pages, size, 0)
    texts = {asked.text for asked in judged}
    others = [q for q in make_queries(pages, size // 2, 1) if q.text not in texts]
    return Study(
        collection.members,
        yesterday,
        try_queries(collection, judged, shared, _part(progress, 0.5, 0.8)),
        try_queries(collection, others, shared, _part(progress, 0.8, 0.95)),
        {called.page.page: called.page.url for called in pages},
    )


def _part(progress: Progress, first: float, last: float) -> Progress:
    return lambda done, what: progress(first + done * (last - first), what)
