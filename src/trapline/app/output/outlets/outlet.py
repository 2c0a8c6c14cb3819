"""What every outlet of changes does: it says where it stands, and tells what comes after that."""

from __future__ import annotations

from typing import Protocol

from trapline.app.output.changes import Line


class Refused(Exception):
    """A receiver did not take what it was told."""


class Outlet(Protocol):
    key: str  # under which its place is noted; "" = it need not be
    name: str  # for people: no secret of an address is in it
    gather_s: float  # it waits so long for more, to tell all of it at once

    def resume(self, noted: int | None, newest: int) -> int:
        """The number of the change that was last told.

        `noted` is what the store says of it, `newest` the newest change in the store.
        """

    async def tell(self, lines: list[Line]) -> None:
        """Durable when it returns. OSError, TimeoutError or Refused: try again later."""

    def close(self) -> None: ...
