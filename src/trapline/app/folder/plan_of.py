"""`plan`: what more or less budget would do, from an engine's folder alone."""

from __future__ import annotations

from pathlib import Path

from trapline.app.folder.plan import Plan
from trapline.core.storage import Store


def plan_of(folder: Path, store: Store) -> Plan:
    counts = store.counts()
    problem = "nothing is known yet: no page has been visited twice"
    return Plan(str(folder), counts.held, 0, None, problem)
