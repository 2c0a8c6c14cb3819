"""Processes that run a program as `python -c` does, forked from one that has loaded Trapline.

Loading Python's packages and the compiled kernels takes two seconds of a processor, at each of some
two hundred commands. So one process (`python -m tests.e2e.support.forks`) loads them once and
waits; for each command it forks a process, with its own pipes, signals and exit code. What a cold
start loads is tested elsewhere (tests/unit/test_cold_start.py).
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn, Self

_ROOT = Path(__file__).resolve().parents[3]
_LARGEST_CALL = 1_000_000
_CODE_BYTES = 8


class _Pipes(NamedTuple):
    """What a command writes to, and where its process id and its exit code are told."""

    out: int
    err: int
    keeper: int


# ---- the side of the tests


class Forked:
    """A process under way: of `subprocess.Popen` what tests use.

    Used with `with`: when a test fails, its process must not work on, nor its pipes be left to the
    collector, whose warning fails another test.
    """

    def __init__(self, program: str, words: Sequence[str]) -> None:
        out, out_end = os.pipe()
        err, err_end = os.pipe()
        self._keeper, keeper_end = socket.socketpair()
        call = json.dumps([program, *words, str(Path.cwd())]).encode()
        fds = _Pipes(out_end, err_end, keeper_end.fileno())
        socket.send_fds(_waiting_process(), [call], fds)
        os.close(out_end)
        os.close(err_end)
        keeper_end.close()
        self.args = [program, *words]
        self.stdout = os.fdopen(out, encoding="utf-8")
        self.stderr = os.fdopen(err, encoding="utf-8")
        self.returncode: int | None = None
        self.pid = self._hear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait()
        self.stdout.close()
        self.stderr.close()

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._keeper], [], [], 0.0)[0]:
            self.returncode = self._hear()
            self._keeper.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            select.select([self._keeper], [], [], timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All that it wrote, when it has ended; killed if it does not end in time."""
        texts = ["", ""]

        def read(number: int) -> None:
            with (self.stdout, self.stderr)[number] as pipe:
                texts[number] = pipe.read()

        readers = [threading.Thread(target=read, args=(n,)) for n in range(2)]
        for reader in readers:
            reader.start()
        try:
            self.wait(timeout)
        finally:
            self.kill()
            self.wait()
            for reader in readers:
                reader.join()
        return texts[0], texts[1]

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _hear(self) -> int:
        return int.from_bytes(self._keeper.recv(_CODE_BYTES), signed=True)


@cache
def _waiting_process() -> socket.socket:
    """The way to the process that forks; it ends when the tests do."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LARGEST_CALL)
    command = [sys.executable, "-m", "tests.e2e.support.forks", str(theirs.fileno())]
    process = subprocess.Popen(
        command,
        cwd=_ROOT,
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # no terminal, whatever the tests print to
    )
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


# ---- the process that forks


def _load() -> None:
    for name in ("app.commands.main", "app.crawl.run_crawl", "app.folder.page_reasons"):
        import_module(f"trapline.{name}")
    from trapline.live.warm_up import warm_live

    warm_live("auto", "auto")


def _await_program(calls: socket.socket) -> str | None:
    """Returns in each forked process, with the program to run; None when no call will come."""
    while True:
        call, fds, *_ = socket.recv_fds(calls, _LARGEST_CALL, len(_Pipes._fields))
        _reap(os.WNOHANG if call else 0)
        if not call:
            return None
        if os.fork() == 0:
            calls.close()
            return _begin(json.loads(call), _Pipes(*fds))
        for fd in fds:
            os.close(fd)


def _reap(options: int) -> None:
    """Wait for those that have ended, or for all: so their time is counted as the tests'."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, options)[0]:
            pass


def _begin(call: list[str], pipes: _Pipes) -> str:
    """In the command's process, ready for its program; its parent stays here and tells its end."""
    process = os.fork()
    if process:
        _keep(process, pipes)
    program, *words, folder = call
    os.dup2(pipes.out, 1)
    os.dup2(pipes.err, 2)
    for fd in pipes:
        os.close(fd)
    os.chdir(folder)
    random.seed()
    sys.argv = ["-c", *words]
    return program


def _keep(process: int, pipes: _Pipes) -> NoReturn:
    os.close(pipes.out)
    os.close(pipes.err)
    with socket.socket(fileno=pipes.keeper) as keeper:
        keeper.sendall(process.to_bytes(_CODE_BYTES, signed=True))
        _, status = os.waitpid(process, 0)
        code = os.waitstatus_to_exitcode(status)
        keeper.sendall(code.to_bytes(_CODE_BYTES, signed=True))
    os._exit(0)


def _run(program: str) -> int:
    try:
        exec(program, {"__name__": "__main__"})
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _end(code: int) -> NoReturn:
    """As Python ends, but for freeing what was loaded: that takes longer than most commands."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _serve(fd: int) -> None:
    _load()
    gc.freeze()  # or each collection copies what the processes share
    program = _await_program(socket.socket(fileno=fd))
    if program is not None:
        _end(_run(program))


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
