"""A small synthetic change history in the format of traces.py, made by the project: sample.csv.gz
comes from here.

What it has of real ones (a documented site): pages in directories; rates of change that differ by
three decades; bursts (an edit is often followed by some more within hours); mass edits (a tool
touches most of the site in one second); pages that are added, deleted, and now and then added
again; half as many edits on weekends.

    python -m trapline.laboratory.worlds.trace_sample FILE.csv.gz
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber, check_count
from trapline.laboratory.worlds.traces import COLUMNS, DAY_S

START_S: Final = 1_699_228_800  # a Monday
DIRECTORIES: Final = ("api", "blog", "guides", "guides/start", "reference", "releases")
MASS_EDITS: Final = 3
FOLLOW_UPS: Final = 1.5  # edits that one edit brings with it, on average
BORN_LATER: Final = 0.2  # share of pages that are added after the start
DELETED: Final = 0.1
BACK: Final = 0.2  # of those deleted

Event = tuple[int, int, str]  # t, page, kind


def write_sample(
    path: Path | str, pages: int = 300, days: int = 60, seed: int = 1
) -> None:
    """Write FILE.csv.gz and FILE.pages.csv.gz; the same arguments give the same bytes."""
    check_count("the number of pages", pages, "of the sample")
    check_count("the number of days", days, "of the sample")
    path = Path(path)
    if not path.name.endswith(".csv.gz"):
        raise BadNumber("the name of the sample", path.name, "one that ends in .csv.gz")
    rng = np.random.default_rng(seed)
    events = _events(rng, pages, days)
    batch = Counter(t for t, _, _ in events)
    sizes = rng.integers(200, 20_000, len(events)).tolist()
    rows = [
        f"{page},{t},{kind},{0 if kind == 'D' else size},{batch[t]}"
        for (t, page, kind), size in zip(events, sizes, strict=True)
    ]
    _write(path, [",".join(COLUMNS), *rows])
    homes = rng.choice(DIRECTORIES, pages).tolist()
    _write(
        path.with_name(path.name.replace(".csv", ".pages.csv")),
        [
            "page_id,path",
            *(f"{page},{home}/page-{page}" for page, home in enumerate(homes)),
        ],
    )


def _events(rng: np.random.Generator, pages: int, days: int) -> list[Event]:
    end = START_S + round(days * DAY_S)
    tools = rng.integers(START_S, end, MASS_EDITS).tolist()
    events: list[Event] = []
    for page in range(pages):
        born = (
            START_S
            if rng.uniform() > BORN_LATER
            else int(rng.integers(START_S + 1, end - 10))
        )
        dies = int(rng.integers(born + 1, end)) if rng.uniform() < DELETED else end
        events += _life(rng, page, born, dies, tools)
        if dies < end - 1:
            events.append((dies, page, "D"))
            if rng.uniform() < BACK:
                events += _life(rng, page, int(rng.integers(dies + 1, end)), end, tools)
    return sorted(events)


def _life(
    rng: np.random.Generator, page: int, born: int, dies: int, tools: list[int]
) -> list[Event]:
    rate = 10.0 ** rng.uniform(-3.0, 0.0) / DAY_S
    edits = {t for t in tools if rng.uniform() < 0.8}
    for edit in rng.uniform(born, dies, rng.poisson(rate * (dies - born))).tolist():
        edits.add(int(edit))
        edits.update(
            (edit + rng.exponential(DAY_S / 6, rng.poisson(FOLLOW_UPS)))
            .astype(int)
            .tolist()
        )
    weekend = {
        t
        for t in edits
        if (t - START_S) // DAY_S % 7 >= 5 and t not in tools and rng.uniform() < 0.5
    }
    return [
        (born, page, "A"),
        *((t, page, "M") for t in edits - weekend if born < t < dies),
    ]


def _write(path: Path, lines: list[str]) -> None:
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))


if __name__ == "__main__":
    write_sample(sys.argv[1])
