"""Pages of a browser that note whatever goes wrong: errors, refused scripts, foreign requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    ViewportSize,
)

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE: ViewportSize = {"width": 1180, "height": 800}
NARROW: ViewportSize = {"width": 360, "height": 740}


class WatchedPages:
    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.troubles: list[str] = []
        self.forgiven: tuple[str, ...] = ()  # parts of messages that are no trouble

    def open(
        self, url: str, prepare: Callable[[Page], None] | None = None, **options: Any
    ) -> Page:
        """`prepare` does something with the page before it goes to the URL."""
        context = self._browser.new_context(**{"viewport": WIDE, **options})
        context.set_default_timeout(30_000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("request", lambda request: self._check(request, url))
        if prepare is not None:
            prepare(page)
        page.goto(url)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if not any(part in message.text for part in self.forgiven):
            self.troubles.append(f"{message.type}: {message.text}")

    def _check(self, request: Request, url: str) -> None:
        asked = urlsplit(request.url)
        if asked.scheme in ("data", "blob"):
            return
        if asked.netloc != urlsplit(url).netloc:
            self.troubles.append(f"asked another host: {request.url}")


def first_hit(page: Page) -> Locator:
    return page.locator(".hit h3 a").first
