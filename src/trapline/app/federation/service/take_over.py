"""Taking over a suggestion: examples, counter-examples and seeds for the folder's own topic.

Everything is checked before anything is written. Labels are written at once, then seeds; a robot at
work takes them within seconds, the next one at its start. URLs come from other engines, so a host
that no person has named must lie on public addresses (`suggest_seed`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.label_file import LabelFile, Labels, write_labels
from trapline.app.folder.orders.order_file import orders_in_force
from trapline.app.folder.orders.page_orders import order_suggested, suggested_seed
from trapline.core.errors import BadUrl, UserMistake
from trapline.core.urls import canonical
from trapline.oasis.service.suggestion import LEAVE_TO, SHIFT, Suggestion


@dataclass(slots=True)
class TakeOver:
    """What a folder would take over from suggestions."""

    topic: list[str] = field(default_factory=list)  # texts that the topic is like
    examples: list[str] = field(default_factory=list)  # URLs
    against: list[str] = field(default_factory=list)  # URLs
    seeds: list[str] = field(default_factory=list)  # examples that it does not know yet
    left_out: list[str] = field(default_factory=list)  # what, and why

    def __bool__(self) -> bool:
        return bool(self.topic or self.examples or self.against)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def plan_take_over(
    folder: Path, own: str, has_topic: bool, suggestions: Iterable[Suggestion]
) -> TakeOver:
    """Writes nothing."""
    plan = TakeOver()
    folder_state = _FolderState(folder)
    for one in suggestions:
        if one.engine != own or one.kind not in (SHIFT, LEAVE_TO):
            continue
        if one.kind == SHIFT:
            _add_topic(
                plan,
                folder_state,
                " ".join(one.words),
                has_topic,
            )
        for url in one.examples:
            _add_example(plan, folder_state, url)
        for url in one.against:
            _add_against(plan, folder_state, url)
    return plan


def take_over(folder: Path, plan: TakeOver) -> None:
    pages = dict.fromkeys(plan.examples, True) | dict.fromkeys(plan.against, False)
    write_labels(folder, Labels(pages, dict.fromkeys(plan.topic, True)))
    order_suggested(folder, plan.seeds)


class _FolderState:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.labels = LabelFile(folder).news()
        self.orders = orders_in_force(folder)

    def knows(self, url: str) -> bool:
        store = open_for_reading(self.folder)
        try:
            return store.number_of(url) is not None
        finally:
            store.close()


def _add_topic(
    plan: TakeOver,
    state: _FolderState,
    text: str,
    has_topic: bool,
) -> None:
    if not has_topic:
        plan.left_out.append(
            f"the topic {text!r}: this engine has none, it holds everything"
        )
    elif text and text not in plan.topic and not state.labels.texts.get(text):
        plan.topic.append(text)


def _add_example(plan: TakeOver, state: _FolderState, url: str) -> None:
    page = _sound(plan, state, url)
    if not page or page in plan.examples or state.labels.pages.get(page) is True:
        return
    if not state.knows(page):
        try:
            plan.seeds.append(suggested_seed(state.folder, page))
        except UserMistake as mistake:
            plan.left_out.append(f"{page}: {mistake}")
            return
    plan.examples.append(page)


def _add_against(plan: TakeOver, state: _FolderState, url: str) -> None:
    page = _sound(plan, state, url)
    if not page or page in plan.against or page in plan.examples:
        return
    # what the engine does not know it need not be told to leave
    if page not in state.labels.pages and state.knows(page):
        plan.against.append(page)


def _sound(plan: TakeOver, state: _FolderState, url: str) -> str:
    """The canonical URL; "" = it is left out."""
    try:
        page = canonical(url)
    except BadUrl as mistake:
        plan.left_out.append(str(mistake))
        return ""
    if state.orders.bars(page):
        plan.left_out.append(f"{page}: it was forgotten, or its host blocked")
        return ""
    return page
