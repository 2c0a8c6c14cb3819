"""Answers recorded as WARC: readable by warcio, true of what we have, without secrets, whole after
a kill.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from trapline.app.output.warc.warc_files import WarcFiles, rescue, whole_members
from trapline.app.output.warc.warc_recorder import BACKLOG, WarcRecorder
from trapline.core.records import Failure, Fetched, Kind, Request, Ticket

URL = "http://a.example/x?y=1"
HTML = (
    ("Content-Type", "text/html"),
    ("Content-Encoding", "gzip"),
    ("Content-Length", "17"),
    ("X-Odd", "caf\udce9"),
)


def ticket(page: int = 0, kind: Kind = Kind.PAGE) -> Ticket:
    return Ticket(1, kind, page, 0, 0.0, 0.0)


def answer(
    status: int = 200,
    body: bytes = b"",
    ended_s: float = 1.0,
    page: int = 0,
    **more: Any,
) -> Fetched:
    return Fetched(ticket(page), URL, ended_s, status=status, body=body, **more)


class Answers:
    def __init__(self, *answers: Fetched) -> None:
        self._answers = iter(answers)

    async def fetch(self, request: Request) -> Fetched:
        return next(self._answers)

    async def locate(self, host_name: str) -> str | None:
        return "192.0.2.1"


def recorded(
    folder: Path,
    *answers: Fetched,
    largest: int = 10**9,
    request: Request | None = None,
) -> list[Path]:
    async def run() -> None:
        recorder = WarcRecorder(
            Answers(*answers),
            WarcFiles(folder, "20260101000000", {}, largest),
            "trapline/1 (+me@lab.org)",
        )
        for one in answers:
            assert (
                await recorder.fetch(
                    request or Request(one.ticket, one.url, etag='"v1"')
                )
                is one
            )
        await recorder.close()

    asyncio.run(run())
    return sorted(folder.iterdir())


def records(path: Path) -> list[tuple[str, Any, Any, bytes]]:
    """(type, record headers, HTTP headers, body) of each."""
    with path.open("rb") as file:
        return [
            (r.rec_type, r.rec_headers, r.http_headers, r.content_stream().read())
            for r in ArchiveIterator(file)
        ]


def check(*paths: Path) -> None:
    """By warcio's own checker: all digests are there and right."""
    done = subprocess.run(
        [sys.executable, "-m", "warcio.cli", "check", "-v", *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "digest pass" in done.stdout and "fail" not in done.stdout


def test_an_answer_and_what_was_asked(tmp_path: Path) -> None:
    [path] = recorded(tmp_path, answer(body=b"<p>stars</p>", headers=HTML))
    assert path.name == "trapline-20260101000000-00001.warc.gz"
    (info, *_), (kind, head, http, body), (asked, asked_head, asked_http, _) = records(
        path
    )
    assert (info, kind, asked) == ("warcinfo", "response", "request")
    assert head.protocol == "WARC/1.1"
    assert (
        head["WARC-Target-URI"] == URL
        and head["WARC-Date"] == "1970-01-01T00:00:01.000Z"
    )
    assert (http.get_statuscode(), body) == ("200", b"<p>stars</p>")
    assert http["Content-Length"] == "12", "of the body as we have it"
    assert (
        http["Content-Encoding"] is None
        and http["X-Archive-Orig-Content-Encoding"] == "gzip"
    )
    assert http["X-Archive-Orig-Content-Length"] == "17"
    assert asked_head["WARC-Concurrent-To"] == head["WARC-Record-ID"]
    assert asked_http.protocol == "GET" and asked_http.statusline == "/x?y=1 HTTP/1.1"
    assert asked_http["Host"] == "a.example" and asked_http["If-None-Match"] == '"v1"'
    assert {name for name, _ in asked_http.headers} == {
        "Host",
        "User-Agent",
        "If-None-Match",
    }, "no secret of ours"
    check(path)


def test_what_was_seen_before_is_a_revisit(tmp_path: Path) -> None:
    [path] = recorded(
        tmp_path,
        answer(body=b"one", ended_s=1.0),
        answer(body=b"one", ended_s=2.0),
        answer(304, ended_s=3.0),
        answer(body=b"two", ended_s=4.0),
        answer(body=b"two", ended_s=5.0, page=9),
    )
    found = [record for record in records(path) if record[0] != "request"]
    assert [kind for kind, *_ in found] == [
        "warcinfo",
        "response",
        "revisit",
        "revisit",
        "response",
        "response",
    ]
    _, first, same, unmodified, *_ = [head for _, head, _, _ in found]
    assert same["WARC-Profile"].endswith("/1.1/revisit/identical-payload-digest")
    assert same["WARC-Payload-Digest"] == first["WARC-Payload-Digest"]
    assert (
        same["WARC-Refers-To-Date"] == "1970-01-01T00:00:01.000Z"
        and same["WARC-Refers-To-Target-URI"] == URL
    )
    assert unmodified["WARC-Profile"].endswith("/1.1/revisit/server-not-modified")
    assert found[2][3] == b""
    check(path)


def test_a_304_of_a_page_from_an_earlier_run(tmp_path: Path) -> None:
    [path] = recorded(tmp_path, answer(304))
    assert records(path)[1][0] == "revisit"
    check(path)


def test_what_was_not_read_is_said_to_be_cut(tmp_path: Path) -> None:
    [path] = recorded(tmp_path, answer(404, headers=(("Content-Length", "99"),)))
    _, (kind, head, http, body), _ = records(path)
    assert (kind, head["WARC-Truncated"], http["Content-Length"], body) == (
        "response",
        "unspecified",
        "0",
        b"",
    )


def test_failures_and_robots_txt_are_no_records(tmp_path: Path) -> None:
    robots = Fetched(
        ticket(-1, Kind.ROBOTS),
        "http://a.example/robots.txt",
        1.0,
        status=200,
        body=b"x",
    )
    assert (
        recorded(tmp_path, Fetched(ticket(), URL, 1.0, failure=Failure.TIMEOUT), robots)
        == []
    )


def test_every_record_is_a_gzip_member_of_its_own(tmp_path: Path) -> None:
    [path] = recorded(tmp_path, answer(body=b"one"), answer(body=b"two"))
    assert path.read_bytes().count(b"\x1f\x8b\x08") >= 5
    whole = path.read_bytes()
    with path.open("rb") as file:
        offsets = [
            (archive.get_record_offset(), archive.get_record_length())
            for archive in [ArchiveIterator(file)]
            for _ in archive
        ]
    assert len(offsets) == 5 and sum(length for _, length in offsets) == len(whole)


def test_files_are_rolled(tmp_path: Path) -> None:
    paths = recorded(
        tmp_path, *(answer(body=bytes([i]) * 50, page=i) for i in range(6)), largest=1
    )
    assert len(paths) == 6
    assert [len(records(path)) for path in paths] == [3] * 6
    check(*paths)


@pytest.mark.parametrize("torn", [1, 20, 200])
def test_a_kill_leaves_whole_records(torn: int, tmp_path: Path) -> None:
    [path] = recorded(tmp_path, answer(body=b"one"), answer(body=b"two" * 300))
    whole = path.read_bytes()
    left = path.rename(path.with_name(path.name + ".open"))
    left.write_bytes(whole[:-torn])
    WarcFiles(tmp_path, "20260101000000", {})
    assert whole_members(path) == path.stat().st_size, "nothing torn is left"
    assert [kind for kind, *_ in records(path)][:4] == [
        "warcinfo",
        "response",
        "request",
        "response",
    ]
    check(path)
    assert len(recorded(tmp_path, answer(body=b"three"))) == 2, (
        "the file that was there is not touched"
    )


def test_garbage_at_the_end_is_cut_and_nothing_is_no_file(tmp_path: Path) -> None:
    [path] = recorded(tmp_path, answer(body=b"one"))
    whole = path.read_bytes()
    path.write_bytes(whole + b"\x00" * 999)
    assert whole_members(path) == len(whole)
    empty = tmp_path / "x.warc.gz.open"
    empty.write_bytes(whole[:5])
    rescue(empty)
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_full_disk_stops_the_robot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = WarcFiles(tmp_path, "20260101000000", {})

    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "current", full)

    async def run() -> None:
        recorder = WarcRecorder(Answers(*[answer(body=b"x")] * 200), files, "ua")
        for _ in range(BACKLOG + 100):
            await recorder.fetch(Request(ticket(), URL))
            await asyncio.sleep(0)

    with pytest.raises(OSError, match="No space"):
        asyncio.run(asyncio.wait_for(run(), 20.0))
