"""One reader: a process, the robot's end of the socket to it, and the answers that wait for it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import deque
from typing import Final, NamedTuple

from trapline.core.records import Fetched
from trapline.live import reader_child
from trapline.live.reader_child import HEAD, Read, request_bytes, unpack_result
from trapline.reading.readings import Reading, Unreadable
from trapline.reading.rules.reading_rules import NO_RULES, ReadingRules

_PIECE: Final = 256 * 1024  # bytes that are handed to the socket at once
TOOK_DOWN: Final = "it took the reader down"
NO_READER: Final = "no reader could be started"
TOO_LONG: Final = f"not read within {reader_child.PATIENCE_S:.0f} s"
READER_FAILURES: Final = (TOOK_DOWN, NO_READER, TOO_LONG)


class _Job(NamedTuple):
    message: tuple[bytes, bytes]
    reading: asyncio.Future[Reading]

    def finish(self, found: Reading | BaseException) -> None:
        if self.reading.done():  # nobody waits for it any more
            return
        if isinstance(found, BaseException):
            self.reading.set_exception(found)
        else:
            self.reading.set_result(found)


class Reader(asyncio.Protocol):
    """Reads one answer at a time, in order.

    An answer that takes the process down or keeps it too long is not read this time. The next
    process takes over the others.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._jobs: deque[_Job] = deque()  # the first is being read
        self._received = bytearray()
        self._outgoing: deque[memoryview] = deque()
        self._paused = False
        self._began_s = 0.0  # with the first
        self._alarm: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self._starting: asyncio.Task[None] | None = None
        self._process = 0
        self._late = False
        self._closed = False

    @property
    def load(self) -> int:
        return len(self._jobs)

    async def start(self) -> None:
        self._process, ours = reader_child.fork_reader(self._read)
        self._received.clear()
        self._outgoing.clear()
        self._paused = False
        self._late = False
        self._transport, _ = await asyncio.get_running_loop().create_unix_connection(
            lambda: self, sock=ours
        )
        self._begin_first()
        for job in self._jobs:
            self._send(job)

    def read(
        self, fetched: Fetched, rules: ReadingRules = NO_RULES
    ) -> asyncio.Future[Reading]:
        reading = asyncio.get_running_loop().create_future()
        job = _Job(request_bytes(fetched, rules), reading)
        self._jobs.append(job)
        if self._transport is None:
            self._start_again()
        elif len(self._jobs) == 1:
            self._begin_first()
        self._send(job)
        return job.reading

    def close(self) -> None:
        self._closed = True
        for under_way in (self._alarm, self._starting):
            if under_way is not None:
                under_way.cancel()
        for job in self._jobs:
            job.reading.cancel()
        self._kill()
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._received += data
        while len(self._received) >= HEAD.size:
            failed, size = HEAD.unpack_from(self._received)
            end = HEAD.size + size
            if len(self._received) < end:
                return
            message = bytes(memoryview(self._received)[HEAD.size : end])
            del self._received[:end]
            self._began_s = asyncio.get_running_loop().time()
            self._jobs.popleft().finish(unpack_result(message, failed))

    def connection_lost(self, error: Exception | None) -> None:
        """The process is gone, and with it the answer that it was reading."""
        self._transport = None
        if self._closed:
            return
        self._kill()
        if self._jobs:
            self._jobs.popleft().finish(
                Unreadable(TOO_LONG if self._late else TOOK_DOWN, retry=True)
            )
        if self._jobs:
            self._start_again()

    def _start_again(self) -> None:
        if self._starting is None:
            self._starting = asyncio.ensure_future(self.start())
            self._starting.add_done_callback(self._after_start)

    def _after_start(self, starting: asyncio.Task[None]) -> None:
        self._starting = None
        if starting.cancelled() or self._closed:
            return
        if starting.exception():  # the system is out of processes or memory
            while self._jobs:
                self._jobs.popleft().finish(Unreadable(NO_READER, retry=True))
        elif self._jobs and self._transport is None:
            # it died before it was sent anything
            self._start_again()

    def _send(self, job: _Job) -> None:
        if self._transport is not None:
            self._outgoing += [memoryview(part) for part in job.message]
            self._write()

    def _write(self) -> None:
        """As much as the socket takes: a large answer goes piece by piece, so that its copying does
        not hold up the loop.
        """
        while self._outgoing and self._transport is not None and not self._paused:
            first = self._outgoing.popleft()
            if len(first) > _PIECE:
                self._outgoing.appendleft(first[_PIECE:])
            self._transport.write(first[:_PIECE])

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._write()

    def _begin_first(self) -> None:
        loop = asyncio.get_running_loop()
        self._began_s = loop.time()
        if self._alarm is None:
            self._alarm = loop.call_later(reader_child.PATIENCE_S, self._check_patience)

    def _check_patience(self) -> None:
        """One timer for all answers: it checks the first one when that might be late."""
        self._alarm = None
        loop = asyncio.get_running_loop()
        due_s = self._began_s + reader_child.PATIENCE_S
        if self._jobs and due_s <= loop.time():
            self._late = True
            self._kill()
        elif self._jobs:
            self._alarm = loop.call_at(due_s, self._check_patience)

    def _kill(self) -> None:
        process = self._process
        self._process = 0
        if process:
            # it has ended already
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
