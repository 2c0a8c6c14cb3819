"""Patterns of what may be said, as the OpenAPI document has them; and what is wrong otherwise."""

from __future__ import annotations

from typing import Final

# line ends and tabs are spaces to a query; other control characters are a mistake
CLEAN: Final = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"
URL: Final = r"^[hH][tT][tT][pP][sS]?://[^\x00-\x20\x7f]+$"
HOST: Final = r"^[^\x00-\x20\x7f/?#@]+$"
HOST_OR_NONE: Final = r"^[^\x00-\x20\x7f/?#@]*$"
LANGUAGE: Final = r"^[a-z]{2}$"
LANGUAGE_OR_NONE: Final = r"^([a-z]{2})?$"
# as other engines fill in their templates
LANGUAGE_TAG: Final = r"^([a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8}){0,8}|\*)?$"
WHOLE_OR_NONE: Final = r"^[0-9]{0,9}$"
CURSOR: Final = r"^([0-9a-f]{12}-([0-9]{1,4}|10000))?$"
RARITIES: Final = (
    r"^([a-z]{2,8}:[^:,\x00-\x20\x7f]{1,60}:[0-4]?[0-9](\.[0-9]{1,9})?(,|$))*$"
)
QUERY_ID: Final = r"^[0-9a-f]*$"
VERSION: Final = r"^[0-9a-z]*$"

_HOST: Final = "must be the name of a host, like example.org or example.org:8080"
_LANGUAGE: Final = "must be two small letters, like en"
PROBLEMS_OF: Final = {
    CLEAN: "must not have control characters",
    URL: "must be an http:// or https:// URL",
    HOST: _HOST,
    LANGUAGE: _LANGUAGE,
    HOST_OR_NONE: _HOST,
    LANGUAGE_OR_NONE: _LANGUAGE,
    LANGUAGE_TAG: "must be a language, like en or en-US",
    WHOLE_OR_NONE: "must be a number of at most nine digits, or nothing",
    CURSOR: "must be the cursor of an answer",
    QUERY_ID: "must be hexadecimal digits",
    VERSION: "must be small letters and digits",
    RARITIES: "must be written like en:vacuum:7.31,en:table:2.1",
}
