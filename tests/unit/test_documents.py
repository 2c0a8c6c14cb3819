"""Documents that cannot fall behind: what exists is named in them, and what they show is run.

Commands, options, settings, policies, errors and metrics must be documented. Python examples are
run, shell commands are parsed, TOML blocks are validated, links and file names are followed. The
tutorials are carried out by `tests/e2e/test_tutorials.py`.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import shlex
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import BaseModel

from tests.documents import DOCUMENTS, ROOT, blocks, name_of, text_of
from tools import policy_pages
from trapline.app.commands.main import app
from trapline.app.folder.metrics import FolderMetrics
from trapline.app.folder.places.shard_metrics import shard_metrics
from trapline.app.settings import Settings, settings_from
from trapline.app.settings_tables import TopicTable
from trapline.app.shards.shard_figures import CrawlFigures
from trapline.core import errors
from trapline.core.errors import UserMistake
from trapline.core.records import Failure
from trapline.policies.registry import (
    GROUPS,
    discovery_class,
    fetcher_class,
    refresh_class,
)
from trapline.stores.united.empty_store import EmptyStore

COMMAND_PAGE = "docs/reference/command-line.md"
SETTINGS_PAGE = "docs/reference/settings.md"
POLICY_PAGE = "docs/reference/policies.md"
ERROR_PAGE = "docs/reference/errors.md"
METRIC_PAGE = "docs/reference/metrics.md"


# The command line


def commands(command: Any, path: str = "trapline") -> Iterator[tuple[str, Any]]:
    """Every command that can be called, by its full name."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
    for name, found in (inner or {}).items():
        yield from commands(found, f"{path} {name}")


COMMANDS = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    text = text_of(COMMAND_PAGE)
    [row] = re.findall(rf"^\| `{name}\b.*$", text, re.MULTILINE)
    assert len(row.split("|")) >= 4
    [section] = re.findall(rf"^### {name}\n(.*?)(?=^##|\Z)", text, re.M | re.S)
    rows = re.findall(r"^\| (`--.*?) \|", section, re.MULTILINE)
    shown = {option for row in rows for option in re.findall(r"`(--[a-z-]+)`", row)}
    real = {
        option
        for one in COMMANDS[name].params
        for option in (*one.opts, *one.secondary_opts)
        if option.startswith("--")
    }
    assert shown == real - {"--help"}


@pytest.mark.parametrize("name", COMMANDS)
def test_defaults_of_options_are_the_real_ones(name: str) -> None:
    [section] = re.findall(
        rf"^### {name}\n(.*?)(?=^##|\Z)", text_of(COMMAND_PAGE), re.M | re.S
    )
    rows = re.findall(r"^\| `(--[a-z-]+)`.*? \| (.*?) \|", section, re.MULTILINE)
    shown = {option: default.strip("`") for option, default in rows}
    numbers = {
        option: one.default
        for one in COMMANDS[name].params
        for option in one.opts
        if isinstance(one.default, int | float) and not isinstance(one.default, bool)
    }
    assert {option: float(shown[option]) for option in numbers} == numbers


SHELL = (">", "|", "&", "2>&1")


def shown_commands() -> list[tuple[str, str]]:
    """(document, command line) of every `trapline …` in a shell block; lines are joined at \\."""
    found = []
    for document in DOCUMENTS:
        name = name_of(document)
        shell = "\n".join(blocks(name, "sh") + blocks(name, ""))
        lines = shell.replace("\\\n", " ").splitlines()
        shown = (
            re.match(r"(?:\$ )?(trapline .*?)\s*(?:#.*)?$", line) for line in lines
        )
        found += [(name, one[1]) for one in shown if one]
    return found


def test_there_are_commands_shown() -> None:
    shown = shown_commands()
    assert len(shown) >= 40
    assert {"README.md", "docs/tutorial/first-crawl.md"} <= {name for name, _ in shown}


@pytest.mark.parametrize(("document", "line"), shown_commands())
def test_commands_that_are_shown_can_be_read(document: str, line: str) -> None:
    said = shlex.split(line)
    # what follows is for the shell
    end = next((place for place, word in enumerate(said) if word in SHELL), len(said))
    words = said[:end]
    length = max(count for count in (2, 3, 4) if " ".join(words[:count]) in COMMANDS)
    # raises for what it does not know
    COMMANDS[" ".join(words[:length])].make_context(words[0], words[length:])


