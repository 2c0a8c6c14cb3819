"""The search page: the same form before and after a question."""

from __future__ import annotations

from collections.abc import Sequence

from trapline.app.federation.asking.broker_answer import BrokerAnswer
from trapline.app.output.changes import Line
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.frame import Look, frame
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.search.search_filters import filters
from trapline.app.web.pages.search.search_hints import Hint, hint_list
from trapline.app.web.pages.search.search_results import hit_item
from trapline.app.web.pages.search.search_states import (
    empty_collection,
    nothing_found,
    past_the_end,
    templates,
)
from trapline.app.web.pages.search.search_view import FARTHEST, PER_PAGE, View
from trapline.app.web.pages.wording import time_element
from trapline.policies.wording import say_count
from trapline.search.query_language import LONGEST
from trapline.search.questions import Answer

Answered = Answer | BrokerAnswer


def home_page(
    engine: Engine, lately: list[Line], hints: list[Hint], now_s: float
) -> Html:
    held = say_count(engine.held, "page") + " held"
    known = f", {engine.known:,} known" if engine.known > engine.held else ""
    intro = join(
        element("h1", f"Search {engine.name}"),
        element("p", held + known, _other_engines(engine), class_="tagline"),
    )
    content = empty_collection(engine)
    if engine.held:
        content = join(hint_list(hints) if hints else NOTHING, _lately(lately, now_s))
    return _page(View(), engine, intro, content)


def answer_page(
    view: View,
    engine: Engine,
    answer: Answer,
    now_s: float,
    words: Sequence[str] = (),
    remark: Html = NOTHING,
) -> Html:
    """Results; `words` are queries that would find something where these find nothing. A `remark`
    on who has not answered stands above them.
    """
    choice = answer.hits or view.is_filtered
    content = join(
        remark,
        filters(view, answer.facets) if choice else NOTHING,
        *say_remarks(answer),
        did_you_mean(view, answer),
        _results(view, engine, answer, now_s)
        if answer.hits
        else _none(view, engine, answer, words),
    )
    return state_page(view, engine, content)


def state_page(view: View, engine: Engine, content: Html, refresh: str = "") -> Html:
    """A page of results, or of whatever there is to say instead.

    `refresh` is where a browser without scripts goes at once.
    """
    heading = element("h1", f"Results for {view.query}", class_="unseen")
    return _page(view, engine, heading, content, refresh)


def _page(
    view: View, engine: Engine, intro: Html, content: Html, refresh: str = ""
) -> Html:
    look = Look(
        view.query,
        path="/",
        kind="search",
        body="search" if view.query else "home",
        module="search",
        refresh=refresh,
        site=engine.site,
    )
    return frame(
        look,
        element("div", intro, id="intro"),
        _form(view),
        element("div", class_="bar", id="bar"),
        element("p", id="said", class_="unseen", role="status"),
        _better() if engine.is_broker else NOTHING,
        answers_part(content),
        templates(),
        engine=engine.light(),
    )


def answers_part(content: Html) -> Html:
    return element("div", content, id="answers", class_="answers", tabindex="-1")


def _better() -> Html:
    """Where results are offered that came after one had begun to read."""
    button = element("button", type="button")
    return element("div", button, id="better", class_="better", hidden=True)


def _other_engines(engine: Engine) -> Html:
    if not engine.is_broker:
        return NOTHING
    others = say_count(engine.others, "other engine")
    return join(", and ", element("a", others, href="/engines"))


def _form(view: View) -> Html:
    box = element(
        "input",
        type="search",
        name="q",
        id="q",
        value=view.query,
        placeholder="Search the collection",
        aria_label="Search the collection",
        autocomplete="off",
        autocapitalize="off",
        spellcheck="false",
        dir="auto",
        maxlength=str(LONGEST),
        autofocus=not view.query,
    )
    hint = element("kbd", "/", aria_hidden="true")
    return element(
        "form",
        element("div", box, hint, class_="box"),
        element("button", "Search"),
        id="ask",
        class_="ask",
        role="search",
        action="/search",
    )


def _lately(lately: list[Line], now_s: float) -> Html:
    if not lately:
        return NOTHING
    items = [
        element(
            "li",
            element(
                "a", line.title or line.url, href=line.url, rel="noreferrer", dir="auto"
            ),
            element(
                "span", f"{line.turn} ", time_element(line.at_s, now_s), class_="soft"
            ),
        )
        for line in lately
    ]
    return element(
        "section",
        element("h2", "Latest changes"),
        element("ul", items),
        class_="recent",
    )


def did_you_mean(view: View, answer: Answered) -> Html:
    if not answer.meant:
        return NOTHING
    link = element("a", answer.meant, href=view.link(query=answer.meant, page=1))
    before, after = "Did you mean ", "?"
    if answer.corrected:
        before, after = "No page has all words as typed. Searched instead: ", ""
    return element("p", before, link, after, class_="meant", dir="auto")


def say_remarks(answer: Answered) -> list[Html]:
    """Filters that were read as words."""
    return [element("p", remark, class_="meant") for remark in answer.remarks]


def _none(view: View, engine: Engine, answer: Answer, words: Sequence[str]) -> Html:
    if view.page > 1 and answer.total:
        return past_the_end(view)
    if not engine.held:
        return empty_collection(engine)
    return nothing_found(view, engine, words)


def _results(view: View, engine: Engine, answer: Answer, now_s: float) -> Html:
    first = (view.page - 1) * PER_PAGE + 1
    last = first - 1 + len(answer.hits)
    found = say_count(answer.total, "page")
    where = f"{first:,}–{last:,} of " if answer.total > len(answer.hits) else ""
    milliseconds = max(1, round(answer.seconds * 1000))
    growing = ", and still crawling" if engine.at_work else ""
    count = f"{where}{found}, {milliseconds} ms{growing}"
    # a language that all have is no news of any
    languages = answer.facets.languages if answer.facets else []
    hits = [hit_item(hit, view, now_s, len(languages) > 1) for hit in answer.hits]
    return join(
        element("p", count, class_="count", id="count"),
        element("h2", "Results", class_="unseen"),
        element("ol", hits, class_="results", start=str(first)),
        pager(view, answer),
    )


def pager(view: View, answer: Answered) -> Html:
    last = min(FARTHEST, -(-answer.total // PER_PAGE))
    if last < 2:
        return NOTHING
    before = element(
        "a", "Previous", href=view.link(page=view.page - 1), rel="prev", class_="pages"
    )
    after = element(
        "a", "Next", href=view.link(page=view.page + 1), rel="next", class_="pages"
    )
    return element(
        "nav",
        before if view.page > 1 else NOTHING,
        element("span", f"Page {view.page:,} of {last:,}", class_="soft"),
        after if view.page < last else NOTHING,
        class_="pager",
        aria_label="Pages of results",
    )
