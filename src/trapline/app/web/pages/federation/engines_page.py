"""The engines that a broker knows: what they hold, how they answer, what was found wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.figures import section, table
from trapline.app.web.pages.frame import Look, frame, notice
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.search.who_answered import say_time
from trapline.app.web.pages.wording import say_number, say_share, time_element
from trapline.policies.wording import say_count

_LEAD: Final = (
    "A question goes to the engines that are likely to know. Each is known by its key; what it "
    "says of itself is signed, and what it kept of it is counted."
)
_HEAD: Final = (
    "Engine",
    "Topic",
    "Pages",
    "Languages",
    "Fresh",
    "Answers",
    "Record",
    "State",
)
_RECORD: Final = (
    "Record: what an engine brought of the best results, against what its description promises; "
    "1 keeps its word, and who has less is asked less. Fresh: its own estimate."
)
_LANGUAGES: Final = 4  # that are named


@dataclass(frozen=True, slots=True)
class FoundWrong:
    """With an engine, so many times."""

    wrong: str
    detail: str
    times: int
    last_s: float


@dataclass(frozen=True, slots=True)
class EngineRow:
    """An engine as a broker knows it."""

    name: str  # two of one name are told apart
    fingerprint: str
    url: str
    kind: str = "trapline"  # or the kind of a neighbour
    topic: str = ""
    pages: int | None = None
    languages: Sequence[tuple[str, int]] = ()
    fresh: float | None = None
    recall: float | None = None
    heard_s: float = 0.0  # when it was last heard of
    source: str = ""  # by whom
    answer_ms: float | None = None  # its last answer
    trouble: str = ""  # why it is left alone; "" = it is asked
    record: float | None = None
    findings: Sequence[FoundWrong] = ()


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A directory, or an engine that was named: where others are heard of."""

    url: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class EnginesView:
    own: EngineRow
    others: Sequence[EngineRow]
    sources: Sequence[KnownSource]
    now_s: float


def engines_page(engine: Engine, known: EnginesView) -> Html:
    return frame(
        Look("Engines", body="figures engines"),
        element("h1", "Engines"),
        element("p", _LEAD, class_="note"),
        _others(known) if known.others else _nobody(),
        _findings(known),
        section("This engine", _own(known.own)),
        _sources(known.sources),
        engine=engine.light(),
    )


def _others(known: EnginesView) -> Html:
    rows = [_row(one, known.now_s) for one in known.others]
    title = say_count(len(known.others), "other engine")
    words = (0, 1, 3, 7)
    return section(
        title, table(title, _HEAD, rows, words), element("p", _RECORD, class_="note")
    )


def _row(one: EngineRow, now_s: float) -> tuple[Html, ...]:
    texts = (
        one.topic or "–",
        "–" if one.pages is None else f"{one.pages:,}",
        _say_languages(one.languages),
        say_share(one.fresh),
        "–" if one.answer_ms is None else say_time(one.answer_ms),
        say_number(one.record, 2),
    )
    cells = [element("span", text, dir="auto") for text in texts]
    return _name_cell(one), *cells, _state(one, now_s)


def _name_cell(one: EngineRow) -> Html:
    name = element("bdi", one.name.removesuffix(f"·{one.fingerprint}"))
    mark = element(
        "span", f"·{one.fingerprint}", class_="code soft", title="fingerprint"
    )
    linked = one.url.startswith(("http://", "https://"))
    link = element("a", name, href=one.url, rel="noreferrer") if linked else name
    kind = (
        NOTHING
        if one.kind == "trapline"
        else element("span", f" {one.kind}", class_="soft")
    )
    return join(link, mark, kind)


def _state(one: EngineRow, now_s: float) -> Html:
    heard = join("heard of ", time_element(one.heard_s, now_s))
    light = element("span", class_="light bad" if one.trouble else "light steady")
    said = f"left alone: {one.trouble}" if one.trouble else "is asked"
    return element(
        "span",
        element("span", light, " ", said, class_="state"),
        element("span", ", ", heard, class_="soft"),
    )


def _say_languages(languages: Sequence[tuple[str, int]]) -> str:
    names = [code for code, _ in languages]
    more = f" and {len(names) - _LANGUAGES} more" if len(names) > _LANGUAGES else ""
    return ", ".join(names[:_LANGUAGES]) + more or "–"


def _findings(known: EnginesView) -> Html:
    found = [(one, wrong) for one in known.others for wrong in one.findings]
    if not found:
        return NOTHING
    title = "What was found wrong"
    rows = [
        (
            element("bdi", one.name),
            element("span", wrong.wrong),
            element("span", wrong.detail, dir="auto"),
            element("span", f"{wrong.times:,}"),
            time_element(wrong.last_s, known.now_s),
        )
        for one, wrong in found
    ]
    head = ("Engine", "Finding", "The last time", "Times", "When")
    return section(title, table(title, head, rows, (0, 1, 2, 4)))


def _own(own: EngineRow) -> Html:
    held = "" if own.pages is None else f"{say_count(own.pages, 'page')}, "
    link = element("a", "its description", href="/engine")
    return join(
        element(
            "p",
            element("bdi", own.name),
            element("span", f" {own.fingerprint}", class_="code soft"),
            f": {held}{_say_languages(own.languages)}; others read ",
            link,
            ".",
        ),
        element("p", f"Topic: {own.topic}", dir="auto") if own.topic else NOTHING,
    )


def _sources(sources: Sequence[KnownSource]) -> Html:
    if not sources:
        return NOTHING
    items = [
        element(
            "li",
            element("a", one.url, href=one.url, rel="noreferrer"),
            f" {one.problem}" if one.problem else "",
        )
        for one in sources
    ]
    title = "Where engines are heard of"
    return section(title, element("ul", items, class_="sources"))


def _nobody() -> Html:
    return notice(
        "No other engine is known yet",
        element("p", "Name a directory, or engines themselves:"),
        element(
            "pre",
            element("code", "trapline serve DIR --broker --directory http://…"),
        ),
    )
