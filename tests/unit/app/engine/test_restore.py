"""State of an earlier version: pages stay, schedules are learnt anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.lib import recfunctions

from trapline.app.engine.restore import Restored, restore_controller
from trapline.core.cards import FRINGE
from trapline.core.links import links_to
from trapline.core.storage import Batch, Call, Checkpoint
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.journal import Journal
from trapline.robot.request_controller import RequestController
from trapline.stores.memory import MemoryStore


def new_controller() -> RequestController:
    return RequestController(discovery=Value(), refresh=Uniform(), budget=Budget())


@pytest.mark.parametrize("known", [True, False], ids=["of this version", "of another"])
def test_a_state_of_another_version_is_left_alone_and_said_to_be_learnt_anew(
    known: bool,
) -> None:
    controller = new_controller()
    calls = list[Call]()
    controller.add_own_host(0.0)
    journal = Journal(controller, calls.append)
    journal.admit(links_to([0, 1], [0, 0]), 1.0)
    arrays = {name: np.array(array) for name, array in controller.save().items()}
    journal.issue(2.0, 1)
    if not known:
        till: Any = arrays["till"]
        arrays["till"] = recfunctions.drop_fields(till, "worth", usemask=False)
    store = MemoryStore()
    store.save_checkpoint(Checkpoint(1, arrays))
    store.commit(Batch(calls=calls[1:]))
    back = new_controller()
    assert restore_controller(store, back) == Restored(2, not known, not known)
    assert back.agenda.count(FRINGE) == (2 if known else 0)
