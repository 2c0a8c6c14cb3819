"""Measure the house and print it beside its limits: `python tests/house.py`.

Comes in: the source tree, README and the decision notes. Goes out: a table with one line a limit,
below it what breaks a limit, and exit status 1 if anything does. Definitions:

- a function's lines run from its `def` line to its last line, without decorators and docstring;
- tokens are Python's, without comments, line ends, indents and docstrings; a code line holds one;
- the 90th percentile is the value that nine in ten do not exceed (nearest rank);
- complexity is McCabe's, as ruff counts it (C901);
- an import is an edge wherever it stands in a module: at its top, in a function, for type checkers;
- kernels are functions compiled by numba and the Protocols that describe them (`...Kernel`); they
  take arrays, not objects, so complexity and parameters are not limited there. Commands take what
  a user may say, so their parameters are not limited;
- parameters are those that may be given by position.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "trapline"
CODE_FOLDERS = ("src", "tests", "bench", "examples")
LONGEST_LINE = 100

KERNEL_DECORATORS = {"kernel", "bare_kernel", "kernel_for", "loop_kernel"}
PROPERTIES = {"property", "cached_property"}
STOPS_FORMATTER = re.compile(r"#\s*fmt: *(skip|off)")
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
# Participles that do not end in -ed, and words in -ed that are none.
PARTICIPLES = """
become begun bought broken brought built caught chosen dealt done drawn driven fallen forbidden
forgotten found frozen given gone grown heard held hidden kept known laid learnt left lent lost
made meant met paid proven said seen sent shown sold spent taken taught thrown told understood
unknown untold withheld won worn woven written
"""
NO_PARTICIPLES = "bed embed exceed feed heed need proceed seed speed succeed"
# Nouns of the vocabulary: what is in the collection, and what left it.
VOCABULARY = {"held", "gone"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One Python file: where it is (from the root), its text and its tree."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)


@dataclass(frozen=True)
class Place:
    """A function where it stands; `parents` are the definitions around it, outermost first."""

    path: str
    node: Function
    parents: tuple[ast.ClassDef | Function, ...] = ()

    @property
    def name(self) -> str:
        names = [*(parent.name for parent in self.parents), self.node.name]
        return f"{self.path}:{self.node.lineno} {'.'.join(names)}"


@dataclass(frozen=True)
class Measure:
    """One measured number and its limit; `worst` names what lies beyond the limit."""

    name: str
    found: float
    limit: float
    worst: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.found <= self.limit


# ---- reading sources


def sources(folder: Path, root: Path = ROOT) -> list[Source]:
    found = sorted(folder.rglob("*.py"))
    return [Source(str(path.relative_to(root)), path.read_text()) for path in found]


def functions(source: Source) -> list[Place]:
    return list(_functions_in(source.tree, source.path, ()))


def _functions_in(
    node: ast.AST, path: str, parents: tuple[ast.ClassDef | Function, ...]
) -> Iterator[Place]:
    for child in ast.iter_child_nodes(node):
        around = parents
        if isinstance(child, Function):
            yield Place(path, child, parents)
        if isinstance(child, ast.ClassDef | Function):
            around = (*parents, child)
        yield from _functions_in(child, path, around)


def docstring_of(node: ast.AST) -> ast.Expr | None:
    if not isinstance(node, ast.Module | ast.ClassDef | Function) or not node.body:
        return None
    first = node.body[0]
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
        return None
    return first if isinstance(first.value.value, str) else None


def lines_of(node: ast.stmt | None) -> int:
    if node is None:
        return 0
    return (node.end_lineno or node.lineno) - node.lineno + 1


# ---- counting


def percentile_90(values: Iterable[float]) -> float:
    """The nearest rank.

    >>> percentile_90(range(1, 11))
    9
    """
    ordered = sorted(values)
    return ordered[ceil(0.9 * len(ordered)) - 1]


def function_lines(function: Function) -> int:
    """From the `def` line to the last line, without the docstring."""
    return lines_of(function) - lines_of(docstring_of(function))


def count_tokens(source: Source) -> tuple[int, int]:
    """How many tokens, and how many lines hold one."""
    docstrings = _docstring_lines(source.tree)
    tokens = 0
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type in NOT_CODE or token.start[0] in docstrings:
            continue
        tokens += 1
        lines.update(range(token.start[0], token.end[0] + 1))
    return tokens, len(lines)


def _docstring_lines(tree: ast.Module) -> set[int]:
    found: set[int] = set()
    for node in ast.walk(tree):
        docstring = docstring_of(node)
        if docstring is not None:
            found.update(
                range(docstring.lineno, docstring.lineno + lines_of(docstring))
            )
    return found


def complexity(function: Function) -> int:
    """McCabe's number of independent paths: one, and one more for every branch."""
    return 1 + sum(map(_branches, _inside(function)))


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """All that stands in a node; expressions hold no branches that McCabe counts."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from _inside(child)


def _branches(node: ast.AST) -> int:
    if isinstance(node, ast.Try | ast.TryStar):
        return len(node.handlers) + bool(node.orelse)
    if isinstance(node, ast.For | ast.AsyncFor | ast.While):
        return 1 + bool(node.orelse)
    if isinstance(node, ast.Match):
        return len(node.cases) - _has_default(node)
    return int(isinstance(node, ast.If | Function))


def _has_default(match: ast.Match) -> bool:
    last = match.cases[-1]
    unnamed = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
    return unnamed and last.guard is None


def parameters(place: Place) -> int:
    """How many parameters a caller may hand in by position, without `self` and `cls`.

    Those that must be named at every call are not among them: no order need be remembered.
    """
    listed = place.node.args
    starred = [star for star in (listed.vararg, listed.kwarg) if star is not None]
    every = [*listed.posonlyargs, *listed.args, *starred]
    return len(every) - _is_bound(place)


def _is_bound(place: Place) -> bool:
    in_class = bool(place.parents) and isinstance(place.parents[-1], ast.ClassDef)
    return in_class and "staticmethod" not in decorators(place.node)


def decorators(function: Function) -> list[str]:
    """The last names of its decorators: `command` for `@app.command()`."""
    found = []
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        found.append(ast.unparse(called).rpartition(".")[2])
    return found


def is_kernel(place: Place) -> bool:
    """Whether numba compiles it, or it describes what numba compiles."""
    if KERNEL_DECORATORS & set(decorators(place.node)):
        return True
    around = place.parents[-1] if place.parents else None
    if not isinstance(around, ast.ClassDef) or not around.name.endswith("Kernel"):
        return False
    return any(ast.unparse(base) == "Protocol" for base in around.bases)


def is_command(place: Place) -> bool:
    """Whether typer calls it: it is decorated, or its parameters are declared for typer."""
    if {"command", "callback"} & set(decorators(place.node)):
        return True
    return "typer." in ast.unparse(place.node.args)


def is_bare_participle(function: Function) -> bool:
    """Whether its name is a participle alone: it says neither what is done nor what comes out.

    Fields (`page.held`) and questions that are answered by yes or no may be named so.
    """
    answer = ast.unparse(function.returns) if function.returns else ""
    if answer == "bool" or PROPERTIES & set(decorators(function)):
        return False
    word = function.name.strip("_")
    if word in VOCABULARY:
        return False
    if word.endswith("ed"):
        return "_" not in word and word not in NO_PARTICIPLES.split()
    return word in PARTICIPLES.split()


# ---- imports


def module_name(path: str) -> str:
    """
    >>> module_name("src/trapline/core/__init__.py")
    'trapline.core'
    """
    parts = Path(path).with_suffix("").parts[1:]
    return ".".join(part for part in parts if part != "__init__")


def imports_of(source: Source, modules: set[str]) -> set[str]:
    """The modules of the package that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            deeper = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= deeper & modules
            if not deeper <= modules:
                found.add(node.module)
    return (found & modules) - {module_name(source.path)}


