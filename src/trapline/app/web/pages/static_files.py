"""Style sheets, modules and pictures of the pages, and Plotly's own bundle out of its package."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fastapi import FastAPI, HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER: Final = Path(__file__).parents[1] / "static"
# Files of ours change with the version; a browser asks whether they have.
_ASK: Final = {"Cache-Control": "no-cache"}
# The bundle is large and is asked for under its version.
_KEEP: Final = {"Cache-Control": "public, max-age=604800"}


class OwnFiles(StaticFiles):
    """Files of the package, which a browser may keep if it asks whether they are current."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(_ASK)
        return response


def add_static_files(app: FastAPI) -> None:
    route = app.api_route(
        "/static/plotly.min.js", methods=["GET", "HEAD"], include_in_schema=False
    )
    route(send_plotly)
    app.mount("/static", OwnFiles(directory=FOLDER))


def send_plotly() -> FileResponse:
    bundle = find_plotly()
    if bundle is None:
        raise HTTPException(404, "Charts need the package plotly; it is not installed.")
    return FileResponse(bundle, media_type="text/javascript", headers=_KEEP)


def find_plotly() -> Path | None:
    """The bundle, without importing the package: that would take a second."""
    spec = find_spec("plotly")
    if spec is None or spec.origin is None:
        return None
    bundle = Path(spec.origin).parent / "package_data" / "plotly.min.js"
    return bundle if bundle.is_file() else None
