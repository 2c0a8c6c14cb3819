"""What the shards of one crawl share: who owns which shard, letters, bids and rates; and who keeps
it, as a Protocol.

A *shard* is a fixed set of hosts with a controller, book, journal and store of its own. A *worker*
is a process that runs shards. The *ledger* says which worker owns a shard until when, and in which
*epoch*: a number that grows with each owner, so that an owner of before can write nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

LEDGER_FILE: Final = "ledger.sqlite"  # in the folder of a crawl in shards
LEASE_S: Final = 15.0  # a worker owns its shards for so long,
RENEW_S: Final = 4.0  # and says so often that it still does
TREASURER_S: Final = 15.0  # the same of whoever sets the rates
SUPERVISOR_S: Final = (
    15.0  # and of whoever says how the crawl is made, and starts workers
)
ROUNDING: Final = 1e-9  # of the budget, by which a sum of rates may be wrong


@dataclass(frozen=True, slots=True)
class Founding:
    """What is said once of a crawl in shards; of these only the number of shards is for good."""

    shards: int
    settings: str  # JSON, without secrets
    budget_per_s: float  # of all shards together; ∞ = as many visits as manners allow


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run a shard."""

    shard: int
    epoch: int
    rate_per_s: float  # visits, as last granted


class Letter(NamedTuple):
    """Links for another shard, as they wait for it."""

    number: int  # grows, and may have holes
    sender: int  # shard
    body: bytes


class Posting(NamedTuple):
    """A letter that leaves with the batch that found its links."""

    receiver: int  # shard
    body: bytes


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """Who has a shard, and by which rate: what workers look at again and again."""

    shard: int
    epoch: int  # 0 = nobody has owned it yet
    owner: str  # worker; "" = nobody
    left_s: float  # until the lease ends; at most 0 = it has ended
    rate_per_s: float  # granted
    heard_per_s: float  # its owner spends by no more, as it said and was told


@dataclass(frozen=True, slots=True)
class ShardRow(OwnerRow):
    """One shard with all that people want to know."""

    report: str  # JSON that its owner last said of it; "" = nothing
    reported_ago_s: float  # ∞ = never
    letters: int  # that wait for it
    oldest_letter_s: float  # how long the first of them has waited


@dataclass(frozen=True, slots=True)
class WorkerRow:
    name: str
    left_s: float  # until it counts as gone
    load: float  # share of a processor that it uses
    draining: bool  # it is to give up its shards


@dataclass(frozen=True, slots=True)
class Bid:
    """How many visits a second a shard wants at each price; prices grow, wishes do not."""

    shard: int
    prices: tuple[float, ...]
    per_s: tuple[float, ...]


class MovedHost(NamedTuple):
    """A host that is not in the shard of its name, because its address has another home."""

    number: int  # of the move: grows without holes
    name: str  # name:port
    shard: int
    address: str


class Ledger(Protocol):
    """Every method is atomic and durable when it returns. Times are seconds of the ledger's own
    clock, told as spans; nobody compares them with a clock of the machine.

    StoreAway: it cannot be reached now; whoever asks may ask again.
    """

    def founding(self) -> Founding | None:
        """None = there is no crawl here yet."""

    def establish(self, founding: Founding) -> None:
        """Begin a crawl, or go on with other settings. ShardsFixed if it was made with another
        number of shards.
        """

    def clock_off_s(self) -> float:
        """How far the wall clock of this machine is ahead of the ledger's."""

    # owners

    def claim(self, worker: str, most: int) -> list[Lease]:
        """At most so many shards that nobody owns, or whose lease has ended, each in a new epoch.

        An owner spends by the rate granted, and counts as having heard of it.
        """

    def renew(
        self,
        worker: str,
        held: Mapping[int, int],
        heard: Mapping[int, float],
        load: float,
    ) -> dict[int, float]:
        """Own these shards (→ epoch) for a lease from now on, and say by which rates they spend.

        Returns those that are still the worker's, each with the rate by which it is to spend from
        now on, in one statement. Keeps the worker's own row.
        """

    def release(self, worker: str, shard: int, epoch: int) -> None:
        """Give a shard up, at once; nothing happens if another epoch has begun."""

    def owners(self) -> list[OwnerRow]:
        """Of all shards, in order."""

    def shards(self) -> list[ShardRow]:
        """All of them, in order; letters are counted one by one."""

    def workers(self) -> list[WorkerRow]:
        """Those that are there."""

    def drain(self, worker: str) -> bool:
        """Ask a worker to give up its shards and end; False = there is none of that name."""

    def leave(self, worker: str, held: Mapping[int, int]) -> None:
        """A worker has ended: its row goes, it sets no rates any more, and nobody waits for its
        leases of these shards (→ epoch). Others of its name are not touched by epochs of before.
        """

    def supervise(self, name: str) -> float:
        """Be the one who starts the workers of this crawl, for the next `SUPERVISOR_S`; 0 = it is,
        else for how long another one is. `leave` ends it.
        """

    def double(
        self, worker: str, homes: Mapping[str, int], moved: Sequence[MovedHost]
    ) -> bool:
        """Twice as many shards, all at once: a new one beside each, that nobody has owned, with
        half its rate. These addresses have new homes, and these are all hosts that have moved.

        False = the worker does not own them all, and nothing has changed.
        """

    # letters

    def letters(self, shard: int, most: int) -> list[Letter]:
        """The first ones that wait for a shard, in order."""

    def exchange(
        self,
        shard: int,
        epoch: int,
        posted: Sequence[tuple[int, Posting]],
        read: Sequence[int],
    ) -> None:
        """Letters that the shard's store has let go (numbered by it, ascending) reach their
        receivers, and those that it has read are gone. Saying it again changes nothing.

        Only for stores that cannot do so in their own commits.
        """

    # hosts and addresses

    def home_of(self, address: str, shard: int) -> int:
        """The shard of an address: this one, if nobody has asked before."""

    def move_host(self, mover: Lease, name: str, shard: int, address: str) -> int:
        """A host belongs to this shard for good; returns the shard that was said first.

        Fenced if the mover, whose host it was, has been followed by another owner: that one may
        visit it already.
        """

    def moved_hosts(self, after: int) -> list[MovedHost]:
        """From number `after`+1 on."""

    # the market

    def bid(self, bids: Sequence[Bid]) -> None:
        """The newest word of some shards."""

    def bids(self) -> list[Bid]:
        """The newest word of each shard that has said any."""

    def be_treasurer(self, worker: str) -> bool:
        """Whether this worker sets the rates, for the next `TREASURER_S`."""

    def grant(self, worker: str, rates: Mapping[int, float]) -> bool:
        """Set rates, all or none.

        False = somebody else is the treasurer, or raises would let all shards together spend more
        than the budget: what is known of them has changed since.
        """

    # what people and workers say

    def append(self, kind: str, lines: Sequence[str]) -> None:
        """Add lines (JSON) to what is said under a kind: orders, labels."""

    def lines(self, kind: str, after: int) -> list[str]:
        """Those from the `after`-th on (0 = all), in order, without holes."""

    def report(self, worker: str, reports: Mapping[int, str]) -> None:
        """What a worker says of its shards; of a shard that is not its own nothing is noted."""

    def note(self, key: str) -> str | None: ...

    def set_note(self, key: str, value: str) -> None: ...

    def close(self) -> None: ...
