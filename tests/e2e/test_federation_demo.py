"""The demo of a federation, whole: robots, engines, directory and broker over real HTTP."""

from __future__ import annotations

import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import said, started, trapline
from trapline.app.demo.demo_engines import MOST, engine_topics


def demo_json(folder: Path) -> Any:
    """What the demo tells; on a busy machine it takes longer until all engines have joined."""
    words = ("demo", "--engines", 3, "--no-browser", "--json", "--pages", 300)
    for seconds in (30, 90, 270):
        told = said(
            trapline(
                *words, "--dir", folder, "--seconds", seconds, timeout_s=seconds + 120
            )
        )
        assert told["seconds"] >= seconds
        told_by = {one["q"]: one["origins"] for one in told["searches"]}
        if "sailing" in told_by.get("sloop", {}) and "gardening" in told_by.get(
            "rose", {}
        ):
            return told
    raise AssertionError(told)


def test_engines_hold_their_topics_and_answer_as_one(tmp_path: Path) -> None:
    told = demo_json(tmp_path)
    names = ["space", "sailing", "gardening"]
    assert [one["name"] for one in told["engines"]] == names
    assert all(25 <= one["pages_held"] <= 300 for one in told["engines"])
    searches = {one["q"]: one for one in told["searches"]}
    assert list(searches) == ["space", "sloop", "rose"]
    assert "sailing" in searches["sloop"]["answered"]
    assert searches["sloop"]["origins"].get("sailing", 0) > 0
    assert searches["rose"]["origins"].get("gardening", 0) > 0
    assert {one.name for one in tmp_path.iterdir()} == {*names, "directory"}
    # the folders are engines like others
    found = said(trapline("search", tmp_path / "sailing", "sloop", "--json"))
    assert found["total"] > 0


def test_ctrl_c_ends_everything(tmp_path: Path) -> None:
    words = ("demo", "--engines", 2, "--no-browser", "--dir", tmp_path)
    with started(*words, "--pages", 120, "--hosts", 4) as running:
        lines = [running.stdout.readline() for _ in range(4)]
        broker = lines[0].split()[3]
        assert lines[0].startswith("Search all engines: http://127.0.0.1:")
        assert lines[3].startswith("Pages held: space ")
        with urllib.request.urlopen(f"{broker}engines", timeout=60.0) as answer:
            assert "sailing" in answer.read().decode()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60.0)
        assert running.returncode == 0, err
    assert "sailing: " in out
    with pytest.raises(OSError):
        urllib.request.urlopen(broker, timeout=60.0)


def test_there_is_a_topic_for_each_of_the_most() -> None:
    topics = engine_topics("space", MOST)
    assert len({one.name for one in topics}) == MOST
