"""Rules of watched pages, end to end: what is read, what is told, and lists that change."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import crumbs, said, started, trapline, wait_until
from tests.e2e.support.forks import Forked
from tests.e2e.support.site import Site


def page(price: str, advert: str = "Buy tea!", stock: str = "sold out") -> str:
    return (
        "<html><head><title>Tea shop</title></head><body>"
        f"<div class=advert><p>{advert}</p></div><h1>Green tea from the hills</h1>"
        f"<p>Price: <span class=price>{price}</span></p><p class=stock>{stock}</p>"
        "<p>It grows where the air is thin, and it is picked by hand in the spring.</p>"
        "</body></html>"
    )


class Watch:
    """A watch under way: its list, and what it has told so far."""

    def __init__(self, folder: Path, site: Site, rules: str = "") -> None:
        self.site = site
        self.folder = folder / "w"
        self.list = folder / "list.txt"
        self.changes = folder / "changes.jsonl"
        self.toml = folder / "s.toml"
        self.toml.write_text(
            f'[manners]\nown = {{ "{site.host}" = 0.0 }}\n[budget]\nvisits = "40/s"\n{rules}'
        )

    def write(self, *lines: str) -> None:
        self.list.write_text(
            "".join(f"{self.site.url()[:-1]}{line}\n" for line in lines)
        )

    @contextmanager
    def running(self, *words: str) -> Iterator[Forked]:
        command = ("watch", self.list, self.toml, "--dir", self.folder, *words)
        with started(*command, "--changes", self.changes) as robot:
            yield robot

    def told(self) -> list[dict[str, Any]]:
        if not self.changes.exists():
            return []
        return [json.loads(line) for line in self.changes.read_text().splitlines()]

    def turns(self, path: str) -> list[str]:
        return [line["turn"] for line in self.told() if line["url"].endswith(path)]

    def settle(self, path: str) -> None:
        """Until the page was visited since now, and what that taught is told."""
        asked = self.site.asked
        before = len(self.site.visits(path))
        wait_until(lambda: len(self.site.visits(path)) >= before + 3)
        assert asked


def test_only_what_is_selected_counts_and_what_is_ignored_does_not(
    tmp_path: Path,
) -> None:
    paths = ("/css", "/xpath", "/ignore", "/text", "/all")
    with Site({path: page("3.50") for path in paths}) as site:
        watch = Watch(tmp_path, site)
        watch.write(
            "/css Tea select=span.price tags=shop,tea",
            "/xpath select=\"//span[@class='price']\"",
            "/ignore ignore=.advert ignore=.stock",
            '/text ignore_text="Buy \\w+!" ignore_text="(?i)sold OUT"',
            "/all",
        )
        with watch.running():
            wait_until(lambda: len(watch.told()) == 5)
            assert {line["turn"] for line in watch.told()} == {"new"}
            for path in paths:
                site.pages[path] = page("3.50", advert="Buy coffee!", stock="")
            wait_until(lambda: watch.turns("/all") == ["new", "changed"])
            for path in paths:
                watch.settle(path)
            assert [watch.turns(path) for path in paths[:4]] == [["new"]] * 4
            for path in paths:
                site.pages[path] = page("4.50", advert="Buy coffee!", stock="")
            wait_until(lambda: {watch.turns(path)[-1] for path in paths} == {"changed"})
        last = {line["url"]: line for line in watch.told()}
        css = last[site.url("/css")]
        assert (css["name"], css["tags"]) == ("Tea", ["shop", "tea"])
        assert (css["added"], css["removed"]) == (1, 1)
        texts = exported(watch.folder)
        assert texts[site.url("/css")]["text"] == "4.50"
        assert texts[site.url("/xpath")]["text"] == "4.50"
        assert "coffee" not in texts[site.url("/ignore")]["text"]
        assert "thin" in texts[site.url("/ignore")]["text"]


def read_until(robot: Forked, text: str) -> str:
    """What it has said on its standard error, up to the line that has this text."""
    said = ""
    while text not in said:
        line = robot.stderr.readline()
        assert line, said
        said += line
    return said


def exported(folder: Path) -> dict[str, dict[str, Any]]:
    done = trapline("export", folder, "--jsonl", "--out", "-")
    assert done.returncode == 0, done.stderr
    return {one["url"]: one for one in map(json.loads, done.stdout.splitlines())}


def test_conditions_thresholds_and_limits(tmp_path: Path) -> None:
    paths = ("/only", "/large", "/limit")
    with Site({path: page("12,50 EUR") for path in paths}) as site:
        watch = Watch(tmp_path, site)
        watch.write(
            '/only select=.stock only_if="in stock"',
            "/large threshold=4",
            '/limit number="Price: (\\S+)" below=10',
        )
        with watch.running():
            wait_until(lambda: len(watch.told()) == 3)
            for path in paths:
                site.pages[path] = page("11,00 EUR", stock="out of stock")
            for path in paths:
                watch.settle(path)
            assert len(watch.told()) == 3, "nothing of it is told"
            for path in paths:
                site.pages[path] = page(
                    "9,99 EUR", stock="12 are in stock now, be quick"
                )
            wait_until(lambda: len(watch.told()) == 6)
            assert {line["turn"] for line in watch.told()[3:]} == {"changed"}
            remarks = {line["remark"] for line in watch.told()[3:]}
            assert remarks == {"", "number 11 → 9.99, below 10"}
            site.pages["/limit"] = page("8,00 EUR")
            site.pages["/only"] = page("8,00 EUR", stock="gone")
            for path in paths:
                watch.settle(path)
            assert len(watch.told()) == 6, (
                "it was below before, and nothing is in stock"
            )
        assert exported(watch.folder)[site.url("/limit")]["fields"] == {"number": 8.0}


def test_a_selector_that_matches_nothing_is_trouble(tmp_path: Path) -> None:
    with Site({"/a": page("3.50"), "/b": page("3.50")}) as site:
        watch = Watch(tmp_path, site)
        watch.write("/a select=.cost", "/b select=.price")
        with watch.running() as robot:
            wait_until(lambda: watch.turns("/b") == ["new"])
            wait_until(lambda: site.visits("/a") != [])
            watch.settle("/b")
            robot.send_signal(signal.SIGINT)
            _, errors = robot.communicate(60.0)
        assert "Nothing is held of" in errors
        why = said(trapline("why", watch.folder, site.url("/a"), "--json"))
        assert "select matched nothing: .cost" in json.dumps(why)
        [trouble] = [line for line in watch.told() if line["url"].endswith("/a")]
        assert trouble["turn"] == "failing"
        assert trouble["remark"] == "select matched nothing: .cost"


def feed(*titles: str) -> str:
    items = (
        f"<item><title>{title}</title><link>/{title}</link></item>" for title in titles
    )
    return f"<rss><channel>{''.join(items)}</channel></rss>"


def sitemap(*paths: str) -> str:
    pages = (f"<url><loc>http://a.org/{path}</loc></url>" for path in paths)
    return f"<urlset>{''.join(pages)}</urlset>"


def test_feeds_sitemaps_and_texts_are_told_line_by_line(tmp_path: Path) -> None:
    before = {
        "/feed.xml": feed("Moon", "Sun"),
        "/map.xml": sitemap("moon", "sun"),
        "/data.xml": "<shop>\n<tea>3</tea>\n<coffee>4</coffee>\n</shop>",
        "/data.csv": "tea,3\ncoffee,4\nSeen 17 times",
        "/data.txt": "Tea is hot.\nCoffee is, too.\nSeen 17 times",
    }
    after = {
        "/feed.xml": feed("Mars", "Moon", "Sun"),
        "/map.xml": sitemap("moon", "sun", "mars"),
        "/data.xml": before["/data.xml"].replace("3", "5"),
        "/data.csv": "tea,5\ncoffee,4\nSeen 18 times",
        "/data.txt": "Tea is cold.\nCoffee is, too.\nSeen 18 times",
    }
    with Site(dict(before)) as site:
        watch = Watch(tmp_path, site, '[watch]\nignore_text = ".*Seen.*"\n')
        watch.write(*before)
        with watch.running():
            wait_until(lambda: len(watch.told()) == 5)
            site.pages.update(after)
            wait_until(lambda: len(watch.told()) == 10)
        turns = {line["turn"] for line in watch.told()[:5]}
        assert turns == {"new"}
        diffs = {
            line["url"].removeprefix(site.url()): line["diff"]
            for line in watch.told()[5:]
        }
        assert diffs == {
            "feed.xml": [f"+ Mars {site.url('/Mars')}"],
            "map.xml": ["+ http://a.org/mars"],
            "data.xml": ["- <tea>3</tea>", "+ <tea>5</tea>"],
            "data.csv": ["- tea,3", "+ tea,5"],
            "data.txt": ["- Tea is hot.", "+ Tea is cold."],
        }


def test_listed_pages_are_watched_as_they_are(tmp_path: Path) -> None:
    def closed(text: str) -> str:
        return page(text).replace("<head>", "<head><meta name=robots content=noindex>")

    def copy(text: str) -> str:
        return page(text).replace("<head>", "<head><link rel=canonical href=/a>")

    with Site({"/a": page("1"), "/closed": closed("2"), "/copy": page("3")}) as site:
        watch = Watch(tmp_path, site)
        watch.write("/a", "/closed", "/copy")
        with watch.running():
            wait_until(lambda: len(watch.told()) == 3)
            site.pages["/copy"] = copy("4")
            site.pages["/closed"] = closed("5")
            wait_until(lambda: len(watch.told()) == 5)
            for path in ("/a", "/closed", "/copy"):
                watch.settle(path)
        assert [watch.turns(path) for path in ("/a", "/closed", "/copy")] == [
            ["new"],
            ["new", "changed"],
            ["new", "changed"],
        ]
        assert len(exported(watch.folder)) == 3


def test_what_cannot_be_read_is_told_at_once(tmp_path: Path) -> None:
    paths = ("/a.bin", "/a.png", "/a.pdf", "/a", "/b")
    with Site(dict.fromkeys(paths[:3], "\0\1")) as site:
        site.pages |= {"/a": page("3.50"), "/b": page("3.50")}
        watch = Watch(tmp_path, site)
        watch.write(*paths[:4], '/b ignore_text=".+"')
        with watch.running():
            wait_until(lambda: len(watch.told()) == 5)
        remarks = {
            line["url"].removeprefix(site.url()): (line["turn"], line["remark"])
            for line in watch.told()
        }
        assert remarks == {
            "a.bin": (
                "failing",
                "it cannot be read: content type application/octet-stream",
            ),
            "a.png": ("failing", "it cannot be read: content type image/png"),
            "a.pdf": (
                "failing",
                "it cannot be read: application/pdf: broken or locked",
            ),
            "a": ("new", ""),
            "b": ("failing", "the rules leave nothing of it"),
        }


def test_the_list_changes_while_it_is_watched(tmp_path: Path) -> None:
    with Site({path: page("3.50") for path in ("/a", "/b", "/c")}) as site:
        watch = Watch(tmp_path, site)
        watch.write("/a", "/b Old name")
        with watch.running() as robot:
            wait_until(lambda: len(watch.told()) == 2)
            watch.write("/b New name select=.price at_most=1d", "/c")
            wait_until(lambda: watch.turns("/c") == ["new"])
            asked = len(site.visits("/a"))
            watch.settle("/b")
            watch.settle("/c")
            assert len(site.visits("/a")) <= asked + 1, "one may have been under way"
            assert watch.turns("/b") == ["new"], "new rules are no change of the page"
            watch.write("/b New name select=..price", "/c")
            errors = read_until(robot, "stays in force")
            site.pages["/b"] = page("4.00", advert="New")
            wait_until(lambda: watch.turns("/b") == ["new", "changed"])
            assert watch.told()[-1]["name"] == "New name"
            robot.send_signal(signal.SIGINT)
            robot.communicate(60.0)
        assert "1 new page, 1 gone, 1 with other rules; 2 pages watched" in errors
        assert (
            "list.txt, line 1: select, entry 1: '..price' is not a CSS selector"
            in errors
        )
        assert exported(watch.folder)[site.url("/b")]["text"] == "4.00"


def test_other_settings_that_change_meanwhile_are_said(tmp_path: Path) -> None:
    with Site({path: page("3.50") for path in ("/a", "/b")}) as site:
        watch = Watch(tmp_path, site)
        watch.write("/a")
        with watch.running() as robot:
            wait_until(lambda: len(watch.told()) == 1)
            text = watch.toml.read_text()
            watch.toml.write_text(f"# the same\n{text.replace('40/s', '30/s')}")
            errors = read_until(robot, "count from the next start")
            watch.toml.write_text(watch.toml.read_text() + "# nothing new\n")
            watch.settle("/a")
            watch.write("/a", "/b")
            errors += read_until(robot, "the list has changed")
            robot.send_signal(signal.SIGINT)
            robot.communicate(60.0)
        assert "Watching 1 page into" in errors
        assert "other settings have changed (budget.visits): they" in errors
        assert errors.count("have changed") == errors.count("has changed") == 1
        assert "1 new page, 0 gone, 0 with other rules; 2 pages watched" in errors


def test_pages_of_the_settings_intervals_and_redirects(tmp_path: Path) -> None:
    pages = {path: page("3.50") for path in ("/seldom", "/often", "/there")}
    with Site(pages) as site:
        site.pages["/moved"] = site.url("/there")
        watch = Watch(
            tmp_path,
            site,
            '[watch]\nselect = ".price"\n'
            f'[[watch.pages]]\nurl = "{site.url("/seldom")}"\nat_least = "1h"\n'
            f'[[watch.pages]]\nurl = "{site.url("/often")}"\nselect = "h1"\n'
            f'[[watch.pages]]\nurl = "{site.url("/moved")}"\nselect = ".stock"\n'
            'name = "Moved"\n',
        )
        words = ("watch", watch.toml, "--dir", watch.folder, "--changes", watch.changes)
        with started(*words) as robot:
            wait_until(lambda: len(watch.told()) == 3)
            wait_until(lambda: len(site.visits("/often")) > 10)
            assert site.visits("/seldom") == [200], "not again within an hour"
            site.pages["/there"] = page("3.50", stock="12 left")
            wait_until(lambda: watch.turns("/there") == ["new", "changed"])
            robot.send_signal(signal.SIGINT)
            robot.communicate(60.0)
        texts = {url: one["text"] for url, one in exported(watch.folder).items()}
        assert texts == {
            site.url("/seldom"): "3.50",
            site.url("/often"): "Green tea from the hills",
            site.url("/there"): "12 left",
        }
        moved = [one["name"] for one in watch.told() if one["url"].endswith("/there")]
        assert moved == ["Moved", "Moved"], "its rules and its name go along at once"


def test_listed_pages_that_have_moved(tmp_path: Path) -> None:
    with Site({"/there": page("3.50")}) as site:
        site.pages["/moved"] = site.url("/there")
        site.pages["/lost"] = site.url("/nowhere")
        site.pages["/same"] = site.url("/same")
        watch = Watch(tmp_path, site)
        watch.write("/moved Tea", "/lost Cake tags=food", "/same Bread")
        with watch.running() as robot:
            wait_until(lambda: len(watch.told()) == 3)
            robot.send_signal(signal.SIGINT)
            said = robot.communicate(60.0)[1]
        told = {
            one["url"].rpartition("/")[2]: (one["turn"], one["name"], one["tags"])
            for one in watch.told()
        }
        assert told == {
            "there": ("new", "Tea", []),
            "nowhere": ("failing", "Cake", ["food"]),
            "same": ("failing", "Bread", []),
        }
        assert f"Nothing is held of {site.url('/moved')}" not in said
        lost = f"{site.url('/lost')}, which has moved to {site.url('/nowhere')}"
        assert f"Nothing is held of {lost}: 404 Not Found." in said
        found = trapline("diff", watch.folder, site.url("/moved"))
        assert f"{site.url('/moved')} has moved here." in found.stdout, found.stderr


def test_only_pages_with_a_tag(tmp_path: Path) -> None:
    with Site({path: page("3.50") for path in ("/a", "/b")}) as site:
        watch = Watch(tmp_path, site)
        watch.write("/a tags=shop", "/b")
        with watch.running("--tag", "shop"):
            wait_until(lambda: len(site.visits("/a")) > 2)
        assert site.visits("/b") == []


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("select=div[", "line 1: select, entry 1: 'div[' is not a CSS selector"),
        ("select=//p[", "line 1: select, entry 1: '//p[' is not an XPath expression"),
        (
            "ignore_text=(a",
            "line 1: ignore_text, entry 1: '(a' is not a regular expression",
        ),
        ("number=(a)(b)", "several groups"),
        ("slect=h1", "did you mean select=?"),
        ("at_least=soon", "an interval like 10min"),
        ("at_least=2d at_most=1d", "at_least is longer than at_most"),
        ("threshold=much", "like 5 or 2%"),
        ("above=ten", "above: it must be a number"),
        ("above=10", "line 1: above and below need number"),
        ("select=div .price", 'put it in quotation marks: select="div .price"'),
        ('select="h1', "a quotation mark is not closed"),
        (f"only_if={'a' * 501}", "longer than 500 letters"),
    ],
)
def test_mistakes_are_one_line_and_write_nothing(
    line: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "list.txt").write_text(f"http://127.0.0.1:3/ A page {line}\n")
    done = trapline("watch", tmp_path / "list.txt", "--dir", tmp_path / "w")
    assert done.returncode == 2, done.stderr
    assert hint in done.stderr
    assert done.stderr.count("\n") == 1
    assert crumbs(tmp_path / "w") == []


@pytest.mark.parametrize(
    ("toml", "hint"),
    [
        ('[watch]\nselekt = "h1"', "did you mean watch.select?"),
        (
            '[[watch.pages]]\nurl = "http://127.0.0.1:3/"\nselect = "a["',
            "watch.pages, entry 1",
        ),
        ('[[watch.pages]]\nurl = "ftp://x/"', "watch.pages, entry 1, url"),
        (
            "[[extract]]\nfields = {}",
            "extract, entry 1, fields: it must be a table with entries",
        ),
        ('[[extract]]\nfields = { a = "b[" }', "'b[' is not a CSS selector"),
        ('[[extract]]\nfields = { number = "b" }', "'number' is no name of a field"),
        ('[[extract]]\npages = ["x"]\nfields = { a = "b" }', "begins with / or *"),
    ],
)
def test_mistakes_in_the_settings(toml: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(f'seeds = ["http://127.0.0.1:3/"]\n{toml}\n')
    done = trapline("watch", tmp_path / "s.toml", "--dir", tmp_path / "w")
    assert done.returncode == 2, done.stderr
    assert hint in done.stderr
    assert done.stderr.count("\n") == 1
    assert crumbs(tmp_path / "w") == []
