"""One answer of all parts: words first, then rankings, then the hits that are shown.

All parts score by the rarities of the whole, so their scores can be compared as they are. Copies
are folded here. Whoever does not answer a round in time is left out and named.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from trapline.app.federation.asking.answer_cache import AnswerCache
from trapline.app.parts.asked_part import AskedPart
from trapline.app.parts.known_words import (
    KnownWords,
    choose_spellings,
    sum_rarities,
    unknown_words,
)
from trapline.app.parts.merged_ranking import MergedRanking, merge_rankings
from trapline.app.parts.one_round import Rounds
from trapline.app.parts.part_words import (
    HITS,
    RANKING,
    SPELLINGS,
    WORDS,
    HitsWanted,
    RankingWanted,
    SpellingsWanted,
    hits_json,
    hits_wanted_json,
    question_json,
    ranking_json,
    ranking_wanted_json,
    spellings_json,
    spellings_wanted_json,
    words_json,
)
from trapline.app.parts.parts_answer import (
    PartsAnswer,
    say_missing,
    sum_facets,
    with_reports,
)
from trapline.core.errors import PartsSilent, SearchBusy
from trapline.search.hits import Hit, check_window
from trapline.search.parts.part_search import MOST_ROWS, ShownRow
from trapline.search.query_language import Asked
from trapline.search.query_processor import understand
from trapline.search.questions import GIVEN, OWN, Answer, Facets, Question
from trapline.search.ranking.spelling import Spelt, respell
from trapline.search.ranking.two_looks import RankedRows, is_by_date
from trapline.search.result_lists import ResultLists, cursor_of, read_cursor

AT_ONCE: Final = 8  # questions under way; a part has its own line
_WAIT_S: Final = 5.0  # for a place
_DEPTH: Final = 100  # rows of each part; who reads on gets ten times as many
_WORDS_S: Final = 30.0  # so long are rarities remembered: pages to come score alike
# how far each round may go into the time for a question: one part that hangs in the first must
# leave time for the others
_WORDS_SHARE: Final = 0.4
_RANKING_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True)
class _Found:
    """A list to go on in: where, under which name."""

    name: str
    offset: int
    merged: MergedRanking
    facets: Facets | None = None


class FrontSearch:
    """In one event loop."""

    def __init__(
        self,
        parts: Sequence[AskedPart],
        within_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._parts = parts
        self._within_s = within_s
        self._clock = clock
        self._lists = ResultLists()
        self._words: AnswerCache[KnownWords] = AnswerCache()
        self._places = asyncio.Semaphore(AT_ONCE)

    async def ask(self, question: Question) -> PartsAnswer:
        """The hits offset+1 … offset+limit.

        Raises BadQuery, BadNumber, SearchBusy; PartsSilent if no part answers.
        """
        check_window(question.limit, question.offset)
        understand(question)
        try:
            await asyncio.wait_for(self._places.acquire(), _WAIT_S)
        except TimeoutError:
            raise SearchBusy("too many are searching just now") from None
        try:
            return await self._ask(question)
        finally:
            self._places.release()

    async def _ask(self, question: Question) -> PartsAnswer:
        began_s = self._clock()
        rounds = Rounds(self._parts, self._within_s, self._clock)
        known = await self._know(rounds, question)
        spelt = known.spelt
        meant = replace(question, text=spelt.query) if spelt.query else question
        asked = meant if spelt.is_certain else question
        if asked is not question:
            known = await self._know(rounds, asked)
        scored = _with_rarities(asked, known)
        found = await self._rank(rounds, scored)
        if not found.merged.ranking.total and asked is not meant:
            asked = meant
            scored = _with_rarities(asked, await self._know(rounds, asked))
            found = await self._rank(rounds, scored)
        hits = await self._show(rounds, scored, found)
        answer = self._answer(question, found, hits)
        told = replace(
            answer,
            seconds=self._clock() - began_s,
            meant=spelt.query,
            corrected=bool(spelt.query) and asked is meant,
            remarks=understand(asked).remarks,
        )
        return with_reports(told, rounds.reports())

    def _answer(self, question: Question, found: _Found, hits: list[Hit]) -> Answer:
        ranking = found.merged.ranking
        end = found.offset + question.limit
        shown = ranking.pages[found.offset : end]
        more = end < len(ranking.pages)
        return Answer(
            hits,
            ranking.total - (len(shown) - len(hits)),
            0.0,
            cursor=cursor_of(found.name, end) if more else "",
            facets=found.facets,
            statistics=(question.statistics or GIVEN) if question.rarities else OWN,
        )

    # Words

    async def _know(self, rounds: Rounds, question: Question) -> KnownWords:
        """What all parts together know of the words; just asked, or remembered."""
        key = question.text, question.language, question.as_typed
        known = self._words.get(key, self._clock())
        if known is not None:
            return known
        body = question_json.dump_json(question)
        found = await rounds.ask(WORDS, body, words_json, _WORDS_SHARE)
        if not found:
            raise PartsSilent(say_missing(rounds.reports()))
        parts = list(found.values())
        unknown = {} if question.as_typed else unknown_words(parts)
        spelt = await self._spell(rounds, question.text, unknown)
        known = KnownWords(sum_rarities(parts), spelt)
        if rounds.whole:
            self._words.put(key, known, self._clock() + _WORDS_S)
        return known

    async def _spell(self, rounds: Rounds, text: str, unknown: dict[str, int]) -> Spelt:
        if not unknown:
            return Spelt()
        wanted = SpellingsWanted(tuple(unknown), 1)
        body = spellings_wanted_json.dump_json(wanted)
        found = await rounds.ask(SPELLINGS, body, spellings_json, _WORDS_SHARE)
        return respell(text, choose_spellings(unknown, list(found.values())))

    # Rankings

    async def _rank(self, rounds: Rounds, question: Question) -> _Found:
        """The list to show, and where in it; the same one as before for a cursor."""
        asked = understand(question)
        key = replace(asked, rarities=()), question.sort
        before, offset = self._find(question, key)
        end = offset + question.limit
        if before is not None and question.facets is False:
            name, merged = before
            if merged.ranking.complete or end < len(merged.ranking.pages):
                return _Found(name, offset, merged)
        merged, facets = await self._merge(rounds, question, asked, _depth_of(end))
        if before is not None:
            merged = merged.after(before[1])
        name = self._lists.keep(key, merged)
        return _Found(
            name,
            offset,
            merged,
            facets,
        )

    def _find(
        self, question: Question, key: object
    ) -> tuple[tuple[str, MergedRanking] | None, int]:
        if not question.cursor:
            return None, question.offset
        name, offset = read_cursor(question.cursor)
        check_window(question.limit, offset)
        merged: MergedRanking | None = self._lists.find(name, key)
        return (None if merged is None else (name, merged)), offset

    async def _merge(
        self,
        rounds: Rounds,
        question: Question,
        asked: Asked,
        depth: int,
    ) -> tuple[MergedRanking, Facets | None]:
        wanted = RankingWanted(question, depth)
        body = ranking_wanted_json.dump_json(wanted)
        found = await rounds.ask(RANKING, body, ranking_json, _RANKING_SHARE)
        if not found:
            raise PartsSilent(say_missing(rounds.reports()))
        rows = {n: RankedRows(one.total, one.rows) for n, one in found.items()}
        merged = merge_rankings(rows, by_date=is_by_date(asked, question.sort))
        return merged, sum_facets(one.facets for one in found.values())

    # Hits

    async def _show(
        self, rounds: Rounds, question: Question, found: _Found
    ) -> list[Hit]:
        merged = found.merged
        once = merged.ranking.looked_at_once
        shown = merged.ranking.pages[found.offset : found.offset + question.limit]
        rows: dict[int, list[ShownRow]] = {}
        for page, score in shown:
            row = ShownRow(page, score, page not in once)
            rows.setdefault(merged.part_of[page], []).append(row)
        wanted = {
            part: hits_wanted_json.dump_json(HitsWanted(question, tuple(own)))
            for part, own in rows.items()
        }
        answers = await rounds.ask(HITS, wanted, hits_json, 1.0)
        hits = {hit.page: hit for own in answers.values() for hit in own}
        return [
            _with_alike(hits[page], merged.ranking.alike.get(page, 0))
            for page, _ in shown
            if page in hits
        ]


def _with_rarities(question: Question, known: KnownWords) -> Question:
    """Those that came with the question are right; ours are for the others."""
    told = {(one.tongue, one.stem) for one in question.rarities}
    ours = [one for one in known.rarities if (one.tongue, one.stem) not in told]
    return replace(question, rarities=(*question.rarities, *ours))


def _with_alike(hit: Hit, alike: int) -> Hit:
    return replace(hit, copies=hit.copies + alike) if alike else hit


def _depth_of(end: int) -> int:
    depth = _DEPTH
    while depth <= 2 * end:
        depth *= 10
    return min(depth, MOST_ROWS)