def modules_in_cycles(edges: dict[str, set[str]]) -> set[str]:
    """What is left when modules that import none, or that none imports, leave again and again.

    >>> sorted(modules_in_cycles({"a": {"b"}, "b": {"a"}, "c": {"a"}, "d": set()}))
    ['a', 'b']
    """
    left = set(edges)
    while True:
        imported = {to for module in left for to in edges[module] & left}
        inner = {module for module in left & imported if edges[module] & left}
        if inner == left:
            return left
        left = inner


# ---- `# fmt: skip`


def skipped_formats(source: Source) -> list[int]:
    """Lines that keep the formatter out, but for those on a matrix."""
    if not STOPS_FORMATTER.search(source.text):
        return []
    matrices = _matrix_lines(source.tree)
    marks = tokenize.generate_tokens(io.StringIO(source.text).readline)
    found = [mark.start[0] for mark in marks if _stops_formatter(mark)]
    return [line for line in found if line not in matrices]


def _stops_formatter(token: tokenize.TokenInfo) -> bool:
    if token.type != tokenize.COMMENT:
        return False
    return STOPS_FORMATTER.match(token.string) is not None


def _matrix_lines(tree: ast.Module) -> set[int]:
    """Lines of statements that hold a list of rows, a row a line; and the line above them."""
    found: set[int] = set()
    for statement in ast.walk(tree):
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Return):
            continue
        if any(_is_matrix(node) for node in ast.walk(statement)):
            found.update(range(statement.lineno - 1, (statement.end_lineno or 0) + 1))
    return found


