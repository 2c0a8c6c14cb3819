"""Letting go of hosts that a doubled shard no longer has: after `cluster STORE split` both halves
begin as copies of what was one, and each keeps its own.

It is done before a shard is run, by whoever opens it first; doing it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from trapline.app.engine.parts import Engine
from trapline.app.engine.restore import learners_of
from trapline.cluster.partition import Partition
from trapline.core.cards import UNMET
from trapline.core.storage import Checkpoint, Store
from trapline.live.commits import state_of

# note: of a ledger, how many shards there are since they were doubled; of a store, the same as
# soon as it has let go of what is not its own
DOUBLED: Final = "doubled to"


class SheddingStore(Store, Protocol):
    def give_away(self, hosts: Sequence[int]) -> None:
        """These hosts are another shard's from now on."""


def is_shed(store: Store, doubled: str | None) -> bool:
    """`doubled` is the ledger's note."""
    return doubled is None or store.note(DOUBLED) == doubled


def give_others_away(
    engine: Engine, store: SheddingStore, partition: Partition
) -> None:
    """Leave out of schedule and store whatever is not the shard's own, and save all."""
    hosts = [
        row.host for row in store.hosts() if partition.home(row.name) != partition.own
    ]
    if engine.controller.hosts():
        _leave(engine, hosts)
    store.give_away(hosts)
    engine.holdings.collection.flush()
    store.save_checkpoint(checkpoint_of(engine))
    engine.holdings.collection.note(DOUBLED, str(partition.shards))
    engine.holdings.collection.flush()


def checkpoint_of(engine: Engine) -> Checkpoint:
    control = engine.control
    learners = learners_of(control.topic, control.gate, control.reach, control.places)
    return state_of(control.journal, learners)


def _leave(engine: Engine, hosts: Sequence[int]) -> None:
    """Their pages are as if nobody had ever led there, and they are visited by nobody here."""
    journal = engine.control.journal
    controller = engine.controller
    now_s = controller.now_s
    known = [host for host in hosts if host < controller.hosts()]
    journal.take_back_all(now_s)
    cards = controller.agenda.cards
    theirs = np.isin(cards["host"], known) & (cards["state"] != UNMET)
    journal.unmeet(np.flatnonzero(theirs).tolist(), now_s)
    for host in known:
        journal.locate(host, None, now_s)
    controller.agenda.forget_visits(known)
