"""Lists of pages to watch, as people write them."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from trapline.app.crawl.watch_list import pages_of
from trapline.app.crawl.watch_settings import WatchWishes, start_for
from trapline.core.errors import UserMistake


def test_a_list(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(
        "\ufeff# my pages\n\nhttp://127.0.0.1:8/a   The first  one\n\thttp://127.0.0.1:8/b#top\t\n"
        "HTTP://127.0.0.1:8/a again\n"
    )
    pages = pages_of([str(path), "http://127.0.0.1:3/"])
    assert {url: page.name for url, page in pages.items()} == {
        "http://127.0.0.1:8/a": "The first one",
        "http://127.0.0.1:8/b": "",
        "http://127.0.0.1:3/": "",
    }


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("http://127.0.0.1:8/a\n"))
    assert list(pages_of(["-"])) == ["http://127.0.0.1:8/a"]


def test_bad_lines_are_named_all_at_once(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("http://127.0.0.1:8/a\nftp://127.0.0.1/\n# fine\nexample.org\n")
    with pytest.raises(UserMistake) as caught:
        pages_of([str(path)])
    said = str(caught.value)
    assert (
        "line 2" in said
        and "line 4" in said
        and "line 1" not in said
        and "\n" not in said
    )


def test_many_bad_lines_are_still_one_line(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("nonsense\n" * 500)
    with pytest.raises(UserMistake, match="and 497 more"):
        pages_of([str(path)])


def test_a_name_that_is_lost_keeps_nobody_from_watching_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.txt"
    path.write_text(
        "http://127.0.0.1:8/a\nhttp://lost.invalid/a\nhttp://lost.invalid/b\n"
    )
    pages = pages_of([str(path)], "me@lab.org")
    assert list(pages) == [
        "http://127.0.0.1:8/a",
        "http://lost.invalid/a",
        "http://lost.invalid/b",
    ]
    said = capsys.readouterr().err
    assert said.count("lost.invalid cannot be resolved") == 1 and said.count("\n") == 1
    with pytest.raises(UserMistake, match="cannot be resolved"):
        pages_of([str(path)])  # no contact: it may be off this machine
    path.write_text("http://lost.invalid/a\n")
    with pytest.raises(UserMistake, match="cannot be resolved"):
        pages_of([str(path)], "me@lab.org")


def test_nothing_to_watch(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# nothing yet\n")
    with pytest.raises(UserMistake, match="nothing to watch"):
        pages_of([str(path)])
    with pytest.raises(UserMistake, match="there is no file"):
        pages_of([str(tmp_path / "missing.txt")])
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserMistake, match="it is not written in UTF-8: save it as"):
        pages_of([str(path)])
    with pytest.raises(UserMistake, match="it is a folder, not a file"):
        pages_of([str(tmp_path)])


def test_a_page_that_is_listed_again_in_other_words_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.txt"
    lines = ["http://127.0.0.1:8/a select=h1"] * 2 + ["http://127.0.0.1:8/a select=h2"]
    path.write_text("\n".join(lines))
    pages = pages_of([str(path), "http://127.0.0.1:8/a"])
    assert pages["http://127.0.0.1:8/a"].select == ["h1"]
    said = f"{path}, line 3: listed already on line 1: this line is not used\n"
    assert capsys.readouterr().err == f"trapline: {said}"


def test_limits_without_a_number_are_named_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("http://127.0.0.1:8/a\nhttp://127.0.0.1:8/b Tea below=5\n")
    wishes = WatchWishes([str(path)], tmp_path / "w")
    with pytest.raises(UserMistake, match=r"list.txt, line 2: above and below need"):
        start_for(wishes)
    file = tmp_path / "s.toml"
    file.write_text("[watch]\nnumber = true\n")
    start_for(WatchWishes([str(path), str(file)], tmp_path / "w"))


def test_the_settings_of_a_watch(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(
        'topic = "space"\nseeds = ["http://127.0.0.1:3/"]\n[manners]\ncontact = "me@lab.org"\n'
        '[output]\nchanges = ["c.jsonl"]\n'
    )
    (tmp_path / "list.txt").write_text("http://127.0.0.1:8/a\nhttp://127.0.0.1:8/b\n")
    wishes = WatchWishes(
        [str(file), str(tmp_path / "list.txt")],
        tmp_path / "w",
        changes=[str(tmp_path / "c.atom")],
    )
    settings = start_for(wishes).settings
    assert settings.seeds == ["http://127.0.0.1:8/a", "http://127.0.0.1:8/b"]
    assert (
        settings.manners.contact == "me@lab.org"
        and not settings.discovery.follow
        and settings.topic.words == ""
    )
    assert settings.output.changes == [
        str(tmp_path / "c.jsonl"),
        str(tmp_path / "c.atom"),
    ], "as seen from the file"
    assert (
        settings.budget.visits == pytest.approx(2 / 600)
        and settings.budget.burst == 2.0
    )


def test_a_settings_file_may_be_the_list(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('seeds = ["http://127.0.0.1:3/", "http://127.0.0.1:2/"]\n')
    settings = start_for(WatchWishes([str(file)], tmp_path / "w")).settings
    assert settings.seeds == ["http://127.0.0.1:3/", "http://127.0.0.1:2/"]
    file.write_text('topic = "space"\n')
    with pytest.raises(UserMistake, match="nothing to watch"):
        start_for(WatchWishes([str(file)], tmp_path / "w"))
