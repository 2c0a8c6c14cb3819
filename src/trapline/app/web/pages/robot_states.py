"""What to say of a robot that is not at work, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RobotState:
    title: str
    told: str
    advice: str
    kind: str = ""  # of the notice


_START: Final = "trapline crawl with its --dir alone continues where it stopped."
# By Dashboard.robot; of one at work there is nothing to say.
ROBOT_STATES: Final = {
    "never ran": RobotState(
        "No robot has run here yet",
        "So nothing is visited again, and nothing is learnt.",
        "Start one with trapline crawl.",
    ),
    "ended": RobotState(
        "The robot is not running",
        "It ended cleanly; the figures are those of its last minute.",
        _START,
    ),
    "died": RobotState(
        "The robot died, or was killed",
        "Nothing is lost but the visits that were under way.",
        _START,
        kind="bad",
    ),
    "silent": RobotState(
        "The robot is silent",
        "It holds the folder and writes nothing.",
        "Its terminal may say why.",
        kind="warn",
    ),
}
