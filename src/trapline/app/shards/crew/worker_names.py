"""Names of workers: each is one process's alone, whatever people call it.

By its name a worker is drained, sets rates, and is cleared away after its death. A pod keeps its
name when its container is started anew, and two machines may have one hostname and one number of a
process: so chance ends every name.

>>> given_name("pod-7-0c61f2aa"), given_name("pod-7")
('pod-7', 'pod')
"""

from __future__ import annotations

import os
import secrets
import socket


def name_worker(given: str = "") -> str:
    """What people call it, or machine and process; and chance."""
    return f"{given or _process_name(os.getpid())}-{secrets.token_hex(4)}"


def name_process(process: int) -> str:
    """The name for a worker that another process of this machine is to be."""
    return name_worker(_process_name(process))


def given_name(name: str) -> str:
    """Without chance."""
    return name.rpartition("-")[0]


def _process_name(process: int) -> str:
    return f"{socket.gethostname()}-{process}"
