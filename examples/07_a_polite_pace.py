"""A site allows 7 requests a second and tells nobody.

How a robot finds that out with hardly a refusal.

    python examples/07_a_polite_pace.py

The site's owner is you, so the gap is 0; each answer takes 5 ms. Ten minutes pass in no time:
seconds are handed in.
"""

from __future__ import annotations

from collections import deque

from trapline.politeness.learnt_pace import LearntPace

LIMIT = 7
ANSWER_S = 0.005


class Site:
    """At most LIMIT requests in any second; the others are answered by 429."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque()

    def accepts(self, now_s: float) -> bool:
        while self._recent and self._recent[0] <= now_s - 1.0:
            self._recent.popleft()
        if len(self._recent) >= LIMIT:
            return False
        self._recent.append(now_s)
        return True


def main() -> None:
    site = Site()
    pace = LearntPace(gap_s=0.0)
    now_s = 0.0
    answers: list[tuple[float, bool]] = []
    while now_s < 600.0:
        ended_s = now_s + ANSWER_S
        accepted = site.accepts(now_s)
        answers.append((now_s, accepted))
        if accepted:
            pace.note_accepted(now_s, ended_s)
            now_s = ended_s + pace.gap_s
        else:
            now_s = max(
                pace.note_refused(now_s, ended_s, retry_after_s=0.0),
                ended_s + pace.gap_s,
            )
    for begin_s, end_s in ((0.0, 2.0), (2.0, 60.0), (60.0, 600.0)):
        part = [accepted for at_s, accepted in answers if begin_s <= at_s < end_s]
        rate = sum(part) / (end_s - begin_s)
        refused = part.count(False)
        print(
            f"{begin_s:3.0f} to {end_s:3.0f} s: {rate:.2f} accepted a second of {LIMIT}, "
            f"{refused} refused"
        )


if __name__ == "__main__":
    main()
