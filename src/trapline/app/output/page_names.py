"""What people call the pages on their list, for all who tell of changes: a note in the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from trapline.collection.collection import Collection
from trapline.core.storage import Store

NOTE: Final = "names"


class PageName(NamedTuple):
    name: str = ""
    tags: tuple[str, ...] = ()


NAMELESS: Final = PageName()


def note_names(collection: Collection, pages: Mapping[str, PageName]) -> None:
    """From now on these pages (by URL) have these names and tags, and no others have any."""
    named = {url: page for url, page in pages.items() if page != NAMELESS}
    collection.note(NOTE, json.dumps(named))


def names_of(store: Store) -> Mapping[str, PageName]:
    """URL → its name and tags; also beside a robot."""
    return _read(store.note(NOTE) or "{}")


@lru_cache(maxsize=4)  # a list may be long, and is asked for with every few changes
def _read(note: str) -> dict[str, PageName]:
    found = json.loads(note)
    return {url: PageName(name, tuple(tags)) for url, (name, tags) in found.items()}
