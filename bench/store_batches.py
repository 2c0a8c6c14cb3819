"""Batches as a crawl commits them, made up beforehand: what stores are timed with.

Fifty visits: twenty bring a document of 10 kB, half of them new, with forty links; the others find
nothing new. What a page calls others: 25 texts of the menu of its host, and fifteen of its own, of
which three are new when it changes. Three new URLs a document, a new host a batch; the controller's
calls; fifty links for each of six other shards, six of their letters read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Final

import numpy as np

from trapline.cluster.letters import MailedLinks, pack_letter
from trapline.core.ledger import Posting
from trapline.core.links import LINK, Links
from trapline.core.records import Diff, Kind, Outcome, Page, Turn, Visit
from trapline.core.storage import Batch, Call, HostRow, UrlRow
from trapline.robot.journal_lines import pack_records

VISITS: Final = 50
DOCUMENTS: Final = 20
LETTERS: Final = 6
_NEW: Final = 10  # of the documents
_URLS: Final = 60
_SIZE: Final = 10_000  # characters of a document
_MENU: Final = 25
_OTHERS: Final = 15
_REPLACED: Final = 3  # of these, when a page changes
_CONSONANTS: Final = "bcdfghjklmnprstvwz"
_VOWELS: Final = "aeiou"


class MadeUpCrawl:
    """Of one shard; pages are visited in the order in which they became known."""

    def __init__(self, seed: int = 1) -> None:
        self._chance = Random(seed)
        self._noise = np.random.default_rng(seed)
        # as frequent as words are
        self._words = [self._word() for _ in range(20_000)]
        self._hosts = 0
        self._known = 0
        self._held = 100  # an earlier run
        self._calls = 0
        self._visits = 0
        self._host_of: list[int] = []
        self._others: dict[int, list[tuple[int, str]]] = {}  # texts, by page

    def start(self) -> Batch:
        """What is known before the first visit."""
        hosts = [self._new_host() for _ in range(40)]
        return Batch(hosts=hosts, urls=[self._new_url() for _ in range(2_000)])

    def batches(self, count: int) -> Iterator[Batch]:
        for _ in range(count):
            yield self._batch()

    def _batch(self) -> Batch:
        batch = Batch(hosts=[self._new_host()])
        batch.urls = [self._new_url() for _ in range(_URLS)]
        old = self._chance.sample(range(self._held), VISITS - _NEW)
        new = list(range(self._held, self._held + _NEW))
        self._held += _NEW
        changed = [*new, *old[: DOCUMENTS - _NEW]]
        same = old[DOCUMENTS - _NEW :]
        for page in changed:
            batch.pages.append(self._page(page))
            batch.links.append((page, self._links()))
            batch.texts.append((page, self._texts(page)))
            turn = Turn.NEW if page in new else Turn.CHANGED
            batch.diffs.append(
                Diff(page, 1e9, turn, 120, 80, self._changed_lines(turn))
            )
        batch.seen = [(page, 1e9) for page in same]
        batch.visits = [self._visit(page) for page in [*changed, *same]]
        batch.calls = list(self._journal(batch))
        batch.postings = [Posting(100 + n, self._letter()) for n in range(LETTERS)]
        batch.notes = {"awake": "4", "held_back": "the budget", "ended": ""}
        return batch

    def _new_host(self) -> HostRow:
        name = f"www.{self._word()}{self._hosts}.example"
        self._hosts += 1
        return HostRow(self._hosts - 1, f"{name}:443", f"https://{name}/")

    def _new_url(self) -> UrlRow:
        page = self._known
        self._known += 1
        host = self._chance.randrange(self._hosts)
        self._host_of.append(host)
        path = "/".join(self._chance.choices(self._words, k=3))
        return UrlRow(page, f"https://www.host{host}.example/{path}-{page}.html", host)

    def _word(self) -> str:
        syllables = range(self._chance.randint(1, 4))
        chance = self._chance
        return "".join(
            chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in syllables
        )

    def _prose(self, size: int) -> str:
        places = self._noise.zipf(1.2, size // 4) % len(self._words)
        return " ".join(self._words[place] for place in places.tolist())[:size]

    def _page(self, page: int) -> Page:
        return Page(
            page,
            "",
            self._prose(60),
            self._prose(_SIZE),
            self._chance.random(),
            self._chance.getrandbits(62),
            f'"{self._chance.getrandbits(64):x}"',
            "Tue, 17 Nov 2026 20:00:00 GMT",
            1e9,
            1e9,
            "en",
            self._chance.getrandbits(62),
            form=self._noise.bytes(300),
        )

    def _links(self) -> Links:
        links = np.zeros(_MENU + _OTHERS, LINK)
        links["page"] = self._noise.integers(0, self._known, len(links))
        links["host"] = [self._host_of[page] for page in links["page"].tolist()]
        for clue in ("anchor", "address", "context", "place"):
            links[clue] = self._noise.random(len(links)).round(2)
        for group in ("path", "directory", "prefix"):
            links[group] = self._noise.integers(1, 1 << 30, len(links))
        links["tokens"] = self._noise.integers(1, 20_000, (len(links), 6))
        return links

    def _texts(self, page: int) -> list[tuple[int, str]]:
        """Of a page that has changed, mostly those of before."""
        host = self._host_of[page]
        menu = [(40 * host + place, f"section {place}") for place in range(_MENU)]
        others = self._others.get(page, [])[:-_REPLACED]
        targets = self._noise.integers(0, self._known, _OTHERS - len(others)).tolist()
        others = [*((target, self._prose(20)) for target in targets), *others]
        self._others[page] = others
        return [*menu, *others]

    def _changed_lines(self, turn: Turn) -> str:
        return self._prose(1_000) if turn is Turn.CHANGED else ""

    def _visit(self, page: int) -> Visit:
        self._visits += 1
        host = self._host_of[page]
        facts = (1e9, 1e9 + 0.3, 0.01, Outcome.OK, 200, True, 0.4)
        return Visit(self._visits, page, host, Kind.PAGE, *facts)

    def _journal(self, batch: Batch) -> Iterator[Call]:
        found = dict(batch.links)
        for visit in batch.visits:
            number = visit.number
            links = found.get(visit.page)
            packed = (
                pack_records(links[: _URLS // DOCUMENTS]) if links is not None else ""
            )
            said = [number, 0, True, 0.4, packed, 0.0, None, 0.1, 0, "", []]
            yield self._call(["issue", 1e9, 4, [[number, visit.page]], 1, []])
            yield self._call(["land", 1e9, number, visit.host])
            yield self._call(["settle", 1e9, *said])

    def _call(self, said: list[object]) -> Call:
        self._calls += 1
        return Call(self._calls, json.dumps(said))

    def _letter(self) -> bytes:
        links = np.concatenate([self._links(), self._links()[:10]])
        urls = tuple(
            f"https://www.{self._word()}.example/{self._prose(30)}" for _ in links
        )
        relevance = self._noise.random(len(links)).astype(np.float32)
        return pack_letter(
            MailedLinks(urls, links, relevance, np.full(len(links), 3, np.uint8))
        )
