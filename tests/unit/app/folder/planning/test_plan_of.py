"""Plans of folders of which little is known, and of policies that learn no rates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trapline.app.folder.dashboard import dashboard_of
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.page_reasons import reasons_for
from trapline.app.folder.planning.plan import Plan
from trapline.app.folder.planning.plan_of import plan_of
from trapline.app.folder.schedule.hosts_of import hosts_of
from trapline.app.output.plan_picture import draw_plan
from trapline.app.printing.plan import print_plan
from trapline.core.errors import UserMistake
from trapline.core.records import Kind, Outcome, Page, Visit
from trapline.core.storage import Batch, Checkpoint, HostRow, UrlRow
from trapline.stores.sqlite.store import SqliteStore

URL = "http://127.0.0.2:8000/{}"
ROBOT = {
    "written_s": 1.0,
    "fringe": 0,
    "fetchers": {
        "fetch_rate": 2.0,
        "process_rate": 50.0,
        "queue_room": 16,
        "awake": 3,
        "active": 1,
        "queue": 0,
        "starvation": 0.5,
        "blocked": 0,
        "blocked_s": 0.0,
    },
}


def make_folder(folder: Path, policy: str, times: int) -> Path:
    """Four pages, visited so many times, and a checkpoint that is lost: history teaches all."""
    settings = {"seeds": [URL.format(0)], "refresh": {"policy": policy}}
    visits = [
        visit(number, number % 4, 1000.0 + 30.0 * number, changed=number % 3 == 0)
        for number in range(4 * times)
    ]
    store = SqliteStore(folder)
    store.commit(
        Batch(
            hosts=[HostRow(0, "127.0.0.2:8000", URL.format(""))],
            urls=[UrlRow(page, URL.format(page), 0) for page in range(4)],
            pages=[document(page) for page in range(4)] if times else [],
            visits=visits,
            notes={"settings": json.dumps(settings), "status": json.dumps(ROBOT)},
        )
    )
    store.save_checkpoint(Checkpoint(1, {}))
    store.close()
    (folder / "checkpoint-1.npz").unlink()
    return folder


def visit(number: int, page: int, ended_s: float, changed: bool) -> Visit:
    times = ended_s - 0.5, ended_s
    outcome = Outcome.OK
    return Visit(number, page, 0, Kind.PAGE, *times, 1.0, outcome, 200, changed, 0.5)


def document(page: int) -> Page:
    return Page(page, URL.format(page), "", "text", 0.5, page, "", "", 1.0, 1.0)


def plan(folder: Path) -> Plan:
    store = open_for_reading(folder)
    try:
        return plan_of(folder, store)
    finally:
        store.close()


@pytest.mark.parametrize("policy", ["auto", "posterior", "uniform", "nutch-adaptive"])
def test_every_policy_has_a_plan(tmp_path: Path, policy: str) -> None:
    folder = make_folder(tmp_path / "engine", policy, times=6)
    found = plan(folder)
    assert not found.problem
    assert found.present is not None
    assert found.present.budget == pytest.approx(1.0 / 30.0)
    assert 0.0 < found.present.freshness < 1.0
    assert found.fetchers is not None
    rates = reasons_for(folder, URL.format(1)).rates
    assert rates[0].name == "changes"
    assert rates[0].low < rates[0].mean < 2.0 * rates[0].high


@pytest.mark.parametrize(
    ("times", "problem"), [(0, "hardly any page"), (1, "visited twice")]
)
def test_what_is_not_known_yet_is_said(
    tmp_path: Path, times: int, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = plan(make_folder(tmp_path / "engine", "auto", times))
    assert problem in found.problem
    assert found.curve == []
    print_plan(found, as_json=False)
    assert capsys.readouterr().out.count("\n") == 1
    with pytest.raises(UserMistake, match="nothing to draw"):
        draw_plan(found, tmp_path / "plan.png")
    assert not list(tmp_path.glob("plan*"))


def test_a_dashboard_of_little_is_honest(tmp_path: Path) -> None:
    """No schedule was ever saved here."""
    folder = make_folder(tmp_path / "engine", "auto", times=2)
    store = open_for_reading(folder)
    found = dashboard_of(folder, store)
    store.close()
    assert (found.robot, found.pages_held) == ("ended", 4)
    assert found.recall is None
    assert found.shares is None
    assert found.hosts == []
    assert [line.pages_held for line in hosts_of(folder, 5)] == [4]
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))


def test_a_damaged_checkpoint_is_as_none(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "engine", "auto", times=2)
    (folder / "checkpoint-7.npz").write_bytes(b"PK not a zip")
    (folder / "checkpoint-x.npz").write_bytes(b"")
    store = open_for_reading(folder)
    assert dashboard_of(folder, store).freshness is None
    store.close()
