"""Several directories: they tell each other what engines have signed, and nothing else counts."""

from __future__ import annotations

import json
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import wait_until
from tests.e2e.support.fake_engine import FakeEngine, ask, send
from tests.e2e.test_directory import directory, engines, entry_of, state_of
from trapline.app.federation.key_file import make_key
from trapline.oasis.signed_description import sign_description
from trapline.oasis.statements import sign_statement


class FakeDirectory(FakeEngine):
    """Answers with whatever entries it was given."""

    def __init__(self, entries: list[Any]) -> None:
        super().__init__("a lying directory")
        self.entries = entries
        self.lies["/directory/engines"] = self._list

    def _list(self, request: BaseHTTPRequestHandler) -> None:
        said = {"engines": self.entries, "next": None, "table": "x"}
        send(request, 200, json.dumps(said).encode(), Content_Type="application/json")


def entry(engine: FakeEngine, state: str = "alive", kind: str = "join") -> Any:
    signed = sign_description(engine.description(), engine.key.sign)
    return {
        "description": signed.as_json(),
        "statement": engine.statement(kind).as_json(),
        "state": state,
        "findings": [],
    }


def test_what_one_hears_the_other_knows(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one = stack.enter_context(directory(tmp_path / "one"))
        other = stack.enter_context(directory(tmp_path / "other", peers=(one,)))
        engine = stack.enter_context(FakeEngine())
        assert engine.join(one).status == 200
        wait_until(lambda: state_of(other, engine) == "alive")
        path = f"/directory/engines/{engine.key.public}/terms"
        wait_until(lambda: ask(other, path).data == engine.terms)
        wait_until(lambda: table_of(one) == table_of(other) != "")
        engine.change({5: 5})
        engine.renew(one)
        wait_until(lambda: entry_of(other, engine)["description"]["version"] == 2)
        engine.leave(one)
        wait_until(lambda: state_of(other, engine) == "left")
        engine.join(other)
        assert state_of(other, engine) == "alive"
        [peer] = ask(other, "/directory/peers").data["peers"]
        assert (peer["url"], peer["reason"]) == (one, "")
        assert peer["heard"] >= 3


def table_of(url: str) -> str:
    return str(ask(url, "/directory/engines").data["table"])


def test_renewals_travel_so_that_nobody_falls_silent(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one = stack.enter_context(directory(tmp_path / "one"))
        other = stack.enter_context(directory(tmp_path / "other", peers=(one,)))
        engine = stack.enter_context(FakeEngine())
        engine.join(one)
        wait_until(lambda: state_of(other, engine) == "alive")
        seen_s = entry_of(other, engine)["seen_s"]
        engine.renew(one)
        wait_until(lambda: entry_of(other, engine)["seen_s"] > seen_s)


def test_a_directory_that_invents_engines_does_no_harm(tmp_path: Path) -> None:
    with ExitStack() as stack:
        victim = stack.enter_context(FakeEngine("victim"))
        real = stack.enter_context(FakeEngine("real"))
        forged = entry(victim)
        forged["statement"]["name"] = "changed"
        # signed by a key of its own, for an address where another engine answers
        stolen = FakeEngine("stolen", key=make_key())
        stolen.url = victim.url
        old = entry(victim)
        stack.callback(stolen._server.server_close)
        garbage: list[Any] = [None, 7, "x", [], {}, {"state": "alive"}]
        unsigned = {**entry(victim), "statement": {"key": [], "serial": "x"}}
        lies = [forged, entry(stolen), unsigned, *garbage, entry(real)]
        liar = stack.enter_context(FakeDirectory(lies))
        url = stack.enter_context(directory(tmp_path, peers=(liar.url,)))
        wait_until(lambda: state_of(url, real) == "alive")
        assert set(engines(url)) <= {real.key.public, stolen.key.public}
        assert state_of(url, stolen) in ("unknown", "refused")
        # what the engine itself says counts, and an old statement does not
        assert victim.join(url).status == 200
        liar.entries = [{**old, "state": "left"}, entry(stolen)]
        asked = len(liar.asked)
        wait_until(lambda: len(liar.asked) > asked + 2)
        assert state_of(url, victim) == "alive"


def test_a_leave_that_the_engine_did_not_sign_is_no_leave(tmp_path: Path) -> None:
    with ExitStack() as stack:
        engine = stack.enter_context(FakeEngine())
        thief = make_key()
        liar = stack.enter_context(FakeDirectory([]))
        url = stack.enter_context(directory(tmp_path, peers=(liar.url,)))
        engine.join(url)
        left = engine.statement("leave").statement
        forged = entry(engine, "left")
        forged["statement"] = sign_statement(left, thief.sign).as_json()
        liar.entries = [forged, {**entry(engine), "state": "left"}]
        asked = len(liar.asked)
        wait_until(lambda: len(liar.asked) > asked + 2)
        assert state_of(url, engine) == "alive"


def test_what_one_omits_another_tells(tmp_path: Path) -> None:
    with ExitStack() as stack:
        honest = stack.enter_context(directory(tmp_path / "honest"))
        silent = stack.enter_context(FakeDirectory([]))
        peers = (silent.url, honest)
        url = stack.enter_context(directory(tmp_path / "own", peers=peers))
        engine = stack.enter_context(FakeEngine())
        engine.join(honest)
        wait_until(lambda: state_of(url, engine) == "alive")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"garbage", "not JSON"),
        (b"[]", "is no directory"),
        (b'{"engines": 7}', "is no directory"),
    ],
)
def test_a_directory_that_answers_garbage_is_named(
    tmp_path: Path, answer: bytes, reason: str
) -> None:
    with ExitStack() as stack:
        liar = stack.enter_context(FakeDirectory([]))
        liar.lies["/directory/engines"] = answer
        url = stack.enter_context(directory(tmp_path, peers=(liar.url,)))

        def said() -> str:
            return str(ask(url, "/directory/peers").data["peers"][0]["reason"])

        wait_until(lambda: reason in said())
        with FakeEngine() as engine:
            assert engine.join(url).status == 200


def test_a_list_without_end_is_cut(tmp_path: Path) -> None:
    """Its `next` always leads on."""
    pages = 0

    def go_on(request: BaseHTTPRequestHandler) -> None:
        nonlocal pages
        pages += 1
        said = {"engines": [], "next": pages}
        send(request, 200, json.dumps(said).encode())

    with ExitStack() as stack:
        liar = stack.enter_context(FakeDirectory([]))
        liar.lies["/directory/engines"] = go_on
        url = stack.enter_context(directory(tmp_path, peers=(liar.url,)))

        def heard() -> bool:
            [peer] = ask(url, "/directory/peers").data["peers"]
            return bool(peer["reason"] == "")

        wait_until(heard)
        assert pages >= 100
