"""Letters of other shards: their links are numbered, told to the controller through the journal,
and saved with the batch that strikes the letters.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import numpy as np

from trapline.app.engine.parts import Engine
from trapline.app.shards.homes import unlocated_places
from trapline.app.shards.seat import AT_ONCE, Seat
from trapline.cluster.letters import MailedLinks
from trapline.core.errors import StoreAway
from trapline.core.ledger import Letter
from trapline.robot.call_records import ArrivedLinks

LOOK_S: Final = 1.0  # between two looks for letters
MOVES_EVERY: Final = 2  # looks: for hosts that have moved

InScope = Callable[[str], bool]


async def read_letters(
    engine: Engine, seat: Seat, in_scope: InScope, now: Callable[[], float]
) -> None:
    """Take letters in, as they come."""
    look = 0
    while True:
        with suppress(StoreAway):  # it comes back, or the lease ends
            if look % MOVES_EVERY == 0:
                await seat.learn_moves()
            await seat.exchange()
            while letters := await seat.letters():
                # a host of theirs may have moved here: nobody sends them to and fro
                await seat.learn_moves()
                for letter in letters:
                    take_in(engine, seat, letter, in_scope, now())
                    await asyncio.sleep(0.0)
                if len(letters) < AT_ONCE:
                    break
        look += 1
        await asyncio.sleep(LOOK_S)


def take_in(
    engine: Engine, seat: Seat, letter: Letter, in_scope: InScope, now_s: float
) -> None:
    """The links of one letter, as if they had been found here."""
    sent = seat.open_letter(letter)
    kept = [place for place, url in enumerate(sent.urls) if in_scope(url)]
    if kept:
        _admit(engine, seat, sent.pick(kept), now_s)
    engine.holdings.collection.note_read([letter.number])
    if kept and engine.loop is not None:
        engine.loop.heed_orders()


def _admit(engine: Engine, seat: Seat, sent: MailedLinks, now_s: float) -> None:
    book = engine.holdings.book
    numbers = np.array([book.number(url) for url in sent.urls], np.int32)
    links = sent.links.copy()
    links["page"] = numbers[:, 0]
    links["host"] = numbers[:, 1]
    journal = engine.control.journal
    places = unlocated_places(engine, links).tolist()
    if places:
        seat.waiting.add(links["host"][places].tolist(), sent.pick(places))
    seeds = sent.depth == 0
    if seeds.any():
        journal.admit(links[seeds], now_s)
    if not seeds.all():
        found = ~seeds
        arrived = ArrivedLinks(links[found], sent.relevance[found], sent.depth[found])
        journal.receive(arrived, now_s)
