"""What a directory is told at its start."""

from __future__ import annotations

from dataclasses import dataclass, field

from trapline.app.directory.pace import Bounds, Pace


@dataclass(frozen=True, slots=True)
class DirectoryOptions:
    peers: tuple[str, ...] = ()  # URLs of other directories
    listed: frozenset[str] = frozenset()  # hosts that may lie on private addresses
    names: tuple[str, ...] = ()  # that are answered to besides those of this machine
    pace: Pace = field(default_factory=Pace)
    bounds: Bounds = field(default_factory=Bounds)
