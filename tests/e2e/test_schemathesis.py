"""The OpenAPI document is true: what it allows is answered as it says, the rest is refused."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from schemathesis.engine import events, from_schema

from tests.e2e.support.served import fill_folder
from trapline.app.demand import demand_counter
from trapline.app.web.endpoints import OPENAPI, make_app
from trapline.app.web.host_guard import HostGuard
from trapline.app.web.served_folder import ServedFolder, open_to_serve

NAME = "testserver"  # by which Schemathesis asks
LEAST_REQUESTS = 500


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedFolder]:
    served = open_to_serve(fill_folder(tmp_path), "http://127.0.0.1:8765")
    served.over.set()  # streams end when they have told what there is
    monkeypatch.setattr(socket, "getaddrinfo", refuse_name)
    monkeypatch.setattr(demand_counter, "OPENED_PER_S", 1e9)
    yield served
    served.close()


def refuse_name(*_: object, **__: object) -> None:
    raise OSError("no name is looked up in tests")


def config_for(token: str) -> schemathesis.Config:
    values: dict[str, Any] = {
        "seed": 1,
        "workers": 1,
        "continue-on-failure": True,
        "suppress-health-check": ["all"],
        "cache": {"enabled": False},
        "generation": {"max-examples": 8, "deterministic": True, "database": "none"},
        "auth": {"openapi": {"HTTPBearer": {"bearer": token}}},
    }
    return schemathesis.Config.from_dict(values)


def test_schemathesis_finds_nothing(served: ServedFolder) -> None:
    app = HostGuard(make_app(served), (NAME,))
    document = schemathesis.openapi.from_asgi(
        OPENAPI, app, config=config_for(served.token)
    )
    requests: Counter[str] = Counter()
    problems: list[str] = []
    for event in from_schema(document).execute():
        if isinstance(event, events.ScenarioFinished):
            requests[event.recorder.label] += len(event.recorder.interactions)
            problems += problems_in(event.recorder)
        elif isinstance(event, events.NonFatalError):
            problems.append(f"{event.label}: {event.info}")
    assert problems == []
    operations = {
        f"{method.upper()} {path}"
        for path, methods in make_app(served).openapi()["paths"].items()
        for method in methods
    }
    assert set(requests) == operations
    assert requests.total() > LEAST_REQUESTS


def problems_in(recorder: Any) -> list[str]:
    return [
        f"{recorder.label}: {check.name}, {check.failure_info}"
        for checks in recorder.checks.values()
        for check in checks
        if check.failure_info is not None
    ]
