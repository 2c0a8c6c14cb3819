"""The state that an earlier run left in the store: URLs, the last checkpoint, the calls since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from trapline.collection.url_book import HashUrlBook
from trapline.core.errors import ReplayDiverged
from trapline.core.ports import Learner
from trapline.core.storage import Store
from trapline.robot.replay import replay
from trapline.robot.request_controller import RequestController, part_of
from trapline.robot.response.noisy_places import NoisyPlaces
from trapline.scope.gate import Gate
from trapline.topic.topic import Topic

# URLs are hashed with it. The map is rebuilt at every start, so versions may differ in it.
_BOOK_SEED: Final = 0x7A11


class Restored(NamedTuple):
    calls: int  # number of the last call in the journal
    relearn: bool  # whether the schedule must be learnt anew


def load_book(store: Store) -> HashUrlBook:
    return HashUrlBook.load(store, _BOOK_SEED)


def learners_of(topic: Topic, gate: Gate, places: NoisyPlaces) -> dict[str, Learner]:
    """Who learns beside the controller, by the name in front of their arrays in a checkpoint."""
    return {"topic": topic, "patterns": gate.patterns, "places": places}


def restore_controller(
    store: Store,
    controller: RequestController,
    learners: Mapping[str, Learner] | None = None,
) -> Restored:
    """Load the last checkpoint, then replay the calls since."""
    checkpoint = store.load_checkpoint()
    calls = 0
    if checkpoint is not None:
        if not controller.understands(checkpoint.arrays):
            return Restored(_last_call(store, checkpoint.calls), relearn=True)
        controller.load(checkpoint.arrays)
        for name, learner in (learners or {}).items():
            if learnt := part_of(checkpoint.arrays, f"{name}."):
                learner.restore(learnt)
        calls = checkpoint.calls
    try:
        replayed = replay(controller, store.calls(calls))
    except ReplayDiverged:
        return Restored(_last_call(store, calls), relearn=True)
    return Restored(max(calls, replayed), relearn=False)


def _last_call(store: Store, calls: int) -> int:
    return max((call.number for call in store.calls(calls)), default=calls)
