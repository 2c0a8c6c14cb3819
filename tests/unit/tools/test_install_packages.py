"""pip's work as the Makefile shows it."""

from __future__ import annotations

import io
from pathlib import Path

from tools.install_packages import Progress, follow_installing, follow_pip


def test_each_package_that_is_collected_is_a_line() -> None:
    out = io.StringIO()
    log = io.StringIO()
    said = ["Collecting numpy>=2 (from x)\n", "  Using cached\n", "Collecting numba\n"]
    follow_pip(said, log, Progress(out))
    assert out.getvalue().splitlines() == [
        "collecting packages: 1 (numpy)",
        "collecting packages: 2 (numba)",
    ]
    assert log.getvalue() == "".join(said)


def test_each_package_that_is_installed_is_a_line(tmp_path: Path) -> None:
    for name in ("numpy-2.4.dist-info", "Ada_URL-4.dist-info", "pip-23.dist-info"):
        (tmp_path / name).mkdir()
    out = io.StringIO()
    follow_installing(["numpy", "ada-url"], tmp_path, Progress(out))
    assert out.getvalue().splitlines() == [
        "installing packages: 1 of 2 (ada_url)",
        "installing packages: 2 of 2 (numpy)",
    ]
