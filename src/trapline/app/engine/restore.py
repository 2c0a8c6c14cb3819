"""The state that an earlier run left in the store: URLs, the last checkpoint, the calls since.

Without a checkpoint that can be read, the store's history teaches the controller once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from trapline.collection.url_book import HashUrlBook
from trapline.core.errors import CheckpointLost, ReplayDiverged
from trapline.core.ports import Learner
from trapline.core.storage import Store
from trapline.robot.replay import replay
from trapline.robot.request_controller import RequestController, part_of
from trapline.robot.response.noisy_places import NoisyPlaces
from trapline.scope.gate import Gate
from trapline.scope.reach import Reach
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import count_words

# URLs are hashed with it. The map is rebuilt at every start, so versions may differ in it.
_BOOK_SEED: Final = 0x7A11
_LOST: Final = "lost are the learnt paces of hosts, prices, and what sitemaps announced"


class Restored(NamedTuple):
    calls: int  # number of the last call in the journal
    # Whether pages may be missing: the schedule since the checkpoint, or all of it, is learnt anew.
    relearn: bool
    lost: bool = False  # there was no checkpoint to begin from


def load_book(store: Store) -> HashUrlBook:
    return HashUrlBook.load(store, _BOOK_SEED)


def learners_of(
    topic: Topic, gate: Gate, reach: Reach, places: NoisyPlaces
) -> dict[str, Learner]:
    """Who learns beside the controller, by the name in front of their arrays in a checkpoint."""
    return {
        "topic": topic,
        "patterns": gate.patterns,
        "reach": reach,
        "places": places,
    }


def restore_controller(
    store: Store,
    controller: RequestController,
    learners: Mapping[str, Learner] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Restored:
    """Load the last checkpoint, then replay the calls since. `say` tells people of a lost one."""
    try:
        checkpoint = store.load_checkpoint()
    except CheckpointLost as lost:
        say(
            f"{lost}: learning from {store.counts().visits:,} visits in the store; {_LOST}"
        )
        return _rebuild(store, controller, lost.calls)
    calls = 0
    if checkpoint is not None:
        if not controller.understands(checkpoint.arrays):
            return _rebuild(store, controller, checkpoint.calls)
        controller.load(checkpoint.arrays)
        for name, learner in (learners or {}).items():
            if learnt := part_of(checkpoint.arrays, f"{name}."):
                learner.restore(learnt)
        calls = checkpoint.calls
    try:
        replayed = replay(controller, store.calls(calls))
    except ReplayDiverged as diverged:
        say(f"{diverged}: the schedule since the checkpoint is learnt anew")
        return Restored(_last_call(store, calls), relearn=True)
    return Restored(max(calls, replayed), relearn=False)


def _rebuild(store: Store, controller: RequestController, calls: int) -> Restored:
    """The controller learns from the history of visits: what is held, how often it changes, where
    it leads, what robots.txt says.
    """
    relevance: dict[int, float] = {}
    for visit in store.history():
        controller.remember(visit)
        relevance[visit.page] = visit.relevance
    for row in store.hosts():
        robots = store.robots(row.host)
        if robots is not None:
            controller.remember_rules(row.host, robots)
    for page, links in store.links():
        if page in relevance:
            controller.remember_links(page, relevance[page], links)
    return Restored(_last_call(store, calls), relearn=True, lost=True)


def teach_held_texts(store: Store, topic: Topic, gate: Gate) -> None:
    """What a lost checkpoint knew of words and URLs, from the documents that are held."""
    for change in store.changes():
        page = change.document
        if page is not None and page.readable:
            topic.learn(count_words(page.title, page.text), page.relevance)
            gate.note_visit(page.url, page.relevance, fresh=page.searchable)


def _last_call(store: Store, calls: int) -> int:
    return max((call.number for call in store.calls(calls)), default=calls)
