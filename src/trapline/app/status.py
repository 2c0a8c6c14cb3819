"""What is to be told of an engine: from its folder alone, also while a robot works on it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trapline.core.errors import FolderMissing
from trapline.core.ports import Store
from trapline.core.records import Kind, Outcome
from trapline.stores.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class Status:
    folder: str
    hosts: int
    pages_known: int
    pages_held: int
    visits: int
    robot: dict[str, Any]  # the robot's own figures as of its last note; empty if none has run yet
    recent: list[dict[str, Any]]  # newest visits first

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def status_of(folder: Path, store: Store) -> Status:
    counts = store.counts()
    recent = [
        {
            "url": store.url(visit.page) if visit.kind is Kind.PAGE else "robots.txt",
            "ended_s": visit.ended_s,
            "outcome": Outcome(visit.outcome).name.lower(),
            "changed": visit.changed,
            "relevance": round(visit.relevance, 3),
            "remark": visit.remark,
        }
        for visit in store.visits(last=10)
    ]
    robot = json.loads(store.note("status") or "{}")
    return Status(str(folder), counts.hosts, counts.known, counts.held, counts.visits, robot, recent)


def read_status(folder: Path) -> Status:
    if not folder.is_dir():
        raise FolderMissing(folder)
    store = SqliteStore(folder, read_only=True)
    try:
        return status_of(folder, store)
    finally:
        store.close()
