"""Which outlets have not been told everything: from the note of the change feed, also beside a
robot.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Final

from trapline.core.storage import Store

NOTE: Final = "changes"


@dataclass(frozen=True, slots=True)
class Arrears:
    """What waits for one outlet."""

    name: str  # no secret of an address is in it
    changes: int
    trouble: str  # why; "" = it is only not its turn yet
    since_s: float | None  # when the trouble began

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def progress_note(store: Store) -> dict[str, dict[str, Any]]:
    """Outlet → how far it has come, as of the last note."""
    found: dict[str, dict[str, Any]] = json.loads(store.note(NOTE) or "{}")
    return found


def arrears_of(store: Store) -> list[Arrears]:
    """Of the outlets that the last run named; those that were told everything have none."""
    newest = store.newest_diff()
    return [
        Arrears(
            note["name"],
            newest - note["told"],
            note["trouble"],
            note.get("since_s"),  # older notes do not say it
        )
        for note in progress_note(store).values()
        if note["named"]
    ]
