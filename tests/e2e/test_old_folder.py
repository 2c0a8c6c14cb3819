"""A folder that version 0.1 wrote opens: commands say of it what they said then, and a robot goes
on where that one was killed.

tests/data/folder-0.1.json holds what that version said.
"""

from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest

from tests.e2e.support.command import PROGRAM, ran, said, trapline
from trapline.app.engine.build import open_engine
from trapline.app.settings import read_settings
from trapline.core.storage import Batch
from trapline.stores.sqlite.store import SqliteStore

DATA: Final = Path(__file__).parents[1] / "data"
THEN: Final[dict[str, Any]] = json.loads((DATA / "folder-0.1.json").read_text())
HELD: Final = {page["url"] for page in THEN["export"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with tarfile.open(DATA / "folder-0.1.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    return tmp_path / "small" / "engine"


def said_then(*words: object) -> Any:
    """What a command says at the time at which the old version was asked."""
    clock = f"import time; time.time = lambda: {THEN['clock_s']}"
    return said(ran(f"{clock}; {PROGRAM}", *words, "--json"))


def test_it_is_read_as_the_old_version_read_it(folder: Path) -> None:
    status = said_then("status", folder)
    assert status.pop("robot_state") == "died"  # it was killed, and did not say so yet
    then = THEN["status"]
    for now, old in zip(status["recent"], then["recent"], strict=True):
        assert now.pop("url").endswith(old.pop("url"))  # of a robots.txt in full now
        assert {name: now[name] for name in old} == old
    for name in then.keys() - {"recent", "folder"}:
        assert status[name] == then[name], name
    for host, facts in THEN["hosts"].items():
        for now, old in zip(said_then("host", folder, host), facts, strict=True):
            assert {name: now[name] for name in old} == old
    for url, reasons in THEN["why"].items():
        # The market price is the agenda's alone now, and moves a little differently.
        now = said_then("why", folder, url)
        moved = ("price", "market_price", "local_price", "due_in_s", "terms")
        if reasons["age_s"] is None and now["time_line"]["visits"]:
            # visits that read nothing are visits now
            reasons["age_s"] = now["age_s"]
        for name in reasons:
            expected = reasons[name]
            if name in moved and isinstance(expected, float):
                expected = pytest.approx(expected, rel=1e-3)
            if name == "beliefs" and expected:  # processors round differently
                expected = pytest.approx(expected, rel=1e-9)
            if name != "terms":
                assert now[name] == expected, name
        assert len(now["terms"]) == len(reasons["terms"])
    for query, hits in THEN["search"].items():
        # The ranking is another one now; what was found still is.
        found = said_then("search", folder, query, "--limit", "100")["hits"]
        assert {url for url, _, _ in hits} <= {hit["url"] for hit in found}
        assert {title for _, title, _ in hits} <= {hit["title"] for hit in found}


def test_every_page_is_exported(folder: Path) -> None:
    lines = trapline("export", folder, "--jsonl", "--out", "-").stdout.splitlines()
    pages = [json.loads(line) for line in lines]
    for page in pages:
        assert page.pop("fields") == {}  # no rules picked anything out of it
        page["text"] = sha256(page["text"].encode()).hexdigest()
    assert pages == THEN["export"]


def test_a_text_of_the_old_version_is_kept_when_it_changes(folder: Path) -> None:
    """The store is brought up to date, and the old text is the first version."""
    url = THEN["export"][0]["url"]
    assert len(said(trapline("diff", folder, url, "--list", "--json"))["versions"]) == 1
    store = SqliteStore(folder)
    page = store.page(store.number_of(url) or 0)
    assert page is not None and page.url == url
    now = replace(
        page, text=f"{page.text}\na line more", changed_s=page.changed_s + 9.0
    )
    store.commit(Batch(pages=[now], versions=19))
    store.close()
    found = said(trapline("diff", folder, url, "--json"))
    assert (found["from"]["number"], found["diff"]) == (1, ["+ a line more"])


def test_a_robot_goes_on_where_the_old_one_was_killed(folder: Path) -> None:
    """The journal leads from the checkpoint to the same state, so nothing is learnt anew."""
    store = SqliteStore(folder, read_only=True)
    checkpoint = store.load_checkpoint()
    store.close()
    assert checkpoint is not None
    assert checkpoint.calls == THEN["opened"]["checkpoint_calls"]
    engine = open_engine(folder, read_settings(folder.parent / "topic.toml"))
    try:
        assert not engine.control.relearn
        assert engine.control.journal.calls == THEN["opened"]["journal_calls"]
        assert engine.controller.now_s == THEN["opened"]["now_s"]
        hosts = range(engine.controller.hosts())
        book = engine.holdings.book
        assert [book.host_name(host) for host in hosts] == THEN["opened"]["hosts"]
        held = [r.url for r in engine.store.urls() if engine.store.page(r.page)]
        assert set(held) == HELD and len(held) == len(HELD) == 31
    finally:
        engine.close()
    settings = folder.parent / "topic.toml"
    plan = said(trapline("crawl", settings, "--dir", folder, "--dry-run", "--json"))
    assert plan["resumes"]
