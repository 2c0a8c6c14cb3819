"""Where a full-text index lies on disk: open it if it can be trusted, else say so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import tantivy

_FORMAT: Final = 1  # of the schema: an index of another format is rebuilt
_OURS: Final = re.compile(r"(meta|\.managed|revision)\.json|revision\.unfinished|\.tantivy-.+\.lock|[0-9a-f]{32}\..+")


def is_damage(failure: BaseException) -> bool:
    """Tantivy names what it cannot read ValueError, or panics, which Python does not even see as an Exception."""
    return isinstance(failure, (OSError, ValueError, KeyError)) or type(failure).__name__ == "PanicException"


class IndexFolder:
    """The index itself, and beside it `revision.json`: up to which revision of the store it has certainly come."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._note = path / "revision.json"

    def stamp(self) -> int:
        """Changes with every commit of a robot; 0 = nothing there."""
        try:
            return self._note.stat().st_mtime_ns
        except OSError:
            return 0

    def open(self) -> tuple[tantivy.Index, int] | None:
        """The index and its revision; None if it is missing, damaged or of another format. Writes nothing."""
        try:
            note = json.loads(self._note.read_bytes())
            if note["format"] != _FORMAT:
                return None
            index = tantivy.Index.open(str(self.path))
            _probe(index)
            return index, int(note["revision"])
        except BaseException as failure:
            if is_damage(failure):
                return None
            raise

    def create(self, schema: tantivy.Schema) -> tantivy.Index:
        """Start anew. Only files that an index consists of are removed, should the folder hold others by mistake."""
        self.path.mkdir(parents=True, exist_ok=True)
        self._note.unlink(missing_ok=True)  # first: without it nobody trusts the rest
        for file in self.path.iterdir():
            if _OURS.fullmatch(file.name):
                file.unlink()
        return tantivy.Index(schema, str(self.path))

    def note(self, revision: int) -> None:
        """Without a sync: if the note is lost, changes are indexed twice, which is harmless."""
        unfinished = self._note.with_suffix(".unfinished")
        unfinished.write_text(json.dumps({"format": _FORMAT, "revision": revision}))
        unfinished.replace(self._note)


def _probe(index: tantivy.Index) -> None:
    """Touch every kind of file of an index, so that damage shows now and not at the first visitor's search."""
    searcher = index.searcher()
    query = index.parse_query("the", ["text"])
    for wanted in (query, tantivy.Query.all_query()):
        for _, address in searcher.search(wanted, 1, weight_by_field="relevance").hits:
            searcher.doc(address)
