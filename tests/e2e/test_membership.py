"""Membership over real HTTP: engines join, directories are killed and come back."""

from __future__ import annotations

import json
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import free_port, said, started, trapline, wait_until
from tests.e2e.support.fake_engine import FakeEngine, ask
from tests.e2e.support.forks import Forked
from tests.e2e.test_directory import PACE, directory, engines, entry_of, state_of
from trapline.app.directory.directory_store import DirectoryStore
from trapline.app.federation.key_file import make_key, read_key
from trapline.app.federation.membership.link_state import LinkState
from trapline.app.federation.membership.membership_file import (
    FILE,
    Memberships,
    read_memberships,
    write_memberships,
)
from trapline.app.federation.membership.run_membership import (
    Membership,
    start_membership,
)
from trapline.core.errors import MembershipUnreadable
from trapline.oasis.description import Description
from trapline.stores.sqlite.store import SqliteStore

HASTY = PACE.__class__(sweep_s=0.05, table_s=0.05, renew_s=0.2, expires_s=60.0)


class Member:
    """A folder, its engine's server, and its membership."""

    def __init__(self, folder: Path, server: FakeEngine, given: Memberships) -> None:
        self.folder = folder
        self.server = server
        self.membership: Membership = start_membership(folder, self.describe, given)

    def describe(self) -> Description:
        return self.server.description()

    def state(self, url: str) -> LinkState:
        return next(one.state for one in self.membership.links() if one.url == url)

    def reason(self, url: str) -> str:
        return next(one.reason for one in self.membership.links() if one.url == url)


@contextmanager
def member(folder: Path, name: str, *directories: str) -> Iterator[Member]:
    folder.mkdir(exist_ok=True)
    with FakeEngine(name, key=read_key(folder)) as server:
        one = Member(folder, server, Memberships(directories))
        try:
            yield one
        finally:
            one.membership.close()


@contextmanager
def process(folder: Path, port: int, *words: str) -> Iterator[tuple[Forked, str]]:
    """`trapline directory` as a user starts it."""
    listed = ("--listed", "127.0.0.1:*")
    command = ("directory", folder, "--port", port, "--json", *listed, *words)
    with started(*command) as running:
        line = running.stdout.readline()
        assert line, running.stderr.read()
        yield running, str(json.loads(line)["url"]).rstrip("/")


def test_an_engine_joins_renews_and_stays(tmp_path: Path) -> None:
    with (
        directory(tmp_path / "d", HASTY) as url,
        member(tmp_path / "e", "moon", url) as one,
    ):
        wait_until(lambda: one.state(url) is LinkState.JOINED)
        wait_until(lambda: state_of(url, one.server) == "alive")
        seen_s = entry_of(url, one.server)["seen_s"]
        wait_until(lambda: entry_of(url, one.server)["seen_s"] > seen_s)
        assert entry_of(url, one.server)["statement"]["kind"] == "renew"
        one.server.change({5: 5})
        wait_until(lambda: entry_of(url, one.server)["description"]["version"] == 2)


def test_a_refusal_and_a_silence_are_told_with_their_reasons(tmp_path: Path) -> None:
    nobody = f"http://127.0.0.1:{free_port()}"
    with (
        directory(tmp_path / "d", HASTY, listed=frozenset()) as url,
        member(tmp_path / "e", "moon", url, nobody) as one,
    ):
        wait_until(lambda: one.state(url) is LinkState.REFUSED)
        assert one.reason(url) == "lies at a private address that is not listed"
        wait_until(lambda: one.reason(nobody) == "refused the connection")
        assert one.state(nobody) is LinkState.WAITING


def test_a_serial_that_was_heard_already_is_skipped(tmp_path: Path) -> None:
    """The folder was restored, and its clock set back by a day."""
    with (
        directory(tmp_path / "d", HASTY) as url,
        member(tmp_path / "e", "moon") as one,
    ):
        one.server.serial += 86_400_000
        assert one.server.join(url).status == 200
        one.server.leave(url)
        write_memberships(one.folder, Memberships((url,)))
        wait_until(lambda: state_of(url, one.server) == "alive")
        wait_until(lambda: one.state(url) is LinkState.JOINED)


