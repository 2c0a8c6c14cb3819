"""`oasis.json`: what a folder has joined, and how it is reached."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from trapline.app.federation.private_file import write_private
from trapline.core.errors import (
    DescriptionUnreadable,
    MembershipUnreadable,
    UserMistake,
)
from trapline.core.urls import host_of
from trapline.oasis.description import read_engine_url
from trapline.oasis.json_text import read_json
from trapline.politeness.listed_hosts import read_listed

FILE: Final = "oasis.json"
MOST: Final = 100  # directories, peers or listed hosts
_LISTS: Final = ("directories", "peers", "listed")


@dataclass(frozen=True, slots=True)
class Memberships:
    directories: tuple[str, ...] = ()  # URLs
    peers: tuple[str, ...] = ()  # URLs of engines, known without a directory
    listed: tuple[str, ...] = ()  # hosts that may lie on private addresses
    public_url: str = ""  # under which others reach the engine; "" = as it is served
    private_terms: bool = False  # no sample of its pages is given away

    @property
    def listed_hosts(self) -> frozenset[str]:
        """Those that the user has named, directories and peers among them."""
        named = (host_of(f"{url}/") for url in (*self.directories, *self.peers))
        return read_listed(self.listed) | frozenset(named)

    def joined_with(self, other: Memberships) -> Memberships:
        """Both together; of what can be only once the other's, if it says anything.

        >>> both = Memberships(("http://a",)).joined_with(Memberships(("http://a", "http://b")))
        >>> both.directories
        ('http://a', 'http://b')
        """
        return Memberships(
            tuple(dict.fromkeys((*self.directories, *other.directories))),
            tuple(dict.fromkeys((*self.peers, *other.peers))),
            tuple(dict.fromkeys((*self.listed, *other.listed))),
            other.public_url or self.public_url,
            other.private_terms or self.private_terms,
        )

    def without(self, url: str) -> Memberships:
        return replace(
            self,
            directories=tuple(one for one in self.directories if one != url),
            peers=tuple(one for one in self.peers if one != url),
        )


def read_memberships(folder: Path) -> Memberships:
    """Nothing, if nothing was joined; MembershipUnreadable if the file is damaged."""
    path = folder / FILE
    try:
        said = read_json(path.read_bytes())
    except FileNotFoundError:
        return Memberships()
    except OSError as failure:
        raise MembershipUnreadable(path, failure.strerror or str(failure)) from None
    except DescriptionUnreadable:
        raise MembershipUnreadable(path, "it is not JSON") from None
    return _read(path, said)


def write_memberships(folder: Path, memberships: Memberships) -> None:
    text = json.dumps(asdict(memberships), indent=1, ensure_ascii=False)
    write_private(folder / FILE, f"{text}\n".encode())


def _read(path: Path, said: Any) -> Memberships:
    known = set(asdict(Memberships()))
    if not isinstance(said, dict) or not set(said) <= known:
        raise MembershipUnreadable(path, f"it may have {', '.join(sorted(known))} only")
    try:
        lists = [_texts(said.get(name, [])) for name in _LISTS]
        found = Memberships(
            tuple(map(read_engine_url, lists[0])),
            tuple(map(read_engine_url, lists[1])),
            lists[2],
            _url_or_none(said.get("public_url", "")),
            said.get("private_terms", False) is True,
        )
        read_listed(found.listed)
    except (UserMistake, ValueError) as problem:
        raise MembershipUnreadable(path, str(problem)) from None
    return found


def _texts(said: object) -> tuple[str, ...]:
    if not isinstance(said, list) or len(said) > MOST:
        raise ValueError(f"it must have lists of at most {MOST} texts")
    if not all(isinstance(text, str) for text in said):
        raise ValueError("it must have lists of texts")
    return tuple(said)


def _url_or_none(said: object) -> str:
    if not isinstance(said, str):
        raise ValueError("public_url must be a text")
    return read_engine_url(said) if said else ""
