"""What changedetection.io does with all its watches: the table [watch], for all pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from trapline.app.watch_import.changedetection_watches import (
    take_ignored,
    take_interval,
    take_selectors,
)
from trapline.app.watch_import.imported_page import ImportedPage

ALL: Final = "all pages"
# what we cannot do, and the values that do not ask for it
_LOST_REQUESTS: Final = {
    "proxy": "write it under [access]",
    "extra_proxies": "write one under [access]",
    "extra_browsers": "pages are read without a browser",
}
_LOST_APPLICATION: Final = {
    "fetch_backend": "it needs a browser; pages are watched as they are",
    "empty_pages_are_a_change": "",
    "ignore_status_codes": "errors are told when they begin and when they end",
    "render_anchor_tag_content": "addresses of links are not compared",
}
_NO_BROWSER: Final = "html_requests"


def rules_for_all(
    application: Mapping[str, Any], requests: Mapping[str, Any]
) -> ImportedPage:
    """A page without a URL: what holds for every one."""
    rules = ImportedPage(ALL)
    take_interval(rules, requests.get("time_between_check"))
    take_ignored(rules, "global_ignore_text", application.get("global_ignore_text"))
    selectors = application.get("global_subtractive_selectors")
    take_selectors(rules, "ignore", selectors)
    _note_lost(rules, requests, _LOST_REQUESTS)
    _note_lost(rules, application, _LOST_APPLICATION)
    return rules


def _note_lost(
    rules: ImportedPage, settings: Mapping[str, Any], lost: Mapping[str, str]
) -> None:
    for key, why in lost.items():
        if settings.get(key) and settings[key] != _NO_BROWSER:
            rules.lose(key, why)


def lay_under(rules: ImportedPage, pages: Iterable[ImportedPage]) -> None:
    """What a page ignores is ignored besides; here, a list of its own would replace the others."""
    for page in pages:
        for key in ("ignore", "ignore_text"):
            if key in page.values:
                for value in rules.values.get(key, ()):
                    page.add(key, value)
