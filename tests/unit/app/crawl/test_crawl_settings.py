"""From the words of `crawl` to settings: lists, scope, seeds, hosts of one's own."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from trapline.app.crawl import url_lists
from trapline.app.crawl.crawl_settings import CrawlWishes, start_for
from trapline.app.engine import seed_check
from trapline.app.settings import Settings
from trapline.core.errors import FolderForeign, UserMistake

SEED = "http://127.0.0.1:8/"


def settings_of(folder: Path, *what: str, **wishes: Any) -> Settings:
    return start_for(CrawlWishes(list(what), folder / "engine", **wishes)).settings


def test_a_list_of_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# mine\nhttp://127.0.0.1:8/a  a name\n\nHTTP://127.0.0.1:8/b#x\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("http://127.0.0.1:8/c\n"))
    seeds = settings_of(tmp_path, str(path), SEED, "-").seeds
    assert sorted(seeds) == [SEED, f"{SEED}a", f"{SEED}b", f"{SEED}c"]


def test_bad_lines_are_named_all_at_once(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("http://127.0.0.1:8/a\nexample.org\nhttp://a.org:99999/\n")
    with pytest.raises(UserMistake, match=r"line 2: .*line 3: .*port 99999"):
        settings_of(tmp_path, str(path))
    with pytest.raises(UserMistake, match="there is no file"):
        settings_of(tmp_path, "missing.txt")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("ftp://x.org/", "only http and https are visited"),
        ("empty.txt", r"empty\.txt is empty; write a URL a line"),
        (
            "program.py",
            "none of the 90 lines begins with a URL; the first: .*, line 1:",
        ),
    ],
)
def test_what_is_no_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "program.py").write_text("import this\n" * 90)
    with pytest.raises(UserMistake, match=said) as mistake:
        settings_of(tmp_path, word)
    assert len(str(mistake.value)) < 400


def test_an_address_needs_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(f'seeds = ["{SEED}"]\n[manners]\nown = {{ "8.8.8.8" = 0 }}\n')
    with pytest.raises(UserMistake, match=r"8\.8\.8\.8:80 is a public address"):
        settings_of(tmp_path, str(path))


def test_the_scope_by_words(tmp_path: Path) -> None:
    scope = settings_of(
        tmp_path, SEED, hosts=["127.0.0.1"], depth=2, pages=9, exclude=["*/print/*"]
    ).scope
    assert scope.hosts == ["127.0.0.1"]
    assert (scope.depth, scope.pages, scope.exclude) == (2, 9, ["*/print/*"])
    with pytest.raises(UserMistake, match="outside the scope"):
        settings_of(tmp_path, SEED, hosts=["example.org"])


@pytest.mark.parametrize("url", ["https://foo.org/", "foo.org/a", "http://foo.org"])
def test_a_host_of_the_scope_is_no_url(tmp_path: Path, url: str) -> None:
    with pytest.raises(UserMistake, match=r"name the host alone: foo\.org$"):
        settings_of(tmp_path, SEED, hosts=[url])


def test_the_same_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seed_check, "addresses_of", lambda url: {"127.0.0.1"})
    seeds = [
        "https://www.example.org/a",
        "https://docs.example.org/",
        "http://a.b.example.co.uk/",
        "http://www.spd.de/",
        "http://127.0.0.2:8000/",
        "http://[::1]:8000/",
    ]
    settings = settings_of(tmp_path, *seeds, same_site=True, hosts=["other.org"])
    assert settings.scope.hosts == [
        "other.org",
        ".example.org",
        ".example.co.uk",
        ".spd.de",
        "127.0.0.2",
        "[[]::1]",
    ]
    scope = settings.scope.scope()
    assert scope.allows("http://www.spd.de/x") and scope.allows("http://spd.de/")
    assert not scope.allows("http://127.0.0.3:8000/")


def test_each_host_is_looked_up_once_and_not_all_of_very_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def addresses_of(url: str) -> set[str]:
        asked.append(seed_check.name_in(url))
        return {"127.0.0.1"}

    monkeypatch.setattr(seed_check, "addresses_of", addresses_of)
    monkeypatch.setattr(url_lists, "_MOST_NAMES", 20)
    path = tmp_path / "list.txt"
    path.write_text("".join(f"http://h{n % 50}.lab/{n}\n" for n in range(1000)))
    assert len(settings_of(tmp_path, str(path)).seeds) == 1000
    assert sorted(asked) == sorted(f"h{n}.lab" for n in range(20))


def test_a_lost_host_of_a_list_keeps_nobody_from_crawling(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.txt"
    path.write_text(f"{SEED}\nhttp://lost.invalid/\n")
    settings = settings_of(tmp_path, str(path), contact="me@lab.org")
    assert "http://lost.invalid/" in settings.seeds
    assert "lost.invalid cannot be resolved" in capsys.readouterr().err
    with pytest.raises(UserMistake, match="cannot be resolved"):
        settings_of(tmp_path, SEED, "http://lost.invalid/", contact="me@lab.org")


def test_hosts_that_do_not_answer_do_not_hold_up_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering = Event()

    def addresses_of(url: str) -> set[str]:
        answering.wait()
        return {"127.0.0.1"}

    monkeypatch.setattr(seed_check, "addresses_of", addresses_of)
    monkeypatch.setattr(url_lists, "_LONGEST_S", 0.01)
    path = tmp_path / "list.txt"
    path.write_text("".join(f"http://h{n}.lab/\n" for n in range(100)))
    try:
        assert len(settings_of(tmp_path, str(path)).seeds) == 100
    finally:
        answering.set()


def test_a_long_list_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{SEED}{n}\n" for n in range(6000)))
    settings_of(tmp_path, str(path))
    assert capsys.readouterr().err == "trapline: loading seeds (6,000) …\n"
    settings_of(tmp_path, str(path), as_json=True)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("own", "refused"),
    [
        ('"127.0.0.1:8" = 0', False),
        ('"10.1.2.3" = 0.5', False),
        ('"8.8.8.8" = 1.0', False),
        ('"8.8.8.8" = 0', True),
        ('"lost.invalid" = 0.5', True),
    ],
)
def test_a_public_host_is_not_hurried_unless_confirmed(
    own: str, refused: bool, tmp_path: Path
) -> None:
    file = tmp_path / "my.toml"
    file.write_text(f'seeds = ["{SEED}"]\n[manners]\nown = {{ {own} }}\n')
    if refused:
        with pytest.raises(
            UserMistake, match="own_confirmed = true under \\[manners\\]"
        ):
            settings_of(tmp_path, str(file))
        file.write_text(file.read_text() + "own_confirmed = true\n")
    assert settings_of(tmp_path, str(file)).manners.own


def test_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.mkdir()
    (engine / ".hidden").touch()
    (engine / "settings.toml").write_text(f'seeds = ["{SEED}"]\n')
    assert settings_of(tmp_path).seeds == [SEED]
    (engine / "letter.txt").touch()
    (engine / "tax.ods").touch()
    with pytest.raises(FolderForeign, match=r"letter\.txt and 1 more"):
        settings_of(tmp_path)


def test_nowhere_to_start(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match=r"nowhere to start: .*trapline init"):
        settings_of(tmp_path)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "settings.toml").write_text('topic = "space"\n')
    with pytest.raises(UserMistake, match=r"write seeds = .* into .*settings.toml"):
        settings_of(tmp_path)