def test_what_is_joined_and_left_by_others_is_noticed(tmp_path: Path) -> None:
    with (
        directory(tmp_path / "d", HASTY) as url,
        member(tmp_path / "e", "moon") as one,
    ):
        assert one.membership.links() == []
        write_memberships(one.folder, Memberships((url,)))
        wait_until(lambda: state_of(url, one.server) == "alive")
        (one.folder / FILE).write_text("half of an ed")
        renewed_s = entry_of(url, one.server)["seen_s"]
        wait_until(lambda: entry_of(url, one.server)["seen_s"] > renewed_s)
        write_memberships(one.folder, Memberships())
        wait_until(lambda: state_of(url, one.server) == "left")


def test_several_directories_are_joined_at_once(tmp_path: Path) -> None:
    with (
        directory(tmp_path / "a", HASTY) as one,
        directory(tmp_path / "b", HASTY, peers=(one,)) as other,
        member(tmp_path / "e", "moon", one, other) as engine,
    ):
        for url in (one, other):
            wait_until(lambda url=url: engine.state(url) is LinkState.JOINED)  # type: ignore[misc]
            assert state_of(url, engine.server) == "alive"


def test_a_killed_directory_has_lost_nothing_and_joins_resume(tmp_path: Path) -> None:
    """Engines join in their threads; it is killed in the middle, again and again."""
    port = free_port()
    believed: set[str] = set()
    over = threading.Event()
    servers = [FakeEngine(f"engine {n}") for n in range(6)]

    def join_on_and_on(engine: FakeEngine, url: str) -> None:
        """Every answer with 200 is noted: what it says must never be lost."""
        while not over.is_set():
            engine.key = make_key()
            with suppress(OSError, HTTPException, ValueError):  # it was killed
                if engine.join(url).status == 200:
                    believed.add(engine.key.public)
            over.wait(0.02)

    url = f"http://127.0.0.1:{port}"
    threads = [
        threading.Thread(target=join_on_and_on, args=(engine, url), daemon=True)
        for engine in servers
    ]
    for engine in servers:
        engine.__enter__()
    try:
        with member(tmp_path / "e", "moon", url) as one:
            for round_ in range(3):
                with process(tmp_path / "d", port) as (running, _):
                    if not round_:
                        for thread in threads:
                            thread.start()
                    wanted = len(believed) + 12
                    wait_until(lambda wanted=wanted: len(believed) >= wanted)  # type: ignore[misc]
                    running.send_signal(signal.SIGKILL)
                    running.wait(60.0)
                store = DirectoryStore(tmp_path / "d")
                found = {entry.key for entry in store.engines()}
                store.close()
                assert believed <= found
            over.set()
            for thread in threads:
                thread.join(60.0)
            with process(tmp_path / "d", port) as (_, again):
                known = engines(again)
                assert believed <= set(known)
                wait_until(lambda: one.state(url) is LinkState.JOINED)
                assert state_of(again, one.server) == "alive"
    finally:
        over.set()
        for engine in servers:
            engine.__exit__()


def test_directories_as_processes_gossip_over_a_kill(tmp_path: Path) -> None:
    with FakeEngine() as engine, process(tmp_path / "a", free_port()) as (first, url):
        assert engine.join(url).status == 200
        peer = ("--peer", url)
        with process(tmp_path / "b", free_port(), *peer) as (_, other):
            wait_until(lambda: state_of(other, engine) == "alive")
            first.send_signal(signal.SIGKILL)
            first.wait(60.0)
            assert state_of(other, engine) == "alive"
            assert engine.renew(other).status == 200


def fill(folder: Path) -> Path:
    SqliteStore(folder).close()
    return folder


