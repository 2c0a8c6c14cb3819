"""A plug-in for pytest: the policies that CONTRIBUTING shows, as if their files were there.

    python -m pytest -p tests.contract.guide_policies tests/contract

The files are written to the folder GUIDE_FOLDER and loaded under the names that the guide gives
them, so that nothing is compiled anew but their own kernels.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from trapline.policies import registry

GUIDE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
# `path/of/the/file.py` … ```python … ``` … and one line of `GROUP` … "name": place,
RECIPE = re.compile(
    r"`src/(?P<path>trapline/policies/[\w/]+)\.py`[^`]*```python\n(?P<code>.*?)```"
    r"[^`]*one line of `(?P<group>[A-Z]+)`[^\"]*(?P<line>\"[^\n]+)\n",
    re.DOTALL,
)


def add(recipe: re.Match[str], folder: Path) -> None:
    file = folder / f"{Path(recipe['path']).name}.py"
    file.write_text(recipe["code"])
    name = recipe["path"].replace("/", ".")
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    # the line as it stands in the guide, read as the registry would read it
    getattr(registry, recipe["group"]).update(
        eval("{" + recipe["line"] + "}", vars(registry))
    )


if "GUIDE_FOLDER" in os.environ:
    for one in RECIPE.finditer(GUIDE):
        add(one, Path(os.environ["GUIDE_FOLDER"]))
