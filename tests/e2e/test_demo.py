"""The demo, whole: real HTTP, real store, real index; its figures recomputed from the world's
truth.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.support.command import said, started, trapline
from tests.e2e.support.killing import visits
from trapline.app.crawl.run_until import crawl_until
from trapline.app.demo.demo_settings import SHAPE
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.demo.run_demo import DemoWishes, measure_quality, settings_for
from trapline.app.engine.build import open_engine
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.truth import fresh_copy, version
from trapline.stores.sqlite.store import SqliteStore


def test_demo_ends_by_itself_and_says_one_json_object(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    told = said(
        trapline(
            "demo",
            "--seconds",
            4,
            "--no-browser",
            "--json",
            "--dir",
            folder,
            "--pages",
            120,
        )
    )
    assert told["gap_violations"] == 0
    assert told["private_requests"] == 0, "robots.txt disallows /private/"
    assert 0 < told["pages_held"] <= min(120, told["visits"])
    assert 0.0 < told["recall"] <= 1.0
    assert 0.0 < told["freshness"] <= 1.0
    assert told["quality"] == min(told["recall"], told["freshness"])
    assert told["seconds"] >= 4.0
    found = said(trapline("search", folder, "space", "--json"))
    assert found["total"] > 0
    assert (
        said(trapline("status", folder, "--json"))["pages_held"] == told["pages_held"]
    )


def test_a_settings_file_says_how_the_robot_decides(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('[refresh]\npolicy = "htraa"\n[discovery]\npolicy = "random"\n')
    folder = tmp_path / "engine"
    words = ("demo", "--seconds", 2, "--no-browser", "--json", "--pages", 60)
    told = said(trapline(*words, "--settings", mine, "--dir", folder))
    assert told["pages_held"] > 0 and told["gap_violations"] == 0
    kept = trapline("settings", folder).stdout
    assert 'policy = "htraa"' in kept and 'policy = "random"' in kept
    refused = trapline(*words, "--settings", mine, "--engines", 3)
    assert refused.returncode == 2 and "leave out --engines" in refused.stderr


def test_figures_agree_with_an_independent_count(tmp_path: Path) -> None:
    """Recall and freshness by eq. (1), counted here page by page from what the store holds."""
    import asyncio

    world = LinkedWeb.generate(100, 4, "space", 3, SHAPE)
    wishes = DemoWishes(pages=100, hosts=4)
    with PracticeWeb(world) as web:
        engine = open_engine(
            tmp_path / "engine", settings_for(wishes, web, world.seeds, {})
        )
        asyncio.run(crawl_until(engine, seconds=3.0, visits=None, show=lambda: None))
        at_s = web.world_time()
        # On a busy machine the world would go on between the two counts.
        web.world_time = lambda: at_s  # type: ignore[method-assign]
        truth = fresh_copy(world.truth)
        alive = [p for p in range(100) if truth.born_s[p] <= at_s < truth.dies_s[p]]
        on_the_web = sum(float(truth.relevance[p]) for p in alive)
        held = fresh = 0.0
        for change in engine.store.changes():
            if change.document is None:
                continue
            page = web.page_at(change.document.url)
            assert page is not None
            held += float(truth.relevance[page])
            seen = int(change.document.etag.strip('"').split("-")[1])
            if page in alive and version(truth, page, at_s) == seen:
                fresh += float(truth.relevance[page])
        ours = measure_quality(engine, world, web)
        engine.close()
    assert ours.recall == pytest.approx(fresh / on_the_web)
    assert ours.freshness == pytest.approx(fresh / held)
    assert np.isfinite([ours.recall, ours.freshness]).all()


def test_ctrl_c_is_a_clean_stop_and_the_folder_resumes(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    words = ("demo", "--no-browser", "--json", "--dir", folder, "--pages", 120)
    with started(*words) as running:
        deadline = time.monotonic() + 60.0
        while visits(folder) < 20 and time.monotonic() < deadline:
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20.0)
    assert running.returncode == 0, err
    assert '"gap_violations": 0' in out
    store = SqliteStore(folder)
    held = store.counts().held
    store.close()
    assert held > 5
