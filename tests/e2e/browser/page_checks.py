"""What can be checked on any page: names, headings, landmarks, contrast, width."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, ViewportSize

from tests.e2e.browser.watched_page import NARROW, WIDE

CHECKS = Path(__file__).with_name("page_checks.js").read_text(encoding="utf-8")


LOOKS: dict[str, tuple[Literal["light", "dark"], ViewportSize]] = {
    "light": ("light", WIDE),
    "dark": ("dark", WIDE),
    "narrow": ("dark", NARROW),
    "narrow and light": ("light", NARROW),
}


def faults(page: Page) -> dict[str, list[str]]:
    """Everything that is wrong with a page, by how it is looked at."""
    found = {}
    for name, (colours, size) in LOOKS.items():
        page.emulate_media(color_scheme=colours)
        page.set_viewport_size(size)
        if wrong := _settled_faults(page):
            found[name] = wrong
    return found


def _settled_faults(page: Page) -> list[str]:
    """Charts are drawn anew a moment after the look has changed."""
    deadline_s = time.monotonic() + 20.0  # as `expect` waits
    while True:
        wrong: list[str] = page.evaluate(CHECKS)
        if not wrong or time.monotonic() > deadline_s:
            return wrong
        page.wait_for_timeout(50)
