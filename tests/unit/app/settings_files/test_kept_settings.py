"""What may lie in a folder in which no engine is yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.app.settings_files.kept_settings import check_free
from trapline.core.errors import FolderForeign


def test_a_store_that_a_kill_left_unfinished_is_ours(tmp_path: Path) -> None:
    for name in ("store.unfinished", "store.unfinished-journal", "lock"):
        (tmp_path / name).touch()
    check_free(tmp_path)
    (tmp_path / "store.ods").touch()
    with pytest.raises(FolderForeign, match=r"store\.ods"):
        check_free(tmp_path)
