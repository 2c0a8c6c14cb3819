"""The API as people read it: a page made of the OpenAPI document, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI, Request
from starlette.responses import HTMLResponse

from trapline.app.web.pages.frame import Look, frame
from trapline.app.web.pages.markup import NOTHING, Html, element, join

_HEAD: Final = ("Name", "Where", "What", "Meaning")
Operation = dict[str, Any]


class ApiPage:
    def add_to(self, app: FastAPI) -> None:
        app.get("/api", include_in_schema=False)(self.page)

    def page(self, request: Request) -> HTMLResponse:
        return HTMLResponse(api_page(request.app.openapi()))


def api_page(document: dict[str, Any]) -> Html:
    title = f"{document['info']['title']} API"
    return frame(
        Look(title),
        element("h1", title),
        element("p", document["info"]["description"]),
        element(
            "p",
            "For programs: ",
            element("a", "the same as OpenAPI", href="/api/openapi.json"),
            ".",
        ),
        *(_operation(document, *found) for found in _operations(document)),
    )


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, Operation]]:
    for path, methods in sorted(document["paths"].items()):
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _operation(
    document: dict[str, Any], method: str, path: str, operation: Operation
) -> Html:
    rows = [*_parameters(document, operation), *_body(document, operation)]
    table = element(
        "table",
        element("tr", *(element("th", name) for name in _HEAD)),
        *(element("tr", *(element("td", cell) for cell in row)) for row in rows),
    )
    token = element("p", "Needs the token.") if "security" in operation else NOTHING
    return element(
        "section",
        element("h2", _try_it(method, path, operation)),
        element("p", operation.get("description", "")),
        token,
        table if rows else NOTHING,
    )


def _try_it(method: str, path: str, operation: Operation) -> Html:
    """A link where there is nothing to fill in."""
    name = element("code", f"{method} {path}")
    needed = any(one.get("required") for one in operation.get("parameters", ()))
    if method != "GET" or needed:
        return name
    return join(element("a", name, href=path))


def _parameters(
    document: dict[str, Any], operation: Operation
) -> Iterator[tuple[str, ...]]:
    for one in operation.get("parameters", ()):
        needed = " (needed)" if one.get("required") else ""
        said = one.get("description", "")
        kind = _kind(document, one["schema"])
        yield one["name"] + needed, one["in"], kind, said


def _body(document: dict[str, Any], operation: Operation) -> Iterator[tuple[str, ...]]:
    content = operation.get("requestBody", {}).get("content", {})
    for kind in content.values():
        schema = _resolve(document, kind["schema"])
        for name, field in schema.get("properties", {}).items():
            yield name, "body", _kind(document, field), field.get("description", "")


def _kind(document: dict[str, Any], schema: dict[str, Any]) -> str:
    """What may stand there, in few words.

    >>> _kind({}, {"type": "integer", "minimum": 1, "maximum": 9, "default": 3})
    'integer, from 1 to 9, else 3'
    >>> _kind({}, {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]})
    'date'
    """
    found = _resolve(document, schema)
    choices = [one for one in found.get("anyOf", ()) if one.get("type") != "null"]
    if choices:
        found = {**_resolve(document, choices[0]), **found}
    parts = [str(found.get("format") or found.get("type", "object"))]
    if "enum" in found:
        parts = [" or ".join(map(str, found["enum"]))]
    if "minimum" in found and "maximum" in found:
        parts.append(f"from {found['minimum']:,} to {found['maximum']:,}")
    if "maxLength" in found:
        parts.append(f"at most {found['maxLength']:,} characters")
    if found.get("default") not in (None, ""):
        parts.append(f"else {found['default']}")
    return ", ".join(parts)


def _resolve(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A schema itself, where another place has it."""
    if "$ref" not in schema:
        return schema
    found = document
    for step in schema["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return {**found, **schema}
