"""Rules of robots.txt, compiled: facts that google/robotstxt's tests state, in our words;
properties; bounds.

Left out are its cases on percent-encoding where RFC 9309 says otherwise: there the two spellings of
a letter are one (`/%62ar` is `/bar`), and a path that came unescaped is escaped before it is
compared.
"""

from __future__ import annotations

import re
import zlib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.politeness.robots_groups import lines_for
from trapline.politeness.rule_packing import MOST_BYTES, pack_rules
from trapline.politeness.rules import MOST_STEPS, STEP_S, Rules

SITE = "http://foo.bar"
LONG = "/x/" + "a" * 20_000

# what the file says, whom it is asked for, and what that robot may fetch and may not
FACTS: dict[str, tuple[str, str, list[str], list[str]]] = {
    "a line is a name, a colon and a value": (
        "user-agent: FooBot\ndisallow: /",
        "FooBot",
        [],
        ["/x/y"],
    ),
    "unknown names say nothing": ("foo: FooBot\nbar: /", "FooBot", ["/x/y"], []),
    "the colon may be missing": (
        "user-agent FooBot\ndisallow /",
        "FooBot",
        [],
        ["/x/y"],
    ),
    "rules before any group say nothing, groups of one name are joined": (
        "allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\n"
        "user-agent: BarBot\ndisallow: /\nallow: /y/\n\n\nallow: /w/\n"
        "user-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /",
        "FooBot",
        ["/x/b", "/z/d"],
        ["/y/c", "/foo/bar/"],
    ),
    "empty lines do not end a group": (
        "user-agent: BarBot\ndisallow: /\nallow: /y/\n\n\nallow: /w/\n",
        "BarBot",
        ["/y/c", "/w/a"],
        ["/z/d", "/foo/bar/"],
    ),
    "names one after the other share the rules below": (
        "user-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /",
        "BazBot",
        ["/z/d"],
        ["/foo/bar/"],
    ),
    "a sitemap between two names does not end the group (a stranger)": (
        "User-agent: BarBot\nSitemap: https://foo.bar/s\nUser-agent: *\nDisallow: /",
        "FooBot",
        [],
        ["/"],
    ),
    "a sitemap between two names does not end the group (the first)": (
        "User-agent: BarBot\nSitemap: https://foo.bar/s\nUser-agent: *\nDisallow: /",
        "BarBot",
        [],
        ["/"],
    ),
    "an unknown line between two names does not end the group": (
        "User-agent: FooBot\nInvalid-Unknown-Line: x\nUser-agent: *\nDisallow: /",
        "FooBot",
        [],
        ["/"],
    ),
    "names of lines in any case": (
        "uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /",
        "FooBot",
        ["/x/y"],
        ["/a/b"],
    ),
    "names of robots in any case, up to the first space": (
        "User-Agent: *\nDisallow: /\nUser-Agent: FoO bAr\nAllow: /x/\nDisallow: /",
        "foo",
        ["/x/y"],
        ["/a/b"],
    ),
    "an empty file": ("", "FooBot", ["/x/y"], []),
    "our group counts, not everybody's": (
        "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /",
        "FooBot",
        [],
        ["/x/y"],
    ),
    "everybody's, where none is ours": (
        "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /",
        "BarBot",
        ["/x/y"],
        [],
    ),
    "nothing for us": (
        "user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /",
        "QuxBot",
        ["/x/y"],
        [],
    ),
    "paths are told apart by case": (
        "user-agent: FooBot\ndisallow: /X/",
        "FooBot",
        ["/x/y"],
        ["/X/y"],
    ),
    "the longest decides: it forbids": (
        "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/",
        "FooBot",
        ["/x/"],
        ["/x/page.html"],
    ),
    "the longest decides: it allows": (
        "user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/",
        "FooBot",
        ["/x/page.html"],
        ["/x/"],
    ),
    "empty rules": (
        "user-agent: FooBot\ndisallow: \nallow: ",
        "FooBot",
        ["/x/page.html"],
        [],
    ),
    "of two alike, the one that allows": (
        "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/page.html",
        "FooBot",
        ["/x/page.html"],
        [],
    ),
    "a slash more": (
        "user-agent: FooBot\ndisallow: /x\nallow: /x/",
        "FooBot",
        ["/x/"],
        ["/x"],
    ),
    "a star counts as one letter of length": (
        "user-agent: FooBot\nallow: /page\ndisallow: /*.html",
        "FooBot",
        ["/page"],
        ["/page.html"],
    ),
    "a star counts as one letter of length, longer": (
        "user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html",
        "FooBot",
        ["/x/page.html"],
        ["/x/y.html"],
    ),
    "what only everybody's group forbids": (
        "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/",
        "FooBot",
        ["/x/page"],
        ["/y/page"],
    ),
    "queries stay as they are": (
        "User-agent: FooBot\nDisallow: /\n"
        "Allow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par",
        "FooBot",
        ["/foo/bar?qux=taz&baz=http://foo.bar?tar&par"],
        ["/foo"],
    ),
    "letters beyond ASCII": (
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/ツ",
        "FooBot",
        ["/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"],
        ["/foo/bar/x"],
    ),
    "letters beyond ASCII, escaped": (
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84",
        "FooBot",
        ["/foo/bar/%E3%83%84"],
        ["/foo/bar/"],
    ),
    "a star in the middle": (
        "User-agent: FooBot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux",
        "FooBot",
        ["/foo/quz", "/foo//quz", "/foo/bax/quz"],
        ["/foo/bar/quz"],
    ),
    "a dollar at the end": (
        "User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux",
        "FooBot",
        ["/foo/bar/qux", "/foo/bar/", "/foo/bar/baz"],
        ["/foo/bar"],
    ),
    "comments": (
        "User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /",
        "FooBot",
        ["/foo/bar"],
        ["/foo/quz"],
    ),
    "an index page that is allowed is its folder": (
        "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /",
        "foobot",
        ["/allowed-slash/", "/allowed-slash/index.html"],
        ["/allowed-slash/index.htm", "/anyother-url"],
    ),
    "a line that is too long is cut: it forbids": (
        f"user-agent: FooBot\ndisallow: {LONG}/qux",
        "FooBot",
        ["/fux"],
        [LONG + "/fux"],
    ),
    "a line that is too long is cut: it allows": (
        f"user-agent: FooBot\ndisallow: /\nallow: {LONG}/qux",
        "FooBot",
        [LONG + "/qux", LONG + "/fux"],
        ["/"],
    ),
    "/fish": (
        "user-agent: FooBot\ndisallow: /\nallow: /fish",
        "FooBot",
        ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.html?id=any"],
        ["/bar", "/Fish.asp", "/catfish", "/?id=fish"],
    ),
    "/fish*": (
        "user-agent: FooBot\ndisallow: /\nallow: /fish*",
        "FooBot",
        ["/fish", "/fish.html", "/fishheads/yummy.html", "/fish.html?id=anything"],
        ["/bar", "/Fish.bar", "/catfish", "/?id=fish"],
    ),
    "/fish/": (
        "user-agent: FooBot\ndisallow: /\nallow: /fish/",
        "FooBot",
        ["/fish/", "/fish/salmon", "/fish/?salmon", "/fish/?id=anything"],
        ["/bar", "/fish", "/fish.html", "/Fish/Salmon.html"],
    ),
    "/*.php": (
        "user-agent: FooBot\ndisallow: /\nallow: /*.php",
        "FooBot",
        ["/a.php", "/folder/a.php?p", "//folder/any.php.file.html", "/index?f=a.php/"],
        ["/bar", "/php/", "/index?php", "/windows.PHP"],
    ),
    "/*.php$": (
        "user-agent: FooBot\ndisallow: /\nallow: /*.php$",
        "FooBot",
        ["/filename.php", "/folder/filename.php"],
        ["/filename.php?parameters", "/filename.php/", "/filename.php5", "/php/"],
    ),
    "/fish*.php": (
        "user-agent: FooBot\ndisallow: /\nallow: /fish*.php",
        "FooBot",
        ["/fish.php", "/fishheads/catfish.php?parameters"],
        ["/bar", "/Fish.PHP"],
    ),
    "precedence: a letter more": (
        "user-agent: FooBot\nallow: /p\ndisallow: /",
        "FooBot",
        ["/page"],
        ["/x"],
    ),
    "precedence: alike": (
        "user-agent: FooBot\nallow: /folder\ndisallow: /folder",
        "FooBot",
        ["/folder/page"],
        [],
    ),
    "precedence: with a star": (
        "user-agent: FooBot\nallow: /page\ndisallow: /*.htm",
        "FooBot",
        [],
        ["/page.htm"],
    ),
    "precedence: with a dollar": (
        "user-agent: FooBot\nallow: /$\ndisallow: /",
        "FooBot",
        ["/"],
        ["/page.html"],
    ),
    "a mark of byte order, whole": (
        "\ufeffUser-Agent: foo\nDisallow: /x",
        "foo",
        ["/y"],
        ["/x"],
    ),
    "a mark of byte order, broken": (
        "\ufffd\ufffdUser-Agent: foo\nDisallow: /x",
        "foo",
        ["/y"],
        ["/x"],
    ),
    "a mark of byte order in the middle spoils its line": (
        "User-Agent: foo\n\ufeffDisallow: /x",
        "foo",
        ["/x"],
        [],
    ),
    "lines end as on any machine": (
        "User-Agent: foo\rAllow: /some/path\r\nUser-Agent: bar\n\r\n\rDisallow: /",
        "bar",
        [],
        ["/some/path"],
    ),
}


