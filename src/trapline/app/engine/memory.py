"""Less memory for a long run: settings of Python's collector, the C allocator and the system.

Modules and kernels stay until the end, so the collector need not visit them each time, nor run for
each dozen links of a document. Threads share two pools instead of filling one each, and the memory
of a large document is given back (glibc only). The code of libraries that only the start has needed
(LLVM above all, 65 MB) is released. Nothing that the robot does depends on it.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# objects that came and did not go before the collector looks; Python's 700 are three visits
_YOUNG: Final = 20_000
# M_TRIM_THRESHOLD, M_MMAP_THRESHOLD and M_ARENA_MAX of mallopt(3)
_TRIM = -1
_MMAP = -3
_ARENAS = -8
# Left alone, glibc keeps up to 64 MB for later and has eight pools a core.
_SETTINGS: Final = {_ARENAS: 2, _MMAP: 1 << 20, _TRIM: 8 << 20}
_DONTNEED: Final = 4  # MADV_DONTNEED of madvise(2)
# A private, read-only part of a file of which all is still the file's: a linker has written into
# some parts.
_PART: Final = re.compile(
    r"^(\w+)-(\w+) r-[-x]p .* /.*\n(?:\w+: .*\n)*?Anonymous: +0 kB\n(?:\w+: .*\n)*?Swap: +0 kB$",
    re.MULTILINE,
)


def settle_down() -> None:
    """Once, when everything is loaded and before the work begins."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
    if not sys.platform.startswith("linux"):
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):  # not in musl
        for name, value in _SETTINGS.items():
            library.mallopt(name, value)
        library.malloc_trim(0)
    with contextlib.suppress(OSError):  # some systems do not tell
        smaps = Path("/proc/self/smaps").read_text(errors="replace")
        for begin, end in _unchanged_parts(smaps):
            size = ctypes.c_size_t(end - begin)
            library.madvise(ctypes.c_void_p(begin), size, _DONTNEED)


def _unchanged_parts(smaps: str) -> Iterator[tuple[int, int]]:
    """Where the memory is nothing but a file's bytes, which are read again when they are used.

    The format is in proc(5).

    >>> head = "7f00-7f10 r-xp 0000 fe:00 21  /lib/a.so\\nRss: 64 kB\\nAnonymous:"
    >>> ours = f"{head} 4 kB\\nSwap: 0 kB\\n"
    >>> swapped = f"{head} 0 kB\\nSwap: 4 kB\\n"
    >>> list(_unchanged_parts(f"{head} 0 kB\\nKSM: 0 kB\\nSwap: 0 kB\\n{ours}{swapped}"))
    [(32512, 32528)]
    """
    return ((int(begin, 16), int(end, 16)) for begin, end in _PART.findall(smaps))
