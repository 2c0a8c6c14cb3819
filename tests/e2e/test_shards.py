"""Crawls in shards as a user runs them on one machine, with workers that die."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import said, started, trapline, wait_until
from tests.e2e.support.shard_looks import (
    LONG_S,
    await_ledger,
    await_owners,
    kill_one,
    kill_worker,
)
from tests.e2e.support.site import Site
from tests.postgres_server import fresh_address, server_away

PAGES = {
    "/": "".join(f'<a href="/{i}.html">page {i}</a> ' for i in range(6)),
    **{
        f"/{i}.html": f"<title>{i}</title><p>moon orbit crater planet comet page {i}"
        for i in range(6)
    },
}
ENDLESS = {"/": "".join(f'<a href="/{i}.html">{i}</a> ' for i in range(3000))}
FAST = ("--budget", "unlimited")


@contextmanager
def _sites(pages: dict[str, str]) -> Iterator[list[Site]]:
    with Site(pages) as one, Site(pages, address="127.0.0.2") as other:
        yield [one, other]


def _status(store: object) -> Any:
    return said(trapline("cluster", store, "--json"))


def test_a_worker_that_is_killed_is_started_anew(tmp_path: Path) -> None:
    folder = tmp_path / "D"
    with _sites(ENDLESS) as sites:
        seeds = [site.url() for site in sites]
        words = ("--dir", folder, "--shards", 2, "--workers", 2, *FAST, "--json")
        with started("crawl", *seeds, *words) as crawl:
            with closing(await_ledger(folder, lambda: None)) as ledger:
                await_owners(ledger, 2)
                await_owners(ledger, 2, without=kill_one(ledger))
            crawl.send_signal(signal.SIGTERM)
            _, err = crawl.communicate(LONG_S)
            assert crawl.wait() == 0, err
        figures = _status(folder)
        assert figures["workers"] == []
        assert {row["owner"] for row in figures["shards"]} == {""}


def test_workers_end_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    """And the next crawl waits for them to be gone, in place of refusing to begin."""
    folder = tmp_path / "D"
    with _sites(ENDLESS) as sites:
        words = ("--dir", folder, "--shards", 2, "--workers", 1, *FAST, "--json")
        with (
            started("crawl", sites[0].url(), *words) as crawl,
            closing(await_ledger(folder, lambda: None)) as ledger,
        ):
            await_owners(ledger, 1)
            crawl.send_signal(signal.SIGKILL)
            wait_until(lambda: not ledger.workers(), LONG_S)
        again = trapline("crawl", "--dir", folder, "--seconds", 1, timeout_s=LONG_S)
        assert again.returncode == 0, again.stderr


def test_a_worker_that_dies_while_postgresql_is_away_is_there_when_it_is_back(
    tmp_path: Path,
) -> None:
    place = fresh_address()
    where = ("--store", place, "--dir", tmp_path / "D")
    with _sites(ENDLESS) as sites:
        words = (*where, "--shards", 2, "--workers", 1, *FAST)
        with (
            started("crawl", sites[0].url(), *words) as crawl,
            closing(await_ledger(place, lambda: None)) as ledger,
        ):
            await_owners(ledger, 1)
            victim = ledger.workers()[0].name
            with server_away():
                kill_worker(victim)
                waits = (
                    line for line in crawl.stderr if "a worker waits for it" in line
                )
                assert next(waits, ""), "the crawl has ended"
            await_owners(ledger, 1, without=victim)


def test_visits_end_it_and_it_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "D"
    with _sites(PAGES) as sites:
        seeds = [site.url() for site in sites]
        words = ("--dir", folder, "--shards", 2, "--workers", 2, *FAST)
        few = ("--visits", 3, "--json")
        begun = said(trapline("crawl", *seeds, *words, *few, timeout_s=LONG_S))
        assert begun["visits"] >= 3
        assert begun["workers"] == []
        more = ("--dir", folder, "--visits", 14, "--json")
        ended = said(trapline("crawl", *more, timeout_s=LONG_S))
        assert ended["visits"] >= begun["visits"] + 14
        for _ in range(9):  # one host may be visited again while the other one waits
            if ended["pages_held"] < 14:
                ended = said(trapline("crawl", *more, timeout_s=LONG_S))
        assert ended["pages_held"] == 14
        for site in sites:
            assert {one.path for one in site.asked} >= set(PAGES)


def test_it_ends_when_nothing_is_left(tmp_path: Path) -> None:
    """Both seeds are gone, and nobody will lead anywhere."""
    with _sites({}) as sites:
        seeds = [site.url() for site in sites]
        words = ("--dir", tmp_path / "D", "--shards", 2, *FAST, "--json")
        ended = said(trapline("crawl", *seeds, *words, timeout_s=LONG_S))
    assert (ended["visits"], ended["gone"], ended["pages_held"]) == (2, 2, 0)


def test_seconds_end_it(tmp_path: Path) -> None:
    with _sites(PAGES) as sites:
        done = trapline(
            *("crawl", sites[0].url(), "--dir", tmp_path / "D", "--workers", 9),
            *("--shards", 2, "--seconds", 1, "--quiet"),
            timeout_s=LONG_S,
        )
    assert done.returncode == 0, done.stderr
    assert "9 workers for 2 shards: 2 are started" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("kind", ["folder", "postgres"])
def test_a_worker_helps_and_is_drained(kind: str, tmp_path: Path) -> None:
    """It takes shards of a crawl that others run, and gives them back; then all ends in order."""
    place = fresh_address() if kind == "postgres" else str(tmp_path / "D")
    where = ["--dir", tmp_path / "D"]
    where += ["--store", place] if kind == "postgres" else []
    with _sites(ENDLESS) as sites:
        words = (*where, "--shards", 2, "--workers", 1, *FAST)
        with started("crawl", sites[0].url(), *words) as crawl:
            with closing(await_ledger(place, lambda: None)) as ledger:
                await_owners(ledger, 1)
                helper = ("--store", place, "--dir", tmp_path / "H", "--name", "helper")
                with started("worker", *helper) as worker:
                    await_owners(ledger, 2)
                    shown = trapline("cluster", place).stdout
                    assert "helper-" in shown
                    unknown = trapline("cluster", place, "drain", "nobody")
                    assert unknown.returncode == 2
                    assert "helper" in unknown.stderr
                    assert said(trapline("cluster", place, "drain", "helper", "--json"))
                    _, err = worker.communicate(LONG_S)
                    assert worker.wait() == 0, err
                await_owners(ledger, 1, without="helper")
                [last] = [row.name for row in ledger.workers()]
                trapline("cluster", place, "drain", last)
            out, err = crawl.communicate(LONG_S)
            assert crawl.wait() == 0, err
            assert "pages held" in out
        assert _status(place)["workers"] == []


def test_what_workers_cannot_do_is_told(tmp_path: Path) -> None:
    """A worker's mistake is not tried again for ever."""
    folder = tmp_path / "D"
    with _sites(PAGES) as sites:
        words = ("--dir", folder, "--shards", 2, "--workers", 1, "--visits", 1)
        trapline("crawl", sites[0].url(), *words, timeout_s=LONG_S)
        (folder / "shards" / "000" / "store.sqlite").write_bytes(b"no database")
        done = trapline("crawl", "--dir", folder, timeout_s=LONG_S)
    assert done.returncode == 1
    assert "cannot be trusted" in done.stderr
    assert "see its lines above" in done.stderr.splitlines()[-1]
