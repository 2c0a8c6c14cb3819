"""Queries over the collection: the index ranks, the store tells what is shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from trapline.core.errors import BadQuery, FolderUnwritable, StoreCorrupt
from trapline.core.records import Page
from trapline.core.storage import Store
from trapline.core.urls import host_of
from trapline.search.hits import Factor, Fragment, Hit, check_window
from trapline.search.index import FullTextIndex
from trapline.search.index_documents import site_of
from trapline.search.query_dates import Span
from trapline.search.query_language import Asked, read_query
from trapline.search.query_parts import read_host, read_language
from trapline.search.questions import GIVEN, OWN, Answer, Facets, Question
from trapline.search.ranking.spelling import Spelt
from trapline.search.ranking.two_looks import Ranked, Ranking
from trapline.search.ranking.word_queries import View
from trapline.search.result_lists import ResultLists, cursor_of, read_cursor
from trapline.search.snippets import Marker, make_snippet
from trapline.search.tongues import Tongue, tongue_of

Found = TypeVar("Found")
_DEPTH: Final = 100  # hits that are ranked at once; who reads on gets ten times as many


class QueryProcessor:
    """Answers questions.

    Words are wished for, not demanded. The pages found are ranked by two looks
    (ranking/two_looks.py), and of pages that say the same the best is shown. The index is a little
    behind the store: hits that are gone by now are left out, and what is shown is the store's.
    """

    def __init__(
        self,
        index: FullTextIndex,
        store: Store,
        clock: Callable[[], float] = time.perf_counter,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`clock` measures answers, `now` tells how old a change is."""
        self._index = index
        self._store = store
        self._clock = clock
        self._now = now
        self._lists = ResultLists()

    def ask(self, question: Question) -> Answer:
        """The hits offset+1 … offset+limit.

        Raises BadQuery, or BadNumber for a window that makes no sense.
        """
        began = self._clock()
        check_window(question.limit, question.offset)
        asked = understand(question)
        return self.mend(lambda: self._answer(question, asked, began))

    def view(self) -> View:
        """The index as it is now, for whoever counts its words."""
        return self._index.view()

    def suggest(self, beginning: str, limit: int = 8) -> list[str]:
        """How a query that is being typed may go on."""
        return self.mend(lambda: self._index.suggest(beginning, limit))

    def mark_text(self, page: Page, query: str) -> list[tuple[Fragment, ...]]:
        """The whole text of a page, line by line, with the words of a query marked."""
        asked = read_query(query)
        tongue = tongue_of(page.language)
        marker = self.mend(lambda: self._index.marker(asked, tongue))
        return [marker.mark(line) for line in page.text.splitlines()]

    def repeated_lines(self, page: Page) -> frozenset[int]:
        """Numbers of the lines of a page that many pages of its host have."""
        site = site_of(host_of(page.url))
        furniture = self.mend(lambda: self._index.furniture_of(site, self._store))
        return furniture.find_lines(page.text)

    def mend(self, work: Callable[[], Found]) -> Found:
        """What a damaged index cannot find, one that is made of the store can."""
        try:
            return work()
        except (StoreCorrupt, FolderUnwritable):
            self._index.reopen(self._store)
            return work()

    def _answer(
        self,
        question: Question,
        asked: Asked,
        began: float,
    ) -> Answer:
        spelt = Spelt() if question.as_typed else self._index.spell(question.text)
        meant = (
            understand(replace(question, text=spelt.query)) if spelt.query else asked
        )
        if spelt.is_certain:
            asked = meant
        name, offset, ranking = self._rank(question, asked)
        if not ranking.total and asked != meant:
            asked = meant
            name, offset, ranking = self._rank(question, asked)
        end = offset + question.limit
        shown = ranking.pages[offset:end]
        hits = self.show(
            question,
            asked,
            ranking,
            shown,
        )
        more = end < len(ranking.pages)
        return Answer(
            hits,
            ranking.total - (len(shown) - len(hits)),
            self._clock() - began,
            spelt.query,
            cursor_of(name, end) if more else "",
            self._facets(question, asked),
            bool(spelt.query) and asked == meant,
            asked.remarks,
            (question.statistics or GIVEN) if question.rarities else OWN,
        )

    def _facets(self, question: Question, asked: Asked) -> Facets | None:
        if not question.facets:
            return None
        return self._index.facets(asked, question.sort, self._now())

    def _rank(self, question: Question, asked: Asked) -> tuple[str, int, Ranking]:
        """The list to show, under a name, and where in it; the same one as before for a cursor."""
        key = asked, question.sort
        offset = question.offset
        before: Ranking | None = None
        name = ""
        if question.cursor:
            name, offset = read_cursor(question.cursor)
            check_window(question.limit, offset)
            before = self._lists.find(name, key)
        end = offset + question.limit
        if before is not None and (before.complete or end < len(before.pages)):
            return name, offset, before
        depth = _DEPTH
        while depth <= 2 * end:
            depth *= 10
        ranking = self._index.rank(asked, question.sort, depth)
        if before is not None:
            ranking = go_on(before, ranking)
        return self._lists.keep(key, ranking), offset, ranking

    def show(
        self,
        question: Question,
        asked: Asked,
        ranking: Ranking,
        shown: Sequence[Ranked],
    ) -> list[Hit]:
        """Some pages of a ranking, as they are shown; what is gone by now is left out."""
        explain = self._index.explain
        factors = explain(asked, ranking, shown) if question.explain else {}
        markers: dict[Tongue, Marker] = {}
        hits = []
        for number, score in shown:
            page = self._store.page(number)
            if page is None:
                continue
            tongue = tongue_of(page.language)
            marker = markers.get(tongue) or self._index.marker(asked, tongue)
            markers[tongue] = marker
            hits.append(
                self._hit(
                    page,
                    score,
                    marker,
                    factors.get(number, ()),
                    ranking.alike.get(number, 0),
                )
            )
        return hits

    def _hit(
        self,
        page: Page,
        score: float,
        marker: Marker,
        factors: tuple[Factor, ...],
        alike: int,
    ) -> Hit:
        """`alike`: how many pages of other shards say the same."""
        site = site_of(host_of(page.url))
        furniture = self._index.furniture_of(site, self._store)
        title = furniture.strip_title(page.title)
        original = page.page if page.same_as < 0 else page.same_as
        return Hit(
            page.page,
            page.url,
            title,
            make_snippet(
                _without_title(furniture.strip_text(page.text), title), marker
            ),
            score,
            page.relevance,
            page.fetched_s,
            len(self._store.copies(original)) + alike,
            marker.mark(title),
            site,
            page.language,
            self._first_seen_s(page),
            page.changed_s,
            factors,
        )

    def _first_seen_s(self, page: Page) -> float:
        visit = self._store.first_visit(page.page)
        return visit.ended_s if visit else page.changed_s


