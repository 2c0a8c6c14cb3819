"""A directory over real HTTP: engines join, renew, change, fall silent and leave."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.documents import ROOT
from tests.e2e.support.command import wait_until
from tests.e2e.support.fake_engine import FakeEngine, ask, send, table_of, tell
from trapline.app.directory.directory_options import DirectoryOptions
from trapline.app.directory.directory_server import DirectoryServer, make_app
from trapline.app.directory.open_directory import OpenDirectory
from trapline.app.directory.pace import Bounds, Pace
from trapline.app.federation.key_file import make_key, verify
from trapline.app.web.server import bind
from trapline.core.errors import FolderBusy
from trapline.oasis.packing import pack_terms, unpack_shared
from trapline.oasis.signed_description import read_signed_description
from trapline.oasis.statements import JOIN, read_statement, sign_statement
from trapline.politeness.listed_hosts import read_listed

LISTED = read_listed(["127.0.0.1:*"])
PACE = Pace(sweep_s=0.05, table_s=0.05, gossip_s=0.1)
HASTY = replace(PACE, renew_s=0.3, expires_s=1.0)


@contextmanager
def directory(folder: Path, pace: Pace = PACE, **changes: Any) -> Iterator[str]:
    options = DirectoryOptions(pace=pace, **{"listed": LISTED, **changes})
    with DirectoryServer(folder, bind(0), options) as server:
        url = server.url.rstrip("/")
        wait_until(lambda: ask(url, "/directory/engines").status == 200)
        yield url


def engines(url: str) -> dict[str, dict[str, Any]]:
    """Entries by key."""
    said = ask(url, "/directory/engines").data["engines"]
    return {entry["statement"]["key"]: entry for entry in said}


def entry_of(url: str, engine: FakeEngine) -> dict[str, Any]:
    return engines(url).get(engine.key.public, {})


def state_of(url: str, engine: FakeEngine) -> str:
    return str(entry_of(url, engine).get("state", "unknown"))


def wait_for_table(url: str, pages: int) -> Any:
    def found() -> Any:
        packed = ask(url, "/directory/table").data
        return unpack_shared(packed) if packed else None

    wait_until(lambda: (table := found()) is not None and table.pages == pages)
    return found()


def test_an_engine_joins_and_everything_it_signed_can_be_had(tmp_path: Path) -> None:
    with directory(tmp_path) as url, FakeEngine() as engine:
        joined = engine.join(url)
        assert joined.status == 200, joined
        assert joined.data["expires_in_s"] == 120.0
        entry = entry_of(url, engine)
        assert (entry["state"], entry["reason"], entry["findings"]) == ("alive", "", [])
        signed = read_signed_description(entry["description"], verify)
        assert signed.description == replace(
            engine.description(), made_s=signed.description.made_s
        )
        assert read_statement(entry["statement"], verify).statement.kind == JOIN
        table = wait_for_table(url, 100)
        assert (table.keys.tolist(), table.documents.tolist()) == ([7, 9], [3, 2])
        for name in (entry["fingerprint"], engine.key.public):
            parts = {"terms": engine.terms, "sample": engine.sample}
            for kind, body in parts.items():
                path = f"/directory/engines/{name}/{kind}"
                assert ask(url, path).data == body


def test_the_table_is_the_sum_and_follows_what_engines_hold(tmp_path: Path) -> None:
    with (
        directory(tmp_path) as url,
        FakeEngine("a", {7: 3}) as one,
        FakeEngine("b", {7: 4, 8: 5}, pages=50) as other,
    ):
        assert one.join(url).status == other.join(url).status == 200
        table = wait_for_table(url, 150)
        assert (table.keys.tolist(), table.documents.tolist()) == ([7, 8], [7, 5])
        etag = f'"{table.version}"'
        assert ask(url, "/directory/table", If_None_Match=etag).status == 304
        assert ask(url, f"/directory/table?since={table.version}").status == 304
        one.change({7: 10, 9: 1})
        assert one.renew(url).status == 200
        wait_until(
            lambda: (
                unpack_shared(ask(url, "/directory/table").data).version
                != table.version
            )
        )
        later = unpack_shared(ask(url, "/directory/table").data)
        assert later.documents.tolist() == [14, 5, 1]
        assert entry_of(url, one)["description"]["version"] == 2
        assert other.leave(url).status == 200
        wait_for_table(url, 100)


def test_only_what_has_changed_travels(tmp_path: Path) -> None:
    words = {key: 1 + key % 90 for key in range(1, 9000, 7)}
    with directory(tmp_path) as url, FakeEngine(words=words) as engine:
        engine.join(url)
        wait_for_table(url, 100)
        engine.change({**words, 8: 4})
        engine.renew(url)
        path = f"/directory/engines/{engine.key.public}/terms"
        wait_until(lambda: ask(url, path).data == engine.terms)
        asked = [one for one in engine.asked if one.startswith("/engine/terms")]
        assert asked == ["/engine/terms", "/engine/terms?since=1"]
        # a delta that leads elsewhere is as good as none
        engine.change({**words, 8: 5})
        engine.deltas["2"] = b"garbage"
        engine.renew(url)
        wait_until(lambda: ask(url, path).data == engine.terms)
        assert engine.asked[-2:] == ["/engine/terms?since=2", "/engine/terms"]


def test_a_plain_renewal_asks_the_engine_nothing(tmp_path: Path) -> None:
    with directory(tmp_path) as url, FakeEngine() as engine:
        engine.join(url)
        wait_for_table(url, 100)
        before = list(engine.asked)
        for _ in range(3):
            assert engine.renew(url).status == 200
        assert engine.asked == before


def test_who_does_not_renew_falls_silent_and_may_come_back(tmp_path: Path) -> None:
    with directory(tmp_path, HASTY) as url, FakeEngine() as engine:
        engine.join(url)
        wait_until(lambda: state_of(url, engine) == "silent")
        entry = entry_of(url, engine)
        assert entry["reason"] == "nothing was heard of it for 1 s"
        assert engine.renew(url).status == 200
        assert state_of(url, engine) in ("alive", "silent")
        wait_until(lambda: engine.renew(url).status == 200)
        wait_for_table(url, 100)


def test_who_leaves_has_left_until_it_joins_again(tmp_path: Path) -> None:
    with directory(tmp_path) as url, FakeEngine() as engine:
        engine.join(url)
        old_renewal = engine.statement("renew").as_json()
        assert engine.leave(url).status == 200
        assert state_of(url, engine) == "left"
        assert entry_of(url, engine)["statement"]["kind"] == "leave"
        assert tell(url, old_renewal).status == 409
        assert state_of(url, engine) == "left"
        assert engine.join(url).status == 200
        assert state_of(url, engine) == "alive"


def test_nothing_is_believed_twice(tmp_path: Path) -> None:
    with directory(tmp_path) as url, FakeEngine() as engine:
        joined = engine.statement().as_json()
        left = engine.statement("leave").as_json()
        assert tell(url, joined).status == 200
        assert tell(url, joined).status == 409
        assert tell(url, left).status == 200
        assert engine.join(url).status == 200
        replayed = tell(url, left)
        assert replayed.status == 409 and "serial" in replayed.data["error"]
        assert state_of(url, engine) == "alive"


def test_nobody_speaks_for_another(tmp_path: Path) -> None:
    with directory(tmp_path) as url, FakeEngine() as engine, FakeEngine() as thief:
        engine.join(url)
        genuine = engine.statement("leave").statement
        forged = sign_statement(genuine, thief.key.sign)
        refused = tell(url, forged.as_json())
        assert refused.status == 409 and "signature" in refused.data["error"]
        # its own key, but the address of another
        refused = thief.join(url, url=engine.url)
        assert refused.status == 409 and "another key" in refused.data["error"]
        assert state_of(url, engine) == "alive"
        assert state_of(url, thief) == "refused"
        # the description of another, passed on as its own
        thief.lies["/engine"] = ask(engine.url, "/engine").data
        refused = thief.join(url)
        assert refused.status == 409 and "says that it is at" in refused.data["error"]
        assert state_of(url, engine) == "alive"


def test_a_clock_that_is_wrong_by_a_day_does_not_matter(tmp_path: Path) -> None:
    with (
        directory(tmp_path) as url,
        FakeEngine("early") as early,
        FakeEngine("late") as late,
    ):
        early.serial += 86_400_000
        late.serial -= 86_400_000
        for engine in (early, late):
            engine.changes["made_s"] = 1.0 if engine is late else 1e11
            assert engine.join(url).status == 200
            assert engine.renew(url).status == 200
            assert state_of(url, engine) == "alive"


def test_two_engines_of_one_name_are_both_there_and_that_is_said(
    tmp_path: Path,
) -> None:
    with directory(tmp_path) as url, FakeEngine() as one, FakeEngine() as other:
        one.join(url)
        other.join(url)
        for engine in (one, other):
            entry = entry_of(url, engine)
            assert entry["state"] == "alive"
            assert entry["findings"] == ["another engine has the same name"]


def test_an_engine_with_a_new_key_takes_the_place_of_the_old_one(
    tmp_path: Path,
) -> None:
    with directory(tmp_path) as url, FakeEngine() as engine:
        engine.join(url)
        before = engine.key.public
        engine.key = make_key()
        assert engine.join(url).status == 200
        old = engines(url)[before]
        assert (old["state"], old["reason"]) == (
            "refused",
            "an engine with another key answers at its address",
        )
        assert state_of(url, engine) == "alive"


def trickle(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    try:
        for _ in range(60):
            request.wfile.write(b"x")
            time.sleep(1.0)
    except OSError:
        pass
    request.close_connection = True


def flood(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    try:
        for _ in range(1600):
            request.wfile.write(b"x" * 65_536)
    except OSError:
        pass
    request.close_connection = True


def bomb(request: BaseHTTPRequestHandler) -> None:
    body = gzip.compress(b" " * 100_000_000, 9)
    send(request, 200, body, Content_Encoding="gzip")


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        (b"garbage", "not JSON"),
        (b"[" * 60_000, "not JSON"),
        (b'{"protocol": 1}', "limits: must be a table"),
        (flood, "answered more than 65,536 bytes"),
        (bomb, "answered more than 65,536 bytes"),
    ],
)
def test_descriptions_that_lie_are_refused_with_a_reason(
    tmp_path: Path, lie: Any, reason: str
) -> None:
    with (
        directory(tmp_path) as url,
        FakeEngine("liar") as liar,
        FakeEngine("honest") as honest,
    ):
        liar.lies["/engine"] = lie
        refused = liar.join(url)
        assert refused.status == 409 and reason in refused.data["error"]
        entry = entry_of(url, liar)
        assert entry["state"] == "refused" and reason in entry["reason"]
        assert honest.join(url).status == 200
        wait_for_table(url, 100)


def test_an_engine_of_a_byte_a_second_holds_up_nobody(tmp_path: Path) -> None:
    with (
        directory(tmp_path, bounds=Bounds(part_s=2.0)) as url,
        FakeEngine("slow") as slow,
        FakeEngine("quick") as quick,
    ):
        slow.lies["/engine/terms"] = trickle
        assert slow.join(url).status == 200
        assert quick.join(url).status == 200
        wait_for_table(url, 100)
        wait_until(lambda: entry_of(url, slow)["findings"] != [])
        assert "did not answer within 2 s" in entry_of(url, slow)["findings"][0]
        assert state_of(url, slow) == "alive"


@pytest.mark.parametrize(
    ("path", "lie", "finding"),
    [
        ("/engine/terms", b"garbage", "not those that it has signed"),
        ("/engine/sample", b"garbage", "not those that it has signed"),
        ("/engine/terms", flood, "answered more than"),
        ("/engine/terms", bomb, "answered more than"),
    ],
)
def test_statistics_that_lie_do_not_count(
    tmp_path: Path, path: str, lie: Any, finding: str
) -> None:
    with (
        directory(tmp_path) as url,
        FakeEngine("liar", pages=10**6) as liar,
        FakeEngine("honest") as honest,
    ):
        liar.lies[path] = lie
        assert liar.join(url).status == 200
        assert honest.join(url).status == 200
        wait_until(lambda: entry_of(url, liar)["findings"] != [])
        [found] = entry_of(url, liar)["findings"]
        assert found.startswith("its statistics do not count: ") and finding in found
        assert wait_for_table(url, 100).documents.tolist() == [3, 2]
        assert ask(url, f"/directory/engines/{liar.key.public}/terms").status == 404


class SignedLiar(FakeEngine):
    """Signs statistics that cannot be."""

    def __init__(self, signed: bytes) -> None:
        super().__init__("liar")
        self._signed = signed

    @property
    def terms(self) -> bytes:
        return self._signed


@pytest.mark.parametrize(
    ("signed", "finding"),
    [
        (b"garbage", "cannot be unpacked"),
        (gzip.compress(b"\0" * 100_000_000), "cannot be unpacked"),
        (pack_terms(table_of(10**9, {7: 10**8})), "of 1,000,000,000 pages"),
    ],
    ids=["garbage", "bomb", "pages"],
)
def test_signed_lies_do_not_count_either(
    tmp_path: Path, signed: bytes, finding: str
) -> None:
    with (
        directory(tmp_path) as url,
        SignedLiar(signed) as liar,
        FakeEngine("honest") as honest,
    ):
        assert liar.join(url).status == 200
        assert honest.join(url).status == 200
        wait_until(lambda: entry_of(url, liar)["findings"] != [])
        assert finding in entry_of(url, liar)["findings"][0]
        wait_for_table(url, 100)
        # when it has mended its ways it counts
        liar._signed = pack_terms(table_of(100, {5: 1}))
        liar.version += 1
        assert liar.renew(url).status == 200
        wait_for_table(url, 200)
        wait_until(lambda: entry_of(url, liar)["findings"] == [])


def test_private_addresses_are_refused_unless_listed(tmp_path: Path) -> None:
    with (
        directory(tmp_path, listed=read_listed(["127.0.0.1:1"])) as url,
        FakeEngine() as engine,
    ):
        refused = engine.join(url)
        assert refused.status == 409
        reason = "lies at a private address that is not listed"
        assert reason in refused.data["error"]
        assert engine.asked == []


def test_one_party_cannot_fill_a_directory(tmp_path: Path) -> None:
    bounds = Bounds(engines=3, of_a_site=2, refused=3)
    with directory(tmp_path, bounds=bounds) as url, FakeEngine("first") as first:
        first.join(url)
        with FakeEngine("second") as second, FakeEngine("third") as third:
            assert second.join(url).status == 200
            refused = third.join(url)
            assert refused.status == 409
            assert "2 engines of 127.0.0.1" in refused.data["error"]
            second.leave(url)
            assert third.join(url).status == 200
            for _ in range(6):
                third.join(url, key=make_key().public)  # not even signed
            nobodies = [FakeEngine(f"nobody {n}") for n in range(6)]
            for nobody in nobodies:
                nobody.join(url, url="http://127.0.0.1:1")
                nobody._server.server_close()
            assert len(engines(url)) <= 5
            assert state_of(url, first) == state_of(url, third) == "alive"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"garbage", 422),
        (b"[" * 10_000, 422),
        (b"{}", 409),
        (b"\xff\xfe", 422),
        (b" " * 70_000, 413),
        (b"null", 409),
    ],
)
def test_what_is_no_statement_is_refused(
    tmp_path: Path, body: bytes, status: int
) -> None:
    with directory(tmp_path) as url:
        said = tell(url, body)
        assert said.status == status and said.data["error"]
        assert engines(url) == {}


def test_other_sites_and_other_names_are_refused(tmp_path: Path) -> None:
    with directory(tmp_path) as url, FakeEngine() as engine:
        statement = engine.statement().as_json()
        assert tell(url, statement, Sec_Fetch_Site="cross-site").status == 403
        assert ask(url, "/directory/engines", Host="evil.org").status == 421
        assert engines(url) == {}


@pytest.mark.parametrize(
    "path",
    [
        "/directory/engines/nobody/terms",
        "/directory/nothing",
        "/nothing",
        "/directory/engines?limit=0",
        "/directory/engines?after=x",
        "/directory/engines?after=99999999999999999999999",
    ],
)
def test_what_is_asked_wrongly_is_a_clear_answer(tmp_path: Path, path: str) -> None:
    with directory(tmp_path) as url:
        said = ask(url, path)
        assert said.status in (404, 422)


def test_many_engines_come_in_pages(tmp_path: Path) -> None:
    with directory(tmp_path) as url:
        many = [FakeEngine(f"engine {n}") for n in range(7)]
        for engine in many:
            with engine:
                assert engine.join(url).status == 200
        after = 0
        names: list[str] = []
        while after is not None:
            page = ask(url, f"/directory/engines?limit=3&after={after}").data
            names += [entry["name"] for entry in page["engines"]]
            after = page["next"]
        assert names == [engine.name for engine in many]


def test_a_folder_has_one_directory(tmp_path: Path) -> None:
    with directory(tmp_path), pytest.raises(FolderBusy):
        OpenDirectory(tmp_path, DirectoryOptions())


def test_the_page_shows_engines_and_is_not_written_by_them(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    with directory(tmp_path) as url, FakeEngine(evil[:60]) as engine:
        assert b"No engine has joined yet" in ask(url, "/").data
        engine.changes["topic"] = f"{evil} \u202e backwards"
        assert engine.join(url).status == 200
        page = ask(url, "/").data.decode()
        assert "&lt;script&gt;alert(1)" in page and "<script>alert" not in page
        assert "alive" in page
        assert b"Engines (JSON)" in ask(url, "/nothing").data


def test_every_address_is_in_the_reference(tmp_path: Path) -> None:
    reference = (ROOT / "docs/reference/http-api.md").read_text(encoding="utf-8")
    opened = OpenDirectory(tmp_path, DirectoryOptions())
    paths = {getattr(route, "path", "") for route in make_app(opened).routes}
    opened.close()
    wanted = {path for path in paths if path.startswith("/directory/")}
    assert len(wanted) == 6
    assert [path for path in wanted if f"{path}`" not in reference] == []
