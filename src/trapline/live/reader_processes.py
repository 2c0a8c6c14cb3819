"""Reading beside the robot: answers are read by processes of their own, and the circle goes on
meanwhile.

A reader is a fork of the robot: code and kernels are loaded already and their memory is shared. It
holds nothing but its end of a socket, reads one answer at a time in order, and ends when the robot
does. An answer that takes it down or keeps it too long is not read this time; those behind it go to
its successor.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import socket
import struct
import sys
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from trapline.core.records import Fetched, Kind, Ticket
from trapline.reading.answer import read_answer
from trapline.reading.packing import pack_reading, unpack_reading
from trapline.reading.readings import Reading, Unreadable

PATIENCE_S: Final = 30.0  # with one answer; the largest honest ones take a few seconds
MOST: Final = 3  # readers: by then the circle itself has no time left
TOOK_DOWN: Final = "it took the reader down"
NO_READER: Final = "no reader could be started"
TOO_LONG: Final = f"not read within {PATIENCE_S:.0f} s"
# of a message: whether it tells of an error, and its size
_HEAD: Final = struct.Struct("!?Q")
_NO_TICKET: Final = Ticket(-1, Kind.PAGE, -1, -1, 0.0, 0.0)

Read = Callable[[Fetched], Reading]


def readers_here() -> int:
    """One core is the robot's.

    None where processes cannot fork safely: there the robot reads for itself.
    """
    return min(MOST, len(os.sched_getaffinity(0)) - 1) if sys.platform == "linux" else 0


class ReaderProcesses:
    """So many processes, perhaps none; `read` is what they do, for tests."""

    def __init__(self, processes: int, read: Read = read_answer) -> None:
        self._readers = [_Reader(read) for _ in range(processes)]

    def __len__(self) -> int:
        return len(self._readers)

    async def start(self) -> None:
        """Best before the robot has threads: a fork has only one."""
        for reader in self._readers:
            # out of processes: tried again when there is something to read
            with contextlib.suppress(OSError):
                await reader.start()

    def read(self, fetched: Fetched) -> asyncio.Future[Reading]:
        return min(self._readers, key=lambda reader: reader.load).read(fetched)

    def close(self) -> None:
        """What is not read by now never will be."""
        for reader in self._readers:
            reader.close()


class _Job(NamedTuple):
    message: bytes
    reading: asyncio.Future[Reading]

    def end(self, found: Reading | BaseException) -> None:
        if self.reading.done():  # nobody waits for it any more
            return
        if isinstance(found, BaseException):
            self.reading.set_exception(found)
        else:
            self.reading.set_result(found)


class _Reader(asyncio.Protocol):
    """One process, and the robot's end of the socket to it."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._jobs: deque[_Job] = deque()  # the first is being read
        self._received = bytearray()
        self._began_s = 0.0  # with the first
        self._alarm: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self._starting: asyncio.Task[None] | None = None
        self._process = 0
        self._late = self._closed = False

    @property
    def load(self) -> int:
        return len(self._jobs)

    async def start(self) -> None:
        self._process, ours = _fork(self._read)
        self._received.clear()
        self._late = False
        self._transport, _ = await asyncio.get_running_loop().create_unix_connection(
            lambda: self, sock=ours
        )
        self._begin()
        for job in self._jobs:
            self._send(job)

    def read(self, fetched: Fetched) -> asyncio.Future[Reading]:
        job = _Job(_request_bytes(fetched), asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        if self._transport is None:
            self._start_again()
        elif len(self._jobs) == 1:
            self._begin()
        self._send(job)
        return job.reading

    def close(self) -> None:
        self._closed = True
        for under_way in (self._alarm, self._starting):
            if under_way is not None:
                under_way.cancel()
        for job in self._jobs:
            job.reading.cancel()
        self._end()
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._received += data
        while len(self._received) >= _HEAD.size:
            failed, size = _HEAD.unpack_from(self._received)
            end = _HEAD.size + size
            if len(self._received) < end:
                return
            message = bytes(memoryview(self._received)[_HEAD.size : end])
            del self._received[:end]
            self._began_s = asyncio.get_running_loop().time()
            self._jobs.popleft().end(_found(message, failed))

    def connection_lost(self, error: Exception | None) -> None:
        """The process is gone, and with it the answer that it was at.

        The next one takes over the others.
        """
        self._transport = None
        if self._closed:
            return
        self._end()
        if self._jobs:
            self._jobs.popleft().end(
                Unreadable(TOO_LONG if self._late else TOOK_DOWN, retry=True)
            )
        if self._jobs:
            self._start_again()

    def _start_again(self) -> None:
        if self._starting is None:
            self._starting = asyncio.ensure_future(self.start())
            self._starting.add_done_callback(self._started)

    def _started(self, starting: asyncio.Task[None]) -> None:
        self._starting = None
        if starting.cancelled() or self._closed:
            return
        if starting.exception():  # the system is out of processes or memory
            while self._jobs:
                self._jobs.popleft().end(Unreadable(NO_READER, retry=True))
        elif self._jobs and self._transport is None:
            # it died before it was told anything
            self._start_again()

    def _send(self, job: _Job) -> None:
        if self._transport is not None:
            self._transport.write(_HEAD.pack(False, len(job.message)) + job.message)

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        self._began_s = loop.time()
        if self._alarm is None:
            self._alarm = loop.call_later(PATIENCE_S, self._look)

    def _look(self) -> None:
        """One timer for all answers: it looks at the one that is being read when it
        might be late.
        """
        self._alarm = None
        loop = asyncio.get_running_loop()
        due_s = self._began_s + PATIENCE_S
        if self._jobs and due_s <= loop.time():
            self._late = True
            self._end()
        elif self._jobs:
            self._alarm = loop.call_at(due_s, self._look)

    def _end(self) -> None:
        process = self._process
        self._process = 0
        if process:
            # somebody else has seen to it
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)


