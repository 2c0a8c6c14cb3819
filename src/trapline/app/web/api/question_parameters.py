"""A question as the parameters of a request have it; all ways to search share them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query

from trapline.app.web.api.parameters import (
    DAY_S,
    AsTyped,
    ChangedFrom,
    ChangedTo,
    Cursor,
    Hits,
    Hops,
    HostName,
    Language,
    Offset,
    QueryId,
    RaritiesGiven,
    StatisticsVersion,
    Words,
    start_of,
)
from trapline.search.questions import Question, Sort
from trapline.search.statistics.rarities import read_rarities


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    question: Question
    counts: bool  # whether it is noted as demand
    query_id: str = ""
    hops: int = 0


async def read_question(
    *,
    q: Words,
    limit: Hits = 10,
    offset: Offset = 0,
    cursor: Cursor = "",
    sort: Sort = Sort.BEST,
    host: HostName = None,
    lang: Language = None,
    changed_from: ChangedFrom = None,
    changed_to: ChangedTo = None,
    facets: Annotated[
        bool, Query(description="Count hosts, languages and ages.")
    ] = False,
    explain: Annotated[
        bool, Query(description="Tell what each score is made of.")
    ] = False,
    typing: Annotated[
        bool, Query(description="The query is being typed: it is not counted.")
    ] = False,
    rarities: RaritiesGiven = "",
    statistics: StatisticsVersion = "",
    as_typed: AsTyped = False,
    query_id: QueryId = "",
    hops: Hops = 0,
) -> QuestionAsked:
    end_s = start_of(changed_to)
    question = Question(
        q,
        limit,
        offset,
        cursor,
        sort,
        host=host or "",
        language=lang or "",
        changed_from_s=start_of(changed_from),
        changed_to_s=None if end_s is None else end_s + DAY_S,
        explain=explain,
        facets=facets,
        rarities=read_rarities(rarities),
        statistics=statistics,
        as_typed=as_typed,
    )
    # "search for just that" asks the same once more; a broker has everything taken as typed
    counts = not typing and (not as_typed or hops > 0)
    return QuestionAsked(question, counts, query_id, hops)


AskedFor = Annotated[QuestionAsked, Depends(read_question)]
