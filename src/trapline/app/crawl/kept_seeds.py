"""Seeds of earlier runs that the scope of this one leaves outside: dropped, and said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from trapline.app.crawl.seed_lists import SeedWords
from trapline.app.settings import settings_from
from trapline.app.settings_files.settings_base import Base, is_settings_file
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical


def drop_outside(
    places: dict[str, str],
    base: Base,
    values: Mapping[str, Any],
    what: Iterable[str],
    named: SeedWords,
) -> tuple[dict[str, str], Base]:
    """Seeds within the scope, and what is kept for the next run.

    Those that are named now stay, wherever they lie: they are a mistake, not a leftover.
    """
    if base.kept.settings is None:
        return places, base
    scope = settings_from("the command line", {"scope": values.get("scope", {})})
    allows = scope.scope.scope().allows
    now = set(named.urls)
    if any(map(is_settings_file, what)):
        now |= set(map(canonical, base.values.get("seeds", [])))
    lists = tuple(f"{one}, line " for one in named.lists)
    outside = {
        url: where
        for url, where in places.items()
        if url not in now and not where.startswith(lists) and not allows(url)
    }
    if not outside:
        return places, base
    _tell(list(outside), base.remarks, all_of=len(outside) == len(places))
    words = dict(base.given.words)
    if "seeds" in words:
        words["seeds"] = [
            one for one in words["seeds"] if canonical(one) not in outside
        ]
    stays = {url: where for url, where in places.items() if url not in outside}
    return stays, base._replace(given=replace(base.given, words=words))


def _tell(outside: list[str], remarks: list[str], *, all_of: bool) -> None:
    if all_of:
        raise UserMistake(
            f"the seeds of earlier runs, {outside[0]} first, lie outside the scope: name a seed "
            "within it, or widen it"
        )
    more = f" and {len(outside) - 1:,} more" if len(outside) > 1 else ""
    remarks.append(
        f"left out from now on, because the scope leaves it out: the seed {outside[0]}{more}"
    )
