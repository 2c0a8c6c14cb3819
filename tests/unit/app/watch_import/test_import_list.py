"""Lists of urlwatch and changedetection.io: what is taken over, and that nothing is dropped
silently.
"""

from __future__ import annotations

import json
import re
import stat
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from trapline.app.settings import settings_from
from trapline.app.watch_import.import_list import ImportReport, import_list
from trapline.core.errors import UserMistake

DATA = Path(__file__).parents[3] / "data/imports"
SECRET = "hunter2secret"


def imported(path: Path, tmp_path: Path) -> tuple[dict[str, Any], ImportReport]:
    """(settings as written, report)"""
    out = tmp_path / "pages.toml"
    report = import_list(path, out)
    return tomllib.loads(out.read_text()), report


def pages_in(settings: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {page["url"]: page for page in settings["watch"]["pages"]}


def test_urlwatch(tmp_path: Path) -> None:
    settings, report = imported(DATA / "urls.yaml", tmp_path)
    pages = pages_in(settings)
    assert pages["https://tool.example.org/releases"] == {
        "url": "https://tool.example.org/releases",
        "name": "Releases of a tool",
        "tags": ["software", "weekly"],
        "select": ['(//a[@class="tag"])[position() > 0 and position() <= 1]'],
    }
    tea = pages["https://shop.example.org/tea"]
    assert tea["select"] == ["div.offers span.price"]
    assert tea["ignore"] == ["a.ad"]
    assert tea["ignore_text"] == [
        "(?i)^(?!.*(?:price)).*$",
        r".*(?:Seen \d+ times).*",
        r"\s*session=\w+",
    ]
    assert pages["https://old.example.org/"]["select"] == ['[id="main"]']
    assert pages["https://old.example.org/"]["ignore_text"] == [".*(?:advert).*"]
    lost = [[word.split(" (")[0] for word in page.lost] for page in report.pages]
    assert lost[1] == [
        "filter re.sub",
        "filter sort",
        "user_visible_url",
        "max_tries",
        "headers",
    ]
    left_out = [page.left_out for page in report.pages]
    assert [bool(why) for why in left_out] == [False] * 3 + [True] * 4
    assert "shell" in left_out[3] and "browser" in left_out[4]
    assert "above" in left_out[5] and "ftp" in left_out[6]


def test_what_is_not_taken_over_stands_beside_the_page(tmp_path: Path) -> None:
    import_list(DATA / "urls.yaml", tmp_path / "pages.toml")
    text = (tmp_path / "pages.toml").read_text()
    assert "# not taken over: filter sort" in text
    assert SECRET not in text, "secrets of requests are not copied"


def test_changedetection(tmp_path: Path) -> None:
    settings, report = imported(DATA / "url-watches.json", tmp_path)
    tea = pages_in(settings)["https://shop.example.org/tea"]
    assert tea["name"] == "Tea shop"
    assert tea["tags"] == ["Shopping"]
    assert tea["select"] == [".price", "//div[@id='stock']"]
    assert tea["ignore"] == ["header", "footer"]
    assert tea["ignore_text"] == [
        r"(?i).*(?:Last\ seen).*",
        r"(?i).*(?:visitors: \d+).*",
    ]
    assert tea["at_most"] == "9000s"
    lost = " ".join(report.pages[0].lost)
    for word in ("json", "notification_urls", "fetch_backend", "group Shopping"):
        assert word in lost
    news = pages_in(settings)["https://news.example.org/"]
    assert news == {"url": "https://news.example.org/", "tags": ["old", "news"]}
    lost_too = ["sort_text_alphabetically", "a_key_of_tomorrow", "filter_text_added"]
    assert report.pages[1].lost == lost_too
    assert report.pages[2].left_out == "it is paused"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Now IN STOCK\nat 3 EUR", True),
        ("It was in stock\nand is SOLD OUT", False),
        ("To come", False),
    ],
)
def test_conditions_mean_the_same(text: str, told: bool, tmp_path: Path) -> None:
    settings, _ = imported(DATA / "url-watches.json", tmp_path)
    only_if = pages_in(settings)["https://shop.example.org/tea"]["only_if"]
    assert (re.search(only_if, text, re.MULTILINE) is not None) is told