@pytest.mark.parametrize("name", FACTS)
def test_facts(name: str) -> None:
    text, product, allowed, forbidden = FACTS[name]
    rules = Rules.from_text(text, product)
    assert [path for path in allowed if not rules.allows(SITE + path)] == []
    assert [path for path in forbidden if rules.allows(SITE + path)] == []


@pytest.mark.parametrize(
    ("rule", "forbidden", "allowed"),
    [
        ("/caf%C3%A9", "/caf%c3%a9", "/caf"),
        ("/%62ar", "/bar", "/%62"),  # RFC 9309 §2.2.2
        ("/bar", "/%62ar", "/ba"),
        ("/a%2Fb", "/a%2fb", "/a/b"),
        ("/file-with-a-%2A.html", "/file-with-a-*.html", "/file-with-a-x.html"),
        ("/price%24", "/price$", "/price"),
        ("/a$b", "/a$b", "/ab"),
        ("private", "/private", "/x"),  # people leave out the slash
        ("*.gif$", "/x/y.gif", "/x/y.gif?z"),
    ],
)
def test_spellings(rule: str, forbidden: str, allowed: str) -> None:
    rules = Rules.from_text(f"User-agent: *\nDisallow: {rule}")
    assert not rules.allows(SITE + forbidden)
    assert rules.allows(SITE + allowed)


