"""Selectors: functions of XPath."""

from __future__ import annotations

import pytest

from trapline.core.errors import BadRule
from trapline.reading.rules.selectors import check_selector, select_parts

PAGE = b"<h1>Tea</h1><ul><li>green<li>black</ul>"


@pytest.mark.parametrize(
    ("selector", "found"), [("count(//li)", "2"), ("string(//h1)", "Tea")]
)
def test_functions_stand_in_parentheses(selector: str, found: str) -> None:
    with pytest.raises(BadRule) as caught:
        check_selector(selector)
    assert f"write ({selector})" in str(caught.value)
    check_selector(f"({selector})")
    assert select_parts(PAGE, f"({selector})") == [f"<p>{found}</p>"]


def test_what_would_be_no_xpath_either_is_not_proposed() -> None:
    with pytest.raises(BadRule) as caught:
        check_selector("div[")
    assert "write" not in str(caught.value)
