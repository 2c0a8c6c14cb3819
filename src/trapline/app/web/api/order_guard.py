"""Who may give orders, and read what others ask: whoever says the token in a header.

Browsers send cookies along with what other sites make them ask; they send this header only for
pages of our own.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from trapline.app.web.token_file import FILE, is_token

_BEARER = HTTPBearer(
    auto_error=False, description=f"The token in the file `{FILE}` of the folder."
)


class OrderGuard:
    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(
        self,
        request: Request,
        said: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)],
    ) -> None:
        """Raises HTTPException unless the request says the token."""
        if request.method == "POST":
            check_is_json(request)
        if not self._token:
            raise HTTPException(
                403, "this needs a token, and the folder cannot be written to keep one"
            )
        if said is None or not is_token(self._token, said.credentials):
            raise HTTPException(
                401,
                f"this needs the token in the folder's file `{FILE}`: send it in the header "
                "`Authorization: Bearer …`",
                {"WWW-Authenticate": "Bearer"},
            )


def check_is_json(request: Request) -> None:
    """A form of another site can send text, but not this without being asked first."""
    kind = request.headers.get("content-type", "").partition(";")[0]
    if kind.strip().lower() != "application/json":
        raise HTTPException(
            415, "the body must be JSON (Content-Type: application/json)"
        )
