"""What becomes of a statement: it is checked, the engine is called back, and the store is told.

An engine speaks for itself only: the signature shows who speaks, the serial that it is new, and the
call-back that the engine with this key is where it says.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from trapline.app.directory.directory_store import DirectoryStore
from trapline.app.directory.engine_entry import EngineEntry, State
from trapline.app.directory.pace import Bounds, Pace
from trapline.app.directory.part_keeper import PartKeeper
from trapline.app.directory.site_names import site_of
from trapline.app.federation.engine_parts import fetch_description, say_fault
from trapline.core.errors import DirectoryBusy, StatementRefused, TraplineError
from trapline.net.engine_client import EngineClient
from trapline.oasis.signed_description import SignedDescription
from trapline.oasis.statements import LEAVE, SignedStatement, Statement, check_newer

_LEFT: Final = "it said so"
_DOUBT: Final = "it could not be checked"
_REPLACED: Final = "an engine with another key answers at its address"


class Registrar:
    """In one loop, with the only store that writes."""

    def __init__(
        self,
        store: DirectoryStore,
        client: EngineClient,
        pace: Pace | None = None,
        bounds: Bounds | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.pace = pace or Pace()
        self.bounds = bounds or Bounds()
        self._client = client
        self._clock = clock
        self._calls = 0
        self._under_way: set[str] = set()  # keys whose engines are called just now
        self.parts = PartKeeper(store, client, self.bounds)

    async def take(self, signed: SignedStatement) -> None:
        """Believe a statement whose signature was checked; StatementRefused if it cannot be."""
        statement = signed.statement
        entry = self.store.engine(statement.key)
        check_newer(statement, entry.statement.statement.serial if entry else -1)
        if statement.kind == LEAVE:
            self._leave(signed, entry)
        elif self._is_plain_renewal(statement, entry):
            self.store.hear(
                signed,
                State.ALIVE,
                "",
                self._clock(),
            )
            self._clear_doubt(entry)
        else:
            await self._call_back(signed)

    def sweep(self) -> None:
        """Note who has fallen silent, and forget who is long gone."""
        now_s = self._clock()
        self.store.correct_times(now_s)
        reason = f"nothing was heard of it for {self.pace.expires_s:g} s"
        self.store.silence(now_s - self.pace.expires_s, reason, now_s)
        self.store.forget(self.store.long_gone(now_s - self.pace.forget_s))

    def _is_plain_renewal(
        self, statement: Statement, entry: EngineEntry | None
    ) -> bool:
        """Whether it tells no more than that the engine is still there."""
        if entry is None or entry.description is None or self.parts.wants(entry):
            return False
        held = entry.description.description
        return (
            entry.state is State.ALIVE
            and held.url == statement.url
            and held.version >= statement.description_version
        )

    def _clear_doubt(self, entry: EngineEntry | None) -> None:
        if entry is not None and any(_DOUBT in finding for finding in entry.findings):
            self.store.note_findings(entry.key, ())

    def _leave(self, signed: SignedStatement, entry: EngineEntry | None) -> None:
        """Kept as signed, so that other directories believe it, too."""
        if entry is None:
            raise StatementRefused("no engine with this key is known here")
        if entry.statement.statement.url != signed.statement.url:
            raise StatementRefused("it was at another URL when it joined")
        self.store.hear(
            signed,
            State.LEFT,
            _LEFT,
            self._clock(),
        )
        self.store.note_findings(entry.key, ())

    async def _call_back(self, signed: SignedStatement) -> None:
        statement = signed.statement
        if statement.key in self._under_way or self._calls >= self.bounds.calls:
            raise DirectoryBusy
        self._under_way.add(statement.key)
        self._calls += 1
        try:
            description = await self._verify(statement)
        except TraplineError as failure:
            self._refuse(signed, say_fault(failure))
            raise StatementRefused(say_fault(failure)) from failure
        finally:
            self._under_way.discard(statement.key)
            self._calls -= 1
        self._admit(signed, description)

    async def _verify(self, statement: Statement) -> SignedDescription:
        """The description of the engine that has said it, from where it says it is."""
        self._check_room(statement)
        signed = await fetch_description(
            self._client, statement.url, self.bounds.description_s
        )
        found = signed.description
        if found.key != statement.key:
            raise StatementRefused(_REPLACED)
        if found.version < statement.description_version:
            raise StatementRefused(
                f"it says that its description is version {statement.description_version}, "
                f"but answers with version {found.version}"
            )
        return signed

    def _admit(self, signed: SignedStatement, description: SignedDescription) -> None:
        statement = signed.statement
        entry = self.store.engine(statement.key)
        # meanwhile another directory may have told of something newer
        check_newer(statement, entry.statement.statement.serial if entry else -1)
        now_s = self._clock()
        self._make_room(statement)
        self.store.hear(
            signed,
            State.ALIVE,
            "",
            now_s,
        )
        for other in self.store.at(statement.url):
            if other.key != statement.key and other.state is not State.REFUSED:
                self.store.set_state(
                    other.key,
                    State.REFUSED,
                    _REPLACED,
                    now_s,
                )
        self.store.note_findings(statement.key, ())
        self.parts.describe(statement.key, description)

    def _refuse(self, signed: SignedStatement, reason: str) -> None:
        """An engine that is known keeps what it has; others are shown with the reason."""
        entry = self.store.engine(signed.statement.key)
        if entry is not None and entry.state is not State.REFUSED:
            finding = f"{_DOUBT}: {reason}"
            self.store.note_findings(entry.key, (finding,))
            return
        if entry is None:
            self.store.bound_refused(self.bounds.refused)
        self.store.hear(
            signed,
            State.REFUSED,
            reason,
            self._clock(),
        )

    def _check_room(self, statement: Statement) -> None:
        if self.store.engine(statement.key) is not None:
            return
        site = site_of(statement.url)
        if self._is_full(site) and not self.store.idle(1, site):
            raise StatementRefused(
                f"{self.bounds.of_a_site} engines of {site} are here already"
            )
        if self._is_full(None) and not self.store.idle(1):
            raise StatementRefused("the directory is full")

    def _make_room(self, statement: Statement) -> None:
        if self.store.engine(statement.key) is not None:
            return
        for site in (site_of(statement.url), None):
            if self._is_full(site):
                self.store.forget(self.store.idle(1, site))

    def _is_full(self, site: str | None) -> bool:
        most = self.bounds.engines if site is None else self.bounds.of_a_site
        return self.store.count(site) >= most
