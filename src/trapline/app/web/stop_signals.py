"""The signals that end a server."""

from __future__ import annotations

import signal
import threading


def take_stop_signals() -> threading.Event:
    """Set by Ctrl-C or SIGTERM. Take them before telling that the server is there."""
    over = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: over.set())
    return over
