"""Until somebody ends a server."""

from __future__ import annotations

import signal
import threading


def wait_for_stop() -> None:
    """Ctrl-C or SIGTERM. What was printed is seen when they can be given."""
    over = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: over.set())
    print(end="", flush=True)
    over.wait()
