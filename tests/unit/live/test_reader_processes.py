"""Reading in processes of their own: the same readings, in order, whatever a document does to its
reader.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from trapline.core.records import Fetched, Kind, Ticket
from trapline.live import reader_child, reader_processes
from trapline.live.reader import NO_READER, TOO_LONG, TOOK_DOWN
from trapline.live.reader_processes import ReaderProcesses, readers_for
from trapline.reading.answer import read_answer
from trapline.reading.readings import ReadDocument, Reading, Unreadable
from trapline.reading.rules.reading_rules import FieldRule, ReadingRules

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="readers are forks, as Linux has them"
)
WAIT_S = 20.0


def answer(
    number: int, path: str = "", body: bytes = b"<title>Stars</title>"
) -> Fetched:
    ticket = Ticket(number, Kind.PAGE, number, 0, 0.0, 0.0)
    return Fetched(
        ticket,
        f"http://a.org/{path}",
        1.0,
        status=200,
        body=body,
        content_type="text/html",
    )


class OddError(Exception):
    """It can be packed, but not unpacked."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} {two}")


def odd_reading(fetched: Fetched, _: ReadingRules) -> Reading:
    """What the path says is done; else who read it is told."""
    match fetched.url.rpartition("/")[2]:
        case "die":
            os._exit(1)
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hang":
            time.sleep(600.0)
        case "raise":
            raise ValueError("no such thing")
        case "files":
            return Unreadable(
                " ".join(file.name for file in Path("/proc/self/fd").iterdir())
            )
        case "odd":
            raise OddError("one", "two")
        case "interrupted":
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGTERM)
    return Unreadable(f"{os.getpid()}")


def reason_of(reading: Reading) -> str:
    assert isinstance(reading, Unreadable)
    return reading.reason


def is_retried(reading: Reading) -> bool:
    assert isinstance(reading, Unreadable)
    return reading.retry


def with_readers(
    processes: int, work: Callable[[ReaderProcesses], Awaitable[None]]
) -> None:
    async def main() -> None:
        readers = ReaderProcesses(processes, odd_reading)
        await readers.start()
        try:
            await asyncio.wait_for(work(readers), WAIT_S)
        finally:
            readers.close()

    asyncio.run(main())


async def killed(readers: ReaderProcesses, process: int) -> None:
    """And noticed."""
    os.kill(process, signal.SIGKILL)
    while readers._readers[0]._transport is not None:
        await asyncio.sleep(0.01)


def test_the_same_as_at_home() -> None:
    page = answer(
        1,
        body=b"<title>Stars</title><p>See <a href='/sun'>the Sun</a>."
        + b"<p>far away" * 100_000,
    )

    async def main() -> None:
        readers = ReaderProcesses(1)
        await readers.start()
        there = await readers.read(page)
        here = read_answer(page)
        assert isinstance(there, ReadDocument)
        assert isinstance(here, ReadDocument)
        assert (there.marks, there.language, there.links.urls) == (
            here.marks,
            here.language,
            here.links.urls,
        )
        assert there.document.text == here.document.text
        readers.close()

    asyncio.run(main())


def test_many_at_once_over_two_processes() -> None:
    async def work(readers: ReaderProcesses) -> None:
        found = await asyncio.gather(
            *(readers.read(answer(i, body=b"x" * 100_000)) for i in range(40))
        )
        assert len(set(map(reason_of, found))) == 2
        assert str(os.getpid()) not in set(map(reason_of, found))

    with_readers(2, work)


@pytest.mark.parametrize("end", ["die", "crash"])
def test_an_answer_that_takes_the_reader_down_costs_only_itself(end: str) -> None:
    async def work(readers: ReaderProcesses) -> None:
        before, victim, after = (
            readers.read(answer(i, path)) for i, path in enumerate(("", end, ""))
        )
        assert await victim == Unreadable(TOOK_DOWN, retry=True)
        assert reason_of(await before) != reason_of(await after)  # another process
        assert reason_of(await readers.read(answer(4))) == reason_of(await after)

    with_readers(1, work)


def test_one_that_died_idle_is_replaced_when_it_is_needed() -> None:
    async def work(readers: ReaderProcesses) -> None:
        first = reason_of(await readers.read(answer(1)))
        assert isinstance(first, str)
        await killed(readers, int(first))
        assert reason_of(await readers.read(answer(2))) != first

    with_readers(1, work)


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_child, "PATIENCE_S", 2.0)

    async def work(readers: ReaderProcesses) -> None:
        late = readers.read(answer(1, "hang"))
        after = readers.read(answer(2))
        assert await late == Unreadable(TOO_LONG, retry=True)
        assert reason_of(await after).isdigit()

    with_readers(1, work)


