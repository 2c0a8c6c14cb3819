"""The response processor becomes ten times slower for some seconds, over real HTTP: fetchers go to
sleep, the queue keeps within its room, nothing is lost, and when the processor is itself again so
is the crawl.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.engine.parts import Engine
from trapline.app.settings import settings_from
from trapline.core.records import Fetched
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.reading.readings import Reading
from trapline.robot.fetcher_controller import Event
from trapline.robot.queue_gauge import QueueFigures
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.robot.response.results import Processed

ROOM = 8
WORLD = LinkedWeb.generate(
    800, 48, "space", 3, Shape(gap_s=0.0, born_share=0.0, dies_share=0.0)
)
# Seconds of each at least, and answers after the processor's rate is believed: on a busy machine
# they take longer.
PHASES = {"before": 4.0, "slow": 5.0, "after": 5.0}
ANSWERS = 40
SETTLING = "settling"  # before all phases: how busy the machine is
LATENCY_S = 0.3  # of the web, at least
# A slow answer holds up the loop. If it took longer than the web, fetchers would be slowed with the
# processor, and need not sleep: on a busy machine the web is slow, too.
TIMES = 12.0
# The phases end by what is seen in them; this only ends a test that sees nothing.
NEVER_S = 900.0


@dataclass
class Slowed:
    """Says when the processor takes ten times as long, and writes down what was seen when."""

    web: PracticeWeb | None = None
    phase: str = SETTLING
    began_s: float = field(default_factory=time.monotonic)  # the phase
    believed: bool = False  # what the processor does in this phase
    answers: int = 0  # since
    over: bool = False
    # that an answer took before, on this machine as busy as it is
    usual_s: float = 0.003
    seen: dict[str, list[QueueFigures]] = field(
        default_factory=lambda: {name: [] for name in (SETTLING, *PHASES)}
    )
    longest: int = 0

    def count_answer(self) -> None:
        self.answers += 1
        now_s = time.monotonic()
        elapsed_s = now_s - self.began_s
        if (
            not self.believed
            or self.answers < ANSWERS
            or elapsed_s < PHASES.get(self.phase, 0.0)
        ):
            return
        if self.phase == SETTLING and self.web is not None:
            self.web.latency_s = max(LATENCY_S, TIMES * self.usual_s)
        if self.phase == "after":
            self.over = True
            return
        names = [SETTLING, *PHASES]
        self.phase = names[names.index(self.phase) + 1]
        self.began_s = now_s
        self.believed = False

    def note(self, engine: Engine) -> None:
        if engine.loop is None:
            return
        figures = engine.control.fetchers.figures()
        if not self.believed and self.believes(figures.process_rate):
            self.believed = True
            self.answers = 0
        if self.believed:
            self.seen[self.phase].append(figures)
        if self.phase in (SETTLING, "before") and figures.process_rate > 0.0:
            self.usual_s = 1.0 / figures.process_rate

    def believes(self, rate: float) -> bool:
        if self.phase in (SETTLING, "before"):
            return rate > 0.0
        if self.phase == "slow":
            return rate < self.seen["before"][-1].process_rate / 3
        return rate > 2 * self.seen["slow"][-1].process_rate

    def watch_every_event(self, engine: Engine) -> None:
        """The controller is asked at each arrival and departure: look at the queue then."""
        target = engine.control.fetchers.target

        def watched(now_s: float, queue_length: int, active: int, event: Event) -> int:
            if engine.loop is not None:
                self.longest = max(self.longest, engine.loop.queue_length)
            return target(now_s, queue_length, active, event)

        engine.control.fetchers.target = watched  # type: ignore[method-assign]

    def second_half(self, phase: str) -> list[QueueFigures]:
        return self.seen[phase][len(self.seen[phase]) // 2 :]

    def awake(self, phase: str) -> float:
        figures = self.second_half(phase)
        return sum(one.awake for one in figures) / len(figures)


@pytest.fixture
def slowed(monkeypatch: pytest.MonkeyPatch) -> Slowed:
    state = Slowed()
    process = ResponseProcessor.process

    def slow(
        self: ResponseProcessor, fetched: Fetched, now_s: float, reading: Reading | None
    ) -> Processed:
        found = process(self, fetched, now_s, reading)
        time.sleep(9 * state.usual_s if state.phase == "slow" else 0.001)
        state.count_answer()
        return found

    monkeypatch.setattr(ResponseProcessor, "process", slow)
    return state


def test_a_slow_processor_puts_fetchers_to_sleep_and_loses_nothing(
    slowed: Slowed, tmp_path: Path
) -> None:
    with PracticeWeb(WORLD, latency_s=LATENCY_S) as web:
        values: dict[str, object] = {
            "seeds": [web.home(host) for host in range(WORLD.hosts)],
            "budget": {"visits": "unlimited"},
            "manners": {"own": dict.fromkeys(web.host_names(), 0.0)},
            "fetchers": {"most": 48, "queue_room": ROOM},
        }
        engine = open_engine(tmp_path / "engine", settings_from("test", values))
        slowed.web = web
        slowed.watch_every_event(engine)
        warm_up("posterior", quiet=True)
        slowed.began_s = time.monotonic()

        def show() -> None:
            slowed.note(engine)
            if slowed.over:
                engine.stop()

        asyncio.run(
            crawl_until(
                engine,
                seconds=NEVER_S,
                visits=None,
                show=show,
                every_s=0.02,
            )
        )
        assert slowed.over, "all phases were lived through"
        assert engine.loop is not None
        visits = engine.loop.visits
        held = engine.store.counts().visits
        engine.close()
    before, slow, after = (slowed.second_half(phase)[-1] for phase in PHASES)
    assert slow.process_rate < before.process_rate / 3
    assert slowed.awake("slow") < slowed.awake("before") / 2, "fetchers went to sleep"
    assert slowed.longest == ROOM, "the queue was full, and never over its room"
    assert slow.blocked > before.blocked, (
        "fetchers that found it full held what they had"
    )
    assert visits == held, "every answer that was brought was processed and noted"
    assert after.process_rate > 2 * slow.process_rate, (
        "the processor is known to be fast again"
    )
    assert slowed.awake("after") > 1.5 * slowed.awake("slow"), (
        "and fetchers were woken again"
    )
