"""A broker as its pages see it: answers, names to choose from, and all that is known of engines."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence

from trapline.app.federation.asking.broker_answer import BrokerAnswer
from trapline.app.federation.broker import Broker, Wish
from trapline.app.federation.federation_news import FederationNews
from trapline.app.federation.known_engines import OWN, KnownEngine, Snapshot
from trapline.app.web.pages.federation.engines_page import (
    EngineRow,
    EnginesView,
    FoundWrong,
    KnownSource,
)
from trapline.app.web.pages.search.engine_filter import EngineChoice
from trapline.app.web.served_folder import ServedFolder
from trapline.core.errors import TraplineError
from trapline.oasis.description import Description, read_description
from trapline.search.questions import Question


class KnownBroker:
    """From any thread, but `ask`, which belongs to the server's loop."""

    def __init__(
        self,
        broker: Broker,
        news: FederationNews | None,
        served: ServedFolder,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._broker = broker
        self._news = news
        self._served = served
        self._now = now

    def ask(
        self, question: Question, wish: Wish | None = None
    ) -> AsyncIterator[BrokerAnswer]:
        return self._broker.ask(question, wish)

    def choices(self) -> list[EngineChoice]:
        snapshot = self._broker.known.snapshot
        own = EngineChoice(self._served.engine, OWN)
        return [own, *(_choice(one, snapshot) for one in snapshot.engines.values())]

    def show_engines(self) -> EnginesView:
        snapshot = self._broker.known.snapshot
        found: dict[str, list[FoundWrong]] = {}
        for one in self._broker.known.findings():
            wrong = FoundWrong(one.wrong, one.detail, one.times, one.last_s)
            found.setdefault(one.key, []).append(wrong)
        records = self._records(list(snapshot.engines))
        others = [
            self._row(one, snapshot, records.get(key), found.get(key, []))
            for key, one in snapshot.engines.items()
        ]
        return EnginesView(self._own_row(), others, self._sources(), self._now())

    def _records(self, keys: list[str]) -> dict[str, float]:
        """What engines kept of what they promise; of those who were asked."""
        lessons = self._broker.desk.forecast.lessons
        asked = set(lessons.state().engines)
        trusts = lessons.trust(keys).tolist() if keys else []
        pairs = zip(keys, trusts, strict=True)
        return {key: trust for key, trust in pairs if key in asked}

    def _row(
        self,
        engine: KnownEngine,
        snapshot: Snapshot,
        record: float | None,
        findings: Sequence[FoundWrong],
    ) -> EngineRow:
        asked = self._broker.engine_of(engine)
        last_s = asked.last_answer_s
        said = engine.description
        return EngineRow(
            snapshot.shown_name(engine),
            engine.fingerprint,
            engine.url,
            engine.kind,
            topic=said.topic if said else "",
            pages=said.pages if said else None,
            languages=said.languages if said else (),
            fresh=said.fresh if said else None,
            heard_s=engine.heard_s,
            answer_ms=None if last_s is None else 1000.0 * last_s,
            trouble=asked.say_trouble(),
            record=record,
            findings=findings,
        )

    def _own_row(self) -> EngineRow:
        said = self._own_description()
        if said is None:
            return EngineRow(self._served.engine, OWN, "")
        return EngineRow(
            said.name,
            said.fingerprint,
            said.url,
            topic=said.topic,
            pages=said.pages,
            languages=said.languages,
            fresh=said.fresh,
        )

    def _own_description(self) -> Description | None:
        maker = self._served.description
        try:
            return read_description(maker.current().signed) if maker else None
        except (TraplineError, OSError):
            return None  # it cannot be made now; the engine answers all the same

    def _sources(self) -> list[KnownSource]:
        if self._news is None:
            return []
        problems = self._news.problems
        sources = self._news.sources()
        urls = (*sources.directories, *sources.peers)
        return [KnownSource(url, problems.get(url, "")) for url in urls]


def _choice(engine: KnownEngine, snapshot: Snapshot) -> EngineChoice:
    return EngineChoice(snapshot.shown_name(engine), engine.fingerprint)
