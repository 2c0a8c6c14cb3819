"""Traces: change histories of real pages, replayed as a world.

A file (CSV, with .gz or without) has a row for each event: page_id, t (seconds), kind (A added, M
modified, D deleted), size (bytes; not used here) and batch (pages touched in the same second; from
MASS on it is a mass edit, by a tool). Rows are in order of time; a page is added first, then
modified any number of times, perhaps deleted, perhaps added again. Beside X.csv.gz there may lie
X.pages.csv.gz with page_id and path.

`between` cuts a window out of it. A page that comes back after its deletion is another page there:
a robot that found the one gone will not ask for it again. Of the pages that live when the window
opens so many are drawn; those born later are drawn by the same share. All stand on one host, the
site, that owes no gap.

>>> window = Traces.sample().between(start_s=1_700_000_000.0, days=20.0, pages=50, seed=1)
>>> window.held, len(window.born_s) > 50, bool((window.born_s[50:] > 0.0).all())
(50, True, True)
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, TraceUnreadable, check_count
from trapline.laboratory.worlds.truth import Floats, Integers, Truth, make_truth
from trapline.theory.argument_checks import check_natural

DAY_S: Final = 86_400.0
MASS: Final = 50  # pages touched in the same second
PARETO: Final = 1.2  # exponent of the pages' importance

COLUMNS: Final = {
    "page_id": np.int64,
    "t": np.float64,
    "kind": "U2",
    "size": np.int64,
    "batch": np.int64,
}
SAMPLE: Final = Path(__file__).with_name("sample.csv.gz")


@dataclass(frozen=True, slots=True)
class Lives:
    """One life of a page each, from its addition to its deletion (∞ = none yet); times as in the
    file.
    """

    page: Integers
    born_s: Floats
    dies_s: Floats
    # modifications of life i: event_s[event_start[i]:event_start[i+1]]
    event_start: Integers
    event_s: Floats
    batch: Integers  # of each modification


@dataclass(frozen=True, slots=True)
class Window:
    """A world of listed changes; seconds count from where it opens.

    The first `held` pages live then.
    """

    days: float
    held: int
    page: Integers  # as in the file
    path: list[str]  # "" where the file names none
    born_s: Floats  # −1 = before the window opens
    dies_s: Floats
    event_start: Integers
    event_s: Floats
    importance: Floats  # in (0, 1]

    def truth(self) -> Truth:
        """Its pages' importance is their relevance, their rate is 0: they change at the listed
        times.
        """
        pages = len(self.page)
        return make_truth(
            host=np.zeros(pages, np.int32),
            rate=np.zeros(pages),
            relevance=self.importance,
            born_s=self.born_s,
            dies_s=self.dies_s,
            events=(self.event_start, self.event_s),
        )


class Traces:
    def __init__(
        self, lives: Lives, paths: dict[int, str], first_s: float, last_s: float
    ) -> None:
        self.lives = lives
        self.paths = paths
        self.first_s = first_s  # time of the first event, and of the last
        self.last_s = last_s

    @classmethod
    def load(cls, path: Path | str) -> Self:
        path = Path(path)
        rows = _read_rows(path)
        when_s = rows["t"]
        if not np.isfinite(when_s).all():
            raise TraceUnreadable(
                path, f"{_line_of(~np.isfinite(when_s))}: a time that is no number"
            )
        if (np.diff(when_s) < 0.0).any():
            line = _line_of(np.append(False, np.diff(when_s) < 0.0))
            raise TraceUnreadable(path, f"{line}: its time lies before the last")
        names = path.with_name(path.name.replace(".csv", ".pages.csv"))
        paths = _read_paths(names) if names != path and names.exists() else {}
        return cls(_lives_in(path, rows), paths, float(when_s[0]), float(when_s[-1]))

    @classmethod
    def sample(cls) -> Self:
        """The small synthetic set that comes with the package (trace_sample.py)."""
        return cls.load(SAMPLE)

    def between(
        self,
        start_s: float,
        days: float,
        pages: int = 2000,
        skip_mass_edits: bool = False,
        seed: int = 0,
    ) -> Window:
        """`days` from `start_s` (seconds as in the file) on, with `pages` of those that live then,
        or all there are.
        """
        check_count(
            "the number of pages", pages, "of those that live when the window opens"
        )
        if not 0.0 < days <= sys.float_info.max / DAY_S:
            raise BadNumber("the days of a window", days, "a finite number above 0")
        check_natural("the seed", seed)
        lives = self.lives
        rng = np.random.default_rng(seed)
        alive = np.flatnonzero((lives.born_s <= start_s) & (start_s < lives.dies_s))
        if not len(alive) or start_s >= self.last_s:
            wanted = (
                f"a time at which some page lives, from {self.first_s:.0f} to "
                f"{self.last_s:.0f}"
            )
            raise BadNumber("the start of a window", start_s, wanted)
        later = np.flatnonzero(
            (lives.born_s > start_s) & (lives.born_s < start_s + days * DAY_S)
        )
        held = np.sort(rng.choice(alive, min(pages, len(alive)), replace=False))
        born = later[rng.uniform(size=len(later)) < len(held) / len(alive)]
        return self._window(
            np.append(held, born[np.argsort(lives.born_s[born], kind="stable")]),
            len(held),
            start_s,
            days,
            skip_mass_edits,
            1.0 + rng.pareto(PARETO, len(held) + len(born)),
        )

    def _window(
        self,
        chosen: Integers,
        held: int,
        start_s: float,
        days: float,
        skip_mass_edits: bool,
        importance: Floats,
    ) -> Window:
        lives = self.lives
        listed = (lives.event_s > start_s) & (lives.event_s < start_s + days * DAY_S)
        if skip_mass_edits:
            listed &= lives.batch < MASS
        events = [
            lives.event_s[low:high][listed[low:high]] - start_s
            for low, high in zip(
                lives.event_start[chosen], lives.event_start[chosen + 1], strict=True
            )
        ]
        born_s = lives.born_s[chosen] - start_s
        return Window(
            days=days,
            held=held,
            page=lives.page[chosen],
            path=[self.paths.get(page, "") for page in lives.page[chosen].tolist()],
            born_s=np.where(born_s <= 0.0, -1.0, born_s),
            dies_s=lives.dies_s[chosen] - start_s,
            event_start=np.cumsum([0, *map(len, events)]).astype(np.int64),
            event_s=np.concatenate(events),
            importance=importance / importance.max(),
        )


def _read_body(path: Path, columns: Iterable[str]) -> str:
    """What follows the header of a CSV file that has just these columns."""
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise TraceUnreadable(path, problem) from None
    header, _, body = text.partition("\n")
    if header.strip() != ",".join(columns):
        raise TraceUnreadable(
            path,
            f"its columns are {header.strip()[:80]!r}, but must be {','.join(columns)!r}",
        )
    if not body.strip():
        raise TraceUnreadable(path, "there is no event in it")
    return body


def _read_rows(path: Path) -> NDArray[np.void]:
    body = io.StringIO(_read_body(path, COLUMNS))
    try:
        rows = np.loadtxt(
            body, np.dtype(list(COLUMNS.items())), delimiter=",", comments=None, ndmin=1
        )
    except ValueError as error:
        raise TraceUnreadable(path, str(error).splitlines()[0]) from None
    return np.asarray(rows)


def _read_paths(path: Path) -> dict[int, str]:
    rows = csv.reader(io.StringIO(_read_body(path, ("page_id", "path"))))
    try:
        return {int(page): name for page, name in rows}
    except (ValueError, csv.Error) as error:
        raise TraceUnreadable(path, f"line {rows.line_num + 1}: {error}") from None


def _line_of(bad: NDArray[np.bool_]) -> str:
    return f"line {int(np.flatnonzero(bad)[0]) + 2}"  # from 1, after the header


def _lives_in(path: Path, rows: NDArray[np.void]) -> Lives:
    unknown = ~np.isin(rows["kind"], ("A", "M", "D"))
    if unknown.any():
        raise TraceUnreadable(
            path,
            f"{_line_of(unknown)}: its kind is {str(rows['kind'][unknown][0])!r}, but must be A, "
            "M or D",
        )
    order = np.argsort(rows["page_id"], kind="stable")
    page = rows["page_id"][order]
    kind = rows["kind"][order]
    when_s = rows["t"][order]
    first = np.append(True, page[1:] != page[:-1])
    # a page that was never added is not there
    before = np.where(first, "D", np.append("D", kind[:-1]))
    wrong = (kind == "A") != (before == "D")
    wrong |= ~first & (when_s <= np.append(-np.inf, when_s[:-1]))
    if wrong.any():
        where = np.zeros(len(rows), np.bool_)
        where[order[wrong]] = True
        problem = (
            "a page is added while it is there, touched while it is not, or touched "
            "twice in one second"
        )
        raise TraceUnreadable(path, f"{_line_of(where)}: {problem}")
    start = np.flatnonzero(kind == "A")
    end = np.append(start[1:], len(page)) - 1
    modified = kind == "M"
    return Lives(
        page=page[start],
        born_s=when_s[start],
        dies_s=np.where(kind[end] == "D", when_s[end], np.inf),
        event_start=np.append(0, np.cumsum(modified))[np.append(start, len(page))],
        event_s=when_s[modified],
        batch=rows["batch"][order][modified],
    )