def _request_bytes(fetched: Fetched) -> bytes:
    """What a reader needs of an answer; a ticket or all its headers would take longer to pack than
    the body.
    """
    return pickle.dumps(
        (
            fetched.url,
            fetched.ended_s,
            fetched.body,
            fetched.content_type,
            fetched.robots_tag,
        ),
        pickle.HIGHEST_PROTOCOL,
    )


def _answer(message: bytes) -> Fetched:
    url, ended_s, body, content_type, robots_tag = pickle.loads(message)
    return Fetched(
        _NO_TICKET,
        url,
        ended_s,
        status=200,
        body=body,
        content_type=content_type,
        robots_tag=robots_tag,
    )


def _fork(read: Read) -> tuple[int, socket.socket]:
    """(process, our end of the socket to it)"""
    ours, theirs = socket.socketpair()
    try:
        process = os.fork()
    except OSError:
        ours.close()
        theirs.close()
        raise
    if process == 0:
        # whatever it was, this copy of the robot must not go on as one
        with contextlib.suppress(BaseException):
            _become_reader(theirs)
            _serve(theirs, read)
        os._exit(0)
    theirs.close()
    ours.setblocking(False)
    return process, ours


def _become_reader(end: socket.socket) -> None:
    """Let go of all that is the robot's: its signals, its files, what it prints to."""
    signal.set_wakeup_fd(-1)
    # which may still want an answer read
    for meant_for_the_robot in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(meant_for_the_robot, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    os.closerange(3, end.fileno())
    os.closerange(end.fileno() + 1, os.sysconf("SC_OPEN_MAX"))


def _serve(end: socket.socket, read: Read) -> None:
    """Until the robot is gone."""
    with end.makefile("rwb") as pipe:
        while head := pipe.read(_HEAD.size):
            _, size = _HEAD.unpack(head)
            answer = pipe.read(size)
            signal.alarm(2 * int(PATIENCE_S + 1))  # should the robot be gone by then
            failed, message = _receive(answer, read)
            signal.alarm(0)
            pipe.write(_HEAD.pack(failed, len(message)) + message)
            pipe.flush()


def _receive(message: bytes, read: Read) -> tuple[bool, bytes]:
    try:
        return False, pack_reading(read(_answer(message)))
    except Exception as error:
        return True, pickle.dumps(error)


def _found(message: bytes, failed: bool) -> Reading | Exception:
    try:
        return pickle.loads(message) if failed else unpack_reading(message)
    except Exception as error:  # an error that cannot be told is one, too
        return error
