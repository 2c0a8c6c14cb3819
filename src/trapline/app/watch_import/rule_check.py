"""Rules that were taken over are checked as those of a settings file are: none is written that
`watch` would refuse.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from trapline.app.rule_tables import MOST_RULES, RulesTable, WatchedPageTable
from trapline.app.settings_files.wrong_setting import wrong_setting
from trapline.app.watch_import.imported_page import ImportedPage


def drop_bad_rules(page: ImportedPage) -> None:
    """What cannot be a rule is lost, and that is said."""
    if page.left_out:
        return
    for key, value in list(page.values.items()):
        if isinstance(value, list):
            good = [one for one in value if _is_good(page, key, one)]
            page.values[key] = good if key == "tags" else good[:MOST_RULES]
            if len(good) > len(page.values[key]):
                page.lose(key, f"there are at most {MOST_RULES}")
        elif not _is_good(page, key, value):
            del page.values[key]
        if page.values.get(key) == []:
            del page.values[key]


def _is_good(page: ImportedPage, key: str, value: Any) -> bool:
    """Rules for all pages have no URL."""
    table = WatchedPageTable if "url" in page.values else RulesTable
    tried = {"url": page.values["url"]} if "url" in page.values else {}
    try:
        table.model_validate({**tried, key: value})
    except ValidationError as error:
        page.lose(key, wrong_setting(error.errors(), table))
        return False
    return True
