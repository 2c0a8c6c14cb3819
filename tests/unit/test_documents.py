"""Documents that cannot fall behind: what exists is named in them, and what they show is run."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
from pydantic import BaseModel

from trapline.app.commands.main import app
from trapline.app.settings import Settings, TopicTable, settings_from
from trapline.core import errors
from trapline.policies.registry import FETCHERS, POLICIES, fetcher_class, policy_class

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    found = re.findall(
        r"^```(\w*)\n(.*?)^```$", text_of(name), re.MULTILINE | re.DOTALL
    )
    return [block for its_language, block in found if its_language == language]


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
def test_every_command_is_in_the_readme(name: str) -> None:
    [row] = re.findall(rf"^\| `{name}\b.*$", text_of("README.md"), re.MULTILINE)
    options = {
        option
        for one in COMMANDS[name].params
        for option in one.opts
        if option.startswith("--")
    }
    assert (
        options - {"--help", "--browser"} - set(re.findall(r"--[a-z-]+", row)) == set()
    )


def shown_commands() -> list[str]:
    shell = "\n".join(
        blocks("README.md", "sh")
        + blocks("README.md", "")
        + blocks("CONTRIBUTING.md", "sh")
    )
    return re.findall(r"^(?:\$ )?(trapline .*?)\s*(?:#.*)?$", shell, re.MULTILINE)


def test_there_are_commands_shown() -> None:
    assert len(shown_commands()) >= 6


@pytest.mark.parametrize("line", shown_commands())
def test_commands_that_are_shown_can_be_read(line: str) -> None:
    words = shlex.split(line)
    length = max(count for count in (2, 3, 4) if " ".join(words[:count]) in COMMANDS)
    # raises for what it does not know
    COMMANDS[" ".join(words[:length])].make_context(words[0], words[length:])


@pytest.mark.parametrize("example", blocks("README.md", "pycon"))
def test_python_in_the_readme_says_what_it_shows(example: str) -> None:
    ran = doctest.DocTestRunner().run(
        doctest.DocTestParser().get_doctest(example, {}, "README.md", None, None)
    )
    assert ran.attempted > 3
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


def test_every_setting_is_in_the_example_of_the_readme() -> None:
    [example] = blocks("README.md", "toml")
    shown = set(keys_in(tomllib.loads(example)))
    # both tables are alike; one is shown whole
    shown |= {key.replace("refresh.", "discovery.") for key in shown}
    assert set(names_in(Settings)) - shown == set()


def test_the_example_of_the_readme_shows_the_defaults() -> None:
    [example] = blocks("README.md", "toml")
    shown = settings_from("README.md", tomllib.loads(example))
    nobodys: dict[str, object] = {"contact": "", "own": {}, "listed": []}
    unbounded: dict[str, object] = {
        key: [] for key in ("hosts", "include", "exclude", "languages")
    }
    own = {
        "topic": TopicTable(),
        "seeds": [],
        "manners": shown.manners.model_copy(update=nobodys),
        "scope": shown.scope.model_copy(update=unbounded),
        "access": {},
        "output": shown.output.model_copy(update={"changes": []}),
    }
    assert shown.model_copy(update=own) == Settings()


def test_the_example_of_the_settings_docstring_can_be_read() -> None:
    example = inspect.getdoc(sys.modules[Settings.__module__]) or ""
    settings_from("settings.py", tomllib.loads(example.partition("\n\n")[2]))


# Errors and policies


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


def test_the_drawn_tree_of_errors_is_the_real_one() -> None:
    real = {
        name: kind.__mro__[1].__name__
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and kind.__module__ == errors.__name__
    }
    assert len(real) > 10
    assert drawn_tree() == real


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_is_described(name: str) -> None:
    assert f"`{name}`" in text_of("README.md")
    assert f"`{name}`" in text_of("ARCHITECTURE.md")
    module = sys.modules[policy_class(name).__module__]
    assert (module.__doc__ or "").startswith(f"{name}: ")


@pytest.mark.parametrize("name", FETCHERS)
def test_every_fetcher_policy_is_described(name: str) -> None:
    [row] = re.findall(rf"^\| `{name}`.*$", text_of("README.md"), re.MULTILINE)
    assert f"`{name}`" in text_of("ARCHITECTURE.md")
    found = fetcher_class(name)
    assert (sys.modules[found.__module__].__doc__ or "").startswith(f"{name}: ")
    options = set(inspect.signature(found).parameters) - {"most", "capacity", "plans"}
    assert options - set(re.findall(r"`(\w+)`", row)) <= (
        options if "the same" in row else set()
    )


# The policy that CONTRIBUTING shows


def module_from(source: str, path: Path) -> ModuleType:
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_policy_of_contributing_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, test = blocks("CONTRIBUTING.md", "python")
    name, place = re.findall(
        r'^    "([\w-]+)": "([\w.]+:\w+)",$', text_of("CONTRIBUTING.md"), re.MULTILINE
    )[0]
    written = module_from(policy, tmp_path / "shallow_first.py")
    assert doctest.testmod(written) == doctest.TestResults(failed=0, attempted=7)
    monkeypatch.setitem(sys.modules, place.partition(":")[0], written)
    monkeypatch.setitem(POLICIES, name, place)
    tests = module_from(test, tmp_path / "test_shallow_first.py")
    run = [
        function for found, function in vars(tests).items() if found.startswith("test_")
    ]
    assert len(run) == 1
    run[0]()


# Links and addresses


@pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)\)", document.read_text(encoding="utf-8"))
    missing = [
        link
        for link in links
        if "://" not in link and not (document.parent / link).exists()
    ]
    assert missing == []


def test_files_named_in_the_architecture_exist() -> None:
    names = set(
        re.findall(
            r"`((?:\w+/)+\w+\.(?:py|md))`",
            text_of("ARCHITECTURE.md") + text_of("CONTRIBUTING.md"),
        )
    )
    assert len(names) > 20
    places = (ROOT, ROOT / "src/trapline", ROOT / "src/trapline/laboratory")
    shown_as_new = {"src/trapline/policies/discovery/shallow_first.py"}
    assert [
        name
        for name in names - shown_as_new
        if not any((place / name).is_file() for place in places)
    ] == []


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
