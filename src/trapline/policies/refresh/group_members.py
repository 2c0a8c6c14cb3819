"""Who is in which group: pages join the clocks of their groups (activity_clocks.py)."""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.core.page_groups import Groups
from trapline.core.ports import Arrays
from trapline.policies.mind import as_records, as_table, grow_records
from trapline.policies.refresh.activity_clocks import (
    CLOCK,
    GROUP,
    PAGE_CLOCK,
    Clocks,
    new_clocks,
)

_SAVED: Final = "clocks"
_PAGES: Final = "clock_pages"
_GROUPS: Final = "clock_groups"
_NAMES: Final = "clock_names"


class GroupMembers:
    """Rows of groups by their numbers. A group has a clock from its second page on."""

    def __init__(self) -> None:
        # row of a group; −1 − page, of one that has a single page
        self._rows: dict[int, int] = {}

    def join(self, clocks: Clocks, page: int, groups: Groups, met_s: float) -> Clocks:
        """The clocks with a page in its groups; it may be told again."""
        if page >= len(clocks.pages):
            room = max(page + 1, 2 * len(clocks.pages))
            clocks = clocks._replace(pages=grow_records(clocks.pages, room))
        if clocks.pages["joined"][page]:
            return clocks
        clocks.pages["joined"][page] = 1.0
        clocks.pages["met_s"][page] = met_s
        for kind, group in enumerate(groups):
            if group:
                clocks = self._join_one(clocks, page, kind, group)
        return clocks

    def _join_one(self, clocks: Clocks, page: int, kind: int, group: int) -> Clocks:
        row = self._rows.setdefault(group, -1 - page)
        if row == -1 - page:
            return clocks
        if row < 0:
            first = -1 - row
            row = int(clocks.state["rows"][0])
            self._rows[group] = row
            clocks = _with_row(clocks, row)
            clocks.pages["next"][first, kind] = first
            clocks.groups["cursor"][row] = first
            _link(clocks, first, kind, row)
        _link(clocks, page, kind, row)
        return clocks

    def state(self, clocks: Clocks) -> Arrays:
        """What must survive; nothing if no page was told its groups."""
        if not len(clocks.pages):
            return {}
        rows = int(clocks.state["rows"][0])
        names = np.array(list(self._rows.items()), np.int64).reshape(-1, 2)
        return {
            _SAVED: as_table(clocks.state),
            _PAGES: as_table(clocks.pages),
            _GROUPS: as_table(clocks.groups[:rows]),
            _NAMES: names,
        }

    def restore(self, state: Arrays) -> Clocks:
        """What earlier versions saved has no clocks."""
        self._rows = {}
        if _SAVED not in state:
            return new_clocks()
        names = np.asarray(state[_NAMES], np.int64)
        self._rows = dict(names.tolist())
        return new_clocks()._replace(
            state=as_records(np.asarray(state[_SAVED]), CLOCK),
            pages=as_records(np.asarray(state[_PAGES]), PAGE_CLOCK),
            groups=as_records(np.asarray(state[_GROUPS]), GROUP),
        )


def _with_row(clocks: Clocks, row: int) -> Clocks:
    clocks.state["rows"][0] = row + 1.0
    if row < len(clocks.groups):
        return clocks
    room = max(16, 2 * len(clocks.groups))
    return clocks._replace(groups=grow_records(clocks.groups, room))


def _link(clocks: Clocks, page: int, kind: int, row: int) -> None:
    """Put a page into the ring of a group, behind the one that is rewritten next."""
    cursor = int(clocks.groups["cursor"][row])
    clocks.pages["next"][page, kind] = clocks.pages["next"][cursor, kind]
    clocks.pages["next"][cursor, kind] = page
    clocks.pages["group"][page, kind] = row + 1.0
    clocks.groups["members"][row] += 1.0


def move_clocks(clocks: Clocks, by_s: float) -> None:
    """All times shift by so much."""
    clocks.state["origin_s"] += by_s
    clocks.pages["met_s"] += by_s