def test_services_are_told_as_before_and_never_shown(tmp_path: Path) -> None:
    settings, report = imported(DATA / "url-watches.json", tmp_path)
    assert settings["output"]["changes"] == [f"json://127.0.0.1:8025/{SECRET}"]
    assert report.notify == 1 and len(report.notify_lost) == 1
    assert SECRET not in json.dumps(report.as_dict())
    mode = stat.S_IMODE((tmp_path / "pages.toml").stat().st_mode)
    assert mode == 0o600, "the file holds secrets"


def test_a_folder_and_a_backup_of_newer_versions(tmp_path: Path) -> None:
    old = json.loads((DATA / "url-watches.json").read_text())
    data = tmp_path / "data"
    for uuid, watch in old.pop("watching").items():
        (data / uuid).mkdir(parents=True)
        (data / uuid / "watch.json").write_text(json.dumps(watch))
    (data / "changedetection.json").write_text(json.dumps(old))
    backup = tmp_path / "backup.zip"
    with zipfile.ZipFile(backup, "w") as archive:
        for path in data.rglob("*.json"):
            archive.write(path, path.relative_to(data))
    expected = pages_in(imported(DATA / "url-watches.json", tmp_path)[0])
    for number, source in enumerate((data, backup)):
        place = tmp_path / str(number)
        place.mkdir()
        assert pages_in(imported(source, place)[0]) == expected


def test_an_exported_list(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("https://a.example.org/ tea, shop\n\nhttps://b.example.org/x\n")
    assert pages_in(imported(path, tmp_path)[0]) == {
        "https://a.example.org/": {
            "url": "https://a.example.org/",
            "tags": ["tea", "shop"],
        },
        "https://b.example.org/x": {"url": "https://b.example.org/x"},
    }


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("a.yaml", "- url: x\n", "not a list of urlwatch"),
        ("a.yaml", "url: [", "not YAML"),
        ("a.yaml", "command: ls\n", "no page to watch"),
        ("a.json", "{", "not JSON"),
        ("a.json", "{}", "no watch in"),
        ("a.ini", "", "wanted is urls.yaml"),
        ("a.zip", "", "cannot read"),
    ],
)
def test_other_files_are_one_line(
    name: str, text: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UserMistake, match=hint) as mistake:
        import_list(tmp_path / name, tmp_path / "out.toml")
    assert "\n" not in str(mistake.value)
    assert not (tmp_path / "out.toml").exists()


def test_what_watch_would_refuse_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "urls.yaml"
    path.write_text(
        "url: http://a.example.org/\nfilter:\n  - css: 'p[['\n  - grepv: x\n"
    )
    settings, report = imported(path, tmp_path)
    [page] = settings["watch"]["pages"]
    assert "select" not in page and page["ignore_text"]
    assert "select" in report.pages[0].lost[0]


@pytest.mark.parametrize("name", ["urls.yaml", "url-watches.json"])
def test_what_is_written_are_settings(name: str, tmp_path: Path) -> None:
    settings, _ = imported(DATA / name, tmp_path)
    read = settings_from("test", settings)
    assert [page.url for page in read.watch.pages] == list(pages_in(settings))


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "pages.toml"
    out.write_text("mine")
    with pytest.raises(UserMistake, match="--out"):
        import_list(DATA / "urls.yaml", out)
    assert out.read_text() == "mine"
    with pytest.raises(UserMistake, match="no file"):
        import_list(tmp_path / "missing.yaml", tmp_path / "other.toml")


def test_without_yaml_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(UserMistake, match=r"pip install trapline\[import\]"):
        import_list(DATA / "urls.yaml", tmp_path / "pages.toml")


def watch_of(tmp_path: Path, watch: dict[str, Any], **settings: Any) -> Path:
    path = tmp_path / "url-watches.json"
    watch = {"url": "http://a.example.org/", **watch}
    path.write_text(json.dumps({"watching": {"1": watch}, "settings": settings}))
    return path


