"""Other packages add policies by entry points: a small real package in a temporary folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "slow-and-steady"
version = "0.1"

[project.entry-points."trapline.refresh"]
hourly = "slow_and_steady:Hourly"
uniform = "slow_and_steady:Hourly"

[project.entry-points."trapline.discovery"]
shallow-first = "slow_and_steady:ShallowFirst"

[project.entry-points."trapline.fetchers"]
pair = "slow_and_steady:Pair"

[tool.setuptools]
py-modules = ["slow_and_steady"]
"""
MODULE = """
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy, scores_of
from trapline.policies.fetchers.level_policy import LevelPolicy
from trapline.policies.refresh.refresh_policy import RefreshPolicy


class Hourly(RefreshPolicy):
    def __init__(self, every_s=3600.0):
        self.every_s = every_s

    def settle(self, cards, page, seen):
        cards["base"][page] = float("inf")
        cards["not_before"][page] = seen.now_s + self.every_s
        return (page,)


class ShallowFirst(DiscoveryPolicy):
    def discover(self, cards, found, now_s):
        pages = found.links["page"][found.new]
        return scores_of(pages, 1.0 / (1.0 + cards["depth"][pages]), now_s)


class Pair(LevelPolicy):
    def __init__(self, most, capacity):
        super().__init__(most, capacity, min(2, most))
"""
# run in a process of its own: what is installed is looked up when a process starts
USE = """
from trapline.app.settings import settings_from
from trapline.core.errors import UnknownName
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome
from trapline.policies.registry import *
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController

assert "hourly" in policy_names("refresh")
assert refresh_class("uniform").__module__ == "trapline.policies.refresh.uniform"
refresh = make_refresh_policy("hourly", {"every_s": 60.0})
assert name_of("refresh", refresh) == "hourly"
discovery = make_discovery_policy("shallow-first")
assert make_fetcher_policy("pair", 8, 16, {}).start == 2
controller = RequestController(discovery=discovery, refresh=refresh, budget=Budget())
host = controller.add_own_host(gap_s=1.0)
controller.admit(links_to([0], [host]), now_s=0.0)
[ticket] = controller.issue(now_s=0.0, room=1)
controller.land(ticket, 0.5)
controller.settle(Observation(ticket, Outcome.OK, True, 1.0), now_s=0.5)
assert controller.issue(30.0, 1) == [] and len(controller.issue(61.0, 1)) == 1
try:
    refresh_class("hourlyy")
except UnknownName as mistake:
    assert "hourly" in str(mistake)
words = {"seeds": ["http://127.0.0.1/"], "refresh": {"policy": "hourly"}}
settings = settings_from("a test", words)
print("used", settings.refresh.policy)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the package was installed, with its metadata."""
    source = tmp_path_factory.mktemp("package")
    (source / "pyproject.toml").write_text(PROJECT)
    (source / "slow_and_steady.py").write_text(MODULE)
    target = tmp_path_factory.mktemp("site")
    # no index and no isolation: the build uses what is installed here, and no network
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index"]
    command += ["--no-build-isolation", "--no-deps", "--target", str(target)]
    subprocess.run(
        [*command, str(source)], check=True, capture_output=True, timeout=300
    )
    return target


def test_policies_of_another_package_run_by_name(installed: Path) -> None:
    found = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join([str(installed), *([found] if found else [])])
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout == "used hourly\n", done.stderr
