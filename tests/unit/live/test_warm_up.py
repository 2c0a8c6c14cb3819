"""Once a crawl is warm no document makes it compile a kernel: its readers would do so for a minute,
one by one.
"""

from __future__ import annotations

import subprocess
import sys

READING = """
import sys
from numba.core.dispatcher import Dispatcher
from trapline.core.records import Fetched, Kind, Ticket
from trapline.live.warm_up import warm_live
from trapline.reading.answer import read_answer

def compiled():
    rooms = [(name, vars(room)) for name, room in sorted(sys.modules.items())
             if name.startswith("trapline.")]
    kernels = [(name, one) for name, found in rooms
               for one in found.values() if isinstance(one, Dispatcher)]
    return {f"{name}.{one.py_func.__name__} {types}"
            for name, one in kernels for types in one.signatures}

def page(words, tags):
    links = "".join(f"<a href='{i}.html'>{words} {i}</a> {words} " for i in range(tags))
    text = f"{words * 30} updated 12 May 2024, 17 views"
    return f"<title>{words}</title><body><nav>{links}</nav><main><p>{text}</main>"

warm_live("value", "adaptive-whittle")
before = compiled()
for words in ("stars and tea ", "Größe ", "星 空 ", "\\U0001f600 "):
    for tags in (0, 1, 2, 500, 5000):
        body = page(words, tags).encode()
        ticket = Ticket(0, Kind.PAGE, 0, 0, 0.0, 0.0)
        read_answer(Fetched(ticket, "http://a.org/", 1.0, status=200, body=body,
                            content_type="text/html"))
assert len(before) > 20, before
late = sorted(compiled() - before)
print("late:", late)
"""


def test_no_document_makes_a_warm_crawl_compile() -> None:
    done = subprocess.run(
        [sys.executable, "-c", READING],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.strip() == "late: []", done.stdout + done.stderr[-2000:]