@pytest.mark.parametrize(
    "bomb",
    [
        ReadingRules(only_if="(a+)+$"),
        ReadingRules(ignore_text=("(a|aa)+$",)),
        ReadingRules(select=("//*[count(//*[count(//*) > 1]) > 1]",)),
        ReadingRules(ignore=("p:has(~ p:has(~ p:has(~ i)))",)),
        ReadingRules(fields=(FieldRule("x", "//*[count(//*[count(//*) > 1]) > 1]"),)),
    ],
    ids=["only_if", "ignore_text", "select", "ignore", "fields"],
)
def test_a_rule_that_takes_for_ever_is_stopped(
    bomb: ReadingRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_child, "PATIENCE_S", 1.0)
    body = b"<h1>Tee</h1><p>" + b"a" * 60 + b"!</p>" + b"<p>b</p>" * 6_000
    page = answer(1, body=body)

    async def main() -> None:
        readers = ReaderProcesses(1)
        await readers.start()
        try:
            late = readers.read(page, bomb)
            assert await late == Unreadable(TOO_LONG, retry=True)
            monkeypatch.setattr(reader_child, "PATIENCE_S", WAIT_S)
            found = await readers.read(page, ReadingRules(select=("h1",)))
            assert isinstance(found, ReadDocument) and found.document.text == "Tee"
        finally:
            readers.close()

    asyncio.run(main())


def test_with_rules_there_is_always_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_processes, "readers_here", lambda: 0)
    assert readers_for(asks=False) == 0
    assert readers_for(asks=True) == (1 if sys.platform == "linux" else 0)


def test_errors_are_raised_by_whoever_asked() -> None:
    async def work(readers: ReaderProcesses) -> None:
        with pytest.raises(ValueError, match="no such thing"):
            await readers.read(answer(1, "raise"))
        with pytest.raises(TypeError, match="two"):
            await readers.read(answer(3, "odd"))
        assert reason_of(await readers.read(answer(2))).isdigit()

    with_readers(1, work)


def test_a_reader_holds_nothing_of_the_robot(tmp_path: Path) -> None:
    async def work(readers: ReaderProcesses) -> None:
        found = reason_of(await readers.read(answer(1, "files"))).split()
        # three that lead nowhere, its end of the socket, and the folder that it lists
        assert len(found) == 5
        # they are not for it
        assert reason_of(await readers.read(answer(2, "interrupted"))).isdigit()

    with (tmp_path / "open").open("w"):
        with_readers(2, work)


def test_it_ends_with_the_robot() -> None:
    """Also with one that is killed: then nobody tells it."""
    beside = os.pipe()
    robot = os.fork()
    if robot == 0:
        process, ours = reader_child.fork_reader(odd_reading)
        os.write(beside[1], f"{process}\n".encode())
        signal.pause()
        ours.close()
    process = int(os.read(beside[0], 20))
    os.kill(robot, signal.SIGKILL)
    os.waitpid(robot, 0)
    deadline_s = time.monotonic() + WAIT_S
    while _lives(process) and time.monotonic() < deadline_s:
        time.sleep(0.01)
    assert not _lives(process)
    for end in beside:
        os.close(end)


def _lives(process: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False


def test_closing_leaves_no_process_and_nobody_waiting() -> None:
    async def main() -> None:
        readers = ReaderProcesses(1, odd_reading)
        await readers.start()
        process = int(reason_of(await readers.read(answer(1))))
        waiting = readers.read(answer(2, "hang"))
        readers.close()
        assert waiting.cancelled()
        assert not _lives(process)

    asyncio.run(main())


def test_one_that_dies_before_it_is_told_anything_has_a_successor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forked = reader_child.fork_reader
    deaths = [1, 1]

    def dying(read: reader_child.Read) -> tuple[int, socket.socket]:
        process, ours = forked(read)
        if deaths and deaths.pop():
            os.kill(process, signal.SIGKILL)
            time.sleep(0.05)
        return process, ours

    async def work(readers: ReaderProcesses) -> None:
        first = int(reason_of(await readers.read(answer(1))))
        monkeypatch.setattr(reader_child, "fork_reader", dying)
        os.kill(first, signal.SIGKILL)
        found = await asyncio.gather(*(readers.read(answer(i)) for i in range(5)))
        assert list(map(is_retried, found)).count(True) <= 3
        assert not is_retried(found[-1])

    with_readers(1, work)


def test_where_no_process_can_be_made_answers_are_for_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work(readers: ReaderProcesses) -> None:
        first = int(reason_of(await readers.read(answer(1))))
        monkeypatch.setattr(os, "fork", no_fork)
        await killed(readers, first)
        assert await readers.read(answer(2)) == Unreadable(NO_READER, retry=True)

    with_readers(1, work)


def test_a_start_without_a_process_is_made_up_for_when_there_is_something_to_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        readers = ReaderProcesses(1, odd_reading)
        with monkeypatch.context() as poor:
            poor.setattr(os, "fork", no_fork)
            await readers.start()
        assert reason_of(await readers.read(answer(1))).isdigit()
        readers.close()

    asyncio.run(main())


def no_fork() -> int:
    raise BlockingIOError("no more processes")


def test_children_that_nobody_may_wait_for() -> None:
    """As under some supervisors, which hand down that the ends of children are of no interest."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    async def work(readers: ReaderProcesses) -> None:
        victim = readers.read(answer(1, "die"))
        after = readers.read(answer(2))
        assert is_retried(await victim)
        assert not is_retried(await after)

    try:
        with_readers(1, work)
    finally:
        signal.signal(signal.SIGCHLD, before)
