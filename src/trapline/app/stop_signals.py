"""The signals that end a command: Ctrl-C, SIGTERM, and SIGHUP when the terminal goes.

Whatever is under way then (an import, a compiler, a folder being opened) ends without a traceback;
what the folder holds is as after a kill, which it survives. A running robot or server takes the
signals for itself, to end as it should. This module is loaded before all others, so it loads none.
The first hundredths of a second, in which the interpreter itself starts, are not ours: there it
ends by the signal.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, NoReturn

_SHOW_CURSOR: Final = "\r\x1b[K\x1b[?25h"
_MOMENT_S: Final = 0.02
_asked: list[int] = []  # signals that came; a list needs no lock


def stop_signals() -> list[signal.Signals]:
    """SIGHUP is left out where it is ignored, as under nohup, and where there is none."""
    hangup = getattr(signal, "SIGHUP", None)
    signs = [signal.SIGINT, signal.SIGTERM]
    if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN:
        signs.append(hangup)
    return signs


def take_stop_signals() -> Callable[[], None]:
    """What waits for any of them. Take them before telling that the server is there.

    Not an event of `threading`: a signal that comes while the main thread holds its lock, about to
    wait, would wait for that lock for ever.
    """
    from queue import SimpleQueue

    came: SimpleQueue[int] = SimpleQueue()
    for sign in stop_signals():
        signal.signal(sign, lambda number, _: came.put(number))

    def wait_for_stop() -> None:
        came.get()

    return wait_for_stop


@contextmanager
def ending_quietly() -> Iterator[None]:
    """A command that is stopped early ends with code 0, whatever the interruption broke."""
    for sign in stop_signals():
        signal.signal(sign, _interrupt)
    sys.unraisablehook = _interrupt_again
    try:
        yield
    except (KeyboardInterrupt, Exception) as end:
        # A library may make another error of an interruption.
        if not _asked and not isinstance(end, KeyboardInterrupt):
            raise
        _leave()
    except SystemExit:
        if not _asked:
            raise
        _leave()
    finally:
        # The interpreter is about to end, and would show where.
        for sign in stop_signals():
            signal.signal(sign, signal.SIG_IGN)


@contextmanager
def taken_as_answer() -> Iterator[None]:
    """While a question is asked: an interruption is an answer to it, for the caller to catch."""
    try:
        yield
    except KeyboardInterrupt:
        _asked.clear()
        raise


@contextmanager
def ending_at_once() -> Iterator[None]:
    """While kernels are loaded: an exception inside the compiler could crash it.

    What is open is left as by a kill, which a folder survives.
    """
    before = {sign: signal.getsignal(sign) for sign in stop_signals()}
    ours = [sign for sign, handler in before.items() if handler is _interrupt]
    for sign in ours:
        signal.signal(sign, lambda *_: _leave())
    try:
        yield
    finally:
        for sign in ours:
            signal.signal(sign, _interrupt)


def _leave() -> NoReturn:
    """The interpreter itself would end by the signal: it takes every interruption that has passed
    an exec() for one that nobody has heard.
    """
    if sys.stderr.isatty():
        sys.stderr.write(_SHOW_CURSOR)  # a progress line has hidden it
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    os._exit(0)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _asked.append(number)
    raise KeyboardInterrupt


def _interrupt_again(lost: Any) -> None:
    """An interruption that came where nothing can be raised (a finaliser) comes once more, a
    moment later.
    """
    if isinstance(lost.exc_value, KeyboardInterrupt):
        again = threading.Timer(_MOMENT_S, os.kill, (os.getpid(), signal.SIGINT))
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(lost)
