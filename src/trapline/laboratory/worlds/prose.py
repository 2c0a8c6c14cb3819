"""Readable English for the pages of a simulated web: real words, plain grammar, and a measurable
topic.

A person who watches the demo should be able to read what the robot reads, and a keyword measure
must find the truth that the world planted. So every page has a *theme* (one thing, one place, one
name) that its title and all its sentences share; sentences are templates filled from the vocabulary
of a subject; the share of on-topic sentences is the page's relevance; and every other on-topic
sentence says the topic word itself. Pages without relevance never do.

This file is the pen; the ink is in vocabulary.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import cycle, islice
from random import Random

from trapline.laboratory.worlds.vocabulary import (
    COUNTS,
    FIRST_NAMES,
    LAST_NAMES,
    NEUTRAL,
    OTHERS,
    SEASONS,
    SHARED,
    SHARED_TITLES,
    SPACE,
    Subject,
)


@dataclass(frozen=True, slots=True)
class Theme:
    """What one page is about, so that title and paragraphs speak of the same thing."""

    subject: Subject
    words: dict[str, str]


@lru_cache(maxsize=1 << 16)
def title(subject: int, page: int, seed: int, *, topic: str = "space") -> str:
    """The headline of a page. It never changes: it is in the page's address.

    >>> title(0, 17, seed=1)
    'A space telescope looks at Ceres'
    """
    theme = _theme_of(subject, page, seed, topic)
    rng = Random(f"{seed} {page} title")
    own = theme.subject.titles
    shared = _without_topic(SHARED_TITLES, "" if subject == 0 else topic)
    return _fill(rng.choice(own if rng.random() < 0.6 else shared), theme, rng)


def section(subject: int, page: int, seed: int, *, topic: str = "space") -> str:
    """The shelf of a site where the page belongs: the plural of the thing it is about."""
    return _theme_of(subject, page, seed, topic).words["things"]


def anchor(subject: int, page: int, seed: int, *, topic: str = "space") -> str:
    """The text of a link to a page: its title, as an honest editor would write it."""
    return title(subject, page, seed, topic=topic)


def paragraphs(
    subject: int,
    relevance: float,
    page: int,
    version: int,
    seed: int,
    *,
    topic: str = "space",
) -> list[str]:
    """The text of a page. A new version rewrites one or two paragraphs; length and relevance stay.

    >>> old, new = (paragraphs(3, 0.5, page=8, version=v, seed=1) for v in (4, 5))
    >>> len(old) == len(new), sum(a != b for a, b in zip(old, new, strict=True))
    (True, 2)
    """
    plan = _plan(subject, relevance, page, seed)
    key = f"{seed} {page}"
    return [
        _paragraph(
            _theme_of(about, page, seed, topic),
            f"{key} {about}",
            (turn, turns),
            length,
            edition,
        )
        for number, (about, turn, turns, length) in enumerate(plan)
        for edition in [_edition(number, len(plan), page, version)]
    ]


def _plan(
    subject: int, relevance: float, page: int, seed: int
) -> list[tuple[int, int, int, int]]:
    """(subject, its how-manieth paragraph, of how many, sentences): the page's own
    subject first.
    """
    rng = Random(f"{seed} {page} plan")
    sentences = rng.randint(10, 20)
    on_topic = round(min(max(relevance, 0.0), 1.0) * sentences)
    other = subject or 1 + rng.randrange(len(OTHERS))
    parts = [(0, on_topic), (other, sentences - on_topic)]
    if subject != 0:
        parts.reverse()
    return [
        (about, i, len(sizes), size)
        for about, n in parts
        for sizes in [_sizes(n)]
        for i, size in enumerate(sizes)
    ]


def _sizes(sentences: int) -> list[int]:
    """Sentences of each paragraph.

    >>> _sizes(0), _sizes(1), _sizes(11)
    ([], [1], [4, 4, 3])
    """
    count = max(1, round(sentences / 4)) if sentences else 0
    return [sentences // count + (i < sentences % count) for i in range(count)]


def _edition(number: int, of: int, page: int, version: int) -> int:
    """How often paragraph `number` was rewritten: versions go round; from 4 paragraphs on each
    rewrites two.

    >>> [[_edition(n, of=3, page=0, version=v) for n in range(3)] for v in range(4)]
    [[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 1, 1]]
    """
    places = [number] if of < 4 else [number, number + of // 2]
    return sum(
        (page + version - place) // of - (page - place) // of for place in places
    )


def _paragraph(
    theme: Theme, key: str, turn: tuple[int, int], length: int, edition: int
) -> str:
    """Templates are dealt out among a page's paragraphs, so that no page uses one twice."""
    rng = Random(f"{key} {turn[0]} {edition}")
    of = theme.subject
    hands = {
        pool: cycle(_deal_templates(pool, key, turn, edition, rng))
        for pool in (of.topical, of.facts, of.shared)
        if pool
    }
    order = (
        (of.topical, of.facts, of.topical, of.shared)
        if of.topical
        else (of.facts, of.shared)
    )
    return " ".join(
        _fill(next(hands[pool]), theme, rng) for pool in islice(cycle(order), length)
    )