def _is_matrix(node: ast.AST) -> bool:
    if not isinstance(node, ast.List | ast.Tuple) or len(node.elts) < 2:
        return False
    rows = [row for row in node.elts if isinstance(row, ast.List | ast.Tuple)]
    firsts = {row.lineno for row in rows}
    return len(rows) == len(node.elts) == len(firsts)


# ---- the house


def measure_folders(files: list[Source]) -> Measure:
    count = Counter(str(Path(source.path).parent) for source in files)
    worst = [f"{folder}: {n} files" for folder, n in count.items() if n > 20]
    return Measure("files in the largest folder", max(count.values()), 20, (*worst,))


def measure_files(files: list[Source]) -> Measure:
    found = percentile_90(len(source.lines) for source in files)
    return Measure("lines a file, 90th percentile", found, 220, _longest_files(files))


def _longest_files(files: list[Source]) -> tuple[str, ...]:
    longest = sorted(files, key=lambda source: -len(source.lines))
    over = [source for source in longest if len(source.lines) > 220]
    return tuple(f"{source.path}: {len(source.lines)} lines" for source in over)


def measure_functions(places: list[Place]) -> Measure:
    count = {place.name: function_lines(place.node) for place in places}
    found = percentile_90(function_lines(place.node) for place in places)
    return Measure("lines a function, 90th percentile", found, 20, _above(count, 20))


def measure_functions_whole(places: list[Place]) -> Measure:
    found = percentile_90(lines_of(place.node) for place in places)
    return Measure("  the same with docstrings (no limit)", found, float("inf"))


def measure_tokens(files: list[Source]) -> Measure:
    counted = {source.path: count_tokens(source) for source in files}
    tokens = sum(found for found, _ in counted.values())
    lines = sum(found for _, found in counted.values())
    dense = {path: round(t / n, 1) for path, (t, n) in counted.items() if n > 20}
    name = "tokens a code line"
    return Measure(name, round(tokens / lines, 2), 8, _above(dense, 8))


def measure_cycles(files: list[Source]) -> Measure:
    modules = {module_name(source.path) for source in files}
    edges = {module_name(source.path): imports_of(source, modules) for source in files}
    found = modules_in_cycles(edges)
    return Measure("modules in import cycles", len(found), 0, (*sorted(found),))


def measure_complexity(places: list[Place]) -> Measure:
    thinking = [place for place in places if not is_kernel(place)]
    count = {place.name: complexity(place.node) for place in thinking}
    return _highest("complexity outside kernels", count, 15)


