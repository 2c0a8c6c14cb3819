"""WARC 1.1 files (ISO 28500): one gzip member a record, begun anew at a gigabyte, never half of one
after a crash.

A file is written as NAME.warc.gz.open and gets its name when it is complete. What a kill left open
is cut after its last whole record and gets its name at the next start.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from trapline import __version__

LARGEST: Final = 1_000_000_000  # bytes; the record that passes it is the file's last
OPEN: Final = ".open"
_CHUNK: Final = 1 << 20
_LEVEL: Final = 6
_INFO: Final = {
    "software": f"trapline/{__version__}",
    "format": "WARC File Format 1.1",
    "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    "robots": "obey",
}


class Warc:
    """Records written to one file or stream, each a gzip member unless they are to be plain."""

    def __init__(
        self, out: IO[bytes], name: str, info: dict[str, str], plain: bool = False
    ) -> None:
        self._out = out
        self._plain = plain
        self._record = BytesIO()
        # Compressed here: warcio itself does so at level 9, which takes four times as long for 0.2
        # % of the bytes.
        self._writer = WARCWriter(self._record, gzip=False, warc_version="1.1")
        self._put(self._writer.create_warcinfo_record(name, {**_INFO, **info}))

    def write(
        self,
        kind: str,
        url: str,
        head: dict[str, str],
        http: StatusAndHeaders | None = None,
        body: bytes = b"",
        content_type: str = "",
    ) -> str:
        """One record; `head` are its own headers, `http` those of the answer or request in it.

        Returns its id.
        """
        made: Any = self._writer.create_warc_record(
            url,
            kind,
            payload=BytesIO(body),
            length=len(body),
            http_headers=http,
            warc_headers_dict=head,
            warc_content_type=content_type,
        )
        self._put(made)
        return str(made.rec_headers.get_header("WARC-Record-ID"))

    def _put(self, record: Any) -> None:
        self._writer.write_record(record)
        written = self._record.getvalue()
        self._out.write(written if self._plain else _gzip_member(written))
        self._out.flush()
        self._record.seek(0)
        self._record.truncate()


def _gzip_member(record: bytes) -> bytes:
    squeezing = zlib.compressobj(_LEVEL, zlib.DEFLATED, 31)  # 31: a gzip member
    return squeezing.compress(record) + squeezing.flush()


class WarcFiles:
    """A folder of WARC files: `current` is the one to write to now."""

    def __init__(
        self, folder: Path, stamp: str, info: dict[str, str], largest: int = LARGEST
    ) -> None:
        """`stamp` tells the files of this run from those of others."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(folder.glob(f"*{OPEN}")):
            rescue(path)
        self._folder = folder
        self._stamp = stamp
        self._info = info
        self._largest = largest
        self._number = 0
        self._file: IO[bytes] | None = None
        self._warc: Warc | None = None

    def current(self) -> Warc:
        if self._file is not None and self._file.tell() >= self._largest:
            self.close()
        if self._warc is None or self._file is None:
            name = self._next_name()
            self._file = (self._folder / (name + OPEN)).open("xb")
            self._warc = Warc(self._file, name, self._info)
        return self._warc

    def close(self) -> None:
        if self._file is None:
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        Path(self._file.name).rename(self._file.name.removesuffix(OPEN))
        self._file = self._warc = None

    def _next_name(self) -> str:
        while True:
            self._number += 1
            name = f"trapline-{self._stamp}-{self._number:05d}.warc.gz"
            if not (self._folder / name).exists():
                return name


def rescue(path: Path) -> None:
    """Give a file that a kill left open its name, without the torn record at its end."""
    end = whole_members(path)
    if end == 0:
        path.unlink()
        return
    os.truncate(path, end)
    path.rename(path.with_name(path.name.removesuffix(OPEN)))


def whole_members(path: Path) -> int:
    """Bytes up to the end of the last whole gzip member."""
    end = position = 0
    inflating = zlib.decompressobj(31)
    with path.open("rb") as file:
        for chunk in iter(lambda: file.read(_CHUNK), b""):
            rest = chunk
            while rest:
                try:
                    inflating.decompress(rest)
                except zlib.error:
                    return end
                position += len(rest) - len(inflating.unused_data)
                rest = inflating.unused_data
                if inflating.eof:
                    end = position
                    inflating = zlib.decompressobj(31)
    return end


def clean(text: str) -> str:
    """A header's text without halves of characters (aiohttp decodes headers so)."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def http_head(
    first_line: str, headers: Iterable[tuple[str, str]], *, request: bool = False
) -> StatusAndHeaders:
    pairs = [(name, clean(value)) for name, value in headers]
    if request:
        return StatusAndHeaders(first_line, pairs, is_http_request=True)
    return StatusAndHeaders(first_line, pairs, protocol="HTTP/1.1")
