"""Pages that teach the topic: examples and counter-examples given by their URL, and pages that a
person has labelled.

They are known by number; their words become known when they are read, which may be long after.

>>> from trapline.topic.word_hashes import count_words
>>> lessons = TeachingPages(topic := Topic.from_text("", expects=True))
>>> lessons.example(7, like=True)
>>> tea = count_words("Tea", "Boil the water, and pour it over the leaves.")
>>> lessons.read(7, tea)
>>> round(topic.judge(tea), 2)
1.0
"""

from __future__ import annotations

from collections.abc import Iterator

from trapline.topic.topic import Topic
from trapline.topic.word_hashes import WordCounts


class TeachingPages:
    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._examples: dict[int, bool] = {}
        self._labels: dict[int, bool] = {}

    def example(self, page: int, *, like: bool) -> None:
        """This page is an example, or a counter-example."""
        self._examples[page] = like

    def label(self, page: int, *, belongs: bool) -> None:
        """A person says that this page belongs, or not; the last word counts."""
        self._labels[page] = belongs

    def label_of(self, page: int) -> float | None:
        """The relevance of a page that a person has labelled; None = nobody has."""
        return float(self._labels[page]) if page in self._labels else None

    def pages(self) -> list[int]:
        return list(self._examples | self._labels)

    def tell_all(self) -> Iterator[tuple[str, int, bool]]:
        """("example" or "label", page, whether it belongs) of all."""
        for page, like in self._examples.items():
            yield "example", page, like
        for page, belongs in self._labels.items():
            yield "label", page, belongs

    def read(self, page: int, counts: WordCounts) -> None:
        """These are the words of a page; pages without words teach nothing."""
        if not len(counts.words):
            return
        if page in self._examples:
            self._topic.exemplify(page, counts, like=self._examples[page])
        if page in self._labels:
            self._topic.label(page, counts, belongs=self._labels[page])
