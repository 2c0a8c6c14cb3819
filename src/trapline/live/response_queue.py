"""The response queue: answers that wait to be digested, in order of arrival."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, NamedTuple

from trapline.core.records import Fetched


class Answer(NamedTuple):
    fetched: Fetched
    ready: asyncio.Future[Any] | None  # when it may be digested; None = at once


class ResponseQueue:
    """Has so many places, the answer being digested counted.

    Nothing is lost: a fetcher that finds it full holds its answer until there is a place.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._queue: deque[Answer] = deque()
        self._blocked: deque[Answer] = deque()  # held by fetchers that found no place

    def __len__(self) -> int:
        return len(self._queue)

    @property
    def blocked(self) -> int:
        """Fetchers that hold an answer for which there is no place yet."""
        return len(self._blocked)

    @property
    def waiting(self) -> int:
        """Answers in the queue, and those that found no place."""
        return len(self._queue) + len(self._blocked)

    @property
    def first(self) -> Answer:
        return self._queue[0]

    def has_ready(self) -> bool:
        """Whether the first answer can be digested now."""
        if not self._queue:
            return False
        ready = self._queue[0].ready
        return ready is None or ready.done()

    def add(self, answer: Answer) -> None:
        has_room = len(self._queue) < self._room
        (self._queue if has_room else self._blocked).append(answer)

    def remove_first(self) -> None:
        self._queue.popleft()
        if self._blocked:
            self._queue.append(self._blocked.popleft())
