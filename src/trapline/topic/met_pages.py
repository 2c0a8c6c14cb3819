"""A sample of the pages met: what a likeness to the topic is compared with.

Of all documents those with the smallest hashes are kept, so that neither the order in which they
came nor how often one came matters. As with word frequencies (topic/document_frequencies.py), the
sample is due to be taken over when the number of documents has doubled, and else stays as it is, so
that a text which did not change is not judged anew at each visit.

>>> from trapline.topic.word_hashes import count_words
>>> met = MetPages()
>>> [met.learn(count_words("", f"page{chr(97 + n)} of tea")) for n in range(11)].index(True)
9
>>> met.take_over()
>>> len(met.taken)
11
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Final

import numpy as np

from trapline.core.ports import Arrays
from trapline.topic.document_frequencies import PRIOR
from trapline.topic.word_hashes import WordCounts

MOST: Final = 200  # documents
MOST_WORDS: Final = 1_000  # of each: its first ones


class MetPages:
    def __init__(self) -> None:
        # both by key; `taken` is as it was then
        self.taken: Mapping[int, WordCounts] = {}
        self._sample: dict[int, WordCounts] = {}
        self.seen = PRIOR
        self._then = PRIOR

    def learn(self, counts: WordCounts) -> bool:
        """One more document. True: it is time to take the sample over."""
        self._put(key_of(counts), counts)
        self.seen += 1
        return self.seen >= 2 * self._then

    def take_over(self) -> None:
        self.taken = dict(sorted(self._sample.items()))
        self._then = self.seen

    def state(self) -> Arrays:
        kept = {**self.taken, **self._sample}
        keys = sorted(kept)
        none = WordCounts(np.zeros(0, np.int32), np.zeros(0, np.float32))
        documents = [none, *(kept[key] for key in keys)]
        return {
            "met_keys": np.array(keys, np.int64),
            "met_sizes": np.array([len(kept[key].words) for key in keys], np.int64),
            "met_words": np.concatenate([counts.words for counts in documents]),
            "met_times": np.concatenate([counts.times for counts in documents]),
            "met_sampled": np.array([key in self._sample for key in keys], np.bool_),
            "met_taken": np.array([key in self.taken for key in keys], np.bool_),
            "met_seen": np.array([self.seen, self._then]),
        }

    def restore(self, state: Arrays) -> None:
        ends = np.cumsum(state["met_sizes"])[:-1]
        words = np.split(np.array(state["met_words"], np.int32), ends)
        times = np.split(np.array(state["met_times"], np.float32), ends)
        keys = state["met_keys"].tolist()
        kept = dict(zip(keys, map(WordCounts, words, times), strict=False))
        sampled = state["met_keys"][state["met_sampled"]].tolist()
        taken = state["met_keys"][state["met_taken"]].tolist()
        self._sample = {key: kept[key] for key in sampled}
        self.taken = {key: kept[key] for key in taken}
        self.seen, self._then = (int(number) for number in state["met_seen"])

    def _put(self, key: int, counts: WordCounts) -> None:
        if len(self._sample) >= MOST and key > max(self._sample):
            return
        self._sample[key] = WordCounts(
            counts.words[:MOST_WORDS], counts.times[:MOST_WORDS]
        )
        if len(self._sample) > MOST:
            del self._sample[max(self._sample)]


def key_of(counts: WordCounts) -> int:
    """The same for the same words, and like a number drawn at random."""
    return zlib.crc32(counts.words.tobytes())
