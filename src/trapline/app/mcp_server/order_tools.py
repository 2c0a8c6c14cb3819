"""Tools that change what the robot does: only with the folder's token.

They write the same files as the commands `label` and `host`, and a robot at work obeys in seconds.
A model may have been talked into an order by a page that it read, so it cannot send the robot to
addresses that are not public, unless a person has named the host.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from pydantic import Field

from trapline.app.folder.label_file import write_label
from trapline.app.folder.orders.page_orders import suggest_seed, visit_now
from trapline.app.mcp_server.tool_arguments import Url, never_heard_of
from trapline.app.web.served_folder import ServedFolder
from trapline.core.errors import UrlUnknown

Belongs = Annotated[bool, Field(description="Whether it belongs to the topic.")]


class OrderTools:
    def __init__(self, served: ServedFolder) -> None:
        self._served = served

    def add_seed(self, url: Url) -> str:
        """Start from this page, too: it is visited, and in a crawl its links are followed."""
        return f"{suggest_seed(self._served.folder, url)} is a seed now."

    def watch(self, url: Url) -> str:
        """Visit this page as soon as its host may be visited, and keep it fresh from then on."""
        page = suggest_seed(self._served.folder, url)
        with suppress(UrlUnknown):  # a new seed is visited soon, too
            visit_now(self._served.folder, page)
        return f"{page} is watched now."

    def label(self, url: Url, belongs: Belongs) -> str:
        """Teach the engine: say whether a page that it knows belongs to its topic."""
        try:
            page = write_label(self._served.folder, url, belongs)
        except UrlUnknown:  # which names the folder, and a command
            raise never_heard_of(url) from None
        verb = "belongs" if belongs else "does not belong"
        return f"Noted: {page} {verb} to the topic."
