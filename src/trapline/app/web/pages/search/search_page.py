"""The search page: the same form before and after a question."""

from __future__ import annotations

from trapline.app.output.changes import Line
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.frame import Look, frame
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.search.search_filters import filters
from trapline.app.web.pages.search.search_results import hit_item
from trapline.app.web.pages.search.search_states import (
    empty_collection,
    nothing_found,
    past_the_end,
    templates,
)
from trapline.app.web.pages.search.search_view import PER_PAGE, View
from trapline.app.web.pages.wording import say_count, time_element
from trapline.search.query_language import LONGEST
from trapline.search.questions import Answer

_HINTS = (
    ('"red giant"', "words that stand together"),
    ("-nebula", "without a word"),
    ("host:example.org", "on one host"),
    ("title:orbit", "in titles"),
)


def home_page(engine: Engine, lately: list[Line], now_s: float) -> Html:
    held = say_count(engine.held, "page") + " held"
    known = f", {engine.known:,} known" if engine.known > engine.held else ""
    intro = join(
        element("h1", f"Search {engine.name}"),
        element("p", held + known, class_="tagline"),
    )
    content = _home(lately, now_s) if engine.held else empty_collection(engine)
    return _page(View(), engine, intro, content)


def answer_page(view: View, engine: Engine, answer: Answer, now_s: float) -> Html:
    return state_page(view, engine, answer_parts(view, engine, answer, now_s))


def state_page(view: View, engine: Engine, content: Html) -> Html:
    """A page of results, or of whatever there is to say instead."""
    heading = element("h1", f"Results for {view.query}", class_="unseen")
    return _page(view, engine, heading, content)


def answer_parts(view: View, engine: Engine, answer: Answer, now_s: float) -> Html:
    return join(
        filters(view, answer.facets),
        _did_you_mean(view, answer),
        _results(view, engine, answer, now_s)
        if answer.hits
        else _none(view, engine, answer),
    )


def _page(view: View, engine: Engine, intro: Html, content: Html) -> Html:
    look = Look(
        view.query,
        path="/",
        kind="search",
        body="search" if view.query else "home",
        module="search",
    )
    return frame(
        look,
        element("div", intro, id="intro"),
        _form(view),
        element("div", class_="bar", id="bar"),
        element("p", id="said", class_="unseen", role="status"),
        element("div", content, id="answers", class_="answers", tabindex="-1"),
        templates(),
        engine=engine.light(),
    )


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


def _home(lately: list[Line], now_s: float) -> Html:
    hints = [
        element("li", element("code", example), " ", meaning)
        for example, meaning in _HINTS
    ]
    return join(element("ul", hints, class_="hints"), _lately(lately, now_s))


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


def _did_you_mean(view: View, answer: Answer) -> Html:
    if not answer.meant:
        return NOTHING
    link = element("a", answer.meant, href=view.link(query=answer.meant, page=1))
    return element("p", "Did you mean ", link, "?", class_="meant", dir="auto")


def _none(view: View, engine: Engine, answer: Answer) -> Html:
    if view.page > 1 and answer.total:
        return past_the_end(view)
    return nothing_found(view, engine) if engine.held else empty_collection(engine)


def _results(view: View, engine: Engine, answer: Answer, now_s: float) -> Html:
    first = (view.page - 1) * PER_PAGE + 1
    last = first - 1 + len(answer.hits)
    found = say_count(answer.total, "page")
    where = f"{first:,}–{last:,} of " if answer.total > len(answer.hits) else ""
    milliseconds = max(1, round(answer.seconds * 1000))
    growing = ", and still crawling" if engine.at_work else ""
    count = f"{where}{found}, {milliseconds} ms{growing}"
    hits = [hit_item(hit, view, now_s) for hit in answer.hits]
    return join(
        element("p", count, class_="count", id="count"),
        element("h2", "Results", class_="unseen"),
        element("ol", hits, class_="results", start=str(first)),
        _pager(view, answer),
    )


def _pager(view: View, answer: Answer) -> Html:
    links = []
    if view.page > 1:
        before = view.link(page=view.page - 1)
        links.append(element("a", "Previous", href=before, rel="prev", class_="pages"))
    if view.page * PER_PAGE < answer.total:
        after = view.link(page=view.page + 1)
        links.append(element("a", "Next", href=after, rel="next", class_="pages"))
    if not links:
        return NOTHING
    return element("nav", links, class_="pager", aria_label="Pages of results")
