"""Versions are named by number, date or age; whoever names none is told of the last change."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from trapline.app.folder.forget import forget
from trapline.app.folder.page_versions import diff_of, versions_of
from trapline.app.output.page_moves import NOTE
from trapline.app.printing.diff import print_diff
from trapline.core.errors import UrlUnknown, UserMistake, VersionUnknown
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite.store import SqliteStore

URL = "http://a.org/"
DAY_S = 86400.0
NOW_S = 20 * DAY_S


def edition(number: int) -> Page:
    """What the page says from the beginning of day `number` on."""
    text = f"a line that stays\nversion {number} of the other\n"
    at_s = number * DAY_S
    return Page(0, URL, "Title", text, 1.0, number, "", "", at_s, at_s)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    store = SqliteStore(tmp_path)
    hosts = [HostRow(0, "a.org:80", URL)]
    urls = [UrlRow(0, URL, 0), UrlRow(1, f"{URL}never", 0)]
    store.commit(Batch(hosts=hosts, urls=urls))
    for number in range(1, 7):
        store.commit(Batch(pages=[edition(number)], versions=4))
    store.close()
    monkeypatch.setattr(time, "time", lambda: NOW_S)
    yield tmp_path


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        (None, None, (5, 6)),
        (None, "4", (3, 4)),
        ("3", None, (3, 6)),
        ("3", "3", (3, 3)),
        ("14.5d", None, (5, 6)),
        ("15.5 d", "348h", (4, 5)),
        ("1970-01-04", "1970-01-04", (2, 3)),
        ("1970-01-05T12:00", None, (4, 6)),
        ("1w", None, (6, 6)),
        ("1000d", None, (2, 6)),
        (None, "2", (2, 2)),
    ],
)
def test_versions_are_chosen(
    folder: Path, since: str | None, until: str | None, found: tuple[int, int]
) -> None:
    diff = diff_of(folder, URL, since, until)
    assert (diff.old.number, diff.new.number) == found
    old, new = found
    went = f"- version {old} of the other"
    came = f"+ version {new} of the other"
    assert diff.lines == ([went, came] if old != new else [])


@pytest.mark.parametrize(
    ("since", "oldest"), [("1000d", True), ("14.5d", False), ("2", False)]
)
def test_a_time_of_which_nothing_is_kept_is_said(
    folder: Path, since: str, oldest: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    diff = diff_of(folder, URL, since, None)
    assert diff.oldest == oldest
    print_diff(diff, as_json=False)
    said = "Nothing older is kept: version 2 is the oldest." in capsys.readouterr().out
    assert said == oldest


def test_a_page_that_has_moved_is_shown_where_it_is_now(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = SqliteStore(folder)
    store.commit(Batch(notes={NOTE: json.dumps({f"{URL}never": (URL, 301)})}))
    store.close()
    diff = diff_of(folder, f"{URL}never", None, None)
    assert (diff.url, diff.moved_from, diff.new.number) == (URL, f"{URL}never", 6)
    assert versions_of(folder, f"{URL}never").moved_from == f"{URL}never"
    assert diff_of(folder, URL, None, None).moved_from == ""
    print_diff(diff, as_json=False)
    assert f"{URL}never has moved here." in capsys.readouterr().out


def test_all_kept_versions_are_listed(folder: Path) -> None:
    found = versions_of(folder, URL)
    assert [line.number for line in found.versions] == [2, 3, 4, 5, 6]
    assert found.versions[0].at == "1970-01-03T00:00:00.000Z"
    assert found.held


def test_what_is_not_there_is_said(folder: Path) -> None:
    with pytest.raises(VersionUnknown, match=r"no version 1 .*kept are 2 to 6"):
        diff_of(folder, URL, "1", None)
    with pytest.raises(VersionUnknown, match="nothing is kept"):
        diff_of(folder, f"{URL}never", None, None)
    with pytest.raises(UrlUnknown):
        versions_of(folder, f"{URL}unheard-of")
    with pytest.raises(UserMistake, match="--to is 'yesterday': give the number"):
        diff_of(folder, URL, None, "yesterday")


def test_a_forgotten_page_leaves_no_version(folder: Path) -> None:
    forget(folder, URL, undo=False)
    with pytest.raises(VersionUnknown, match="nothing is kept"):
        versions_of(folder, URL)
    store = SqliteStore(folder, read_only=True)
    assert store.changed_lines(0) is None
    store.close()
