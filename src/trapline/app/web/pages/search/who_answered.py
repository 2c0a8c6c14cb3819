"""Who answered a question, how fast, and who did not and why: one line, and all of it unfolded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trapline.app.federation.asking.broker_answer import (
    BrokerAnswer,
    EngineReport,
    EngineState,
)
from trapline.app.federation.asking.engine_choice import LIKELIER
from trapline.app.web.pages.markup import Html, element
from trapline.policies.wording import say_count

_SHORT: Final = 4  # engines that fit into a line
_ORDER: Final = (
    EngineState.ANSWERED,
    EngineState.AWAITED,
    EngineState.FAILED,
    EngineState.NOT_ASKED,
)
_ASKING: Final = "asking others …"


def who_answered(answer: BrokerAnswer, stream: str | None) -> Html:
    """`stream` is where a script hears the others; None = everybody has been heard.

    The line folds what it has no room for, so that a longer one never moves what is below.
    """
    reports = sorted(answer.engines, key=lambda one: _ORDER.index(one.state))
    items = [element("li", say_report(one), dir="auto") for one in reports]
    return element(
        "details",
        element("summary", element("span", say_line(answer), id="who-line")),
        element("ul", items),
        element("p", element("a", "All engines", href="/engines")),
        class_="who",
        id="who",
        data_stream=stream,
    )


def say_report(report: EngineReport) -> str:
    """What became of one engine.

    >>> say_report(EngineReport("moons", "3f", EngineState.ANSWERED, 41.3))
    'moons 41 ms'
    >>> say_report(EngineReport("mars", "4a", EngineState.FAILED, 2000.0, reason="hung up"))
    'mars hung up'
    """
    match report.state:
        case EngineState.ANSWERED:
            return f"{report.name} {say_time(report.ms)}"
        case EngineState.AWAITED:
            return f"asking {report.name} …"
        case _:
            passed_over = "was not asked: " if _is_passed_over(report) else ""
            return f"{report.name} {passed_over}{report.reason}"


def say_time(ms: float) -> str:
    """
    >>> say_time(0.3), say_time(41.3), say_time(1240.0)
    ('1 ms', '41 ms', '1.2 s')
    """
    return f"{ms / 1000:.1f} s" if ms >= 1000.0 else f"{max(1, round(ms))} ms"


def say_line(answer: BrokerAnswer) -> str:
    """The shortest line that leaves out nobody who failed."""
    told = [one for one in answer.engines if _is_news(one)]
    told.sort(key=lambda one: _ORDER.index(one.state))
    parts = [say_report(one) for one in told]
    if len(told) > _SHORT:
        parts = _sum_up(told)
    if not answer.complete and not any(_is_awaited(one) for one in told):
        parts.append(_ASKING)
    return " · ".join(parts) or "Nobody was asked"


def _sum_up(reports: Sequence[EngineReport]) -> list[str]:
    answered = [one for one in reports if one.state is EngineState.ANSWERED]
    awaited = sum(map(_is_awaited, reports))
    slowest = max((one.ms for one in answered), default=0.0)
    counted = f"{len(answered)} of {say_count(len(reports), 'engine')} answered"
    parts = [f"{counted} within {say_time(slowest)}" if answered else counted]
    parts += [f"asking {awaited} …"] if awaited else []
    silent = (EngineState.FAILED, EngineState.NOT_ASKED)
    return parts + [say_report(one) for one in reports if one.state in silent]


def _is_awaited(report: EngineReport) -> bool:
    return report.state is EngineState.AWAITED


def _is_passed_over(report: EngineReport) -> bool:
    return report.reason == LIKELIER


def _is_news(report: EngineReport) -> bool:
    """That others are likelier to know is no news; that an engine is left alone is."""
    return not _is_passed_over(report)
