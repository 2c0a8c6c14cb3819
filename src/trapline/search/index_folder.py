"""The folder of a full-text index: opened if it can be trusted, else made anew."""

from __future__ import annotations

import json
import os
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import tantivy

from trapline.core.errors import StoreCorrupt, disk_trouble
from trapline.search.index_documents import TEXT, register_tongues
from trapline.search.parts.index_part import WHOLE, IndexPart
from trapline.search.tongues import ENGLISH

_FORMAT: Final = 3  # of the schema: an index of another format is rebuilt
_OURS: Final = re.compile(
    r"(meta|\.managed|revision)\.json|revision\.unfinished|\.tantivy-.+\.lock|[0-9a-f]{32}\..+"
)
_FILES: Final = ("idx", "pos", "term", "store", "fast", "fieldnorm")  # of every segment
# ends a file of Tantivy: the length of a JSON that holds its checksum, and
_FOOTER: Final = struct.Struct("<II")
_MAGIC: Final = 1337
_CHUNK: Final = 1 << 20
_LEAST_ROOM: Final = 1_000_000  # bytes
# how Tantivy tells failures of the disk
_SYSTEM_ERROR: Final = re.compile(r"(?:os error |errno |code: )(\d+)", re.IGNORECASE)


def is_damage(failure: BaseException) -> bool:
    """Tantivy raises ValueError for what it cannot read, or panics, which is no Exception.

    Half a character that we hand to it is our mistake.
    """
    if isinstance(failure, UnicodeEncodeError):
        return False
    return (
        isinstance(failure, (OSError, ValueError, KeyError))
        or type(failure).__name__ == "PanicException"
    )


def name_damage(failure: BaseException, path: Path | None) -> Exception:
    """The error to raise for a failure of Tantivy; `path` is None for an index in memory."""
    code = _SYSTEM_ERROR.search(str(failure))
    if path is not None and code is not None:
        return disk_trouble(path, OSError(int(code[1]), str(failure)))
    return StoreCorrupt(
        path or "in memory",
        f"a full-text index; delete its folder, it will be made anew: {failure}",
    )


class IndexFolder:
    """The index itself, and beside it `revision.json`: up to which revision of the store it has
    certainly come.
    """

    def __init__(
        self, path: Path, part: IndexPart = WHOLE, *, with_texts: bool = False
    ) -> None:
        self.path = path
        self._part = str(part)
        self._with_texts = with_texts
        self._note = path / "revision.json"

    def stamp(self) -> int:
        """Changes with every commit of a robot; 0 = nothing there."""
        try:
            return self._note.stat().st_mtime_ns
        except OSError:
            return 0

    def has_meaning(self) -> bool:
        """Whether the index was made with word vectors (meaning.py)."""
        try:
            return bool(json.loads(self._note.read_bytes()).get("meaning"))
        except (OSError, ValueError, AttributeError):
            return False

    def has_room(self) -> bool:
        """Whether a failure may have another reason than a full disk."""
        disk = os.statvfs(self.path.parent)
        return disk.f_bavail * disk.f_frsize > _LEAST_ROOM

    def exists(self) -> bool:
        """Whether there is anything of an index, be it readable or not."""
        return self.path.is_dir() and any(
            _OURS.fullmatch(file.name) for file in self.path.iterdir()
        )

    def open(self, *, thorough: bool) -> tuple[tantivy.Index, int] | None:
        """The index and its revision; None if it is missing, damaged, or of another format or part.

        Writes nothing. The thorough check compares every byte with its checksum. It is for the
        only process that writes, or files would come and go meanwhile.
        """
        try:
            note = json.loads(self._note.read_bytes())
            if (
                note["format"] != _FORMAT
                or note.get("part", str(WHOLE)) != self._part
                or note.get("texts", self._part != str(WHOLE)) != self._with_texts
                or note.get("schema", self._schema()) != self._schema()
            ):
                return None
            if thorough and not all(map(_is_whole, self._files())):
                return None
            index = register_tongues(tantivy.Index.open(str(self.path)))
            _probe(index)
            return index, int(note["revision"])
        except BaseException as failure:
            if is_damage(failure):
                return None
            raise

    def _schema(self) -> int:
        """Checksum of the fields as Tantivy wrote them down: the part of its own notes that never
        changes.
        """
        fields = json.loads((self.path / "meta.json").read_bytes())["schema"]
        return zlib.crc32(json.dumps(fields, sort_keys=True).encode())

    def _files(self) -> Iterator[Path]:
        """The files that the index consists of: those that a kill left unfinished are not among
        them.
        """
        for segment in json.loads((self.path / "meta.json").read_bytes())["segments"]:
            name = segment["segment_id"].replace("-", "")
            yield from (self.path / f"{name}.{kind}" for kind in _FILES)
            if segment["deletes"]:
                yield self.path / f"{name}.{segment['deletes']['opstamp']}.del"

    def create(self, schema: tantivy.Schema) -> tantivy.Index:
        """Start anew.

        Only files that an index consists of are removed, should the folder hold others by mistake.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        self._note.unlink(missing_ok=True)  # first: without it nobody trusts the rest
        for file in self.path.iterdir():
            if _OURS.fullmatch(file.name):
                file.unlink()
        return register_tongues(tantivy.Index(schema, str(self.path)))

    def note(self, revision: int, *, meaning: bool) -> None:
        """Without a sync: if the note is lost, changes are indexed twice, which is harmless."""
        unfinished = self._note.with_suffix(".unfinished")
        note = {
            "format": _FORMAT,
            "revision": revision,
            "schema": self._schema(),
            "meaning": meaning,
            "part": self._part,
            "texts": self._with_texts,
        }
        unfinished.write_text(json.dumps(note))
        unfinished.replace(self._note)


def _probe(index: tantivy.Index) -> None:
    """Touch every kind of file of an index, so that damage shows now and not at the first visitor's
    search.
    """
    searcher = index.searcher()
    query = index.parse_query("the", [ENGLISH.field(TEXT)])
    for wanted in (query, tantivy.Query.all_query()):
        for _, address in searcher.search(wanted, 1, weight_by_field="relevance").hits:
            searcher.doc(address)


def _is_whole(file: Path) -> bool:
    """Whether a file's bytes are those that Tantivy wrote, by the checksum in its footer."""
    with file.open("rb") as content:
        size = content.seek(0, 2)
        content.seek(size - _FOOTER.size)
        length, magic = _FOOTER.unpack(content.read(_FOOTER.size))
        left = content.seek(size - _FOOTER.size - length)
        wanted = json.loads(content.read(length))["crc"]
        content.seek(0)
        found = 0
        while left > 0:
            chunk = content.read(min(left, _CHUNK))
            found = zlib.crc32(chunk, found)
            left = left - len(chunk)
    return magic == _MAGIC and found == int(wanted)
