"""The jobs of urlwatch: `urls.yaml`, one YAML document a job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from trapline.app.watch_import.foreign_values import text_of, texts_of
from trapline.app.watch_import.imported_page import ImportedPage
from trapline.app.watch_import.urlwatch_filters import take_filters
from trapline.core.errors import UserMistake

# what has its own place here, or is said by others
_TAKEN: Final = frozenset(("url", "name", "filter", "tags", "kind", "enabled"))
_WHY: Final = {
    "headers": "write them under [access], they may be secrets",
    "cookies": "write them under [access], they may be secrets",
    "http_proxy": "write it under [access]",
    "https_proxy": "write it under [access]",
    "data": "pages are only read",
    "method": "pages are only read",
    "max_tries": "a page that fails is tried again and again",
    "ignore_connection_errors": "errors are told when they begin and when they end",
    "ignore_http_error_codes": "errors are told when they begin and when they end",
    "ignore_timeout_errors": "errors are told when they begin and when they end",
    "ignore_too_many_redirects": "errors are told when they begin and when they end",
    "ignore_cached": "conditional requests are always made",
    "ssl_no_verify": "certificates are always verified",
    "user_visible_url": "the URL itself is told",
    "diff_filter": "the whole difference is told",
    "diff_tool": "differences are made here",
}


def urlwatch_pages(text: str, source: str) -> Iterator[ImportedPage]:
    """Raises UserMistake for what is not a list of jobs."""
    jobs = [job for job in _documents(text, source) if job is not None]
    if not jobs or not all(isinstance(job, dict) for job in jobs):
        raise UserMistake(
            f"{source} is not a list of urlwatch: wanted is a job a YAML document, with url"
        )
    for number, job in enumerate(jobs, 1):
        yield _page_of(job, number)


def _documents(text: str, source: str) -> list[Any]:
    try:
        import yaml
    except ImportError:
        raise UserMistake(
            "reading the list of urlwatch needs PyYAML: install it with "
            "`pip install trapline[import]`"
        ) from None
    try:
        return list(yaml.safe_load_all(text))
    except yaml.YAMLError as error:
        raise UserMistake(f"{source} is not YAML{_where(error)}") from None
    except (
        ValueError,
        RecursionError,
    ):  # a date or number that is none; nested too deep
        raise UserMistake(f"{source} is not YAML that can be read") from None


def _where(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return ": it holds a character that must not be there"
    return f": what stands in line {mark.line + 1}, column {mark.column + 1} is wrong"


def _page_of(job: dict[str, Any], number: int) -> ImportedPage:
    names = (text_of(job.get(key)) for key in ("name", "url", "navigate", "command"))
    page = ImportedPage(f"{number}: {next(filter(None, names), '')}")
    if "url" not in job:
        kind = next((key for key in ("navigate", "command") if key in job), "no url")
        page.left_out = _WHY_NO_PAGE.get(kind, "it has no url")
        return page
    page.set_url(job["url"])
    if job.get("enabled") is False:
        page.left_out = "it is not enabled"
    if name := text_of(job.get("name")):
        page.values["name"] = name
    for tag in _tags(job.get("tags")):
        page.add("tags", tag)
    take_filters(page, job.get("filter") or [])
    for key in job:
        if key not in _TAKEN:
            page.lose(text_of(key), _WHY.get(text_of(key), ""))
    return page


_WHY_NO_PAGE: Final = {
    "navigate": "it needs a browser (navigate); watch the URL as it is, if that is enough",
    "command": "it is a command of the shell, not a page",
}


def _tags(tags: object) -> list[str]:
    return texts_of(tags.split(",") if isinstance(tags, str) else tags)
