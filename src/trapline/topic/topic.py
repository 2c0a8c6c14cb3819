"""What pages are to be about: words, examples, counter-examples, and relevance by the vector space
model.

The topic's vector is half the keywords, half the centroid of the examples, less a quarter of the
centroid of the counter-examples (Rocchio's rule; a half that is missing is left out). A page's
likeness to it is a cosine (topic/vectors.py), its relevance that likeness on a scale where 0.5
means "belongs" (topic/calibration.py), set against the pages met (topic/met_pages.py). Labels, if
there are any, have their say on top (topic/classifier.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from trapline.core.errors import UserMistake
from trapline.core.links import Links
from trapline.core.ports import Arrays
from trapline.topic.calibration import Calibration, middle_of, relevance_of
from trapline.topic.classifier import Classifier
from trapline.topic.document_frequencies import PRIOR, Frequencies
from trapline.topic.examples import Examples
from trapline.topic.link_clues import LinkWords, link_records
from trapline.topic.met_pages import MetPages, key_of
from trapline.topic.vectors import likeness, vector_of
from trapline.topic.word_hashes import (
    WordCounts,
    count_words,
    normal,
    telling_words,
    word_hashes,
)

__all__ = ["Topic", "normal"]

BELONGS: Final = 0.5
ENOUGH: Final = 30  # documents after which a word that was never met is worth a remark
MOST_BELONGING: Final = 0.1  # of the documents in which words are counted
ALL_ALIKE: Final = 0.8  # of the pages met belong: examples that tell nothing apart
NEARLY_ALL: Final = 0.9
# documents: until then a doubling moves every tenth relevance by a tenth, later mostly one in fifty
YOUNG: Final = 100
_EXAMPLE = 0.5
_COUNTER_EXAMPLE = 0.25


class Topic:
    """What is looked for.

    Without words and examples (no topic was asked for) every page and link is relevant.

    `expects` says that examples will come (they are read by the robot): until then nothing is
    relevant, not everything.

    >>> topic = Topic.from_text("space telescopes")
    >>> topic.relevance("A shed", "A telescope in a shed looked into space when the shed was open.")
    1.0
    >>> topic.relevance("Cooking", "Boil the water.")
    0.0
    >>> Topic(()).relevance("Cooking", "Boil the water.")
    1.0
    >>> topic.exemplify("tea", count_words("Tea", "Boil the water, and pour it over the leaves."))
    >>> topic.relevance("Cooking", "Boil the water.") > 0.9
    True
    """

    def __init__(self, words: Iterable[str], *, expects: bool = False) -> None:
        self.words = frozenset(normal(word) for word in words)
        self.frequencies = Frequencies()
        self.met = MetPages()
        self.documents = 0  # read for this topic
        self.version = 0  # changes when enough pages would be judged otherwise
        self._belonging = 0  # of those counted in the frequencies
        self.labels = Classifier()
        self._expects = expects
        self._hashes = {int(word_hashes(word)[0]): word for word in sorted(self.words)}
        self._met: set[int] = set()
        self._likes = Examples()
        self._unlikes = Examples()
        self._renew()
        self.version += not self.everything

    @classmethod
    def from_text(cls, text: str, *, expects: bool = False) -> Topic:
        """The topic that a user wrote; empty = everything.

        UserMistake when it holds no word that could tell pages.
        """
        words = telling_words(text)
        if text.strip() and not words:
            raise UserMistake(
                f"the topic {text!r} has no word that tells pages apart: name what they "
                "should be about"
            )
        return cls(words, expects=expects)

    @property
    def everything(self) -> bool:
        return not (self.words or self._expects or self._likes)

    def relevance(self, title: str, text: str) -> float:
        """How much a page belongs to the topic, in [0, 1]; a page without words does not."""
        return self.judge(count_words(title, text))

    def judge(self, counts: WordCounts) -> float:
        if self.everything:
            return 1.0
        like = likeness(counts, self.frequencies.weights, self._vector)
        return self.labels.blend(
            relevance_of(like, self._middle), counts, self.frequencies.weights
        )

    def learn(self, counts: WordCounts, relevance: float) -> None:
        """A document that was new: which words are common?

        Of pages that belong only so many are counted as make up a tenth: a robot that does its work
        well sees the topic's words on every page, and must not conclude that they tell nothing.
        """
        self.documents += 1
        if len(self._met) < len(self._hashes):
            self._met.update(self._hashes.keys() & counts.words.tolist())
        if not len(counts.words):
            return
        documents = []  # of what has doubled
        if self.met.learn(counts) and self._likes:
            documents.append(self.met.seen)
        if self._count_words(counts, belongs=relevance >= BELONGS):
            documents.append(self.frequencies.documents)
        if documents:
            self.met.take_over()
            self._renew()
            self.version += any(map(self._worth_judging_anew, documents))

    def _count_words(self, counts: WordCounts, *, belongs: bool) -> bool:
        """True: words weigh otherwise now."""
        most = MOST_BELONGING * self.frequencies.documents
        # where nearly all belong, examples say little, and what stands everywhere must be learnt
        telling = self._met_share <= NEARLY_ALL
        if belongs and telling and self._belonging >= most:
            return False
        self._belonging += belongs
        return self.frequencies.learn(counts.words)

    def exemplify(self, key: object, counts: WordCounts, *, like: bool = True) -> None:
        """An example or a counter-example; one that comes again under its key replaces the one
        before.
        """
        ours, others = (
            (self._likes, self._unlikes) if like else (self._unlikes, self._likes)
        )
        others.drop(key)
        ours.put(key, counts)
        self._renew()
        self.version += not self.everything

    def label(self, key: object, counts: WordCounts, *, belongs: bool) -> None:
        """A person says that this document belongs or not; the last word on a key counts."""
        self.labels.put(key, counts, belongs=belongs)
        self.version += 1

    def links(self, words: LinkWords, numbers: Mapping[int, tuple[int, int]]) -> Links:
        """One record a link target (topic/link_clues.py), of those links that are numbered."""
        links = link_records(words, numbers, self._vector, self.frequencies.weights)
        if self.everything and len(links):
            for likeness_of in ("anchor", "address", "context"):
                links[likeness_of] = 1.0
        return links

    def unmet(self) -> list[str]:
        """Words of the topic that no document had; none before there were enough documents to say
        so.
        """
        return (
            [word for key, word in self._hashes.items() if key not in self._met]
            if self.documents >= ENOUGH
            else []
        )

    def alike(self) -> float | None:
        """The share of the pages met that belong, if the examples do not tell pages apart: nearly
        all belong, or none. None: they do, or there is nothing to say.
        """
        if self.labels or len(self._met_likeness) < ENOUGH:
            return None
        share = self._met_share
        return share if share == 0.0 or share > ALL_ALIKE else None

    def state(self) -> Arrays:
        own = {
            "words": np.array(list(self._hashes), np.int64),
            "met": np.array(sorted(self._met), np.int64),
        }
        return {
            **self.frequencies.state(),
            **self.met.state(),
            **own,
            "read": np.array([self.documents, self._belonging]),
        }

    def restore(self, state: Arrays) -> None:
        """What was learnt of words in general stays true when the topic is another; what was met
        does not.
        """
        self.frequencies.restore(state)
        if "met_keys" in state:  # folders of earlier versions have none
            self.met.restore(state)
        if state["words"].tolist() == list(self._hashes):
            self._met = set(state["met"].tolist())
            self.documents, self._belonging = (int(number) for number in state["read"])
        self._renew()
        self.version += not self.everything

    def _renew(self) -> None:
        """The vector and its scale, after examples or weights have changed."""
        weights = self.frequencies.weights
        keywords = vector_of(
            {word: self.frequencies.weight(word) for word in self._hashes}
        )
        likes = self._likes.total(weights)
        unlikes = self._unlikes.total(weights)
        parts = keywords.as_dict(_EXAMPLE)
        for share, total in ((_EXAMPLE, likes), (-_COUNTER_EXAMPLE, unlikes)):
            for word, part in total.centroid().items():
                parts[word] = parts.get(word, 0.0) + share * part
        self._vector = vector_of(
            {word: part for word, part in parts.items() if part > 0.0}
        )
        examples = {key_of(counts) for counts in self._likes}
        others = [
            counts for key, counts in self.met.taken.items() if key not in examples
        ]
        self._met_likeness = self._likenesses(others) if examples else []
        self._middle = middle_of(
            Calibration(
                len(self._hashes),
                among=likes.each_among_others(keywords),
                against=self._likenesses(self._unlikes),
                met=self._met_likeness,
            )
        )
        belonging = [
            relevance_of(like, self._middle) >= BELONGS for like in self._met_likeness
        ]
        self._met_share = sum(belonging) / max(1, len(belonging))
        self.labels.background(self._likes, self._unlikes)

    def _likenesses(self, documents: Iterable[WordCounts]) -> list[float]:
        weights = self.frequencies.weights
        return [likeness(counts, weights, self._vector) for counts in documents]

    def _worth_judging_anew(self, documents: int) -> bool:
        """After each doubling in a young crawl, after every second one in an older: judging all
        pages is work.
        """
        doublings = (documents // PRIOR).bit_length() - 1
        return not self.everything and (documents < YOUNG or doublings % 2 == 1)
