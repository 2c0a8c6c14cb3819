"""The process that reads answers, and the messages between it and the robot.

It is a fork of the robot that lets go of everything but its end of a socket. Each message is a head
(whether it tells of an error, and its size) and a body.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import struct
from collections.abc import Callable
from typing import Final

from trapline.core.records import Fetched, Ticket
from trapline.reading.packing import pack_reading, unpack_reading
from trapline.reading.readings import Reading

PATIENCE_S: Final = 30.0  # with one answer; the largest honest ones take a few seconds
# of a message: whether it tells of an error, and its size
HEAD: Final = struct.Struct("!?Q")

Read = Callable[[Fetched], Reading]


def request_bytes(fetched: Fetched) -> bytes:
    """What a reader needs of an answer; a ticket or all headers would take longer to pack than the
    body.
    """
    needed = (
        fetched.ticket.kind,
        fetched.url,
        fetched.ended_s,
        fetched.body,
        fetched.content_type,
        fetched.robots_tag,
    )
    return pickle.dumps(needed, pickle.HIGHEST_PROTOCOL)


def _unpack_answer(message: bytes) -> Fetched:
    kind, url, ended_s, body, content_type, robots_tag = pickle.loads(message)
    return Fetched(
        Ticket(-1, kind, -1, -1, 0.0, 0.0),
        url,
        ended_s,
        status=200,
        body=body,
        content_type=content_type,
        robots_tag=robots_tag,
    )


def fork_reader(read: Read) -> tuple[int, socket.socket]:
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
    """Let go of everything of the robot: its signals, its files, its standard output."""
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
        while head := pipe.read(HEAD.size):
            _, size = HEAD.unpack(head)
            answer = pipe.read(size)
            signal.alarm(2 * int(PATIENCE_S + 1))  # should the robot be gone by then
            failed, message = _read_message(answer, read)
            signal.alarm(0)
            pipe.write(HEAD.pack(failed, len(message)) + message)
            pipe.flush()


def _read_message(message: bytes, read: Read) -> tuple[bool, bytes]:
    try:
        return False, pack_reading(read(_unpack_answer(message)))
    except Exception as error:
        return True, pickle.dumps(error)


def unpack_result(message: bytes, failed: bool) -> Reading | Exception:
    try:
        return pickle.loads(message) if failed else unpack_reading(message)
    except Exception as error:  # an error that cannot be unpacked is one, too
        return error