def measure_parameters(places: list[Place]) -> Measure:
    limited = [p for p in places if not is_kernel(p) and not is_command(p)]
    count = {place.name: parameters(place) for place in limited}
    return _highest("parameters outside kernels", count, 6)


def measure_participles(places: list[Place]) -> Measure:
    worst = [place.name for place in places if is_bare_participle(place.node)]
    return _none("functions named by a participle", worst)


def measure_long_lines(files: list[Source]) -> Measure:
    count = {
        f"{source.path}:{number}": len(line)
        for source in files
        for number, line in enumerate(source.lines, 1)
    }
    return _highest("columns of the longest line", count, LONGEST_LINE)


def measure_skipped_formats(files: list[Source]) -> Measure:
    worst = [f"{source.path}:{n}" for source in files for n in skipped_formats(source)]
    return _none("`# fmt: skip` beside matrices", worst)


def measure_readme(root: Path) -> Measure:
    return _highest("words in README", {"README.md": _words(root / "README.md")}, 900)


def measure_decisions(root: Path) -> Measure:
    notes = sorted((root / "docs" / "decisions").glob("[0-9]*.md"))
    count = {note.name: _words(note) for note in notes}
    return _highest("words in the longest decision note", count, 400)


def measure_rooms_unexplained(files: list[Source]) -> Measure:
    rooms = [source for source in files if Path(source.path).name == "__init__.py"]
    worst = [room.path for room in rooms if docstring_of(room.tree) is None]
    return _none("rooms whose __init__ explains nothing", worst)


def _words(path: Path) -> int:
    return len(path.read_text().split())


def _none(name: str, worst: list[str]) -> Measure:
    return Measure(name, len(worst), 0, tuple(worst))


def _highest(name: str, count: dict[str, int], limit: int) -> Measure:
    return Measure(name, max(count.values()), limit, _above(count, limit))


def _above(count: dict[str, int] | dict[str, float], limit: int) -> tuple[str, ...]:
    """Highest first."""
    over = sorted((-n, name) for name, n in count.items() if n > limit)
    return tuple(f"{name}: {-n}" for n, name in over)


def measure_house(root: Path = ROOT) -> list[Measure]:
    package = sources(root / "src" / PACKAGE, root)
    code = [source for name in CODE_FOLDERS for source in sources(root / name, root)]
    places = [place for source in package for place in functions(source)]
    of_places: list[Callable[[list[Place]], Measure]] = [
        measure_functions,
        measure_functions_whole,
        measure_complexity,
        measure_parameters,
        measure_participles,
    ]
    of_files = [
        measure_folders,
        measure_files,
        measure_tokens,
        measure_cycles,
        measure_rooms_unexplained,
    ]
    return [
        *(measure(package) for measure in of_files),
        *(measure(places) for measure in of_places),
        measure_long_lines(code),
        measure_skipped_formats(code),
        measure_readme(root),
        measure_decisions(root),
    ]


def table(measures: list[Measure]) -> str:
    rows = [f"{'':38} {'found':>7} {'limit':>6}"]
    for one in measures:
        verdict = "" if one.holds else "  BROKEN"
        rows.append(f"{one.name:38} {one.found:>7g} {one.limit:>6g}{verdict}")
    return "\n".join(rows)


def offenders(measures: list[Measure], most: int = 20) -> str:
    """What breaks each limit that is broken, the worst first."""
    rows = []
    for one in measures:
        if one.holds:
            continue
        rows.append(f"\n{one.name} (limit {one.limit:g}): {len(one.worst)}")
        rows.extend(f"  {name}" for name in one.worst[:most])
        if len(one.worst) > most:
            rows.append(f"  and {len(one.worst) - most} more (--all)")
    return "\n".join(rows)


def main(words: list[str]) -> int:
    measures = measure_house()
    most = sys.maxsize if "--all" in words else 20
    print(table(measures))
    print(offenders(measures, most))
    return int(not all(one.holds for one in measures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
