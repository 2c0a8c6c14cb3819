"""A description kept in its engine's folder, with what is fetched beside it: `oasis/`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trapline.app.federation.private_file import write_private
from trapline.core.errors import TraplineError
from trapline.oasis.description import read_description

_DESCRIPTION: Final = "description.json"
_TERMS: Final = "terms.bin"
_SAMPLE: Final = "sample.bin"


@dataclass(frozen=True, slots=True)
class Made:
    """A description, and what is fetched beside it."""

    signed: dict[str, Any]
    terms: bytes
    sample: bytes | None  # None = it is private
    revision: int  # of the store
    made_s: float

    @property
    def version(self) -> int:
        return int(self.signed["version"])


class DescriptionFile:
    """Derived data: what cannot be read is made anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, made: Made) -> None:
        self._folder.mkdir(exist_ok=True)
        write_private(self._folder / _TERMS, made.terms)
        if made.sample is not None:
            write_private(self._folder / _SAMPLE, made.sample)
        # the last: it has the digests of the others
        whole = {"signed": made.signed, "revision": made.revision}
        write_private(self._folder / _DESCRIPTION, json.dumps(whole).encode())

    def version(self) -> int:
        """Of the newest description; 0 = there is none."""
        saved = self._read_description()
        return int(saved["signed"]["version"]) if saved else 0

    def read(self) -> Made | None:
        saved = self._read_description()
        if saved is None:
            return None
        signed = saved["signed"]
        try:
            terms = self._read_part(_TERMS, signed["terms"])
            sample = signed["sample"] and self._read_part(_SAMPLE, signed["sample"])
        except (OSError, ValueError, TypeError):
            return None
        made_s = float(signed["made_s"])
        return Made(signed, terms, sample, int(saved["revision"]), made_s)

    def _read_description(self) -> dict[str, Any] | None:
        try:
            saved = json.loads((self._folder / _DESCRIPTION).read_bytes())
            read_description(saved["signed"])
            int(saved["revision"])
        except (OSError, ValueError, KeyError, TypeError, TraplineError):
            return None
        return dict(saved)

    def _read_part(self, name: str, part: dict[str, Any]) -> bytes:
        packed = (self._folder / name).read_bytes()
        if hashlib.sha256(packed).hexdigest() != part["digest"]:
            raise ValueError("another version")
        return packed
