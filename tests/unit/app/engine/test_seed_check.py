"""A seed whose host can have no such name is refused for the right reason."""

from __future__ import annotations

import pytest

from trapline.app.engine.seed_check import check_seed
from trapline.core.errors import BadUrl


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a..b/", "its host 'a..b' has two dots in a row"),
        ("http://.org/", "its host '.org' begins with a dot"),
        (f"http://{'a' * 80}.org/", "has 80 characters, and names have at most 63"),
        ("http://a.org../", "has two dots in a row"),
        (f"http://{'a.' * 140}org/", "cannot be resolved"),
    ],
)
def test_a_name_that_no_host_can_have(url: str, reason: str) -> None:
    with pytest.raises(BadUrl) as caught:
        check_seed(url, contact="a@b.org")
    assert reason in str(caught.value)
