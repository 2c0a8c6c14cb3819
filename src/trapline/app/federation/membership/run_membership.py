"""Membership at work: a thread that keeps an engine joined to directories, until it is closed.

`oasis.json` is read again whenever it has changed: `trapline engines join` and `leave` need no
restart. Whatever a directory does, search goes on: nothing here is waited for.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from trapline.app.federation.guarded_client import guarded_client
from trapline.app.federation.key_file import read_key
from trapline.app.federation.membership.directory_link import DirectoryLink, Speaker
from trapline.app.federation.membership.link_state import Link
from trapline.app.federation.membership.membership_file import (
    FILE,
    Memberships,
    read_memberships,
)
from trapline.app.federation.serial_file import SerialFile
from trapline.app.output.standard_output import print_remark
from trapline.core.errors import MembershipUnreadable, TraplineError
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import Description

AGENT: Final = "Trapline-engine"
LOOK_S: Final = 1.0  # for changes of the file
_CLOSE_S: Final = 5.0


def start_membership(
    folder: Path,
    describe: Callable[[], Description],
    given: Memberships | None = None,
) -> Membership:
    """Keep an engine joined to what its folder has joined, and to what is `given` besides.

    `describe` is asked in a thread for the description as it is now. MembershipUnreadable at once
    if the key of the folder or its `oasis.json` cannot be read.
    """
    membership = Membership(folder, describe, given or Memberships())
    membership.start()
    return membership


class Membership:
    def __init__(
        self, folder: Path, describe: Callable[[], Description], given: Memberships
    ) -> None:
        self._folder = folder
        self._given = given
        self._speaker = Speaker(read_key(folder), SerialFile(folder), describe)
        self._joined = self._read()
        self._links = _first_links(self._joined)
        self._over = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._run()), daemon=True, name="membership"
        )

    def start(self) -> None:
        self._thread.start()

    def links(self) -> list[Link]:
        """How it goes with each directory; from any thread."""
        return list(self._links.values())

    def close(self) -> None:
        """The engine does not leave by this: it is silent until it is served again."""
        self._over.set()
        self._thread.join(timeout=_CLOSE_S)

    def _read(self) -> Memberships:
        return read_memberships(self._folder).joined_with(self._given)

    async def _run(self) -> None:
        """Until it is closed; anew whenever what was joined has changed."""
        while not self._over.is_set():
            joined = self._joined
            client = guarded_client(joined.listed_hosts, AGENT)
            try:
                await self._follow(joined, client)
                await self._leave_those_gone(joined, client)
            finally:
                await client.close()

    async def _follow(self, joined: Memberships, client: EngineClient) -> None:
        """Be a member until something changes."""
        self._links = _first_links(joined)
        links = [self._link(url, client) for url in joined.directories]
        tasks = [asyncio.create_task(link.run()) for link in links]
        for task in tasks:
            task.add_done_callback(_tell_failure)
        try:
            await self._await_change(joined)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _link(self, url: str, client: EngineClient) -> DirectoryLink:
        return DirectoryLink(url, self._speaker, client, self._note_link)

    async def _await_change(self, joined: Memberships) -> None:
        stamp = self._stamp()
        while not self._over.is_set():
            await asyncio.to_thread(self._over.wait, LOOK_S)
            if stamp == (stamp := self._stamp()):
                continue
            with suppress(MembershipUnreadable):  # half of an edit by hand
                self._joined = self._read()
            if self._joined != joined:
                return

    async def _leave_those_gone(
        self, before: Memberships, client: EngineClient
    ) -> None:
        for url in set(before.directories) - set(self._joined.directories):
            try:
                await self._link(url, client).leave()
            except TraplineError as failure:
                print_remark(f"could not tell {url} that this engine leaves: {failure}")

    def _note_link(self, link: Link) -> None:
        if link.url in self._links:
            self._links[link.url] = link

    def _stamp(self) -> tuple[int, int]:
        try:
            status = (self._folder / FILE).stat()
        except OSError:
            return 0, 0
        return status.st_mtime_ns, status.st_ino


def _first_links(joined: Memberships) -> dict[str, Link]:
    return {url: Link(url) for url in joined.directories}


def _tell_failure(task: asyncio.Task[None]) -> None:
    """What nobody has foreseen ends one link; people should know."""
    if not task.cancelled() and (failure := task.exception()) is not None:
        print_remark(f"a membership has ended: {failure!r}")