def test_make_targets_that_are_shown_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE))
    text = "\n".join(text_of(name_of(document)) for document in DOCUMENTS)
    shown = re.findall(r"`make ([a-z]+)`|^make ([a-z]+)", text, re.MULTILINE)
    named = {target for pair in shown for target in pair if target}
    assert {"demo", "test", "docs"} <= named
    assert named - targets == set()


# Python in documents


def pages_with(language: str) -> list[str]:
    return [name_of(one) for one in DOCUMENTS if blocks(name_of(one), language)]


def test_there_are_examples() -> None:
    assert len(pages_with("pycon")) >= 5
    assert pages_with("python") == [
        "CONTRIBUTING.md",
        "docs/how-to/feed-a-language-model.md",
        "docs/tutorial/first-experiment.md",
    ]


@pytest.mark.parametrize("page", pages_with("pycon"))
def test_sessions_say_what_they_show(page: str) -> None:
    """All sessions of a page, in order, in one namespace."""
    names: dict[str, Any] = {}
    for example in blocks(page, "pycon"):
        test = doctest.DocTestParser().get_doctest(example, names, page, None, None)
        ran = doctest.DocTestRunner().run(test, clear_globs=False)
        names = test.globs
        assert ran.attempted > 1
        assert not ran.failed


# Settings


