"""`crawl` against real servers: it resumes, it obeys robots.txt, and it fails closed."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Literal

import pytest

from tests.e2e.support.command import crumbs, said, trapline
from tests.e2e.support.forks import Forked
from trapline.app.crawl.run_until import crawl_until
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.settings import settings_from
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

WORLD = LinkedWeb.generate(
    60, 2, "space", 2, Shape(gap_s=0.1, born_share=0.0, dies_share=0.0)
)


def own_settings(web: PracticeWeb, path: Path) -> Path:
    hosts = ", ".join(f'"{name}" = 0.1' for name in web.host_names())
    path.write_text(
        f'topic = "space"\nseeds = ["{web.home(0)}"]\n[budget]\nvisits = '
        f'"50/s"\n[manners]\nown = {{ {hosts} }}\n'
    )
    return path


def test_crawl_resumes_where_it_stopped(tmp_path: Path) -> None:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        file = own_settings(web, tmp_path / "topic.toml")
        folder = tmp_path / "engine"
        first = said(trapline("crawl", file, "--dir", folder, "--visits", 15, "--json"))
        assert first["visits"] == 15
        robots_before = sum(
            a.path == "/robots.txt" for h in range(2) for a in web.arrivals(h)
        )
        second = said(
            trapline("crawl", file, "--dir", folder, "--visits", 60, "--json")
        )
        assert second["pages_held"] > first["pages_held"]
        robots_after = sum(
            a.path == "/robots.txt" for h in range(2) for a in web.arrivals(h)
        )
        assert robots_after - robots_before <= 1, (
            "rules known for a day are not asked for again"
        )
        assert web.gap_violations() == 0
        assert web.private_requests() == 0


@pytest.mark.parametrize("fault", ["500", "hang", "reset"])
def test_robots_txt_that_fails_means_no_page_request(
    fault: Literal["500", "hang", "reset"], tmp_path: Path
) -> None:
    with PracticeWeb(WORLD, latency_s=0.0, robots_fault={0: fault, 1: fault}) as web:
        values: dict[str, object] = {
            "seeds": [web.home(0), web.home(1)],
            "budget": {"visits": "unlimited"},
            "manners": {"own": dict.fromkeys(web.host_names(), 0.1)},
        }
        engine = open_engine(tmp_path / "engine", settings_from("test", values))
        began_s = time.monotonic()

        def stop_after_a_while() -> None:
            if web.requests() and time.monotonic() - began_s > 2.0:
                engine.stop()

        asyncio.run(
            crawl_until(engine, seconds=60.0, visits=None, show=stop_after_a_while)
        )
        engine.close()
        assert web.requests() > 0
        assert web.page_requests() == 0


def test_two_robots_on_one_folder(tmp_path: Path) -> None:
    with PracticeWeb(WORLD) as web:
        engine = open_engine(tmp_path, settings_from("test", {"seeds": [web.home(0)]}))
        done = trapline("crawl", web.home(0), "--dir", tmp_path, "--visits", 1)
        engine.close()
    assert done.returncode == 2
    assert "another robot" in done.stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["http://8.8.8.8/"], "--contact me@example.org"),
        (["http://8.8.8.8/", "--contact", "nobody"], "me@example.org"),
        (["ftp://127.0.0.1/"], "only http and https are visited"),
        (["missing.toml"], "no such file"),
        (["http://127.0.0.1:3/", "--budget", "5/fortnight"], "600/min"),
        (["http://127.0.0.1:3/", "--budget", "0/s"], "more than nothing"),
        (["http://127.0.0.1:3/", "--topic", "the of and"], "topic"),
        (["http://127.0.0.1:3/", "--dir", __file__], "a file is in the way"),
        (["http://127.0.0.1:3/", "--bogus"], "there is no option --bogus (see `"),
        (["http://127.0.0.1:3/", "--bugdet", "5/s"], "did you mean --budget?"),
        (
            ["http://127.0.0.1:3/", "--seconds", "soon"],
            '--seconds: it must be a number, not "soon"',
        ),
        (["http://127.0.0.1:99999/"], "its port 99999 is above 65535"),
        (["http://127.0.0.1:3/", "--exclude", "print"], "begins with / or *"),
        ([], "nowhere to start"),
    ],
)
def test_mistakes_are_one_line_and_write_nothing(
    words: list[str], hint: str, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    done = trapline("crawl", "--dir", folder, *words)
    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stderr.count("\n") == 1
    assert crumbs(folder) == []


def test_ctrl_c_before_the_robot_runs_is_a_clean_end_too(tmp_path: Path) -> None:
    program = (
        "import trapline.app.crawl.run_crawl as crawl\ndef interrupted(*_, **__): raise "
        "KeyboardInterrupt\n"
        "crawl.open_warmed = interrupted\nfrom trapline.app.commands.main import main\nmain()"
    )
    words = ["crawl", "http://127.0.0.1:3/", "--dir", str(tmp_path / "engine")]
    with Forked(program, words) as robot:
        _, complaint = robot.communicate(timeout=60.0)
    assert (robot.returncode, complaint) == (0, "")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("seeds = [", "not TOML"),
        ('seeds = ["http://127.0.0.1/"]\n[refresh]\npolicy = "unifrom"', "uniform"),
        (
            'seeds = ["http://127.0.0.1/"]\n[refresh]\npolicy = "known-rate"',
            "laboratory only",
        ),
        (
            'seeds = ["http://127.0.0.1/"]\n[refresh]\npolicy = "breadth-first"',
            "not for refresh",
        ),
        (
            'seeds = ["http://127.0.0.1/"]\nbugdet = 3',
            "bugdet: there is no such setting",
        ),
        (
            'seeds = ["http://127.0.0.1/"]\n[manners]\nlisted = ["http://lab.org/"]',
            "like lab.org or lab.org:8000",
        ),
        (
            'seeds = ["http://127.0.0.1/"]\n[manners]\nown = { "http://lab.org/" = 0.0 }',
            "lab.org:8000",
        ),
        (
            'seeds = ["http://127.0.0.1/"]\n[access."lab.org/a"]\nuser = "a"',
            "'lab.org/a' is no host",
        ),
        (
            'seeds = ["http://127.0.0.1/"]\n[access."lab.org:8000"]\nuser = "a"',
            'write "https://lab.org:8000", or "http://lab.org:8000" if',
        ),
        (
            'seeds = ["http://127.0.0.1/"]\n[access."http://lab.org:25"]\nuser = "a"',
            "port 25 is not one of the Web's",
        ),
        (
            'seeds = ["http://127.0.0.1/"]\n[access."*"]\nuser = "a"',
            "takes a proxy and nothing else",
        ),
        ('seeds = ["http://127.0.0.1:6667/"]', "port 6667 is not one of the Web's"),
        (
            'seeds = ["http://127.0.0.1/"]\n[output]\nchanges = ["http://127.0.0.1:25/x"]',
            "port 25 is not one of the Web's",
        ),
        ('seeds = ["http://127.0.0.1/"]\n[manners]\ngap_s = 0.1', "gap_s"),
        (
            'seeds = ["http://127.0.0.1/"]\n[scope]\nlanguages = ["english"]',
            "scope.languages",
        ),
        (
            'seeds = ["http://127.0.0.1/"]\n[scope]\nhosts = ["other.org"]',
            "outside the scope",
        ),
        ('topic = "space"', "seed"),
        (
            'seeds = ["http://127.0.0.1/"]\n[access."*"]\nproxy = "nonsense"',
            "a proxy is written",
        ),
    ],
)
def test_settings_that_cannot_be(text: str, hint: str, tmp_path: Path) -> None:
    file = tmp_path / "topic.toml"
    folder = tmp_path / "engine"
    file.write_text(text)
    done = trapline("crawl", file, "--dir", folder)
    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stderr.count("\n") == 1
    assert crumbs(folder) == []


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('[access."lab.org"]\nproxy = "nonsense"', "a proxy is written"),
        ('[fetchers]\npolicy = "nope"', "no fetcher policy"),
    ],
)
def test_a_dry_run_tells_what_a_crawl_would_refuse(
    text: str, hint: str, tmp_path: Path
) -> None:
    file = tmp_path / "topic.toml"
    file.write_text(f'seeds = ["http://127.0.0.1/"]\n{text}')
    done = trapline("crawl", file, "--dir", tmp_path / "engine", "--dry-run")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and hint in done.stderr
