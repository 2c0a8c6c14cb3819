"""Patterns of what may be said, as the OpenAPI document has them; and what is wrong otherwise."""

from __future__ import annotations

from typing import Final

# line ends and tabs are spaces to a query; other control characters are a mistake
CLEAN: Final = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"
URL: Final = r"^[hH][tT][tT][pP][sS]?://[^\x00-\x20\x7f]+$"
HOST: Final = r"^[^\x00-\x20\x7f/?#@]+$"
LANGUAGE: Final = r"^[a-z]{2}$"
CURSOR: Final = r"^[A-Za-z0-9._~=:,-]*$"

PROBLEMS_OF: Final = {
    CLEAN: "it has control characters",
    URL: "it is not an http:// or https:// URL",
    HOST: "it is not the name of a host, like example.org or example.org:8080",
    LANGUAGE: "two small letters are wanted, like en",
    CURSOR: "it is not the cursor of an answer",
}
