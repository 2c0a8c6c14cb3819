"""A crawl whose workers run on Ray: it is taken over when one is killed, and says no secrets."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.support.shard_looks import LONG_S, await_ledger, await_owners, kill_one
from tests.e2e.support.site import Site
from tests.postgres_server import fresh_address

SECRET = "s3kret-of-the-crawl"


@pytest.fixture
def room() -> Iterator[Path]:
    """Where Ray keeps its files: sockets need a short name."""
    path = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def test_workers_on_ray(room: Path, tmp_path: Path) -> None:
    pages = {"/": "".join(f'<a href="/{i}.html">{i}</a> ' for i in range(2000))}
    address = fresh_address()
    environment = {
        **os.environ,
        "RAY_TMPDIR": str(room),
        "PGPASSWORD": SECRET,
    }
    with Site(pages) as one, Site(pages, address="127.0.0.2") as other:
        command = [
            *(sys.executable, "-m", "trapline", "crawl", one.url(), other.url()),
            *("--store", address, "--dir", str(tmp_path / "D"), "--shards", "4"),
            *("--ray", "local", "--workers", "2", "--budget", "unlimited"),
        ]
        log = (tmp_path / "log").open("wb")
        crawl = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, cwd=tmp_path
        )
        try:

            def may_come() -> None:
                assert crawl.poll() is None, (tmp_path / "log").read_text()

            ledger = await_ledger(address, may_come)
            await_owners(ledger, 2)
            assert SECRET not in _all_words()
            await_owners(ledger, 2, without=kill_one(ledger))
            crawl.send_signal(signal.SIGINT)
            assert crawl.wait(LONG_S) == 0, (tmp_path / "log").read_text()
        finally:
            crawl.kill()
            crawl.wait()
            log.close()
        said = (tmp_path / "log").read_text()
        assert "pages held" in said
        assert SECRET not in said
        assert not [path for path in room.rglob("*") if _says_secret(path)]
        assert {row.owner for row in ledger.shards()} == {""}
        assert not ledger.workers()
        ledger.close()


def _all_words() -> str:
    """What `ps` shows of all processes."""
    words = subprocess.run(
        ["ps", "axww", "-o", "args"], capture_output=True, text=True, check=True
    )
    return words.stdout


def _says_secret(path: Path) -> bool:
    return path.is_file() and SECRET.encode() in path.read_bytes()
