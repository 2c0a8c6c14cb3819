"""Status codes of HTTP in the words that people know them by."""

from __future__ import annotations

from http import HTTPStatus


def say_status(status: int) -> str:
    """
    >>> say_status(404), say_status(299)
    ('404 Not Found', 'status 299')
    """
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"status {status}"
