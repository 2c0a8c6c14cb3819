"""Pages on a list that cannot be had: told once when it begins, and once when it is over.

A page that is missing or refused, or whose redirect leads nowhere, is told at once. What may pass
(no answer, an error of the server, a name that cannot be resolved, a robots.txt that cannot be
had) is told when it is met twice in a row. What was told is numbered among the changes in the
store, so that a restart tells nothing twice.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Final, NamedTuple

from trapline.app.engine.listed_pages import Digest, ListedPages
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.records import (
    Diff,
    Failure,
    Fetched,
    Kind,
    Observation,
    Outcome,
    Robots,
    Turn,
)
from trapline.core.storage import Store
from trapline.live.reader import READER_FAILURES
from trapline.politeness.rules import rules_of
from trapline.reading.answer import is_readable
from trapline.reading.listings.entries import resolve_link
from trapline.robot.response.response_processor import MOVED, TRY_LATER

NOTE: Final = "unlocated"  # hosts whose names could not be resolved at the last look
MOST_OF_HOST: Final = 100  # pages that are told of when a whole host fails
FORBIDDEN: Final = "robots.txt forbids it"
NAME_GONE: Final = "the name cannot be resolved to an address that may be visited"
_WELL: Final = (Outcome.OK, Outcome.UNCHANGED, Outcome.MOVED)
_WORDS: Final = {
    Failure.TIMEOUT: "it does not answer in time",
    Failure.CONNECTION: "the connection is refused, or breaks off",
    Failure.NO_SUCH_NAME: "the name cannot be resolved",
    Failure.TLS: "no secure connection: its certificate cannot be trusted",
    Failure.PROXY: "the proxy does not let us through",
    Failure.PROTOCOL: "what it answers is not HTTP",
    Failure.TOO_LARGE: "it is too large",
    Failure.FORBIDDEN_ADDRESS: "its address may not be visited",
}
_FINAL: Final = (Failure.TOO_LARGE, Failure.FORBIDDEN_ADDRESS)


class Trouble(NamedTuple):
    remark: str
    passes: bool = False  # perhaps: it is told when it is met again


class PageTroubles:
    """What is wrong with listed pages, of all that was told so far."""

    def __init__(
        self,
        listed_pages: ListedPages,
        store: Store,
        collection: Collection,
        book: HashUrlBook,
    ) -> None:
        self._listed = listed_pages
        self._store = store
        self._collection = collection
        self._book = book
        self._told = store.failing()  # page → remark
        self._suspects: set[int] = set()  # pages that failed once
        self._lost: set[str] = set(json.loads(store.note(NOTE) or "[]"))

    def around(self, digest: Digest) -> Digest:
        """`digest`, and what it means for the pages that people wait for."""

        def digest_watched(fetched: Fetched, now_s: float) -> Observation:
            ticket = fetched.ticket
            if ticket.kind is Kind.PAGE:
                observation = digest(fetched, now_s)
                self._note_page(fetched, observation)
                return observation
            before = self._collection.robots(ticket.host)
            observation = digest(fetched, now_s)
            if isinstance(observation.robots, Robots):
                self._note_robots(fetched, before, observation.robots)
            return observation

        return digest_watched

    def note_location(self, host: int, address: str | None, now_s: float) -> None:
        """A host was looked for; None = it was not found."""
        name = self._book.host_name(host)
        known = name in self._lost
        if address is None and known:
            self._tell_host(name, NAME_GONE, now_s)
        if known == (address is None):
            return
        if address is None:
            self._lost.add(name)
        else:
            self._lost.discard(name)
        self._collection.note(NOTE, json.dumps(sorted(self._lost)))

    def check_rules(self, now_s: float) -> None:
        """A list may have grown since a robots.txt was read."""
        for name in self._listed.hosts():
            host = self._book.known_host(name)
            robots = self._collection.robots(host) if host >= 0 else None
            if robots is not None and robots.text is not None:
                self._tell_forbidden(name, robots, now_s)

    def _note_page(self, fetched: Fetched, observation: Observation) -> None:
        page = fetched.ticket.page
        outcome = observation.outcome
        trouble = trouble_of(fetched, outcome, observation.remark)
        if trouble is None and fetched.status in MOVED:
            page, trouble = self._judge_redirect(fetched, observation)
        if trouble is not None:
            if not trouble.passes or self._failed_before(page):
                self._tell(page, trouble.remark, fetched.ended_s)
            self._suspects.add(page)
        elif outcome in _WELL or fetched.status in MOVED:
            self._suspects.discard(page)
            self._tell_back(page, fetched.ended_s)

    def _judge_redirect(
        self, fetched: Fetched, observation: Observation
    ) -> tuple[int, Trouble | None]:
        """(page to tell of, what is wrong): of a circle, the page on the list is told."""
        page = fetched.ticket.page
        target = resolve_link(fetched.location, fetched.url)
        if target is None:
            return page, Trouble("moved to what is not a URL")
        if target == fetched.url:
            return page, Trouble("moved to itself")
        if len(observation.links) == 0:
            return page, Trouble(f"moved to {target}, which may not be visited")
        if self._listed.goes_in_circles(fetched.url):
            listed = self._book.number(self._listed.listed_as(fetched.url))[0]
            return listed, Trouble("moved in a circle")
        return page, None

    def _failed_before(self, page: int) -> bool:
        """In this run, or at the end of the one before."""
        if page in self._suspects:
            return True
        last = self._store.visits(page, last=1)
        failed = (visit.outcome is Outcome.FAILED for visit in last)
        return any(failed) and last[0].status not in MOVED

    def _note_robots(
        self, fetched: Fetched, before: Robots | None, robots: Robots
    ) -> None:
        name = self._book.host_name(fetched.ticket.host)
        if robots.text is not None:
            self._tell_forbidden(name, robots, fetched.ended_s)
        elif before is not None and before.text is None:
            remark = f"robots.txt cannot be had: {say_failure(fetched)}"
            self._tell_host(name, remark, fetched.ended_s)

    def _tell_forbidden(self, name: str, robots: Robots, at_s: float) -> None:
        rules = rules_of(robots)
        if len(rules) == 0:
            return
        urls = self._listed.of_host(name)
        forbidden = [url for url in urls if not rules.judge(url).allowed]
        self._tell_some(forbidden, FORBIDDEN, at_s)

    def _tell_host(self, name: str, remark: str, at_s: float) -> None:
        self._tell_some(self._listed.of_host(name), remark, at_s)

    def _tell_some(self, urls: list[str], remark: str, at_s: float) -> None:
        for url in urls[:MOST_OF_HOST]:
            self._tell(self._book.number(url)[0], remark, at_s)

    def _tell(self, page: int, remark: str, at_s: float) -> None:
        if page not in self._told:
            self._told[page] = remark
            diff = Diff(page, at_s, Turn.FAILING, remark=remark)
            self._collection.note_difference(diff)

    def _tell_back(self, page: int, at_s: float) -> None:
        remark = self._told.pop(page, None)
        if remark is not None:
            diff = Diff(page, at_s, Turn.BACK, remark=remark)
            self._collection.note_difference(diff)


def trouble_of(fetched: Fetched, outcome: Outcome, remark: str = "") -> Trouble | None:
    """What is wrong with a page by the answer to a visit; None = nothing, or nobody can tell."""
    status = fetched.status
    if fetched.failure is not None:
        return Trouble(say_failure(fetched), passes=fetched.failure not in _FINAL)
    if status >= 400:
        return Trouble(say_failure(fetched), status >= 500 or status in TRY_LATER)
    if outcome is Outcome.GONE:
        return Trouble("it says that it is not there")
    if outcome is Outcome.SKIPPED and not is_readable(fetched):
        return Trouble("it is of a kind that is not read")
    if outcome is Outcome.FAILED and 200 <= status < 300:
        return _unread(remark)
    return None


def _unread(remark: str) -> Trouble:
    """An answer that has not what the rules of its page ask for, or that nobody could read."""
    if not remark or remark in READER_FAILURES:
        return Trouble("what it answers cannot be read", passes=True)
    return Trouble(remark)


def say_failure(fetched: Fetched) -> str:
    """Why an answer is none, for people.

    >>> from trapline.core.records import Ticket
    >>> ticket = Ticket(1, Kind.PAGE, 1, 0, 0.0, 0.0)
    >>> say_failure(Fetched(ticket, "http://a/", 1.0, 404))
    '404 Not Found'
    """
    if fetched.failure is not None:
        return _WORDS.get(fetched.failure, fetched.failure.value)
    try:
        return f"{fetched.status} {HTTPStatus(fetched.status).phrase}"
    except ValueError:
        return f"status {fetched.status}"
