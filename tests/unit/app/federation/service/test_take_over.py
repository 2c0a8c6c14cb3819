"""Suggestions from a folder, and taking them over: checked first, written at once, never twice."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest

from tests.e2e.support.served import fill_folder
from trapline.app.demand.demand_file import day_now
from trapline.app.federation.key_file import make_key
from trapline.app.federation.query_memory import OWN, AnsweredPage, answered_query
from trapline.app.federation.query_memory_file import FILE, add_queries
from trapline.app.federation.service import take_over as taking
from trapline.app.federation.service.known_service import known_service
from trapline.app.federation.service.take_over import plan_take_over, take_over
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.label_file import LabelFile
from trapline.app.folder.orders.order_file import FORGET, give_order, orders_in_force
from trapline.core.errors import FolderMissing, UserMistake
from trapline.oasis.description import Description, Packed
from trapline.oasis.packing import pack_within
from trapline.oasis.service.suggestion import LEAVE_TO, NEW_ENGINE, SHIFT, Suggestion
from trapline.oasis.signed_description import sign_description
from trapline.oasis.terms import TermTable


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fill_folder(tmp_path / "engine")


def known_urls(folder: Path) -> list[str]:
    store = open_for_reading(folder)
    try:
        return [row.url for row in store.urls()]
    finally:
        store.close()


def suggestion(kind: str, engine: str, **more: tuple[str, ...]) -> Suggestion:
    words = ("mars", "rover")
    return Suggestion(
        kind,
        engine,
        words,
        ("mars rover",),
        more.get("examples", ()),
        more.get("against", ()),
        1.0,
        0.1,
        "",
    )


def test_an_engine_takes_examples_and_counter_examples(folder: Path) -> None:
    one, other, third = known_urls(folder)[:3]
    found = [
        suggestion(SHIFT, "own", examples=(one,), against=(other,)),
        suggestion(LEAVE_TO, "own", against=(third, other)),
        suggestion(NEW_ENGINE, ""),
        suggestion(SHIFT, "another", examples=(third,)),
    ]
    plan = plan_take_over(folder, "own", True, found)
    assert not (folder / "labels.jsonl").exists(), "nothing is written yet"
    assert plan.as_dict() == {
        "topic": ["mars rover"],
        "examples": [one],
        "against": [other, third],
        "seeds": [],
        "left_out": [],
    }
    take_over(folder, plan)
    labels = LabelFile(folder).news()
    assert labels.pages == {one: True, other: False, third: False}
    assert labels.texts == {"mars rover": True}
    assert not plan_take_over(folder, "own", True, found), "it is known by now"


def test_an_engine_without_a_topic_gets_none(folder: Path) -> None:
    plan = plan_take_over(folder, "own", False, [suggestion(SHIFT, "own")])
    assert not plan and "holds everything" in plan.left_out[0]


def test_pages_that_are_not_known_become_seeds_if_a_machine_may_name_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seed(_: Path, url: str) -> str:
        if "127." in url:
            raise UserMistake("it is not public")
        return url

    monkeypatch.setattr(taking, "suggested_seed", seed)
    urls = ("http://mars.org/", "http://127.0.0.9/private", "javascript:alert(1)")
    found = [suggestion(SHIFT, "own", examples=urls, against=("http://tea.org/",))]
    plan = plan_take_over(folder, "own", True, found)
    assert plan.seeds == plan.examples == ["http://mars.org/"]
    assert plan.against == [], "what it does not know it need not leave"
    assert len(plan.left_out) == 2
    take_over(folder, plan)
    assert orders_in_force(folder).seeds == ["http://mars.org/"]
    assert orders_in_force(folder).seed_hosts == set(), "no person has named its host"


def test_private_hosts_cannot_be_named_by_other_engines(folder: Path) -> None:
    found = [suggestion(SHIFT, "own", examples=("http://10.1.2.3/admin",))]
    plan = plan_take_over(folder, "own", True, found)
    assert plan.examples == plan.seeds == [] and "not public" in plan.left_out[0]


def test_what_was_forgotten_stays_so(folder: Path) -> None:
    url = known_urls(folder)[0]
    give_order(folder, FORGET, url)
    found = [suggestion(SHIFT, "own", examples=(url,))]
    plan = plan_take_over(folder, "own", True, found)
    assert plan.examples == [] and "forgotten" in plan.left_out[0]


def put_engine(folder: Path, name: str, **documents: int) -> str:
    """As a broker keeps it; returns its key."""
    key = make_key()
    rows = [("en", stem, count, 1.0, 0.1) for stem, count in documents.items()]
    packed, kept = pack_within(TermTable.of_rows(1000, rows))
    described = Description(
        name,
        "http://127.0.0.1:8123",
        key.public,
        1,
        1.0,
        1000,
        "space",
        (("en", 1000),),
        terms=Packed(1, len(packed), "0" * 64, kept),
    )
    said = json.dumps(sign_description(described, key.sign).said)
    connection = apsw.Connection(str(folder / FILE))
    connection.execute(
        "CREATE TABLE IF NOT EXISTS engines (key TEXT PRIMARY KEY, kind TEXT, url TEXT,"
        " name TEXT, said TEXT, source TEXT, heard_s REAL);"
        "CREATE TABLE IF NOT EXISTS parts (key TEXT, part TEXT, digest TEXT, packed BLOB)"
    )
    row = (key.public, "trapline", described.url, name, said, "", 0.0)
    connection.execute("INSERT INTO engines VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    part = (key.public, "terms", "", packed)
    connection.execute("INSERT INTO parts VALUES (?, ?, ?, ?)", part)
    connection.close()
    return key.public


def test_a_folder_tells_what_its_service_lacks(folder: Path) -> None:
    today = day_now()
    key = put_engine(folder, "space", mar=300, rover=200)
    put_engine(folder, "kitchen", tea=400)
    page = AnsweredPage("http://mars.org/", (key,))
    both = AnsweredPage("http://b.org/", (OWN, key))
    rows = [answered_query("mars rover", today, [key], [page], 1, 0.1)] * 3
    rows += [answered_query("bicycle gear", today, [key], [], 0, 0.0)] * 3
    rows += [answered_query("space tea", today, [key], [both] * 10, 90, 3.0)] * 9
    mine = AnsweredPage("http://garden.org/", (OWN,))
    rows += [answered_query("garden", today, [OWN], [mine] * 10, 90, 3.0)] * 20
    add_queries(folder, rows)
    service = known_service(folder)
    names = {engine.name for engine in service.engines}
    assert names == {"engine", "space", "kitchen"} and service.own == "engine"
    space = next(one for one in service.engines if one.name == "space")
    assert space.documents["rover"] == 200 and space.pages == 1000
    [overlap] = service.overlaps
    assert {overlap.one, overlap.other} == {"engine", "space"} and overlap.share > 0.9
    kinds = {(one.kind, one.engine) for one in service.suggest()}
    assert (NEW_ENGINE, "") in kinds and (SHIFT, "space") in kinds


def test_queries_are_counted_by_the_days_that_are_remembered(folder: Path) -> None:
    today = day_now()
    for day in (today - 9, today):
        add_queries(folder, [answered_query("moon", day, [], [], 0, 0.0)] * 5)
    [query] = known_service(folder).queries
    assert query.a_day == pytest.approx(1.0)
    [query] = known_service(folder, days=1).queries
    assert query.a_day == pytest.approx(5.0)


def test_descriptions_that_cannot_be_read_do_no_harm(folder: Path) -> None:
    put_engine(folder, "space", rover=3)
    connection = apsw.Connection(str(folder / FILE))
    connection.execute("UPDATE engines SET said = '{'; UPDATE parts SET packed = x'00'")
    connection.close()
    assert [one.name for one in known_service(folder).engines] == ["engine"]


def test_where_no_engine_is_nothing_can_be_said(tmp_path: Path) -> None:
    with pytest.raises(FolderMissing):
        known_service(tmp_path / "nowhere")
