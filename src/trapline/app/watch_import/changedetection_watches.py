"""The watches of changedetection.io: its datastore, a backup of it, or its list of URLs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from trapline.app.watch_import.foreign_values import (
    ACROSS_LINES,
    count_of,
    spans_lines,
    table_of,
    text_of,
    texts_of,
)
from trapline.app.watch_import.imported_page import ImportedPage, is_pattern, lines_with

_REGEX: Final = re.compile(r"/(.+)/([aimsux]*)", re.DOTALL)
_XPATH: Final = re.compile(r"xpath1?:")
_UNITS: Final = {
    "weeks": 604_800,
    "days": 86_400,
    "hours": 3_600,
    "minutes": 60,
    "seconds": 1,
}
# what asks for nothing that we cannot do has one of these values, or none
_DEFAULTS: Final[dict[str, tuple[object, ...]]] = {
    "fetch_backend": ("system", "html_requests"),
    "filter_text_added": (True,),
    "filter_text_removed": (True,),
    "filter_text_replaced": (True,),
    "method": ("GET",),
    "notification_format": ("System default",),
    "processor": ("text_json_diff",),
}
# what is taken over, and what the program only notes
_KNOWN: Final = frozenset(
    [
        "url",
        "title",
        "tag",
        "tags",
        "paused",
        "include_filters",
        "subtractive_selectors",
        "ignore_text",
        "trigger_text",
        "text_should_not_be_present",
        "time_between_check",
        "time_between_check_use_default",
        "time_schedule_limit",
        "uuid",
        "check_count",
        "consecutive_filter_failures",
        "content-type",
        "date_created",
        "fetch_time",
        "filter_failure_notification_send",
        "has_ldjson_price_data",
        "last_checked",
        "last_changed",
        "last_error",
        "last_notification_error",
        "last_viewed",
        "newest_history_key",
        "history",
        "history_n",
        "viewed",
        "notification_alert_count",
        "notification_screenshot",
        "page_title",
        "previous_md5",
        "previous_md5_before_filters",
        "remote_server_reply",
        "browser_steps_last_error_step",
        "conditions_match_logic",
        "follow_price_changes",
        "in_stock_only",
        "use_page_title_in_list",
        "track_ldjson_price_data",
        "trim_text_whitespace",
        "strip_ignored_lines",
        "processor_config",
        "link_to_open",
    ]
)
_WHY: Final = {
    "fetch_backend": "it needs a browser; the page is watched as it is",
    "headers": "write them under [access], they may be secrets",
    "notification_urls": "changes of all pages are told to the same; see [output]",
    "notification_muted": "changes of all pages are told",
    "processor": "watch the number instead: number, above, below",
    "proxy": "write it under [access]",
    "extract_text": "leave out the rest with ignore_text",
}


def changedetection_pages(
    watches: Iterable[Mapping[str, Any]], tags: Mapping[str, Any]
) -> Iterator[ImportedPage]:
    """`tags` by their uuid."""
    for watch in watches:
        yield _page_of(watch, tags)


def listed_pages(text: str) -> Iterator[ImportedPage]:
    """A line is a URL, and its tags with commas between them."""
    for line in text.splitlines():
        url, _, tags = line.strip().partition(" ")
        if url and not url.startswith("#"):
            page = ImportedPage(url)
            page.set_url(url)
            for tag in filter(None, map(str.strip, tags.split(","))):
                page.add("tags", tag)
            yield page


def _page_of(watch: Mapping[str, Any], tags: Mapping[str, Any]) -> ImportedPage:
    title = text_of(watch.get("title"))
    page = ImportedPage(title or text_of(watch.get("url")))
    page.set_url(watch.get("url"))
    if watch.get("paused"):
        page.left_out = "it is paused"
    if title:
        page.values["name"] = title
    _take_tags(page, watch, tags)
    take_selectors(page, "select", watch.get("include_filters"))
    take_selectors(page, "ignore", watch.get("subtractive_selectors"))
    take_ignored(page, "ignore_text", watch.get("ignore_text"))
    _take_conditions(page, watch)
    if not watch.get("time_between_check_use_default"):  # older files lack the key
        take_interval(page, watch.get("time_between_check"))
    for key, value in watch.items():
        if key not in _KNOWN and _asks(key, value):
            page.lose(key, _WHY.get(key, ""))
    if table_of(watch.get("time_schedule_limit")).get("enabled"):
        page.lose("time_schedule_limit", "the robot works at all hours")
    return page


def _asks(key: str, value: object) -> bool:
    """Whether a value asks for something; false does, where a key is true unless it is said."""
    if key in _DEFAULTS:
        return value not in (None, "", *_DEFAULTS[key])
    return bool(value)


def _take_tags(
    page: ImportedPage, watch: Mapping[str, Any], tags: Mapping[str, Any]
) -> None:
    old = texts_of(text_of(watch.get("tag")).split(","))
    for uuid in [*texts_of(watch.get("tags")), *old]:
        group = table_of(tags.get(uuid))
        name = text_of(group.get("title")) or uuid
        page.add("tags", name)
        if group.get("overrides_watch"):
            page.lose(f"filters of the group {name}")


def take_selectors(page: ImportedPage, key: str, value: object) -> None:
    for selector in texts_of(value):
        _take_selector(page, key, selector)


def take_ignored(page: ImportedPage, key: str, value: object) -> None:
    """`key` is what they call it."""
    for text in texts_of(value):
        pattern = _pattern(page, key, text)
        if pattern and spans_lines(pattern):
            page.lose(key, ACROSS_LINES)
        elif pattern:
            page.add("ignore_text", lines_with(pattern))


def _take_selector(page: ImportedPage, key: str, text: str) -> None:
    selector = _XPATH.sub("", text, count=1)
    if text.startswith(("json:", "jq:", "jqraw:")):
        page.lose(text.partition(":")[0], "JSON is compared whole")
    elif selector != text and not selector.startswith(("/", "(")):
        page.lose("xpath", "it must begin with / or (")
    else:
        page.add(key, selector)


def _pattern(page: ImportedPage, key: str, text: str) -> str:
    """A regular expression: one between slashes, or plain text in any case; "" = neither."""
    found = _REGEX.fullmatch(text)
    if found is None:
        return f"(?i){re.escape(text)}"
    pattern = f"(?{found[2]}){found[1]}" if found[2] else found[1]
    if is_pattern(pattern):
        return pattern
    page.lose(key, "not a regular expression")
    return ""


def _take_conditions(page: ImportedPage, watch: Mapping[str, Any]) -> None:
    """Told only when one of these is there, and none of those."""
    wanted = _alternatives(page, watch, "trigger_text")
    unwanted = _alternatives(page, watch, "text_should_not_be_present")
    if unwanted:
        there = f"(?=[\\s\\S]*(?:{wanted}))" if wanted else ""
        page.values["only_if"] = f"\\A(?![\\s\\S]*(?:{unwanted})){there}"
    elif wanted:
        page.values["only_if"] = wanted


def _alternatives(page: ImportedPage, watch: Mapping[str, Any], key: str) -> str:
    patterns = [_pattern(page, key, text) for text in texts_of(watch.get(key))]
    return "|".join(map(_scope_flags, filter(None, patterns)))


def _scope_flags(pattern: str) -> str:
    """Flags that hold for a part of an expression only.

    >>> _scope_flags("(?i)sold"), _scope_flags("sold")
    ('(?i:sold)', '(?:sold)')
    """
    found = re.match(r"\(\?([aimsux]+)\)", pattern)
    if found is None:
        return f"(?:{pattern})"
    return f"(?{found[1]}:{pattern[found.end() :]})"


def take_interval(page: ImportedPage, between: object) -> None:
    """A fixed interval becomes the longest: how often it pays to come is learnt."""
    table = table_of(between)
    counts = [(count_of(table.get(unit)), size) for unit, size in _UNITS.items()]
    seconds = sum(count * size for count, size in counts if count is not None)
    if (between and not table) or any(count is None for count, _ in counts):
        page.lose("time_between_check", "it must be numbers")
    elif seconds:
        page.values["at_most"] = f"{seconds:.0f}s"
