"""Outlets: where they stand after a crash, and what they never say."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from trapline.app.output.changes import Line, atom, lines_after, newest_lines
from trapline.app.output.outlets.feed_file import FeedFile
from trapline.app.output.outlets.jsonl_file import JsonlFile
from trapline.app.output.outlets.outlet import Refused
from trapline.app.output.outlets.outlet_targets import check_target, outlet_for
from trapline.app.output.outlets.webhook import Webhook
from trapline.core.errors import UserMistake
from trapline.core.records import Diff, Turn
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.memory import MemoryStore


def store_with(changes: int) -> MemoryStore:
    store = MemoryStore()
    urls = [UrlRow(page, f"http://a/{page}", 0) for page in range(changes + 1)]
    store.commit(Batch(hosts=[HostRow(0, "a:80", "http://a/")], urls=urls))
    store.commit(
        Batch(
            diffs=[
                Diff(page, float(page), Turn.NEW, 1) for page in range(1, changes + 1)
            ]
        )
    )
    return store


STORE = store_with(5)


def lines(*numbers: int) -> list[Line]:
    return [line for line in lines_after(STORE, 0) if line.number in numbers]


def numbers_in(path: Path) -> list[int]:
    return [json.loads(line)["number"] for line in path.read_text().splitlines()]


def test_a_file_goes_on_where_its_last_line_says(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    first = JsonlFile(path, STORE)
    assert first.resume(None, newest=5) == 0
    asyncio.run(first.tell(lines(1, 2)))
    first.close()
    again = JsonlFile(path, STORE)
    assert again.resume(noted=99, newest=5) == 2, "the file itself knows best"
    asyncio.run(again.tell(lines(2, 3)))
    again.close()
    assert numbers_in(path) == [1, 2, 3]


@pytest.mark.parametrize("torn", range(1, 40, 3))
def test_a_torn_line_is_cut_off(torn: int, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    whole = "".join(line.as_json() + "\n" for line in lines(1, 2, 3)).encode()
    path.write_bytes(whole[:-torn])
    outlet = JsonlFile(path, STORE)
    assert outlet.resume(None, newest=3) == 2
    asyncio.run(outlet.tell(lines(3)))
    outlet.close()
    assert path.read_bytes() == whole


def test_a_single_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(b'{"number": 1, "url": "ht')
    outlet = JsonlFile(path, STORE)
    assert outlet.resume(None, newest=1) == 0
    assert path.read_bytes() == b""
    outlet.close()


@pytest.mark.parametrize(
    "text",
    ["my diary\n", "no newline", '{"number": "3"}\n', "[]\n", '{"number": 0}\n', "\n"],
)
def test_somebody_elses_file_is_left_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(text)
    with pytest.raises(UserMistake, match="not a file of changes"):
        check_target(str(path))
    assert path.read_text() == text


@pytest.mark.parametrize(
    "last",
    [{"number": 7}, {"number": 3}, {"number": 3, "url": "http://a/3", "at_s": 8.0}],
)
def test_a_file_of_another_engine(last: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(last) + "\n")
    with pytest.raises(UserMistake, match="another engine"):
        JsonlFile(path, STORE).resume(None, newest=5)
    assert json.loads(path.read_text()) == last


def test_a_file_that_another_robot_writes(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    one = JsonlFile(path, STORE)
    one.resume(None, 0)
    with pytest.raises(UserMistake, match="another robot"):
        JsonlFile(path, STORE).resume(None, 0)
    one.close()


def test_a_full_disk_leaves_no_half_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.jsonl"
    outlet = JsonlFile(path, STORE)
    outlet.resume(None, 3)
    asyncio.run(outlet.tell(lines(1)))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            asyncio.run(outlet.tell(lines(2)))
    assert numbers_in(path) == [1]
    asyncio.run(outlet.tell(lines(2, 3)))
    outlet.close()
    assert numbers_in(path) == [1, 2, 3]


def test_a_feed_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "c.atom"
    store = store_with(2)
    outlet = outlet_for(str(path), tmp_path / "e", store)
    assert isinstance(outlet, FeedFile)
    assert outlet.resume(noted=2, newest=2) == 0, (
        "a feed that was deleted is written anew"
    )
    asyncio.run(outlet.tell(lines(1)))
    store.commit(Batch(diffs=[Diff(0, 9.0, Turn.GONE)]))
    asyncio.run(outlet.tell(lines(2)))
    assert path.read_bytes() == atom("e", newest_lines(store))
    assert outlet.resume(noted=2, newest=3) == 2
    assert outlet.resume(noted=2, newest=500) == 400, "it shows the newest hundred"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("changes.csv", r"\.jsonl"),
        ("", r"\.jsonl"),
        ("no/such/folder/c.jsonl", "no folder"),
        ("ftp://secret.example/x", "http"),
        ("http://", "http"),
        ("http://[::1/x", "http"),
        ("https:///secret", "http"),
    ],
)
def test_targets_that_cannot_be(target: str, hint: str) -> None:
    with pytest.raises(UserMistake, match=hint) as caught:
        check_target(target)
    assert "secret" not in str(caught.value) and "\n" not in str(caught.value)


def test_a_folder_is_no_target(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").mkdir()
    with pytest.raises(UserMistake, match="cannot be written"):
        check_target(str(tmp_path / "x.jsonl"))


def test_secrets_of_an_address_are_not_said() -> None:
    hook = Webhook("https://user:word@hooks.example/T0/B1/token?key=abc", "e")
    for secret in ("user", "word", "T0", "B1", "token", "abc"):
        assert secret not in hook.name + hook.key
    assert "hooks.example" in hook.name
    with pytest.raises(Refused) as caught:
        asyncio.run(Webhook("http://127.0.0.1:3/token", "e").tell(lines(1)))
    assert "token" not in str(caught.value) and caught.value.__suppress_context__


def test_a_new_webhook_hears_what_comes_from_now_on() -> None:
    hook = Webhook("http://127.0.0.1:3/", "e")
    assert (
        hook.resume(None, newest=40),
        hook.resume(30, newest=40),
        hook.resume(50, newest=40),
    ) == (40, 30, 40)


def test_feed_is_a_word_for_the_one_in_the_folder(tmp_path: Path) -> None:
    assert check_target("feed") == "feed"
    outlet = outlet_for("feed", tmp_path, store_with(0))
    assert isinstance(outlet, FeedFile)
    assert outlet.name == str(tmp_path / "changes.atom")