def test_rules_for_all_pages_are_taken_over(tmp_path: Path) -> None:
    path = watch_of(
        tmp_path,
        {"ignore_text": ["own"], "time_between_check_use_default": True},
        requests={"time_between_check": {"hours": 3}, "proxy": f"http://{SECRET}"},
        application={
            "global_ignore_text": ["visits"],
            "global_subtractive_selectors": ["nav"],
            "fetch_backend": "html_webdriver",
        },
    )
    settings, report = imported(path, tmp_path)
    watch = settings_from("test", settings).watch
    assert watch.at_most == "10800s" and watch.ignore == ["nav"]
    assert watch.ignore_text == ["(?i).*(?:visits).*"]
    assert watch.pages[0].ignore_text == ["(?i).*(?:own).*", "(?i).*(?:visits).*"]
    assert "at_most" not in settings["watch"]["pages"][0]
    assert [lost.split()[0] for lost in report.for_all.lost] == [
        "proxy",
        "fetch_backend",
    ]
    assert SECRET not in (tmp_path / "pages.toml").read_text()


@pytest.mark.parametrize("said", [{}, {"time_between_check_use_default": False}])
def test_an_interval_of_older_files_counts(
    said: dict[str, Any], tmp_path: Path
) -> None:
    path = watch_of(tmp_path, {"time_between_check": {"minutes": 5}, **said})
    [page] = imported(path, tmp_path)[0]["watch"]["pages"]
    assert page["at_most"] == "300s"


@pytest.mark.parametrize(
    "url", ["http://a.org/{% now 'utc' %}", "http://a.org/{{ x }}"]
)
def test_a_template_is_no_page(url: str, tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="template"):
        imported(watch_of(tmp_path, {"url": url}), tmp_path)


def test_the_source_of_a_page_is_not_watched_but_the_page_is(tmp_path: Path) -> None:
    path = watch_of(tmp_path, {"url": "source:http://a.example.org/x"})
    settings, report = imported(path, tmp_path)
    assert list(pages_in(settings)) == ["http://a.example.org/x"]
    assert "source" in report.pages[0].lost[0]


def test_what_reaches_across_lines_is_lost_and_said(tmp_path: Path) -> None:
    path = tmp_path / "urls.yaml"
    path.write_text(
        "url: http://a.example.org/\nfilter:\n"
        "  - re.sub: 'a\\nb'\n  - re.sub: {pattern: \"c\\nd\"}\n  - re.sub: 'e[^\\n]*'\n"
    )
    settings, report = imported(path, tmp_path)
    assert settings["watch"]["pages"][0]["ignore_text"] == [r"e[^\n]*"]
    assert [lost.count("line by line") for lost in report.pages[0].lost] == [1, 1]


def test_it_is_said_where_a_file_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("a: 1\nnot: [yaml\n")
    with pytest.raises(UserMistake, match=r"not YAML: what stands in line 3, column 1"):
        import_list(path, tmp_path / "out.toml")


@pytest.mark.parametrize(
    ("watch", "lost"),
    [
        ({"time_between_check": {"minutes": "x"}}, "time_between_check"),
        ({"time_between_check": "hourly"}, "time_between_check"),
        ({"time_schedule_limit": "never"}, ""),
        ({"tags": 7, "title": ["x"]}, ""),
    ],
)
def test_values_of_other_types(watch: Any, lost: str, tmp_path: Path) -> None:
    path = watch_of(tmp_path, watch, application=[1], requests="x")
    _, report = imported(path, tmp_path)
    assert lost in " ".join(report.pages[0].lost)


def test_numbers_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "urls.yaml"
    path.write_text(
        'url: http://a.example.org/\nfilter:\n  - xpath: {path: //p, skip: "two"}\n'
    )
    settings, report = imported(path, tmp_path)
    assert settings["watch"]["pages"][0]["select"] == ["//p"]
    assert "skip" in report.pages[0].lost[0]