def names_in(model: type[BaseModel], path: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        kind = field.annotation
        if inspect.isclass(kind) and issubclass(kind, BaseModel):
            yield from names_in(kind, f"{path}{name}.")
        else:
            yield path + name


def keys_in(table: dict[str, Any], path: str = "") -> Iterator[str]:
    for name, value in table.items():
        yield path + name
        if isinstance(value, dict):
            yield from keys_in(value, f"{path}{name}.")


def test_every_setting_is_in_the_example() -> None:
    [example] = blocks(SETTINGS_PAGE, "toml")
    shown = set(keys_in(tomllib.loads(example)))
    assert set(names_in(Settings)) - shown == set()


def test_the_example_shows_the_defaults() -> None:
    [example] = blocks(SETTINGS_PAGE, "toml")
    shown = settings_from(SETTINGS_PAGE, tomllib.loads(example))
    nobodys: dict[str, object] = {"contact": "", "own": {}, "listed": []}
    unbounded: dict[str, object] = {
        key: [] for key in ("hosts", "include", "exclude", "languages")
    }
    no_rules: dict[str, object] = {"ignore": [], "ignore_text": [], "pages": []}
    own = {
        "topic": TopicTable(),
        "seeds": [],
        "manners": shown.manners.model_copy(update=nobodys),
        "scope": shown.scope.model_copy(update=unbounded),
        "access": {},
        "output": shown.output.model_copy(update={"changes": []}),
        "watch": shown.watch.model_copy(update=no_rules),
        "extract": [],
    }
    assert shown.model_copy(update=own) == Settings()


def test_settings_that_the_notes_name_exist() -> None:
    notes = text_of(SETTINGS_PAGE).partition("## Notes")[2]
    named = set(re.findall(r"`([a-z]+\.[a-z_]+)`", notes))
    assert len(named) > 10
    assert named - set(names_in(Settings)) == set()


@pytest.mark.parametrize("page", pages_with("toml"))
def test_settings_that_are_shown_can_be_read(page: str) -> None:
    for example in blocks(page, "toml"):
        settings_from(page, tomllib.loads(example))


def test_a_wrong_setting_would_be_noticed() -> None:
    with pytest.raises(UserMistake, match="no such setting"):
        settings_from("a page", tomllib.loads("[manners]\ngap = 2.0"))


def test_the_example_of_the_settings_docstring_can_be_read() -> None:
    example = inspect.getdoc(sys.modules[Settings.__module__]) or ""
    indented = example.partition("::\n\n")[2]
    assert "[manners]" in indented
    settings_from("settings.py", tomllib.loads(textwrap.dedent(indented)))


# Errors


def drawn_tree() -> dict[str, str]:
    """Error → the one it is drawn under."""
    parents: dict[str, str] = {}
    above: list[str] = []
    for line in (inspect.getdoc(errors) or "").splitlines():
        found = re.match(r"((?:│   |    )*(?:[├└]── )?)([A-Z]\w+)(?:   .*)?$", line)
        if found and (above or not found[1]):
            above = [*above[: len(found[1]) // 4], found[2]]
            parents[found[2]] = above[-2] if len(above) > 1 else "Exception"
    return parents


def real_tree() -> dict[str, str]:
    return {
        name: kind.__mro__[1].__name__
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and kind.__module__ == errors.__name__
    }


def test_the_drawn_tree_of_errors_is_the_real_one() -> None:
    assert len(real_tree()) > 10
    assert drawn_tree() == real_tree()


def test_every_error_is_documented_under_its_exit_code() -> None:
    _, mistakes, failures, _ = re.split(
        r"^## ", text_of(ERROR_PAGE), flags=re.MULTILINE
    )
    kinds = (errors.UserMistake, errors.EngineFailure)
    for section, parent in zip((mistakes, failures), kinds, strict=True):
        shown = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
        real = [
            name
            for name in real_tree()
            if issubclass(found := getattr(errors, name), parent) and found != parent
        ]
        assert shown == real


def test_every_failure_of_a_visit_is_documented() -> None:
    assert [one for one in Failure if f"`{one}`" not in text_of(ERROR_PAGE)] == []


# Metrics


def test_every_metric_is_documented_and_no_other() -> None:
    text = FolderMetrics(EmptyStore()).text().decode()
    real = {
        f"trapline_{name}" for name in re.findall(r"^# TYPE trapline_(\w+)", text, re.M)
    }
    rows = re.findall(r"^\| `(trapline_\w+)", text_of(METRIC_PAGE), re.MULTILINE)
    of_shards = {one.name for one in shard_metrics(CrawlFigures([], []))}
    assert real | of_shards <= set(rows)
    modules = (FolderMetrics.__module__, shard_metrics.__module__)
    source = "".join(inspect.getsource(sys.modules[name]) for name in modules)
    unknown = [
        row
        for row in rows
        if f'"{row.removeprefix("trapline_")}"' not in source
        and f'"{row.removesuffix("_total")}"' not in source
    ]
    assert unknown == []


# Policies


TOLD = {"most", "capacity", "plans"}


def options_of(kind: Any) -> set[str]:
    """What settings may say of a policy; the rest it is told by whoever builds it."""
    return {
        name
        for name, one in inspect.signature(kind).parameters.items()
        if one.kind not in (one.VAR_POSITIONAL, one.POSITIONAL_ONLY)
        and name not in TOLD
    }


CLASSES: dict[str, Callable[[str], Any]] = {
    "refresh": refresh_class,
    "discovery": discovery_class,
    "fetchers": fetcher_class,
}
# (group, name): one name may stand for the same idea in two groups
EVERY_POLICY = sorted(
    (group, name) for group, names in GROUPS.items() for name in names
)


def explained() -> Iterator[tuple[str, str, str]]:
    """(group, name, row) of the policies that the page explains, below the heading of their group.

    `tools/policy_pages.py` lists all of them.
    """
    group = ""
    for line in text_of(POLICY_PAGE).splitlines():
        if line.startswith("## "):
            group = line.removeprefix("## ").partition(":")[0].lower()
        elif row := re.match(r"\| `([\w-]+)`", line):
            yield group, row[1], line


def test_the_page_on_policies_leaves_none_out() -> None:
    assert sorted((group, name) for group, name, _ in explained()) == EVERY_POLICY


@pytest.mark.parametrize(("group", "name"), EVERY_POLICY)
def test_every_policy_says_what_it_is(group: str, name: str) -> None:
    found = CLASSES[group](name)
    assert (sys.modules[found.__module__].__doc__ or "").startswith(f"{name}: ")


@pytest.mark.parametrize(("group", "name", "row"), list(explained()))
def test_the_page_on_policies_is_true(group: str, name: str, row: str) -> None:
    assert (group, name) in EVERY_POLICY
    found = CLASSES[group](name)
    assert [one[:2] for one in explained()].count((group, name)) == 1
    live = group == "fetchers" or not found.laboratory_only
    if live and len(row.split("|")) == 5:
        assert options_of(found) - set(re.findall(r"`(\w+)`", row)) == set()


def test_the_generated_pages_have_every_policy_of_the_registry() -> None:
    listed = policy_pages.list_of_all()
    reference = policy_pages.api_page()
    for group in GROUPS.values():
        for name, place in group.items():
            assert f"\n| `{name}` | " in listed
            assert f"::: {place.partition(':')[0]}\n" in reference


# Links, file names and addresses

# What readers are told to write.
SHOWN_AS_NEW = {
    "src/trapline/policies/discovery/shallow_first.py",
    "src/trapline/policies/refresh/twice_as_rarely.py",
    "src/trapline/policies/fetchers/half.py",
    "NNNN-short-plain-title.md",
}
# In running text: a file of this repository, with or without its folders.
FILE_NAME = re.compile(r"(?<![\w/.<>-])((?:[\w.-]+/)*[\w-]+\.(?:py|md))(?![\w/-])")


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8"))
    missing = [
        link
        for link in links
        if "://" not in link and not (document.parent / link).exists()
    ]
    assert missing == []


def exists(name: str, folder: Path) -> bool:
    """Whether there is such a file, seen from a folder or from where readers look for it."""
    places = (folder, ROOT, ROOT / "src/trapline", ROOT / "src/trapline/laboratory")
    return any((place / name).is_file() for place in places)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_files_that_documents_name_exist(document: Path) -> None:
    names = set(FILE_NAME.findall(document.read_text(encoding="utf-8"))) - SHOWN_AS_NEW
    assert [name for name in names if not exists(name, document.parent)] == []


def test_file_names_are_found_in_running_text() -> None:
    shown = "See `core/cards.py` (and MISSING.md), http://lab.org/robot.py, a.pyc, my-note.md."
    assert FILE_NAME.findall(shown) == ["core/cards.py", "MISSING.md", "my-note.md"]
    assert not exists("MISSING.md", ROOT)


def docstrings(path: Path) -> Iterator[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, kinds):
            yield ast.get_docstring(node) or ""


@pytest.mark.parametrize(
    "room", sorted((ROOT / "src/trapline").iterdir()), ids=lambda path: path.stem
)
def test_files_that_docstrings_name_exist(room: Path) -> None:
    files = sorted(room.rglob("*.py")) if room.is_dir() else [room]
    missing = [
        (name_of(path), name)
        for path in files
        if path.suffix == ".py"
        for text in docstrings(path)
        for name in FILE_NAME.findall(text)
        if not exists(name, path.parent)
    ]
    assert missing == []


def test_the_readme_is_short() -> None:
    assert len(text_of("README.md").split()) <= 900


@pytest.mark.parametrize(
    "note", sorted((ROOT / "docs/decisions").glob("0*.md")), ids=lambda path: path.stem
)
def test_decision_notes_are_short_and_listed(note: Path) -> None:
    assert len(note.read_text(encoding="utf-8").split()) <= 400
    assert f"]({note.name})" in text_of("docs/decisions/README.md")


def own_files(folder: Path = ROOT) -> Iterator[Path]:
    """All files but those that .gitignore leaves out."""
    ignored = [
        line.strip("/") for line in text_of(".gitignore").splitlines() if line
    ] + [".git"]
    for path in folder.iterdir():
        if not any(fnmatch(path.name, pattern) for pattern in ignored):
            if path.is_dir():
                yield from own_files(path)
            else:
                yield path


def test_no_file_names_a_package_registry() -> None:
    """Where packages come from is the affair of the machine that installs them."""
    # In parts, so that this file does not name them either.
    registries = [
        ".".join(parts)
        for parts in (
            ("pypi", "org"),
            ("pypi", "python", "org"),
            ("pythonhosted", "org"),
            ("anaconda", "org"),
            ("npmjs", "org"),
            ("npmjs", "com"),
            ("yarnpkg", "com"),
            ("crates", "io"),
            ("jsdelivr", "net"),
            ("unpkg", "com"),
            ("pkg", "dev"),
            ("jfrog", "io"),
        )
    ]
    words = [
        *registries,
        "-".join(("index", "url")),
        "".join(("arti", "factory")),
        "".join(("dev", "pi", ".")),
    ]
    files = list(own_files())
    assert ROOT / "constraints.txt" in files and Path(__file__) in files
    found = [
        (str(path.relative_to(ROOT)), word)
        for path in files
        for word in words
        if word.encode() in path.read_bytes().lower()
    ]
    assert found == []
