"""Questions answered side by side: nobody waits long, and nobody holds up the others."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError, Future
from queue import Empty, Full, Queue
from typing import Final, NamedTuple

from trapline.core.errors import SearchBusy
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Answer, Question

# The index lets go of Python's lock while it searches, so they share the processors.
AT_ONCE: Final = 4
WAITING: Final = 256  # questions that may stand in line
WITHIN_S: Final = 5.0


class _InLine(NamedTuple):
    question: Question
    answer: Future[Answer]


class SearchDesk:
    """Answers `AT_ONCE` questions at a time; the others stand in a line that is not endless.

    A search under way cannot be stopped. Whoever asked is told so in time, and the thread is a
    daemon: a command ends without it.
    """

    def __init__(
        self,
        processor: QueryProcessor,
        at_once: int = AT_ONCE,
        waiting: int = WAITING,
        within_s: float = WITHIN_S,
    ) -> None:
        self._processor = processor
        self._line: Queue[_InLine | None] = Queue(waiting)
        self.within_s = within_s
        self._threads = [
            threading.Thread(target=self._work, daemon=True, name=f"search {number}")
            for number in range(at_once)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Whoever still stands in line is sent away."""
        try:
            while waiting := self._line.get_nowait():
                waiting.answer.cancel()
        except Empty:
            pass
        for _ in self._threads:
            self._line.put(None)

    def join_line(self, question: Question) -> Future[Answer]:
        """The answer to come; SearchBusy if the line is full."""
        answer: Future[Answer] = Future()
        try:
            self._line.put_nowait(_InLine(question, answer))
        except Full:
            raise SearchBusy("too many are searching just now") from None
        return answer

    def ask(self, question: Question) -> Answer:
        """The answer, or SearchBusy when it takes too long."""
        answer = self.join_line(question)
        try:
            return answer.result(self.within_s)
        except (TimeoutError, CancelledError):
            answer.cancel()
            raise self.too_slow() from None

    def too_slow(self) -> SearchBusy:
        return SearchBusy(f"there was no answer within {self.within_s:g} s")

    def _work(self) -> None:
        while (waiting := self._line.get()) is not None:
            if waiting.answer.set_running_or_notify_cancel():
                self._answer(waiting)

    def _answer(self, waiting: _InLine) -> None:
        try:
            found = self._processor.ask(waiting.question)
        except BaseException as failure:
            waiting.answer.set_exception(failure)
        else:
            waiting.answer.set_result(found)
