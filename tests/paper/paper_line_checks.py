"""What is wrong with a line of a paper: its place, its checks, its numbers, its policies.

Tests are looked up by their syntax trees, so that nothing is collected or run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from trapline.laboratory.results.shipped import SHIPPED, load_shipped
from trapline.laboratory.study.paper_line import (
    FromTable,
    PaperLine,
    Stated,
    Verdict,
    found_at,
)
from trapline.laboratory.study.registry import EXPERIMENTS
from trapline.policies.registry import GROUPS, discovery_class, refresh_class

ROOT = Path(__file__).parents[2]
TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")
CONTRADICT = {Verdict.REPRODUCED: ("fails",), Verdict.REFUTED: ("holds",)}
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def problems(line: PaperLine) -> list[str]:
    found = [
        *_place_problems(line),
        *_check_problems(line),
        *_verdict_problems(line),
        *_number_problems(line),
        *_policy_problems(line),
    ]
    return [f"{line.id}: {problem}" for problem in found]


def _place_problems(line: PaperLine) -> Iterator[str]:
    try:
        found_at(line.where)
    except (ImportError, AttributeError) as error:
        yield f"nothing at {line.where} ({error})"


def _check_problems(line: PaperLine) -> Iterator[str]:
    if not line.check:
        yield "no check"
    for check in line.check:
        test = TEST.fullmatch(check)
        if test is None:
            yield from _experiment_problems(check)
        elif test[2] not in functions_of(test[1]):
            yield f"no test {check}"


def _experiment_problems(check: str) -> Iterator[str]:
    name, _, row = check.partition("#")
    if name not in EXPERIMENTS:
        yield f"{check} is neither a test nor an experiment"
    elif row and name in SHIPPED:
        if row not in {found["id"] for found in load_shipped(name).rows}:
            yield f"{name} has no row {row!r}"
    elif row and row not in row_names(name):
        yield f"nothing that {name} is made of names {row!r}"


def _verdict_problems(line: PaperLine) -> Iterator[str]:
    """A claim that was judged by its numbers is not told otherwise."""
    for check in line.check:
        name, _, row = check.partition("#")
        if row and name in SHIPPED:
            rows = {found["id"]: found for found in load_shipped(name).rows}
            judged = rows.get(row, {}).get("verdict")
            if judged in CONTRADICT.get(line.verdict, ()):
                yield f"{line.verdict}, but {check} {judged}"


def _number_problems(line: PaperLine) -> Iterator[str]:
    """What is typed must be what the tests assert; what is read must be there."""
    if isinstance(line.number, FromTable):
        rows = {row["id"]: row for row in load_shipped(line.number.experiment).rows}
        if rows.get(line.number.row, {}).get(line.number.column) is None:
            yield f"no number in row {line.number.row!r} of {line.number.experiment}"
    elif isinstance(line.number, Stated):
        tests = [test[1] for check in line.check if (test := TEST.fullmatch(check))]
        asserted = {value for path in tests for value in numbers_of(path)}
        for said in NUMBER.findall(line.number.text.replace(",", "")):
            if float(said) not in asserted:
                yield f"no test of it knows the number {said}"


def _policy_problems(line: PaperLine) -> Iterator[str]:
    for policy in line.live.policies:
        group, _, name = policy.partition("/")
        if name not in GROUPS.get(group, {}):
            yield f"no policy {policy}"
        elif group != "fetchers" and _laboratory_only(group, name):
            yield f"{policy} runs in the laboratory only"


def _laboratory_only(group: str, name: str) -> bool:
    kind = refresh_class(name) if group == "refresh" else discovery_class(name)
    return kind.laboratory_only


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


@cache
def functions_of(path: str) -> frozenset[str]:
    if not (ROOT / path).is_file():
        return frozenset()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(one.name for one in _tree(path).body if isinstance(one, kinds))


@cache
def numbers_of(path: str) -> frozenset[float]:
    if not (ROOT / path).is_file():
        return frozenset()
    return frozenset(
        float(node.value)
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    )


@cache
def row_names(experiment: str) -> frozenset[str]:
    """Strings of the files from which an experiment's rows come, with `claim/` and without."""
    folder = ROOT / "src/trapline/laboratory/papers" / experiment.partition("/")[0]
    texts = {
        node.value
        for path in folder.glob("*.py")  # not those of paper_lines/
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return frozenset(texts | {f"claim/{text}" for text in texts})
