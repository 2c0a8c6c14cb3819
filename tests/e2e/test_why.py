"""`trapline why`: from a folder alone it says what the robot thinks of a page."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.e2e.support.command import said, started, trapline, wait_until
from trapline.app.demo.practice_web import PracticeWeb
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.live.warm_up import warm_live

WORLD = LinkedWeb.generate(
    40, 2, "space", 2, Shape(gap_s=0.05, born_share=0.5, dies_share=0.0, life_s=20.0)
)


class WaitingWeb(PracticeWeb):
    """Its time stands still until the robot is there: on a busy machine that takes a while."""

    begun_s: float | None = None

    def begin(self) -> None:
        self.begun_s = time.monotonic()

    def world_time(self) -> float:
        return 0.0 if self.begun_s is None else time.monotonic() - self.begun_s


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("why")
    # or kernels are compiled while pages of the web are born
    warm_live("auto", "adaptive-whittle")
    with WaitingWeb(WORLD, latency_s=0.0) as web:
        hosts = ", ".join(f'"{name}" = 0.05' for name in web.host_names())
        (folder / "topic.toml").write_text(
            f'seeds = ["{web.home(0)}"]\n[budget]\nvisits = "30/s"\n[manners]\nown = '
            f"{{ {hosts} }}\n"
            '[refresh]\npolicy = "adaptive-whittle"\n'
            "options = { interest_half_life_s = 10.0, horizon_s = 60.0 }\n"
        )
        found = (folder / "engine", web.home(0))
        with started("crawl", folder / "topic.toml", "--dir", found[0]) as robot:
            wait_until(lambda: bool(beliefs_of(*found)))
            web.begin()
            wait_until(lambda: beliefs_of(*found).get("news_seen", 0.0) > 0.0)
            robot.terminate()
            _, complaint = robot.communicate(timeout=60.0)
        assert robot.returncode == 0, complaint
        return found


def beliefs_of(folder: Path, url: str) -> dict[str, float]:
    """About the page; nothing until it is held."""
    asked = trapline("why", folder, url, "--json")
    reasons = json.loads(asked.stdout) if asked.returncode == 0 else {}
    found: dict[str, float] = reasons.get("beliefs", {})
    return found


def test_a_held_page_is_explained(engine: tuple[Path, str]) -> None:
    found = said(trapline("why", *engine, "--json"))
    assert (found["state"], found["policy"]) == ("held", "adaptive-whittle")
    assert found["age_s"] > 0.0
    assert found["price"] == pytest.approx(
        sum(term["price"] for term in found["terms"]), rel=1e-5
    )
    assert found["market_price"] > 0.0
    assert found["beliefs"]["watched_s"] > 0.0
    assert found["beliefs"]["change_rate_sd"] > 0.0
    assert "due_in_s" in found


def test_the_front_page_was_seen_to_list_news(engine: tuple[Path, str]) -> None:
    """Half of the pages are born while the robot watches, many of them first listed in front."""
    assert beliefs_of(*engine)["news_seen"] > 0.0


def test_people_read_lines(engine: tuple[Path, str]) -> None:
    shown = trapline("why", *engine).stdout
    for word in (
        "news is worth",
        "market price",
        "believed changes",
        "±",
        "last visit",
    ):
        assert word in shown


@pytest.mark.parametrize(
    ("folder", "url", "hint"),
    [
        (None, "http://127.0.0.77/", "never heard of"),
        (None, "tea", "not an http"),
        ("/nowhere", "http://127.0.0.77/", "no engine"),
    ],
)
def test_mistakes_are_one_line(
    engine: tuple[Path, str], folder: str | None, url: str, hint: str
) -> None:
    done = trapline("why", folder or engine[0], url)
    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stderr.count("\n") == 1
