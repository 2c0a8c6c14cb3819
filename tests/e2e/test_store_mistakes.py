"""What is wrong with a store, an address or a word: one line, code 2, and nothing has changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.e2e.support.command import crumbs, trapline
from tests.postgres_server import fresh_address, make_role, server_address
from trapline.app.crawl.crawl_settings import CrawlWishes
from trapline.app.crawl.run_crawl import run_crawl
from trapline.app.shards.crawl_charge import in_charge
from trapline.app.shards.crawl_place import CrawlPlace, place_named
from trapline.app.shards.crew.worker_process import WorkerWishes, run_worker
from trapline.core.errors import ClockOff, ExtraMissing, StoreUnusable
from trapline.core.ledger import Founding, Ledger
from trapline.ledgers.open_ledger import open_ledger
from trapline.postgres.address import read_address
from trapline.stores.sqlite.store import SqliteStore

SEED = "http://127.0.0.1:50999/"
SECRET = "s3kret"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders that nobody names are made where the command is given."""
    monkeypatch.chdir(tmp_path)


def _refused(*words: object, **environment: str) -> str:
    """The one line that a command says of a mistake."""
    done = _run(words, environment) if environment else trapline(*words)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert SECRET not in done.stderr
    return done.stderr


def _run(
    words: Iterable[object], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """In another environment than ours."""
    return subprocess.run(
        [sys.executable, "-m", "trapline", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def _crawl(store: str, folder: Path, *more: object, **environment: str) -> str:
    words = ("crawl", SEED, "--store", store, "--dir", folder, *more)
    line = _refused(*words, **environment)
    assert crumbs(folder) == []
    return line


def _asked(sql: str) -> Any:
    with psycopg.connect(server_address(), autocommit=True) as connection:
        cursor = connection.execute(sql)
        return cursor.fetchall() if cursor.description else None


def _tables(address: str) -> set[str]:
    schema = read_address(address).schema
    found = _asked(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'")
    return {name for (name,) in found}


@pytest.mark.parametrize(
    ("address", "line"),
    [
        (f"mysql://u:{SECRET}@127.0.0.1/x", "mysql:// is not known here"),
        (f"postgresql://u:{SECRET}/x", "needs @host behind it"),
        (f"postgresql://u:{SECRET}@127.0.0.1:1/x", "check host and port"),
        (f"postgresql://u:{SECRET}@127.0.0.1:1/x#No Name", "name of a crawl"),
        (f"postgresql://u:%00{SECRET}@127.0.0.1:1/x", "%00 cannot stand in it"),
        (f"host=127.0.0.1 password={SECRET}", "that is no address"),
        ("engine", "postgresql://user@host"),
        ("", "--store: it is empty"),
    ],
)
def test_wrong_addresses(address: str, line: str, tmp_path: Path) -> None:
    assert line in _crawl(address, tmp_path / "D")


def test_an_address_is_no_folder(tmp_path: Path) -> None:
    """Else a folder of that name would be made, and crawled into by one process."""
    address = f"postgresql://u:{SECRET}@127.0.0.1:1/x"
    for words in (
        ("crawl", SEED, "--dir", address),
        ("watch", SEED, "--dir", address),
        ("worker", "--store", fresh_address(), "--dir", address),
        ("demo", "--dir", address),
        ("init", address),
        ("directory", address),
    ):
        assert "is no folder" in _refused(*words)
    assert crumbs(tmp_path) == []


def test_options_that_nothing_was_put_into() -> None:
    assert "--store: it is empty" in _refused("worker", "--store", "")
    assert "--ray: it is empty" in _refused("crawl", SEED, "--ray", "")


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    address = server_address().replace("/postgres?", "/nowhere?")
    assert address != server_address()
    assert "check the name of the database" in _crawl(address, tmp_path / "D")


def test_wrong_passwords(tmp_path: Path) -> None:
    """In the address, in the environment, and none at all; the right one is used unseen."""
    address = make_role("asked", SECRET)
    folder = tmp_path / "D"
    assert "set PGPASSWORD" in _crawl(address, folder)
    assert "set PGPASSWORD" in _crawl(address, folder, PGPASSWORD="wrong")
    wrong = address.replace("asked@", f"asked:{SECRET}x@")
    assert f"{SECRET}x" not in _crawl(wrong, folder)
    for right in (address, address.replace("asked@", f"asked:{SECRET}@")):
        line = _crawl(right, folder, PGPASSWORD=SECRET)
        assert "may not create tables" in line


def test_no_right_to_create_tables(tmp_path: Path) -> None:
    address = f"{make_role('guest')}#guests"
    assert "GRANT CREATE" in _crawl(address, tmp_path / "D")
    assert not _tables(address)


def test_no_right_to_the_tables_of_another_user(tmp_path: Path) -> None:
    """None at all, then only to read."""
    address = fresh_address()
    _founded(address, 2).close()
    schema = read_address(address).schema
    reader = f"{make_role('reader')}#{read_address(address).crawl}"
    for words in (("status", reader), ("cluster", reader), ("search", reader, "moon")):
        assert "permission denied for schema" in _refused(*words)
    assert "permission denied for schema" in _crawl(reader, tmp_path / "D")
    _asked(f"GRANT USAGE ON SCHEMA {schema} TO reader")
    _asked(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO reader")
    assert trapline("cluster", reader).returncode == 0
    assert "have that user GRANT it" in _refused("cluster", reader, "drain", "x")
    assert "have that user GRANT it" in _refused("worker", "--store", reader)


def test_tables_of_a_newer_version(tmp_path: Path) -> None:
    address = fresh_address()
    open_ledger(address, create=True).close()
    schema = read_address(address).schema
    _asked(f"UPDATE {schema}.about SET version = 99")
    before = _tables(address)
    for words in (("worker", "--store", address), ("cluster", address)):
        assert "upgrade trapline" in _refused(*words)
    assert "upgrade trapline" in _crawl(address, tmp_path / "D")
    assert _tables(address) == before


def test_another_number_of_shards(tmp_path: Path) -> None:
    for place in (fresh_address(), str(tmp_path / "E")):
        with closing(_founded(place, 4)):
            where = ("--store", place) if "://" in place else ("--dir", place)
            line = _refused("crawl", SEED, *where, "--shards", 8)
            assert "made with 4 shards, not 8" in line


def test_two_crawls_of_one_name(tmp_path: Path) -> None:
    """The first one's settings stay."""
    address = fresh_address()
    with closing(_founded(address, 2)) as ledger:
        keeps = Keeping(ledger)
        with keeps:
            assert "worker --store" in _crawl(address, tmp_path / "D")
        founding = ledger.founding()
        assert founding is not None
        assert "seeds" not in json.loads(founding.settings)


def test_two_crawls_of_one_name_begun_together(tmp_path: Path) -> None:
    """The workers of the first are not there yet."""
    address = fresh_address()
    with (
        closing(_founded(address, 2)) as ledger,
        in_charge(ledger, "the first"),
    ):
        assert "worker --store" in _crawl(address, tmp_path / "D")
        assert "already" in _refused("cluster", address, "split")
        founding = ledger.founding()
        assert founding is not None
        assert "seeds" not in json.loads(founding.settings)


def test_an_engine_of_one_process_is_not_cut(tmp_path: Path) -> None:
    folder = tmp_path / "D"
    SqliteStore(folder).close()
    before = crumbs(folder)
    line = _refused("crawl", SEED, "--dir", folder, "--shards", 2)
    assert "engine of one process" in line
    assert "no crawl in shards" in _refused("worker", "--store", folder)
    assert crumbs(folder) == before


def test_there_is_no_crawl(tmp_path: Path) -> None:
    address = fresh_address()
    for place in (address, str(tmp_path / "D")):
        assert "no crawl in shards" in _refused("worker", "--store", place)
        for deed in ("status", "drain", "split"):
            assert "no crawl in shards" in _refused("cluster", place, deed)
    assert not _tables(address)
    assert crumbs(tmp_path) == []


def test_the_name_of_a_worker_is_for_drain_alone(tmp_path: Path) -> None:
    place = tmp_path / "D"
    _founded(str(place), 2).close()
    for deed in ("status", "split"):
        assert "only drain takes" in _refused("cluster", place, deed, "somebody")
    assert "name the worker" in _refused("cluster", place, "drain")
    assert "no worker named" in _refused("cluster", place, "drain", "somebody")
    with closing(open_ledger(place, create=False)) as ledger:
        assert len(ledger.shards()) == 2


def test_bad_settings_leave_nothing(tmp_path: Path) -> None:
    """Seeds, manners and outlets are looked at before tables or folders are made."""
    address = fresh_address()
    folder = tmp_path / "D"
    for words in (
        ("crawl", "--shards", 2),
        ("crawl", "https://example.org/", "--shards", 2),
        ("crawl", SEED, "--shards", 2, "--changes", "feed.xml"),
        ("crawl", SEED, "--store", address, "--changes", "feed.xml"),
        ("crawl", "https://example.org/", "--store", address),
    ):
        _refused(*words, "--dir", folder)
        assert crumbs(folder) == []
    assert not _tables(address)


def test_ray_that_is_not_safe(tmp_path: Path) -> None:
    """Before anybody connects, and before anything is founded."""
    address = fresh_address()
    folder = tmp_path / "D"
    line = _refused("crawl", SEED, "--dir", folder, "--shards", 2, "--ray", "local")
    assert "--store postgresql://" in line
    nobody = {"HOME": str(tmp_path), "RAY_AUTH_TOKEN": ""}
    for cluster, environment, expected in (
        ("127.0.0.1:1", {"RAY_AUTH_MODE": ""}, "authentication is off here"),
        ("127.0.0.1:1", {"RAY_AUTH_MODE": "token"}, "no token here"),
        ("127.0.0.1:1", _TOKEN, "Connection refused"),
        ("ray://127.0.0.1:1", _TOKEN, "HOST:PORT"),
        ("nonsense", _TOKEN, "HOST:PORT"),
    ):
        words = ("--ray", cluster, "--shards", 2)
        line = _crawl(address, folder, *words, **{**nobody, **environment})
        assert expected in line
    assert not _tables(address)


_TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "t" * 32}


def test_a_package_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    wishes = CrawlWishes([SEED], tmp_path / "D", store=fresh_address())
    with pytest.raises(ExtraMissing, match="cluster"):
        run_crawl(wishes)
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "ray", None)
    address = fresh_address()
    wishes = CrawlWishes([SEED], tmp_path / "D", store=address, ray="local")
    with pytest.raises(ExtraMissing, match="ray"):
        run_crawl(wishes)
    assert not _tables(address)
    assert crumbs(tmp_path) == []


def test_a_clock_that_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = fresh_address()
    real_s = time.time
    monkeypatch.setattr("time.time", lambda: real_s() + 5.5)
    with pytest.raises(ClockOff, match=r"5\.\d s ahead"):
        run_crawl(CrawlWishes([SEED], tmp_path / "D", store=address))
    assert not _tables(address)
    with closing(_founded(address, 2)), pytest.raises(ClockOff):
        run_worker(WorkerWishes(place_named(address, tmp_path / "D")))
    assert crumbs(tmp_path) == []


def test_a_server_that_is_too_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = fresh_address()
    monkeypatch.setattr(
        psycopg.ConnectionInfo, "server_version", property(lambda _: 140_011)
    )
    with pytest.raises(StoreUnusable, match="PostgreSQL 14; use one of version 15"):
        run_crawl(CrawlWishes([SEED], tmp_path / "D", store=address))
    assert not _tables(address)


def test_the_password_is_not_in_ps(tmp_path: Path) -> None:
    """Whoever writes it into the address finds it handed on in the environment."""
    address = make_role("typist", SECRET).replace("typist@", f"typist:{SECRET}@")
    look = "import subprocess; subprocess.run(['ps', 'axww', '-o', 'pid,args'])"
    program = (
        "import sys; from trapline.app.hidden_password import begin_without_password; "
        f"begin_without_password(); {look}; import os; print(os.environ['PGPASSWORD'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "crawl", f"--store={address}"],
        capture_output=True,
        text=True,
        check=True,
    )
    *shown, password = done.stdout.splitlines()
    assert password == SECRET
    mine = [line for line in shown if "begin_without_password" in line]
    assert any("typist@" in line for line in mine)
    assert SECRET not in "".join(mine)


def test_records_do_not_show_it(tmp_path: Path) -> None:
    place = CrawlPlace(tmp_path, f"postgresql://u:{SECRET}@127.0.0.1:1/x")
    wishes = WorkerWishes(place, given=SECRET)
    assert SECRET not in repr((place, wishes, read_address(place.address), place.shown))


def _founded(place: str, shards: int) -> Ledger:
    ledger = open_ledger(place, create=True)
    ledger.establish(Founding(shards, json.dumps({}), 10.0))
    return ledger


class Keeping(threading.Thread):
    """A worker that says again and again that it is there."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger
        self._over = threading.Event()

    def __enter__(self) -> None:
        self._ledger.renew("somebody", {}, {}, 0.1)
        self.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(0.2):
            self._ledger.renew("somebody", {}, {}, 0.1)
