"""From what a run is given to how it starts: its settings, what the folder keeps, what is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from trapline.app.crawl.url_lists import is_literal
from trapline.app.engine.seed_check import addresses_of
from trapline.app.output.outlets.outlet_targets import FEED
from trapline.app.output.standard_output import print_remark
from trapline.app.settings import Settings, settings_from
from trapline.app.settings_files.given import (
    Given,
    is_secret,
    lay_over,
    without_urls,
)
from trapline.app.settings_files.settings_base import Base
from trapline.app.settings_files.settings_changes import (
    Change,
    changes_between,
    confirm_changes,
    tell_changes,
)
from trapline.app.settings_files.settings_in_force import secret_names
from trapline.app.settings_tables import budget_words
from trapline.core.errors import BadUrl, UserMistake
from trapline.politeness.addresses import reason_forbidden
from trapline.politeness.manners import LEAST_GAP_S

_AT_ONCE: Final = 32  # names that are resolved side by side


@dataclass(frozen=True, slots=True)
class RunStart:
    settings: Settings
    given: Given  # for the next run
    changes: list[Change]  # since the last run
    remarks: list[str]

    def tell(self) -> None:
        """Say what people should know before anything is done."""
        for remark in self.remarks:
            print_remark(remark)
        tell_changes(self.changes)

    def confirm(self, *, yes: bool) -> None:
        confirm_changes(self.changes, yes=yes)


def start_from(
    base: Base, values: Mapping[str, Any], words: Mapping[str, Any], lists: list[str]
) -> RunStart:
    """`values` are the settings in force, `words` and `lists` what the command line says now."""
    settings = settings_from("the command line", dict(values))
    check_own_hosts(settings)
    output = settings.output.model_dump()
    given = replace(
        base.given,
        words=without_urls(lay_over(base.given.words, words)),
        lists=lists,
        output=without_urls({"output": output})["output"],
        secrets=secret_names(settings),
    )
    remarks = [*base.remarks, *_missing_secrets(base.kept.given, given.secrets)]
    changes = changes_between(base.kept.settings, settings)
    return RunStart(settings, given, changes, remarks)


def words_for(
    budget: str | None, contact: str | None, changes: Iterable[str]
) -> dict[str, Any]:
    """What `crawl` and `watch` may both be told, in the form of settings."""
    words: dict[str, Any] = {}
    if budget is not None:
        words["budget"] = budget_words(budget)
    if contact is not None:
        words["manners"] = {"contact": contact}
    if targets := list(map(_whole_name, changes)):
        words["output"] = {"changes": targets}
    return words


def _whole_name(target: str) -> str:
    """The next run may be started elsewhere."""
    if target == FEED or is_secret(target):
        return target
    return str(Path(target).absolute())


def split_lists(lists: Iterable[str], base: Base) -> tuple[list[str], list[str]]:
    """(lists to be read, seeds in place of those that are gone: the last run has noted them)."""
    last = base.kept.settings
    before = base.given.lists if last else ()
    gone = [one for one in before if not Path(one).is_file()]
    if not gone or last is None:
        return list(lists), []
    base.remarks.append(
        f"the list {', '.join(gone)} is gone: the seeds of the last run stay in force"
    )
    return [one for one in lists if one not in gone], last.seeds


def _missing_secrets(before: Given | None, now: list[str]) -> list[str]:
    missing = Counter(before.secrets if before else ()) - Counter(now)
    if not missing:
        return []
    names = ", ".join(
        f"{name} (×{n})" if n > 1 else name for name, n in missing.items()
    )
    return [
        f"missing is what the last run had and the folder does not keep, because it is secret: "
        f"{names}; name it again, or keep it in a settings file"
    ]


def check_own_hosts(settings: Settings) -> None:
    """A gap below a second is for hosts on this machine or in a private network; for others only
    if the user confirms that they are the user's own.
    """
    manners = settings.manners
    hurried = [host for host, gap_s in manners.own.items() if gap_s < LEAST_GAP_S]
    if manners.own_confirmed or not hurried:
        return
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        public = pool.map(_is_public, hurried)
        found = [host for host, yes in zip(hurried, public, strict=True) if yes]
    if found:
        raise UserMistake(
            f"manners.own: {found[0]} is a public {_kind(found[0])}, and a gap of "
            f"{manners.own[found[0]]:g} s is less than the {LEAST_GAP_S:g} s that others are "
            "owed: if it is your own, say own_confirmed = true under [manners]"
        )


def _kind(host: str) -> str:
    """
    >>> _kind("8.8.8.8:80"), _kind("a.org:80")
    ('address', 'host, or cannot be found')
    """
    name = host.rpartition(":")[0].strip("[]")
    return "address" if is_literal(name) else "host, or cannot be found"


def _is_public(host: str) -> bool:
    """A name that cannot be resolved may be anybody's."""
    try:
        addresses = addresses_of(f"http://{host}/")
    except BadUrl:
        return True
    return any(reason_forbidden(one, named_by_user=False) is None for one in addresses)