def _deal_templates(
    pool: tuple[str, ...], key: str, turn: tuple[int, int], edition: int, rng: Random
) -> list[str]:
    """This paragraph's templates in the order of this edition; the first differs from the last
    edition's.
    """
    place, places = turn
    dealt = Random(f"{key} deal").sample(pool, len(pool))[place::places] or list(pool)
    first = dealt.pop(edition % len(dealt))
    rng.shuffle(dealt)
    return [first, *dealt]


@lru_cache(maxsize=1 << 14)
def _theme_of(subject: int, page: int, seed: int, topic: str) -> Theme:
    chosen = _subject_of(subject, topic)
    rng = Random(f"{seed} {page} {chosen.name}")
    thing = rng.choice(chosen.things)
    words = {
        "thing": thing,
        "things": _plural(thing),
        "kind": rng.choice(chosen.kinds),
        "topic": topic,
    }
    words |= {"place": rng.choice(chosen.places), "proper": rng.choice(chosen.propers)}
    words["hero"] = _name(rng)
    return Theme(chosen, words)


@lru_cache(maxsize=256)
def _subject_of(number: int, topic: str) -> Subject:
    """Vocabulary 0 is the topic; the others never say its word.

    A topic that is also a subject lends its words.
    """
    if number == 0:
        known = {SPACE.name: SPACE} | {
            other.name: replace(other, titles=NEUTRAL.titles, topical=NEUTRAL.topical)
            for other in OTHERS
        }
        found = known.get(topic.lower(), NEUTRAL)
        return replace(found, shared=SHARED)
    rest = [other for other in OTHERS if other.name != topic.lower()]
    other = replace(rest[(number - 1) % len(rest)], shared=SHARED)
    words = {
        f.name: _without_topic(getattr(other, f.name), topic)
        for f in fields(other)
        if f.name != "name"
    }
    return Subject(other.name, **words)


def _without_topic(words: tuple[str, ...], topic: str) -> tuple[str, ...]:
    """The words and sentences that do not say the topic (all of them, if too few would be left).

    >>> _without_topic(("a garden", "a hedge", "two gardens", "a lawn"), "garden")
    ('a hedge', 'a lawn')
    """
    if not topic:
        return words
    said = re.compile(r"\b" + re.escape(topic.rstrip("s")), re.IGNORECASE)
    kept = tuple(word for word in words if not said.search(word))
    return kept if len(kept) >= 2 else words


def _fill(template: str, theme: Theme, rng: Random) -> str:
    subject = theme.subject
    words = theme.words
    other, other2 = rng.sample(
        [thing for thing in subject.things if thing != words["thing"]] * 2, 2
    )
    person = rng.choice(subject.people)
    text = template.format(
        **words,
        other=other,
        others=_plural(other),
        others2=_plural(other2 if other2 != other else words["thing"]),
        kind2=rng.choice(
            [kind for kind in subject.kinds if kind != words["kind"]] or subject.kinds
        ),
        person=person,
        people=_plural(person),
        deed=rng.choice(subject.deeds),
        author=words["hero"] if rng.random() < 0.5 else _name(rng),
        year=rng.randint(1952, 2021),
        count=rng.choice(COUNTS),
        season=rng.choice(_without_topic(SEASONS, words["topic"])),
    )
    text = re.sub(r"\b([Aa]) (?=[aeiou])(?!uni|use|eur|one)", r"\1n ", text)
    return text[0].upper() + text[1:]


def _name(rng: Random) -> str:
    return f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"


def _plural(noun: str) -> str:
    """
    >>> [_plural(noun) for noun in ("comet", "galaxy", "match", "essay")]
    ['comets', 'galaxies', 'matches', 'essays']
    """
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")
