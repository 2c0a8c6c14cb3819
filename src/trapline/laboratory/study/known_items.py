"""Known items: queries made out of a collection, each with the page that it was made of.

- titles that only one page has;
- sentences: four to seven words in a row;
- rare words: three words of a text that at most 2 % of the pages have;
- link texts: what others call one page only. The index is not told them;
- slips: the first two with one word exchanged for another of the collection, since people use words
  that a page does not have;
- forms: the first two with one word in another form that the collection has (connects, connected).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from trapline.core.records import Page
from trapline.core.storage import LinkText
from trapline.search.query_language import words_of
from trapline.search.tongues import ENGLISH

KINDS: Final = ("titles", "sentences", "rare words", "link texts", "slips", "forms")


class Item(NamedTuple):
    query: str
    page: int


class Called(NamedTuple):
    """A page, and what others call it."""

    page: Page
    names: Sequence[LinkText]


def make_items(pages: Sequence[Called], size: int, seed: int) -> dict[str, list[Item]]:
    """At most `size` of each kind."""
    rng = random.Random(seed)
    titles = _unique((plain(called.page.title), called.page.page) for called in pages)
    links = _unique(
        (plain(name.text), called.page.page)
        for called in pages
        for name in called.names
    )
    sentences = _sentences(pages, rng)
    words = [set(words_of(called.page.text)) for called in pages]
    having = Counter(word for some in words for word in some)
    items = {
        "titles": _draw(titles, size, rng),
        "sentences": _draw(sentences, size, rng),
        "rare words": _draw(_rare_words(pages, words, having, rng), size, rng),
        "link texts": _draw(links, size, rng),
    }
    vocabulary = sorted(w for w, n in having.items() if n > 2 and w.isalpha())
    clean = [*items["titles"], *items["sentences"]]
    items["slips"] = [_slip(item, vocabulary, rng) for item in clean[::2]]
    forms = _forms(vocabulary)
    bent = (_bend(item, forms, rng) for item in clean[1::2])
    items["forms"] = [item for item in bent if item is not None]
    return items


def plain(text: str) -> str:
    return " ".join(words_of(text))


def _draw(items: list[Item], size: int, rng: random.Random) -> list[Item]:
    return rng.sample(items, min(size, len(items)))


def _unique(said: Iterable[tuple[str, int]]) -> list[Item]:
    """Texts of two telling words or more that belong to one page."""
    found = defaultdict(set)
    for text, page in said:
        found[text].add(page)
    return [
        Item(text, next(iter(pages)))
        for text, pages in found.items()
        if len(pages) == 1 and _says(text)
    ]


def _says(text: str) -> bool:
    telling = [w for w in text.split() if w.isalpha() and not ENGLISH.is_stop(w)]
    return len(telling) > 1


def _sentences(pages: Sequence[Called], rng: random.Random) -> list[Item]:
    items = []
    for called in pages:
        lines = [line for line in called.page.text.split("\n") if line.count(" ") > 7]
        if lines:
            words = words_of(rng.choice(lines))
            first = rng.randrange(max(1, len(words) - 7))
            query = " ".join(words[first : first + rng.randrange(4, 8)])
            items.append(Item(query, called.page.page))
    return items


def _rare_words(
    pages: Sequence[Called],
    words: Sequence[set[str]],
    having: Counter[str],
    rng: random.Random,
) -> list[Item]:
    most = max(3.0, 0.02 * len(pages))
    items = []
    for called, some in zip(pages, words, strict=True):
        rare = sorted(
            w for w in some if len(w) > 3 and w.isalpha() and 2 <= having[w] <= most
        )
        if len(rare) > 2:
            items.append(Item(" ".join(rng.sample(rare, 3)), called.page.page))
    return items


def _slip(item: Item, vocabulary: Sequence[str], rng: random.Random) -> Item:
    words = item.query.split()
    words[rng.randrange(len(words))] = rng.choice(vocabulary)
    return Item(" ".join(words), item.page)


def _forms(vocabulary: Sequence[str]) -> dict[str, list[str]]:
    """For each word its other forms."""
    by_stem = defaultdict(list)
    for word in vocabulary:
        by_stem[tuple(ENGLISH.stems(word))].append(word)
    return {
        word: [other for other in words if other != word]
        for words in by_stem.values()
        if len(words) > 1
        for word in words
    }


def _bend(
    item: Item, forms: Mapping[str, list[str]], rng: random.Random
) -> Item | None:
    """With one word in another form; None if no word has any."""
    words = item.query.split()
    places = [n for n, word in enumerate(words) if word in forms]
    if not places:
        return None
    place = rng.choice(places)
    words[place] = rng.choice(forms[words[place]])
    return Item(" ".join(words), item.page)
