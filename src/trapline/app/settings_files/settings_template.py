"""The settings file that `trapline init` writes: every setting with its default, explained.

What is commented out with # has the value shown. Lines that begin with ## explain.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from trapline.app.settings import Settings
from trapline.app.settings_files.kept_settings import OWN_FILE, STORE, check_free
from trapline.app.settings_files.toml_text import toml_value
from trapline.core.errors import UserMistake, disk_trouble

_HEAD: Final = """\
## Settings of a crawl or a watch. `trapline crawl --dir DIR` reads this file from DIR.
## A line that begins with # shows a default: remove the # to change it.
## All keys: docs/reference/settings.md
"""
_ACCESS: Final = """\
## What one origin alone is sent; never logged, never stored. "*" takes a proxy for all hosts.
#[access."https://wiki.example.org"]
#headers = { X-Team = "search" }
#cookies = { session = "5f3a" }
#user = "robot"
#password = "secret"
#proxy = "http://127.0.0.1:3128"
"""
# What most people write, so these lines are in force.
_FIRST: Final = ("seeds", "topic.words", "manners.contact")
_SPELT: Final = {"budget.visits": "5/s"}
_NOTES: Final = {
    "seeds": 'where to start: ["https://www.example.org/"]',
    "topic": "what to look for; empty = every page is relevant",
    "topic.words": "a sentence or keywords",
    "topic.examples": "pages, files (relative to this one) or texts",
    "topic.against": "counter-examples, likewise",
    "budget.visits": 'or "600/min", "10000/h", "unlimited"',
    "budget.cost": 'what a visit costs: "visits" (each 1), "bytes" or "seconds"',
    "budget.bytes": 'in place of visits, with cost = "bytes": "500kB/s"',
    "budget.seconds": 'in place of visits, with cost = "seconds": "2s/s"',
    "budget.burst": "visits that may be made at once after a pause",
    "budget.discovery_share": "of contested visits, where prices cannot decide",
    "discovery": "what to fetch for the first time",
    "discovery.follow": "false: only the seeds are visited, again and again",
    "discovery.options": "of the policy",
    "refresh": "when to come back",
    "refresh.demand": "how much more a page is worth that people ask for",
    "refresh.options": "of the policy",
    "output.versions": "texts kept of a page; 0 = 20 of a page on a list, 1 in a crawl",
    "scope": "what belongs to the crawl; nothing = no bound",
    "scope.hosts": '[".example.org"]: the domain and everything below it',
    "scope.include": "patterns of path and query, as in a shell",
    "scope.exclude": '["*/print/*"]',
    "scope.languages": '["en"]',
    "scope.depth": "links from a seed, at most",
    "scope.pages": "held, at most",
    "manners": "how to behave towards the owners of hosts",
    "manners.contact": "your mail address or page: required off this machine",
    "manners.gap_s": "seconds between two visits to a host, at least 1",
    "manners.own": '{ "127.0.0.1:8000" = 0.2 }: hosts of your own, also below 1 s',
    "manners.own_confirmed": "true: public hosts among them are your own, indeed",
    "manners.listed": "hosts that may lie on private addresses",
    "fetchers": "how many requests are under way",
    "fetchers.most": "never more than these",
    "fetchers.queue_room": "answers that may wait for being read",
    "fetchers.options": "of the policy",
    "extract": '[{ pages = ["/product/*"], fields = { price = "span.price" } }]',
    "watch": "rules for all pages of `trapline watch`",
    "watch.select": '["main"]: only these parts count (CSS, or XPath)',
    "watch.ignore": "without these parts",
    "watch.ignore_text": "regular expressions: what matches is left out",
    "watch.only_if": "a regular expression: other texts are not told",
    "watch.threshold": 'words, like "5", or a share, like "2%"',
    "watch.number": "true = the first number, or a regular expression with ( )",
    "watch.above": "told when the number rises above it",
    "watch.below": "told when it falls below it",
    "watch.at_least": '"10min": never visited sooner again',
    "watch.at_most": '"1d": visited at least so often, budget allowing',
    "watch.pages": '[{ url = "https://…", name = "…", select = ["h1"] }]',
    "output": "what is told and recorded besides",
    "output.warc": "record whole answers as WARC files in the folder",
    "output.changes": 'files (.jsonl, .xml, .atom), webhook URLs, "feed"',
}


def settings_template() -> str:
    """The text of the file."""
    values = Settings().model_dump(exclude={"access"})
    # what belongs to no table stands before all of them, and seeds before the rest
    order = sorted(
        values, key=lambda name: (isinstance(values[name], dict), name != "seeds")
    )
    blocks = [_HEAD, *_blocks({name: values[name] for name in order}), _ACCESS]
    return "\n".join(blocks)


def _blocks(values: Mapping[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            lines = [f"[{name}]{_note(name)}"]
            lines += [
                _line(key, f"{name}.{key}", entry) for key, entry in value.items()
            ]
            yield "".join(f"{line}\n" for line in lines)
        else:
            yield _line(name, name, value) + "\n"


def _line(key: str, path: str, value: Any) -> str:
    mark = "" if path in _FIRST else "#"
    return f"{mark}{key} = {toml_value(_SPELT.get(path, value))}{_note(path)}"


def _note(path: str) -> str:
    return f"    # {_NOTES[path]}" if path in _NOTES else ""


def write_template(folder: Path) -> Path:
    """Write the file into a folder, which is made if missing; never over another one."""
    path = folder / OWN_FILE
    check_free(folder)
    if (folder / STORE).exists():
        raise UserMistake(
            f"{folder} holds an engine: `trapline settings {folder}` prints its settings, to be "
            "kept in a file"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(settings_template())
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise UserMistake(_in_the_way(folder, path)) from None
    except OSError as failure:
        raise disk_trouble(folder, failure) from None
    return path


def _in_the_way(folder: Path, path: Path) -> str:
    if path.exists():
        return f"{path} is there already, and it is left as it is: edit it, or remove it first"
    return f"cannot make the folder {folder}: a file is in the way"
