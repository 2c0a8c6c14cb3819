"""Numbers in texts: which digits belong together."""

from __future__ import annotations

import pytest

from trapline.reading.rules.numbers import ANY, find_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("was 20.00 15.00 now", 20.0),
        ("20.00 11.00", 20.0),
        ("4.5 5 reviews", 4.5),
        ("Only 3 10 EUR", 3.0),
        ("3 1/2", 3.0),
        ("20 1000", 20.0),
        ("2024 100", 2024.0),
        ("1.2.3", 1.2),
        ("iPhone-12", 12.0),
        ("10-12 days", 10.0),
    ],
)
def test_neighbours_are_not_glued(text: str, number: float) -> None:
    assert find_number(text, ANY) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234.56", 1234.56),
        ("1.234,56", 1234.56),
        ("1,234", 1234.0),
        ("EUR 1.234", 1234.0),
        ("1 234 567", 1_234_567.0),
        ("12\u00a0345,50 kr", 12_345.5),
        ("1\u2009234", 1234.0),
        ("1'234.50", 1234.5),
        ("1\u2019234\u2019567", 1_234_567.0),
        ("1,234,567.8", 1_234_567.8),
        ("1.234.567", 1_234_567.0),
        ("12,34,567.50", 1_234_567.5),
        ("1.2345", 1.2345),
        ("0,125", 0.125),
        ("0,99 EUR", 0.99),
    ],
)
def test_groups_and_fractions_are_read(text: str, number: float) -> None:
    assert find_number(text, ANY) == number


@pytest.mark.parametrize("text", ["-5", "now -5 C", "(\u22125)", "$-5"])
def test_a_sign_that_stands_free_counts(text: str) -> None:
    assert find_number(text, ANY) == -5.0