def understand(question: Question) -> Asked:
    """The query with the filters beside it."""
    asked = read_query(question.text)
    hosts, languages = asked.hosts, asked.languages
    if question.host.strip():
        hosts = (_read_filter(question.host, read_host, "a host, like example.org"),)
    if question.language.strip():
        wanted = "a language of two letters, like en"
        languages = (_read_filter(question.language, read_language, wanted),)
    changed = asked.changed.within(Span(question.changed_from_s, question.changed_to_s))
    return replace(
        asked,
        hosts=hosts,
        languages=languages,
        changed=changed,
        rarities=question.rarities,
    )


def _read_filter(said: str, read: Callable[[str], str | None], wanted: str) -> str:
    found = read(said.strip())
    if found is None:
        raise BadQuery(said[:40], f"the filter wants {wanted}")
    return found


def _without_title(text: str, title: str) -> str:
    """Most texts begin with their title, which is shown already.

    >>> _without_title("The Moon\\nIt orbits.", "the moon")
    'It orbits.'
    """
    first, _, rest = text.partition("\n")
    return rest if rest and first.strip(" ¶").lower() == title.lower() else text


def go_on(before: Ranking, now: Ranking) -> Ranking:
    """What was shown stays where it was; what is new comes after it."""
    shown = {page for page, _ in before.pages}
    new = [ranked for ranked in now.pages if ranked.page not in shown]
    once = before.looked_at_once | (now.looked_at_once - shown)
    alike = {**now.alike, **before.alike}
    return replace(now, pages=[*before.pages, *new], looked_at_once=once, alike=alike)
