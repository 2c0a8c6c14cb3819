"""Reading what a directory says, all pages of it, within bounds."""

from __future__ import annotations

from typing import Any, Final

from trapline.core.errors import DescriptionUnreadable
from trapline.net.engine_client import EngineClient
from trapline.oasis.json_text import read_json

PAGE_BYTES: Final = 40_000_000
PAGE_S: Final = 30.0
MOST_ENGINES: Final = 10_000
_MOST_PAGES: Final = 100


async def read_pages(client: EngineClient, url: str) -> list[dict[str, Any]]:
    """All entries of a directory; nothing in them is checked yet."""
    entries: list[dict[str, Any]] = []
    after = 0
    for _ in range(_MOST_PAGES):
        page = await read_page(client, url, after)
        entries += [entry for entry in page["engines"] if isinstance(entry, dict)]
        following = page.get("next")
        if len(entries) >= MOST_ENGINES or not isinstance(following, int):
            break
        if following <= after:
            break
        after = following
    return entries[:MOST_ENGINES]


async def read_page(client: EngineClient, url: str, after: int = 0) -> dict[str, Any]:
    address = f"{url}/directory/engines?after={after}"
    said = read_json(await client.get(address, PAGE_BYTES, PAGE_S))
    if not isinstance(said, dict) or not isinstance(said.get("engines"), list):
        raise DescriptionUnreadable(f"{url} is no directory")
    return said
