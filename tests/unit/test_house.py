"""The house keeps its limits, and each counter finds what is planted for it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests import house

MATRIX = "A = [  # fmt: skip\n    [1,  0],\n    [0, 10],\n]\n"


def source(text: str, path: str = "src/trapline/core/planted.py") -> house.Source:
    return house.Source(path, dedent(text))


def first(text: str) -> house.Place:
    return house.functions(source(text))[0]


def test_every_limit_holds() -> None:
    measures = house.measure_house()
    broken = [one.name for one in measures if not one.holds]
    assert not broken, house.table(measures) + "\n" + house.offenders(measures)


def test_a_broken_limit_is_shown_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    holds = house.Measure("columns", 99, 100)
    breaks = house.Measure("words", 901, 900, ("README.md: 901",))
    monkeypatch.setattr(house, "measure_house", lambda: [holds, breaks])
    assert house.main([]) == 1
    printed = capsys.readouterr().out
    assert [line.endswith("BROKEN") for line in printed.splitlines()[1:3]] == [
        False,
        True,
    ]
    assert "README.md: 901" in printed
    monkeypatch.setattr(house, "measure_house", lambda: [holds])
    assert house.main([]) == 0


def test_a_function_is_counted_from_def_to_end_without_docstring() -> None:
    planted = first(
        '''
        @decorated
        def lines(
            of: int,
        ) -> int:
            """One.

            Two.
            """
            # why

            return of
        '''
    )
    assert house.function_lines(planted.node) == 6
    assert house.lines_of(planted.node) == 10


def test_tokens_are_counted_without_comments_and_docstrings() -> None:
    planted = source('"""Not code."""\n\nx = 1  # nor this\ny = (\n    x\n)\n')
    assert house.count_tokens(planted) == (8, 4)
    measure = house.measure_tokens([source("a, b, c, d = 1, 2, 3, 4\n" * 30)])
    assert (measure.found, measure.holds, len(measure.worst)) == (15, False, 1)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ("pass", 1),
        ("if a: pass\n elif b: pass\n else: pass", 3),
        ("for x in a:\n  while b: pass", 3),
        ("for x in a: pass\n else: pass", 3),
        ("try: a\n except KeyError: b\n except OSError: c\n else: d", 4),
        ("match a:\n  case 1: b\n  case 2: c\n  case _: d", 3),
        ("match a:\n  case 1: b\n  case 2: c", 3),
        ("def inner(): pass", 2),
        ("return [x for x in a if x and b] if a else b", 1),
        ("with a:\n  if b: pass", 2),
    ],
)
def test_complexity_counts_as_ruff_does(body: str, paths: int) -> None:
    assert house.complexity(first(f"def f(a, b):\n {body}\n").node) == paths


def test_a_tangled_function_breaks_the_limit_but_not_as_a_kernel() -> None:
    tangle = "def f(a):\n" + "    if a: pass\n" * 15
    assert not house.measure_complexity([first(tangle)]).holds
    simple = first("def g(): pass\n")
    kernel = first(f"@bare_kernel\n{tangle}")
    assert house.measure_complexity([simple, kernel]).holds


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("def f(a, /, b, *c, d, **e): pass", 4),
        ("class A:\n    def f(self, a): pass", 1),
        ("class A:\n    @classmethod\n    def f(cls, a): pass", 1),
        ("class A:\n    @staticmethod\n    def f(a): pass", 1),
    ],
)
def test_parameters(text: str, number: int) -> None:
    assert house.parameters(first(text)) == number


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("def f(a, b, c, d, e, g, h): pass", False),
        ("async def f(a, b, c, d, e, g, h): pass", False),
        ("@cache\ndef f(a, b, c, d, e, g, h): pass", False),
        ("class A:\n    def f(self, a, b, c, d, e, g): pass", True),
        ("class A:\n    def f(self, a, b, c, d, e, g, h): pass", False),
        ("class A(Protocol):\n    def f(self, a, b, c, d, e, g, h): pass", False),
        ("class AKernel:\n    def f(self, a, b, c, d, e, g, h): pass", False),
        ("class AKernel(Protocol):\n    def f(self, a, b, c, d, e, g, h): pass", True),
        ("@kernel_for(x)\ndef f(a, b, c, d, e, g, h): pass", True),
        ("@app.command()\ndef f(a, b, c, d, e, g, h): pass", True),
    ],
)
def test_more_than_six_parameters(text: str, holds: bool) -> None:
    places = [*house.functions(source(text)), first("def few(): pass")]
    assert house.measure_parameters(places).holds is holds


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("def told() -> str: ...", True),
        ("def _unpacked() -> bytes: ...", True),
        ("def settled() -> None: ...", True),
        ("def feed() -> None: ...", False),
        ("def settle() -> None: ...", False),
        ("def pages_held() -> int: ...", False),
        ("def settled() -> bool: ...", False),
        ("@property\ndef held() -> int: ...", False),
    ],
)
def test_names_that_are_bare_participles(text: str, bare: bool) -> None:
    assert house.is_bare_participle(first(text).node) is bare


def test_cycles_are_found_wherever_the_import_stands() -> None:
    a = "import trapline.core.b\n"
    b = "def f():\n    from trapline.core.a import x\n"
    files = [
        source("", "src/trapline/core/__init__.py"),
        source(a, "src/trapline/core/a.py"),
        source(b, "src/trapline/core/b.py"),
        source("from trapline.core import a", "src/trapline/core/c.py"),
    ]
    assert house.measure_cycles(files).worst == ("trapline.core.a", "trapline.core.b")
    assert house.measure_cycles([files[0], files[2], files[3]]).holds


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x = [1,2]  # fmt: skip\n", [1]),
        ("# fmt: off\nx = 1\n", [1]),
        ('x = "# fmt: skip"\n', []),
        (MATRIX, []),
        (f"{MATRIX}f(  1)  # fmt: skip\n", [5]),
    ],
)
def test_only_matrices_keep_the_formatter_out(text: str, lines: list[int]) -> None:
    assert house.skipped_formats(source(text)) == lines


def test_percentiles_of_files_and_functions() -> None:
    short = [source("x = 1\n")] * 9
    long = source("x = 1\n" * 221)
    assert house.measure_files([*short, long]).found == 1
    assert not house.measure_files([*short, long, long]).holds
    small = first("def f():\n    pass\n")
    big = first("def f():\n" + "    x = 1\n" * 20)
    assert house.measure_functions([small] * 9 + [big]).holds
    found = house.measure_functions([small] * 8 + [big] * 2)
    assert (found.found, found.holds) == (21, False)


def test_folders_lines_and_rooms() -> None:
    files = [source("", f"src/trapline/core/m{n}.py") for n in range(20)]
    room = source("import ast\n", "src/trapline/core/__init__.py")
    assert house.measure_folders(files).holds
    assert not house.measure_folders([*files, room]).holds
    assert not house.measure_rooms_unexplained([*files, room]).holds
    line = "#" + " " * 99 + "é"
    assert house.measure_long_lines([source(f"{line}\n")]).found == 101


def test_words_of_documents(tmp_path: Path) -> None:
    notes = tmp_path / "docs" / "decisions"
    notes.mkdir(parents=True)
    (notes / "README.md").write_text("word " * 500)
    (notes / "0001-a.md").write_text("word " * 401)
    (tmp_path / "README.md").write_text("word " * 900)
    assert house.measure_readme(tmp_path).holds
    assert house.measure_decisions(tmp_path).worst == ("0001-a.md: 401",)
