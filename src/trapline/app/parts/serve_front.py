"""`trapline serve --parts`: the words of the front."""

from __future__ import annotations

import sys
from pathlib import Path

from trapline.app.output.standard_output import print_json
from trapline.app.parts.part_list import ask_who_they_are, read_part_urls
from trapline.app.stop_signals import take_stop_signals
from trapline.app.web.front.front_server import FrontServer
from trapline.app.web.server import bind
from trapline.core.errors import UserMistake


def check_front(folder: Path | None, parts: str, *, alone: bool) -> None:
    """UserMistake unless there are parts, and nothing else is to be served."""
    if not parts:
        raise UserMistake(
            "what is to be served? Name a folder, or the servers of all parts with --parts"
        )
    if folder is not None:
        raise UserMistake(
            f"--parts asks other servers and needs no folder: leave out {folder}, or --parts"
        )
    if not alone:
        raise UserMistake(
            "--parts cannot be combined with --part or with options of a federation"
        )


def serve_front(
    parts: str,
    port: int,
    names: tuple[str, ...],
    within_s: float,
    *,
    as_json: bool,
) -> None:
    known = ask_who_they_are(read_part_urls(parts), within_s)
    with FrontServer(
        known,
        bind(port),
        names,
        within_s,
    ) as server:
        wait_for_stop = take_stop_signals()
        if as_json:
            print_json({"url": server.url})
        else:
            what = f"Search of {known.engine} in {len(known.urls)} parts"
            print(f"{what}: {server.url} (Ctrl-C ends it)")
        sys.stdout.flush()
        wait_for_stop()
