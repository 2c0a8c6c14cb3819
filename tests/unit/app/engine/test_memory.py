"""A crawl holds in memory what it needs, and the collector leaves alone what stays."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

_LOOK = """
import gc, json, sys
import trapline.app.crawl.run_crawl, trapline.live.warm_up
from trapline.app.engine.memory import settle_down
settle_down()
print(json.dumps([gc.get_freeze_count(), sorted(sys.modules)]))
"""


def test_a_crawl_holds_no_laboratory_and_its_modules_are_settled() -> None:
    told = subprocess.run(
        [sys.executable, "-c", _LOOK], check=True, capture_output=True, timeout=120
    )
    frozen, modules = json.loads(told.stdout)
    assert frozen > 10_000
    of_laboratory = {
        name for name in modules if name.startswith("trapline.laboratory.")
    }
    assert of_laboratory == set()
    assert not {"matplotlib", "pyarrow", "fastapi", "pandas"} & set(modules)


_SHRINK = """
import json, re, zlib
import llvmlite.binding as llvm, numba
from trapline.app.engine.memory import settle_down
def of_files():
    rollup = open("/proc/self/smaps_rollup").read()
    found = dict(re.findall(r"^(Rss|Anonymous): +(\\d+)", rollup, re.MULTILINE))
    return (int(found["Rss"]) - int(found["Anonymous"])) / 1024
before = of_files()
settle_down()
after = of_files()
module = llvm.parse_assembly("define i32 @one() { ret i32 1 }")
print(json.dumps([before, after, [one.name for one in module.functions]]))
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere nothing is asked"
)
def test_code_that_only_starting_needed_is_let_go_and_comes_back_when_used() -> None:
    told = subprocess.run(
        [sys.executable, "-c", _SHRINK], check=True, capture_output=True, timeout=120
    )
    before_mb, after_mb, functions = json.loads(told.stdout)
    assert after_mb < before_mb / 2
    assert functions == ["one"]