def test_a_crawl_delay_is_a_rule_of_its_group() -> None:
    text = "User-agent: *\nCrawl-delay: 9\n\nUser-agent: BadBot\nDisallow: /"
    rules = Rules.from_text(text)
    assert (rules.crawl_delay_s, rules.allows(SITE + "/x")) == (9.0, True)


def test_a_crawl_delay_beside_the_next_name_ends_no_group() -> None:
    """Whoever leaves no empty line may mean both: fail closed."""
    text = "User-agent: trapline\nCrawl-delay: 9\nUser-agent: *\nDisallow: /"
    rules = Rules.from_text(text)
    assert (rules.crawl_delay_s, rules.allows(SITE + "/x")) == (9.0, False)


def reference(lines: list[tuple[bool, str]], path: str) -> bool:
    """The longest match decides, by regular expressions."""
    best = (-1, True)
    for allows, pattern in lines:
        end = "$" if pattern.endswith("$") else ""
        pieces = re.split(r"\*+", pattern.removesuffix("$"))
        found = re.match(".*".join(map(re.escape, pieces)) + end, path)
        if pattern and pattern[0] in "/*" and found:
            length = len("*".join(pieces)) + len(end)
            best = max(best, (length, allows))
    return best[1]


PATTERNS = st.builds(
    lambda begin, rest, end: begin + rest + end,
    st.sampled_from(["/", "*"]),
    st.text("ab/*", max_size=8),
    st.sampled_from(["", "$"]),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), PATTERNS), max_size=8),
    st.text("ab/", max_size=12).map("/".__add__),
)
def test_they_say_what_regular_expressions_say(
    lines: list[tuple[bool, str]], path: str
) -> None:
    names = {True: "Allow", False: "Disallow"}
    text = "User-agent: *\n" + "".join(f"{names[a]}: {p}\n" for a, p in lines)
    assert lines_for("x", text).rules == lines
    assert Rules.from_text(text).allows(SITE + path) == reference(lines, path)


def large(kind: str, rules: int = 20_000) -> str:
    chance = Random(1)
    lines = {
        "literal": lambda n: f"/private/{n:06d}",
        "wild": lambda n: f"/*{chance.randrange(10**6)}*x{chance.randrange(10**6)}",
        "random": lambda n: "/" + "".join(chance.choices("abcdefghij0123456789", k=14)),
        "repeating": lambda n: f"/*{'a' * (n % 15 + 1)}*{'a' * (n % 7 + 1)}b{n}",
    }
    return "User-agent: *\n" + "".join(
        f"Disallow: {lines[kind](number)}\n" for number in range(rules)
    )


@pytest.mark.parametrize("kind", ["literal", "wild", "random", "repeating"])
def test_large_files_are_small_and_quick_to_ask(kind: str) -> None:
    packed = pack_rules(large(kind))
    assert len(packed) <= MOST_BYTES
    rules = Rules.unpack(packed)
    assert rules.nbytes < 1_000_000
    urls = [f"{SITE}/{'a' * 1900}", f"{SITE}/p/1/forbidden/page-123456.html?x=1"]
    for url in urls:
        # one pattern may be begun when the bound is reached
        assert rules.judge(url).cost_s < 1.2 * MOST_STEPS * STEP_S


def test_what_does_not_fit_forbids_more_never_less() -> None:
    text = large("random") + "Allow: /" + "y" * 600 + "\nDisallow: /y\n"
    rules = Rules.from_text(text)
    assert len(zlib.compress(text.encode(), 6)) > MOST_BYTES
    for line in text.splitlines()[1:2000:50]:
        assert not rules.allows(SITE + line.partition(" ")[2] + "/more")
    assert rules.allows(SITE + "/Capital") and rules.allows(SITE + "/robots.txt")
    assert not rules.allows(SITE + "/" + "y" * 600)


def test_a_path_on_which_it_takes_too_long_to_agree_is_forbidden() -> None:
    hard = "".join(f"Disallow: /*{'a' * 15}{n}*b\n" for n in range(15_000))
    rules = Rules.from_text("User-agent: *\n" + hard)
    assert rules.allows(SITE + "/short")
    assert not rules.allows(SITE + "/" + "a" * 1000 + "".join(map(str, range(300))))
