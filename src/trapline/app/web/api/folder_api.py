"""The folder as a whole: status, hosts, plan, figures for the dashboard and for monitoring."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import FastAPI, Query
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from trapline.app.folder.dashboard_figures import Dashboard
from trapline.app.folder.metrics import FolderMetrics
from trapline.app.folder.planning.plan import Plan
from trapline.app.folder.robot_state import health
from trapline.app.folder.status import Status, status_of
from trapline.app.web.api.answers import PROBLEMS, Health, as_json
from trapline.app.web.api.host_list import HostList, HostSort, list_hosts
from trapline.app.web.api.parameters import Offset, Rows
from trapline.app.web.recent import Recent
from trapline.app.web.served_folder import ServedFolder

_PLAN_S: Final = 30.0  # it brings a whole controller back
_DASHBOARD_S: Final = 1.0
_HOSTS_S: Final = 5.0
_status = as_json(Status)
_plan = as_json(Plan)
_dashboard = as_json(Dashboard)
_hosts = as_json(HostList)
_health = as_json(Health)


class FolderApi:
    def __init__(self, served: ServedFolder) -> None:
        self._served = served
        self._metrics = FolderMetrics(served.store)
        self.plan_now = Recent(self._make_plan, _PLAN_S)
        self._hosts = Recent(lambda: list_hosts(served.folder, served.store), _HOSTS_S)
        self.dashboard_now = Recent(self._make_dashboard, _DASHBOARD_S)

    def add_to(self, app: FastAPI) -> None:
        answers = {
            "/api/status": (self.status, Status),
            "/api/hosts": (self.hosts, HostList),
            "/api/plan": (self.plan, Plan),
            "/api/dashboard": (self.dashboard, Dashboard),
        }
        for path, (endpoint, model) in answers.items():
            app.get(path, response_model=model, responses=PROBLEMS)(endpoint)
        app.get("/metrics", response_class=_Metrics, responses=PROBLEMS)(self.metrics)
        app.get(
            "/healthz",
            response_model=Health,
            responses={**PROBLEMS, "5XX": {"model": Health}},
        )(self.healthz)

    def status(self) -> Response:
        """What the engine holds, and what its robot last said."""
        return _status(status_of(self._served.folder, self._served.store))

    def hosts(
        self,
        sort: Annotated[HostSort, Query(description="What comes first.")] = (
            HostSort.PAGES
        ),
        limit: Rows = 100,
        offset: Offset = 0,
    ) -> Response:
        """The hosts of the collection, and what was ordered about them."""
        found = self._hosts.get().sort_by(sort)
        window = found.hosts[offset : offset + limit]
        return _hosts(HostList(found.total, window))

    def plan(self) -> Response:
        """What more or less budget would do, how many fetchers are worthwhile, which hosts are the
        bottleneck.
        """
        return _plan(self.plan_now.get())

    def dashboard(self) -> Response:
        """All figures of the dashboard; /api/live tells them as they change."""
        return _dashboard(self.dashboard_now.get())

    def metrics(self) -> Response:
        """Metrics for Prometheus."""
        return _Metrics(self._metrics.text())

    def healthz(self) -> Response:
        """200, or 503 when the robot hangs or has died."""
        healthy, facts = health(self._served.folder, self._served.store)
        answer = _health(Health(**facts))
        answer.status_code = 200 if healthy else 503
        return answer

    def _make_plan(self) -> Plan:
        from trapline.app.folder.planning.plan_of import plan_of

        return plan_of(self._served.folder, self._served.store)

    def _make_dashboard(self) -> Dashboard:
        from trapline.app.folder.dashboard import dashboard_of

        return dashboard_of(self._served.folder, self._served.store)


class _Metrics(Response):
    media_type = CONTENT_TYPE_LATEST
