"""How the documents that answer are spread over hosts, languages and ages."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from trapline.search.query_language import Asked
from trapline.search.questions import Facets, FacetValue, Sort
from trapline.search.ranking.asked_of import AskedOf
from trapline.search.ranking.word_queries import View

_MOST_VALUES: Final = 20
_DAY_S: Final = 86_400.0
# since the last change; each begins where the one before ends
_AGES: Final = (("day", 1.0), ("week", 7.0), ("month", 31.0), ("year", 366.0))


def count_facets(
    view: View,
    asked: Asked,
    sort: Sort,
    now_s: float,
) -> Facets:
    wanted = {
        "hosts": {
            "terms": {"field": "site", "size": _MOST_VALUES},
        },
        "languages": {
            "terms": {
                "field": "language",
                "size": _MOST_VALUES,
            },
        },
        "ages": {
            "range": {
                "field": "changed_s",
                "ranges": _age_ranges(now_s),
            },
        },
    }
    matching = AskedOf(asked, view).matching(all_words=sort is Sort.CHANGED)
    found = view.searcher.aggregate(matching, wanted)
    return Facets(
        _values(found["hosts"]["buckets"]),
        _values(found["languages"]["buckets"]),
        _ages(found["ages"]["buckets"]),
    )


def _age_ranges(now_s: float) -> list[dict[str, float]]:
    starts = [now_s - days * _DAY_S for _, days in _AGES]
    ranges = [{"from": starts[0]}]
    ranges += [{"from": start, "to": end} for end, start in pairwise(starts)]
    return [*ranges, {"to": starts[-1]}]


def _values(buckets: list[dict[str, Any]]) -> list[FacetValue]:
    values = ((str(bucket["key"]), int(bucket["doc_count"])) for bucket in buckets)
    return [FacetValue(*value) for value in values if value[0]]


def _ages(buckets: list[dict[str, Any]]) -> list[FacetValue]:
    newest_first = sorted(buckets, key=lambda bucket: -float(bucket.get("from", 0.0)))
    names = (*(name for name, _ in _AGES), "older")
    counts = (int(bucket["doc_count"]) for bucket in newest_first)
    # an index without documents has no buckets at all
    pairs = zip(names, counts, strict=False)
    return [FacetValue(*pair) for pair in pairs if pair[1]]
