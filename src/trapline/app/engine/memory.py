"""What a long run asks of the memory's keepers: Python's collector, the C library's allocator, the
system.

Modules and kernels stay until the end, so the collector need not look at them each time, nor for
each dozen links of a document. Threads share two pools instead of filling one each, and what a
large document took is given back (glibc; elsewhere nothing is asked). The code of libraries that
only starting has needed (LLVM above all, 65 MB) is let go. Nothing that the robot does depends on
it.
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
_WISHES: Final = {_ARENAS: 2, _MMAP: 1 << 20, _TRIM: 8 << 20}
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
        for name, value in _WISHES.items():
            library.mallopt(name, value)
        library.malloc_trim(0)
    with contextlib.suppress(OSError):  # some systems do not tell
        for begin, end in _unchanged(
            Path("/proc/self/smaps").read_text(errors="replace")
        ):
            library.madvise(
                ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _DONTNEED
            )


def _unchanged(smaps: str) -> Iterator[tuple[int, int]]:
    """Where the memory is nothing but a file's bytes (proc(5) has the format): they come back when
    they are used.

    >>> head = "7f00-7f10 r-xp 0000 fe:00 21  /lib/a.so\\nRss: 64 kB\\nAnonymous:"
    >>> ours, swapped = f"{head} 4 kB\\nSwap: 0 kB\\n", f"{head} 0 kB\\nSwap: 4 kB\\n"
    >>> list(_unchanged(f"{head} 0 kB\\nKSM: 0 kB\\nSwap: 0 kB\\n{ours}{swapped}"))
    [(32512, 32528)]
    """
    return ((int(begin, 16), int(end, 16)) for begin, end in _PART.findall(smaps))
