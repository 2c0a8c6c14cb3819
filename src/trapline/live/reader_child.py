"""The process that reads answers, and the messages between it and the robot.

It is a fork of the robot that lets go of everything but its end of a socket. Each message begins
with a head that tells its size.
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
from trapline.reading.rules.reading_rules import NO_RULES, ReadingRules

PATIENCE_S: Final = 30.0  # with one answer; the largest honest ones take a few seconds
# of an answer to be read: the sizes of what is needed beside the body, and of the body
REQUEST_HEAD: Final = struct.Struct("!QQ")
# of a result: whether it tells of an error, and its size
HEAD: Final = struct.Struct("!?Q")

Read = Callable[[Fetched, ReadingRules], Reading]


def request_bytes(fetched: Fetched, rules: ReadingRules) -> tuple[bytes, bytes]:
    """What a reader needs of an answer, with the rules of its page, and its body, which is not
    copied; a ticket or all headers would take longer to pack.
    """
    needed = (
        fetched.ticket.kind,
        fetched.url,
        fetched.ended_s,
        fetched.content_type,
        fetched.robots_tag,
        None if rules is NO_RULES else rules,
    )
    packed = pickle.dumps(needed, pickle.HIGHEST_PROTOCOL)
    return REQUEST_HEAD.pack(len(packed), len(fetched.body)) + packed, fetched.body


def _unpack_answer(needed: bytes, body: bytes) -> tuple[Fetched, ReadingRules]:
    kind, url, ended_s, content_type, robots_tag, rules = pickle.loads(needed)
    fetched = Fetched(
        Ticket(-1, kind, -1, -1, 0.0, 0.0),
        url,
        ended_s,
        status=200,
        body=body,
        content_type=content_type,
        robots_tag=robots_tag,
    )
    return fetched, rules or NO_RULES


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
        while head := pipe.read(REQUEST_HEAD.size):
            needed, body = (pipe.read(size) for size in REQUEST_HEAD.unpack(head))
            signal.alarm(2 * int(PATIENCE_S + 1))  # should the robot be gone by then
            failed, message = _read_message(needed, body, read)
            signal.alarm(0)
            pipe.write(HEAD.pack(failed, len(message)) + message)
            pipe.flush()


def _read_message(needed: bytes, body: bytes, read: Read) -> tuple[bool, bytes]:
    try:
        return False, pack_reading(read(*_unpack_answer(needed, body)))
    except Exception as error:
        return True, pickle.dumps(error)


def unpack_result(message: bytes, failed: bool) -> Reading | Exception:
    try:
        return pickle.loads(message) if failed else unpack_reading(message)
    except Exception as error:  # an error that cannot be unpacked is one, too
        return error
