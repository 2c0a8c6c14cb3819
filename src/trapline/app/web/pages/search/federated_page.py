"""Results of a federation: hits of several engines, and who answered.

The page begins with what the own collection holds. A script follows the others as they come; a
browser without scripts goes on to a page that has waited for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from trapline.app.federation.asking.broker_answer import BrokerAnswer, BrokerHit
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.frame import notice
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.search.engine_filter import EngineChoice, engine_filter
from trapline.app.web.pages.search.search_filters import filters
from trapline.app.web.pages.search.search_page import (
    answers_part,
    did_you_mean,
    pager,
    say_remarks,
    state_page,
)
from trapline.app.web.pages.search.search_results import hit_item
from trapline.app.web.pages.search.search_states import nothing_found, past_the_end
from trapline.app.web.pages.search.search_view import PER_PAGE, View
from trapline.app.web.pages.search.who_answered import who_answered
from trapline.policies.wording import say_count

STREAM: Final = "/search/stream"
WAIT: Final = "&wait=1"
_OF_THE_WEB: Final = ("http", "https")
_BY_RANK: Final = "placed by rank"
_WHY_BY_RANK: Final = "Its engine's scores cannot be compared with others'."


@dataclass(frozen=True, slots=True)
class FederatedView:
    """What the page is made of besides the answer."""

    view: View
    engine: Engine
    engines: Sequence[EngineChoice]  # that one can choose from
    now_s: float


def federated_page(asked: FederatedView, answer: BrokerAnswer) -> Html:
    """A whole page. As long as others are awaited, it says where their answers come from."""
    refresh = NOTHING if answer.complete else waiting_link(asked.view)
    return state_page(
        asked.view,
        asked.engine,
        _content(asked, answer),
        refresh,
    )


def federated_part(asked: FederatedView, answer: BrokerAnswer) -> Html:
    """The part of the page that changes when somebody has answered."""
    return answers_part(_content(asked, answer))


def waiting_link(view: View) -> str:
    return view.link() + WAIT


def _content(asked: FederatedView, answer: BrokerAnswer) -> Html:
    view = asked.view
    shown = [hit for hit in answer.hits if _is_of_the_web(hit.url)]
    choice = engine_filter(view, asked.engines)
    return join(
        filters(view, answer.facets, choice) if shown or view.is_filtered else NOTHING,
        *say_remarks(answer),
        did_you_mean(view, answer),
        element(
            "p",
            _say_count(view, answer),
            class_="count",
            id="count",
        ),
        who_answered(answer, _stream_of(view, answer)),
        element(
            "div",
            _results(asked, shown, answer) if shown else _none(asked, answer),
            id="found",
        ),
        NOTHING if answer.complete else _without_scripts(view),
    )


def _stream_of(view: View, answer: BrokerAnswer) -> str | None:
    return None if answer.complete else f"{STREAM}?{view.parameters()}"


def _without_scripts(view: View) -> Html:
    """For browsers that stay where they are."""
    link = element("a", "Wait for the other engines", href=waiting_link(view))
    return element("noscript", element("p", link))


def _is_of_the_web(url: str) -> bool:
    """Strangers' URLs were looked at before; here a link is made of them."""
    return urlsplit(url).scheme in _OF_THE_WEB


def _results(
    asked: FederatedView, shown: Sequence[BrokerHit], answer: BrokerAnswer
) -> Html:
    first = (asked.view.page - 1) * PER_PAGE + 1
    languages = {hit.language for hit in shown}
    hits = [
        hit_item(
            hit,
            asked.view,
            asked.now_s,
            len(languages) > 1,
            _origins(hit),
        )
        for hit in shown
    ]
    return join(
        element("h2", "Results", class_="unseen"),
        element(
            "ol",
            hits,
            class_="results",
            start=str(first),
        ),
        pager(asked.view, answer),
    )


def _origins(hit: BrokerHit) -> Html:
    """Who told it, and whether its place is a guess."""
    names = [element("bdi", name) for name in hit.origins]
    listed = join(names[:1], [join(", ", name) for name in names[1:]])
    mark = element(
        "span",
        _BY_RANK,
        title=_WHY_BY_RANK,
        class_="by-rank",
    )
    return element(
        "span", "from ", listed, NOTHING if hit.comparable else mark, class_="origins"
    )


def _say_count(view: View, answer: BrokerAnswer) -> str:
    first = (view.page - 1) * PER_PAGE + 1
    last = first - 1 + len(answer.hits)
    found = say_count(answer.total, "page")
    has_more = bool(answer.hits) and answer.total > len(answer.hits)
    return f"{first:,}–{last:,} of {found}" if has_more else found


def _none(asked: FederatedView, answer: BrokerAnswer) -> Html:
    if not answer.complete:
        told = element("p", "Nothing here so far; other engines are being asked.")
        return notice("Asking other engines", told)
    if asked.view.page > 1 and answer.total:
        return past_the_end(asked.view)
    return nothing_found(asked.view, asked.engine)
