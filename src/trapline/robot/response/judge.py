"""How relevant a document is: a person's word, a plug-in's, or the topic's; and what the topic
learns on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real

from trapline.reading.html.document import Document
from trapline.topic.teaching_pages import TeachingPages
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import WordCounts


class Judge:
    """`relevance`, if given, judges documents (title, text) instead of the topic."""

    def __init__(
        self, topic: Topic, relevance: Callable[[str, str], float] | None
    ) -> None:
        self.lessons = TeachingPages(topic)
        self._topic = topic
        self._relevance = relevance

    def judge(
        self, page: int, document: Document, counts: WordCounts, changed: bool
    ) -> tuple[float, str]:
        """(relevance, a remark if it could not be had).

        What a new text teaches the topic is learnt on the way.
        """
        self.lessons.read(page, counts)
        label = self.lessons.label_of(page)
        if label is not None:  # by a person
            relevance = label
            remark = ""
        elif self._relevance is None:
            relevance = self._topic.judge(counts)
            remark = ""
        else:
            relevance, remark = _check_relevance(
                self._relevance(document.title, document.text)
            )
        if changed:
            self._topic.learn(counts, relevance)
        return relevance, remark


def _check_relevance(relevance: float) -> tuple[float, str]:
    """Whatever a plug-in says, in [0, 1], and a remark if it was something else.

    >>> _check_relevance(0.25), _check_relevance(float("nan"))
    ((0.25, ''), (0.0, 'relevance nan is not in [0, 1]: taken as 0'))
    """
    if isinstance(relevance, Real) and 0.0 <= relevance <= 1.0:
        return float(relevance), ""
    return 0.0, f"relevance {str(relevance)[:40]} is not in [0, 1]: taken as 0"
