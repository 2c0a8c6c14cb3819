"""The seat of an engine among the shards of a crawl: which hosts are its own, how long it may visit
them, and where links to all other hosts go.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeVar

from trapline.cluster.letters import MailedLinks, unpack_letter
from trapline.cluster.outgoing import Outgoing
from trapline.cluster.partition import Partition
from trapline.cluster.tenure import Tenure
from trapline.cluster.waiting_links import WaitingLinks
from trapline.core.errors import StoreAway
from trapline.core.ledger import Lease, Ledger, Letter, Posting
from trapline.live.reader_processes import ReaderProcesses

AT_ONCE: Final = 50  # letters
# letters that are read and not saved yet. Sixty shards send each other two a second, so waiting for
# each fifty to be saved would be too slow; and what is read takes memory until it is saved
UNSAVED: Final = 500
AGAIN_S: Final = 1.0  # until a ledger that is away is asked again
T = TypeVar("T")


class Mailbag(Protocol):
    """A store that cannot reach the ledger in its own commits: letters wait in it."""

    def outbox(self) -> list[tuple[int, Posting]]: ...
    def read_letters(self) -> list[int]: ...
    def clear_mail(self, posted_up_to: int, read: list[int]) -> None: ...


@dataclass(slots=True)
class Seat:
    lease: Lease
    tenure: Tenure
    partition: Partition
    ledger: Ledger
    readers: ReaderProcesses  # shared by all shards of a process
    mailbag: Mailbag | None  # None = the store posts letters itself
    outgoing: Outgoing = field(init=False)
    waiting: WaitingLinks = field(default_factory=WaitingLinks)
    taken: set[int] = field(
        default_factory=set
    )  # letters that are read, perhaps not saved
    moves: int = 0  # of hosts, that are known here
    is_posted: bool = True  # no letter waited in the store at the last look
    _homes: dict[str, int] = field(default_factory=dict)  # by address

    def __post_init__(self) -> None:
        self.outgoing = Outgoing(self.partition.home)

    @property
    def shard(self) -> int:
        return self.lease.shard

    def is_theirs(self, url: str) -> bool:
        """Whether a page is for another shard to visit."""
        return self.partition.home(url) != self.shard

    async def home_of(self, address: str) -> int:
        """The shard of an address; asked for once, for it never changes."""
        home = self._homes.get(address)
        if home is None:
            home = await _insist(partial(self.ledger.home_of, address, self.shard))
            self._homes[address] = home
        return home

    async def move(self, host_name: str, home: int, address: str) -> None:
        """Say to all that a host is another shard's, because its address is."""
        move_host = self.ledger.move_host
        await _insist(partial(move_host, self.lease, host_name, home, address))
        await self.learn_moves()

    async def learn_moves(self) -> None:
        moved = await _insist(partial(self.ledger.moved_hosts, self.moves))
        self.partition.learn(moved)
        self.moves = max([self.moves, *(one.number for one in moved)])

    async def letters(self) -> list[Letter]:
        """Those that wait and were not taken yet; as many as `AT_ONCE`: there may be more."""
        most = min(AT_ONCE + len(self.taken), UNSAVED)
        found = await asyncio.to_thread(self.ledger.letters, self.shard, most)
        self._strike_those_gone(found, most)
        new = [letter for letter in found if letter.number not in self.taken]
        return new[:AT_ONCE]

    def _strike_those_gone(self, found: Sequence[Letter], most: int) -> None:
        """Numbers may come late: who posts them commits later. Of those behind the last one that
        there was room for nothing is known.
        """
        last = found[-1].number if len(found) == most else math.inf
        there = {letter.number for letter in found}
        self.taken = {one for one in self.taken if one > last or one in there}

    def open_letter(self, letter: Letter) -> MailedLinks:
        """The links in it that are for this shard; others, of hosts that have moved, go on."""
        self.taken.add(letter.number)
        sent = unpack_letter(letter.body)
        theirs = [self.is_theirs(url) for url in sent.urls]
        if not any(theirs):
            return sent
        places = range(len(theirs))
        self.outgoing.pass_on(sent.pick([i for i in places if theirs[i]]))
        return sent.pick([i for i in places if not theirs[i]])

    async def exchange(self) -> None:
        """Hand letters on that the store holds, and strike those that it has read."""
        if self.mailbag is not None:
            await asyncio.to_thread(self._exchange, self.mailbag)

    def hand_on_now(self) -> None:
        """The same at the start: what an owner of before has read must not be read again."""
        if self.mailbag is not None:
            self._exchange(self.mailbag)

    def _exchange(self, bag: Mailbag) -> None:
        posted = bag.outbox()
        read = bag.read_letters()
        self.is_posted = not posted
        if posted or read:
            self.ledger.exchange(self.shard, self.lease.epoch, posted, read)
            last = posted[-1][0] if posted else 0
            bag.clear_mail(last, read)


async def _insist(ask: Callable[[], T]) -> T:
    """What the ledger says, however long it is away: hosts wait to be located meanwhile."""
    while True:
        try:
            return await asyncio.to_thread(ask)
        except StoreAway:
            await asyncio.sleep(AGAIN_S)
