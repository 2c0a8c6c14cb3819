"""One count for what grows in several shards at once.

Whoever follows a store remembers one number: so far have I come. In a crawl in shards that number
must say how far in each shard. So all shards are walked through in turns, shard after shard, each
turn from the shards' numbers at its start to those at its end. The sum of the shards' numbers is
then one count, and each count stands for one place of the walk. The book keeps where turns began.
Old turns are joined, and of a count within a joined turn only the turn's beginning is sure.

>>> book = WalkBook(2)
>>> list(book.legs(0, lambda: (3, 1)))
[Leg(shard=0, after=0, upto=3, base=0), Leg(shard=1, after=0, upto=1, base=3)]
>>> list(book.legs(4, lambda: (3, 2)))
[Leg(shard=1, after=1, upto=2, base=3)]
>>> list(book.legs(2, lambda: (3, 2)))[0]
Leg(shard=0, after=2, upto=3, base=0)
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import NamedTuple

_Marks = tuple[int, ...]  # a number of each shard


class Leg(NamedTuple):
    """Part of a walk: the numbers after+1 … upto of one shard, which count as base + number."""

    shard: int
    after: int
    upto: int
    base: int


class _Turn(NamedTuple):
    """Where a turn began; `joined` = it was several, so that only its beginning is sure."""

    marks: _Marks
    joined: bool


class WalkBook:
    """Of one kind of numbers. With a file the counts that a former process gave still stand."""

    def __init__(
        self,
        shards: int,
        path: Path | None = None,
        *,
        lately: int = 64,
        twice: bool = False,
        by_halves: bool = False,
    ) -> None:
        """So many turns are kept as they are. Whoever comes with a count that is not sure hears
        some things `twice`, none never; or else goes on by the count.

        `by_halves`: a long way is walked in several turns, each half of what is left, so that the
        last counts are of the newest in every shard.
        """
        self._path = path
        self._lately = lately
        self._twice = twice
        self._by_halves = by_halves
        self._lock = Lock()
        # with a file, a count may be of a book that is lost
        self._turns = [_Turn((0,) * shards, joined=path is not None)]

    def legs(
        self, after: int, now: Callable[[], _Marks], *, still: bool = False
    ) -> Iterator[Leg]:
        """What is to be read by whoever has come to the count `after`, up to the shards' numbers
        of now.

        These are asked for in here: of two that ask at once none may come with the older ones.
        `still`: they are of a moment that is held, and others may have gone on meanwhile.
        """
        with self._lock, self._file_lock():
            self._read()
            marks = now()
            if not (still and self._is_behind(marks)):
                self._begin_turn(marks)
            turns = list(self._turns)
        begin = max(
            i for i, turn in enumerate(turns) if i == 0 or sum(turn.marks) <= after
        )
        for turn, following in pairwise(turns[begin:]):
            unsure = turn.joined and self._twice
            for leg in _walk(turn.marks, following.marks, -1 if unsure else after):
                if leg.after < marks[leg.shard]:
                    yield leg._replace(upto=min(leg.upto, marks[leg.shard]))

    def _is_behind(self, now: _Marks) -> bool:
        last = self._turns[-1].marks
        return any(new < old for new, old in zip(now, last, strict=True))

    def _begin_turn(self, now: _Marks) -> None:
        if self._is_behind(now):
            # a shard was set back: nothing that was counted before stands
            self._turns = [_Turn((0,) * len(now), joined=True)]
        if now != self._turns[-1].marks:
            steps = _halves(self._turns[-1].marks, now) if self._by_halves else [now]
            self._turns += [_Turn(marks, joined=False) for marks in steps]
            self._turns = _join_old(self._turns, self._lately)
            self._write()

    @contextmanager
    def _file_lock(self) -> Iterator[None]:
        """Of several processes none begins a turn that another does not know of."""
        if self._path is None:
            yield
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _read(self) -> None:
        if self._path is None:
            return
        with suppress(OSError, ValueError, TypeError):
            turns = [
                _Turn(tuple(map(int, marks)), bool(joined))
                for marks, joined in json.loads(self._path.read_bytes())
            ]
            if turns and {len(turn.marks) for turn in turns} == {
                len(self._turns[0].marks)
            }:
                self._turns = turns

    def _write(self) -> None:
        """Durable, before anybody is told a count of the turn."""
        if self._path is None:
            return
        unfinished = self._path.with_suffix(".unfinished")
        with unfinished.open("w") as file:
            json.dump(self._turns, file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._path)


def shards_counted(path: Path) -> int:
    """Of how many shards a book in a file is; 0 = there is none, or it cannot be read."""
    with suppress(OSError, ValueError, TypeError, IndexError):
        return len(json.loads(path.read_bytes())[0][0])
    return 0


def _walk(start: _Marks, end: _Marks, after: int) -> Iterator[Leg]:
    """One turn, without what counts up to `after`."""
    for shard, (first, last) in enumerate(zip(start, end, strict=True)):
        base = sum(end[:shard]) + sum(start[shard + 1 :])
        begin = max(first, after - base)
        if begin < last:
            yield Leg(
                shard,
                begin,
                last,
                base,
            )


def _halves(start: _Marks, end: _Marks) -> list[_Marks]:
    """
    >>> _halves((0, 0), (8, 1))
    [(4, 1), (6, 1), (7, 1), (8, 1)]
    """
    marks = start
    steps = []
    while marks != end:
        marks = tuple((m + e + 1) // 2 for m, e in zip(marks, end, strict=True))
        steps.append(marks)
    return steps


def _join_old(turns: list[_Turn], lately: int) -> list[_Turn]:
    """Of those that are not kept as they are, every other is joined with the one before."""
    if len(turns) <= 2 * lately:
        return turns
    kept = [_Turn(turn.marks, joined=True) for turn in turns[:-lately:2]]
    return kept + turns[-lately:]
