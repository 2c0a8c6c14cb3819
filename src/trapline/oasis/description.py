"""What an engine says of itself, and what a reader makes of it.

The JSON form is what `GET /engine` answers and what is signed; the packed statistics and the sample
are fetched beside it, and their digests stand in it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from trapline.core.errors import BadUrl, DescriptionUnreadable
from trapline.core.urls import canonical

PROTOCOL: Final = 1
MOST_BYTES: Final = 65_536  # of the JSON form
LONGEST_NAME: Final = 60
LONGEST_TOPIC: Final = 1000
LONGEST_URL: Final = 500
MOST_LANGUAGES: Final = 40
MOST_PAGES: Final = 10**11
MOST_PACKED: Final = 2_000_000  # bytes of statistics or sample that are fetched


@dataclass(frozen=True, slots=True)
class Packed:
    """A part that is fetched by itself."""

    version: int
    bytes: int
    digest: str  # SHA-256, as hexadecimal digits
    kept: int  # terms or pages in it


@dataclass(frozen=True, slots=True)
class Limits:
    results: int = 100  # of one answer
    per_second: float = 20.0  # questions


@dataclass(frozen=True, slots=True)
class Description:
    name: str
    url: str  # where it is asked; ends without a slash
    key: str  # public key, base64url; the identity of the engine
    version: int  # grows
    made_s: float
    pages: int
    topic: str = ""
    languages: tuple[tuple[str, int], ...] = ()  # (code, pages), most frequent first
    fresh: float | None = None  # share of the pages that are as they are on the Web
    recall: float | None = None  # share of the topic's pages that are held
    limits: Limits = Limits()
    terms: Packed | None = None
    sample: Packed | None = None
    protocol: int = PROTOCOL

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.key)

    def as_json(self) -> dict[str, Any]:
        """Without the signature."""
        return {
            "protocol": self.protocol,
            "name": self.name,
            "url": self.url,
            "key": self.key,
            "version": self.version,
            "made_s": self.made_s,
            "pages": self.pages,
            "topic": self.topic,
            "languages": [list(pair) for pair in self.languages],
            "fresh": self.fresh,
            "recall": self.recall,
            "limits": {
                "results": self.limits.results,
                "per_second": self.limits.per_second,
            },
            "terms": _packed_json(self.terms),
            "sample": _packed_json(self.sample),
        }


def fingerprint_of(key: str) -> str:
    """A key as people read it."""
    return hashlib.sha256(key.encode()).hexdigest()[:8]


def canonical_json(value: Mapping[str, Any]) -> bytes:
    """One spelling for what is signed.

    >>> canonical_json({"b": 1, "a": "é"})
    b'{"a":"\\xc3\\xa9","b":1}'
    """
    text = json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    return text.encode("utf-8", "surrogatepass")


def read_description(said: object) -> Description:
    """A description from its JSON form; DescriptionUnreadable names the first thing wrong."""
    said = _table("description", said)
    protocol = _whole(said, "protocol", 1000)
    if protocol != PROTOCOL:
        raise DescriptionUnreadable(
            f"protocol {protocol}, this Trapline speaks {PROTOCOL}"
        )
    limits = _table("limits", said.get("limits"))
    return Description(
        _text(said, "name", LONGEST_NAME) or "unnamed",
        _read_own_url(said),
        _text(said, "key", 100),
        _whole(said, "version", 2**53),
        _number(said, "made_s", 1e12),
        _whole(said, "pages", MOST_PAGES),
        _text(said, "topic", LONGEST_TOPIC),
        _languages(said.get("languages")),
        _share(said, "fresh"),
        _share(said, "recall"),
        Limits(_whole(limits, "results", 1000), _number(limits, "per_second", 1e6)),
        _read_packed("terms", said.get("terms")),
        _read_packed("sample", said.get("sample")),
    )


def read_engine_url(text: str) -> str:
    """Where an engine is: scheme, host and perhaps a path, without a slash at the end. Raises
    BadUrl.

    >>> read_engine_url("HTTP://Example.org/engine/")
    'http://example.org/engine'
    """
    url = canonical(text)
    if "?" in url:
        raise BadUrl(text[:200], "an engine's URL has no query")
    return url.rstrip("/")


def _read_own_url(said: Mapping[str, Any]) -> str:
    try:
        return read_engine_url(_text(said, "url", LONGEST_URL))
    except BadUrl as mistake:
        raise DescriptionUnreadable(f"url: {mistake}") from None


def _packed_json(part: Packed | None) -> dict[str, Any] | None:
    if part is None:
        return None
    return {
        "version": part.version,
        "bytes": part.bytes,
        "digest": part.digest,
        "kept": part.kept,
    }


def _read_packed(name: str, said: object) -> Packed | None:
    if said is None:
        return None
    table = _table(name, said)
    return Packed(
        _whole(table, "version", 2**53),
        _whole(table, "bytes", MOST_PACKED),
        _text(table, "digest", 64),
        _whole(table, "kept", 10**7),
    )


def _table(name: str, said: object) -> Mapping[str, Any]:
    if not isinstance(said, dict):
        raise DescriptionUnreadable(f"{name}: must be a table")
    return said


def _text(said: Mapping[str, Any], name: str, longest: int) -> str:
    value = said.get(name)
    if not isinstance(value, str) or len(value) > longest:
        raise DescriptionUnreadable(
            f"{name}: must be a text of at most {longest} letters"
        )
    # an engine's words are shown to people: one line, no marks that steer a terminal
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())


def _number(said: Mapping[str, Any], name: str, most: float) -> float:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DescriptionUnreadable(f"{name}: must be a number")
    if not (math.isfinite(value) and 0 <= value <= most):
        raise DescriptionUnreadable(f"{name}: must be between 0 and {most:g}")
    return float(value)


def _whole(said: Mapping[str, Any], name: str, most: int) -> int:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise DescriptionUnreadable(f"{name}: must be a whole number up to {most:,}")
    return value


def _share(said: Mapping[str, Any], name: str) -> float | None:
    return None if said.get(name) is None else _number(said, name, 1.0)


def _languages(said: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(said, list) or len(said) > MOST_LANGUAGES:
        raise DescriptionUnreadable(
            f"languages: must be a list of at most {MOST_LANGUAGES}"
        )
    found = []
    for pair in said:
        if not isinstance(pair, list) or len(pair) != 2:
            raise DescriptionUnreadable(
                "languages: must be pairs of a language and pages"
            )
        table = {"language": pair[0], "pages": pair[1]}
        found.append((_text(table, "language", 10), _whole(table, "pages", MOST_PAGES)))
    return tuple(found)
