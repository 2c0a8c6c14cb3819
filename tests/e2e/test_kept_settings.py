"""The folder of an engine keeps its settings: `--dir` alone resumes, and changes are said."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import TRAPLINE, crumbs, said, trapline
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.demo.run_demo import DemoWishes, settings_for
from trapline.app.engine.begin import begin_run
from trapline.app.engine.build import open_engine
from trapline.app.settings import read_settings, settings_from
from trapline.app.settings_files.given import Given
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

CTRL_C = "\x03"
WORLD = LinkedWeb.generate(
    40, 1, "space", 2, Shape(gap_s=0.1, born_share=0.0, dies_share=0.0)
)


@pytest.fixture(scope="module")
def web() -> Iterator[PracticeWeb]:
    with PracticeWeb(WORLD, latency_s=0.0) as served:
        yield served


def crawl(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    done = trapline("crawl", *words, "--dir", folder, "--visits", 1)
    assert done.returncode == 0, done.stderr
    return done


def in_force(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = said(trapline("settings", folder, "--json"))
    return found


def test_dir_alone_resumes_and_the_topic_stays(
    web: PracticeWeb, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    crawl(folder, web.home(0), "--topic", "space", "--depth", 5, "--budget", "50/s")
    before = in_force(folder)
    assert before["topic"]["words"] == "space"
    assert (before["scope"]["depth"], before["budget"]["visits"]) == (5, 50.0)
    resumed = crawl(folder)
    assert resumed.stderr == ""
    crawl(folder, web.home(0))  # the old habit, without --topic
    assert in_force(folder) == before


def test_changes_are_said_from_what_to_what(web: PracticeWeb, tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    crawl(folder, web.home(0), "--topic", "space")
    changed = crawl(folder, "--topic", "tea", "--hosts", "127.*", "--budget", "40/s")
    lines = changed.stderr.splitlines()
    assert 'trapline: this run changes topic.words: "space" → "tea"' in lines
    assert 'trapline: this run changes scope.hosts: [] → ["127.*"]' in lines
    assert "trapline: since the last run budget.visits: 5.0 → 40.0" in lines
    gone = crawl(folder, "--topic", "")
    assert 'topic.words: "tea" → ""' in gone.stderr
    assert crawl(folder).stderr == ""
    assert in_force(folder)["topic"]["words"] == ""


def test_the_scope_is_narrowed_on_resuming(web: PracticeWeb, tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    within, outside = web.home(0), web.home(1)
    crawl(folder, within, outside)
    host = within.split("/")[2].rpartition(":")[0]
    narrowed = crawl(folder, "--hosts", host)
    assert f"the scope leaves it out: the seed {outside}" in narrowed.stderr
    assert in_force(folder)["seeds"] == [within]
    assert crawl(folder).stderr == "", "it is not kept for the next run"
    named = trapline("crawl", outside, "--dir", folder)
    assert named.returncode == 2
    assert f"the seed {outside} lies outside the scope" in named.stderr
    none = trapline("crawl", "--dir", folder, "--hosts", "example.org")
    assert none.returncode == 2 and "name a seed within it" in none.stderr


def test_a_dry_run_says_the_same_and_writes_nothing(
    web: PracticeWeb, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    crawl(folder, web.home(0), "--topic", "space")
    same = said(trapline("crawl", "--dir", folder, "--dry-run", "--json"))
    assert (same["topic"], same["resumes"]) == ("space", True)
    dry = trapline("crawl", "--dir", folder, "--topic", "tea", "--dry-run")
    assert '"space" → "tea"' in dry.stderr
    assert in_force(folder)["topic"]["words"] == "space"


def test_a_file_is_read_again_and_its_loss_is_survived(
    web: PracticeWeb, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    file = tmp_path / "my.toml"
    hook = "http://127.0.0.1:8/5ecret"
    text = (
        f'topic = "space"\nseeds = ["{web.home(0)}"]\n'
        '[access."https://wiki.lab.org"]\npassword = "pa55"\n'
        f'[output]\nchanges = ["{hook}", "told.jsonl"]\n'
    )
    file.write_text(text)
    crawl(folder, file, "--budget", "50/s")
    file.write_text(text.replace("space", "tea"))
    assert '"space" → "tea"' in crawl(folder).stderr
    assert in_force(folder)["budget"]["visits"] == 50.0, "words are kept over the file"
    file.unlink()
    lost = crawl(folder).stderr
    assert f"the settings file {file} is gone" in lost
    assert "missing is what the last run had" in lost and "a webhook" in lost
    assert '[access."https://wiki.lab.org"]' in lost
    now = in_force(folder)
    assert now["topic"]["words"] == "tea"
    assert now["output"]["changes"] == [str(tmp_path / "told.jsonl")]
    for path in folder.rglob("*"):
        if path.is_file():
            assert (
                b"5ecret" not in path.read_bytes() and b"pa55" not in path.read_bytes()
            )


def test_naming_a_file_replaces_what_words_said(
    web: PracticeWeb, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    file = tmp_path / "my.toml"
    file.write_text(f'seeds = ["{web.home(0)}"]\n')
    crawl(folder, web.home(0), "--topic", "space")
    assert 'topic.words: "space" → ""' in crawl(folder, file).stderr


def test_the_settings_that_are_printed_can_be_fed_back(
    web: PracticeWeb, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    words = [
        "--topic",
        "space",
        "--same-site",
        "--exclude",
        "*/a b/*",
        "--like",
        "a text",
    ]
    crawl(folder, web.home(0), *words, "--budget", "unlimited")
    printed = trapline("settings", folder)
    assert printed.returncode == 0 and printed.stderr == ""
    file = tmp_path / "again.toml"
    file.write_text(printed.stdout)
    assert tomllib.loads(printed.stdout)["scope"]["exclude"] == ["*/a b/*"]
    assert crawl(folder, file).stderr == ""
    assert read_settings(file).scope.hosts == in_force(folder)["scope"]["hosts"]


def on_a_terminal(answer: str, *words: object) -> tuple[int, str]:
    """A command whose standard input and error are a terminal, where somebody types an answer;
    Ctrl-C at the question.
    """
    ours, theirs = pty.openpty()
    if answer != CTRL_C:
        os.write(ours, f"{answer}\n".encode())
    with subprocess.Popen(
        [*TRAPLINE, *map(str, words)],
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.DEVNULL,
    ) as running:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
                if answer == CTRL_C and shown.endswith(b"[y/N] "):
                    running.send_signal(signal.SIGINT)
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return running.returncode, shown.decode()


def test_on_a_terminal_it_is_asked(web: PracticeWeb, tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    crawl(folder, web.home(0), "--topic", "space")
    words = ("crawl", "--dir", folder, "--topic", "tea", "--visits", 1)
    code, shown = on_a_terminal("n", *words)
    assert code == 2 and "Go on with these settings? [y/N]" in shown
    assert "stopped before anything was changed" in shown
    code, shown = on_a_terminal(CTRL_C, *words)
    assert code == 2 and "stopped before anything was changed" in shown
    assert in_force(folder)["topic"]["words"] == "space"
    code, shown = on_a_terminal("n", "crawl", "--dir", folder, "--visits", 1)
    assert code == 0 and "[y/N]" not in shown
    code, _ = on_a_terminal("y", *words)
    assert (code, in_force(folder)["topic"]["words"]) == (0, "tea")
    sure = ("crawl", "--dir", folder, "--topic", "moon", "--visits", 1, "--yes")
    code, shown = on_a_terminal("n", *sure)
    assert code == 0 and "[y/N]" not in shown and '"tea" → "moon"' in shown


def test_a_long_list_loads_with_a_bar(web: PracticeWeb, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{web.home(0)}{n}\n" for n in range(6000)))
    words = ("crawl", path, "--dir", tmp_path / "engine", "--dry-run")
    code, shown = on_a_terminal("", *words)
    assert code == 0
    assert "loading seeds" in shown and "/6000" in shown.replace(" ", "")
    assert crumbs(tmp_path / "engine") == []


def test_init_then_crawl(web: PracticeWeb, tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    made = said(trapline("init", folder, "--json"))
    assert made == {
        "file": str(folder / "settings.toml"),
        "next": f"trapline crawl --dir {folder}",
    }
    again = trapline("init", folder)
    assert again.returncode == 2 and "is there already" in again.stderr
    empty = trapline("crawl", "--dir", folder)
    assert empty.returncode == 2 and "settings.toml" in empty.stderr
    assert crumbs(folder) == ["settings.toml"]
    file = folder / "settings.toml"
    file.write_text(
        file.read_text().replace("seeds = []", f'seeds = ["{web.home(0)}"]')
    )
    crawl(folder)
    assert in_force(folder)["seeds"] == [web.home(0)]


def test_a_watch_goes_on_with_its_list(web: PracticeWeb, tmp_path: Path) -> None:
    folder = tmp_path / "watch"
    pages = tmp_path / "pages.txt"
    pages.write_text(f"{web.home(0)} The home page\n")
    watch = ("watch", "--dir", folder, "--visits", 1, "--budget", "50/s")
    assert trapline(*watch, pages).returncode == 0
    other = web.home(0) + "other.html"
    pages.write_text(f"{web.home(0)} The home page\n{other}\n")
    resumed = trapline(*watch)
    assert resumed.returncode == 0
    assert "since the last run seeds: 1 added" in resumed.stderr
    pages.unlink()
    assert f"the list {pages} is gone" in trapline(*watch).stderr
    assert in_force(folder)["seeds"] == [web.home(0), other]
    crawled = trapline("crawl", "--dir", folder)
    assert crawled.returncode == 2 and "is the folder of a watch" in crawled.stderr
    nothing = trapline("watch", "--dir", tmp_path / "new")
    assert nothing.returncode == 2 and "nothing to watch" in nothing.stderr
    assert crumbs(tmp_path / "new") == []


def test_the_folder_of_a_demo_goes_on(web: PracticeWeb, tmp_path: Path) -> None:
    """No words are noted there: the settings themselves stay in force."""
    folder = tmp_path / "demo"
    settings = settings_for(DemoWishes(), web, [0], {})
    engine = open_engine(folder, settings)
    begin_run(engine, time.time())
    engine.holdings.collection.flush()
    engine.close()
    for _ in range(2):  # the second time, the first one's notes are used
        assert crawl(folder).stderr == ""
        kept = in_force(folder)
        assert kept["topic"]["words"] == "space"
        assert kept["manners"]["own"] == settings.manners.own
        assert kept["refresh"] == settings.refresh.model_dump()


def test_what_is_noted_is_there_after_the_start_alone(tmp_path: Path) -> None:
    """A robot that is killed right after its start has told the next one its settings."""
    folder = tmp_path / "engine"
    settings = settings_from(
        "test", {"seeds": ["http://127.0.0.1:8/"], "topic": "space"}
    )
    given = Given(words={"topic": {"words": "space"}})
    engine = open_engine(folder, settings, given=given)
    begin_run(engine, time.time())
    engine.holdings.collection.flush()
    note = engine.store.note("given")
    engine.close()
    assert json.loads(note or "")["words"] == {"topic": {"words": "space"}}