def test_the_commands_of_a_member(tmp_path: Path) -> None:
    folder = fill(tmp_path / "e")
    with (
        directory(tmp_path / "d") as url,
        FakeEngine("moon") as engine,
        FakeEngine("sun") as peer,
    ):
        engine.join(url)
        joined = said(trapline("engines", "join", folder, url, "--json"))
        assert joined == {"url": url, "kind": "directory"}
        joined = said(trapline("engines", "join", folder, peer.url + "/", "--json"))
        assert joined == {"url": peer.url, "kind": "engine"}
        assert read_memberships(folder) == Memberships((url,), (peer.url,))
        assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
        listed = said(trapline("engines", "list", folder, "--json"))
        assert listed["troubles"] == {}
        rows = {row["name"]: row for row in listed["engines"]}
        assert set(rows) == {"moon", "sun"}
        assert rows["moon"]["state"] == "alive" and rows["moon"]["pages"] == 100
        table = trapline("engines", "list", url).stdout
        fingerprint = engine.description().fingerprint
        assert "moon" in table and fingerprint in table and "alive" in table
        left = said(trapline("engines", "leave", folder, url, "--json"))
        assert (left["told"], left["reason"]) == (False, "it does not know this engine")
        assert read_memberships(folder).directories == ()
        again = trapline("engines", "leave", folder, url)
        assert again.returncode == 2 and "has not joined" in again.stderr


def test_leave_is_signed_by_the_folder(tmp_path: Path) -> None:
    with directory(tmp_path / "d") as url, member(tmp_path / "e", "moon", url) as one:
        wait_until(lambda: state_of(url, one.server) == "alive")
        one.membership.close()
        write_memberships(one.folder, Memberships((url,)))
        left = said(trapline("engines", "leave", one.folder, url, "--json"))
        assert left == {"url": url, "told": True, "reason": ""}
        assert state_of(url, one.server) == "left"


def test_describe_says_whether_it_is_signed(tmp_path: Path) -> None:
    with FakeEngine("moon") as engine:
        facts = said(trapline("engines", "describe", engine.url, "--json"))
        assert (facts["name"], facts["is_signed"]) == ("moon", True)
        text = trapline("engines", "describe", engine.url).stdout
        assert "all about the moon" in text and "good" in text
        forged = ask(engine.url, "/engine").data
        engine.lies["/engine"] = forged.replace(b'"pages": 100', b'"pages": 101')
        facts = said(trapline("engines", "describe", engine.url, "--json"))
        assert (facts["pages"], facts["is_signed"]) == (101, False)
        assert "NOT of its key" in trapline("engines", "describe", engine.url).stdout


def test_a_list_shows_what_was_found_and_what_was_invented(tmp_path: Path) -> None:
    with directory(tmp_path / "d") as url, FakeEngine("liar") as liar:
        liar.lies["/engine/terms"] = b"garbage"
        liar.join(url)
        wait_until(lambda: entry_of(url, liar)["findings"] != [])
        [row] = said(trapline("engines", "list", url, "--json"))["engines"]
        assert "its statistics do not count" in row["findings"][0]
        entry: dict[str, Any] = ask(url, "/directory/engines").data
        entry["engines"][0]["statement"]["name"] = "somebody else"
        with FakeEngine("directory") as false:
            false.lies["/directory/engines"] = json.dumps(entry).encode()
            [row] = said(trapline("engines", "list", false.url, "--json"))["engines"]
            assert row["state"] == "invented" and "signature" in row["reason"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("list", "nowhere"), "there is no engine in nowhere"),
        (("list", "http://127.0.0.1:1"), "not one of the Web's"),
        (("describe", "nowhere"), "there is no engine in nowhere"),
        (("join", "nowhere", "http://127.0.0.1:9"), "there is no engine in nowhere"),
        (("leave", "nowhere", "http://a.example.org"), "has not joined"),
        (("list", "https://"), "cannot use"),
    ],
    ids=str,
)
def test_mistakes_are_one_line(
    tmp_path: Path, words: tuple[str, ...], problem: str
) -> None:
    done = trapline("engines", *words)
    assert done.returncode == 2, done
    assert len(done.stderr.splitlines()) == 1 and problem in done.stderr
    assert not Path("nowhere").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"directories": "x"}',
        '{"directories": [7]}',
        '{"directories": ["ftp://a"]}',
        '{"extra": 1}',
        '{"listed": ["a b"]}',
        '{"public_url": 7}',
        json.dumps({"peers": ["http://a.org"] * 101}),
    ],
)
def test_a_damaged_file_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(MembershipUnreadable, match=FILE):
        read_memberships(tmp_path)
    assert (tmp_path / FILE).read_text() == text
