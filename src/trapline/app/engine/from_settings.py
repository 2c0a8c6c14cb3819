"""Single parts of an engine, each made from its table of the settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pydantic import SecretStr

from trapline.app.access_table import EVERY_HOST, AccessTable
from trapline.app.engine.topic_examples import is_address, title_and_text
from trapline.app.settings import Settings
from trapline.app.settings_tables import TopicTable
from trapline.collection.url_book import HashUrlBook
from trapline.core.errors import UserMistake
from trapline.core.records import Robots
from trapline.core.urls import host_of
from trapline.net.credentials import Access
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.registry import (
    make_discovery_policy,
    make_fetcher_policy,
    make_refresh_policy,
)
from trapline.politeness.manners import Manners
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fetcher_controller import FetcherController
from trapline.robot.request_controller import Limits, RequestController
from trapline.robot.rules_book import RulesBook
from trapline.scope.scope import UNLIMITED
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import WordCounts, count_words


class LivePolicies(NamedTuple):
    discovery: DiscoveryPolicy
    refresh: RefreshPolicy


def manners_of(settings: Settings) -> Manners:
    """A seed names its own host:port, also on loopback; links and redirects never name anything."""
    table = settings.manners
    seeds = frozenset(host_of(seed) for seed in settings.canonical_seeds())
    return Manners(
        contact=table.contact,
        gap_s=table.gap_s,
        own=dict(table.own),
        named_hosts=seeds | table.named_hosts(),
    )


def accesses(settings: Settings) -> dict[str, Access]:
    """What is sent where, by origin. The entry for every host is checked, too."""
    found = {origin: access_of(table) for origin, table in settings.access.items()}
    return {origin: access for origin, access in found.items() if origin != EVERY_HOST}


def access_of(table: AccessTable) -> Access:
    """Raises UserMistake if a header cannot be sent."""
    return Access(
        headers=_reveal(table.headers),
        cookies=_reveal(table.cookies),
        user=table.user,
        password=table.password.get_secret_value(),
        proxy=table.proxy.get_secret_value(),
    )


def _reveal(secrets: Mapping[str, SecretStr]) -> dict[str, str]:
    return {name: value.get_secret_value() for name, value in secrets.items()}


def topic_of(table: TopicTable) -> Topic:
    """The topic with all examples that are texts or files; UserMistake if one cannot be read."""
    topic = Topic.from_text(table.words, expects=any(map(is_address, table.examples)))
    for like, examples in ((True, table.examples), (False, table.against)):
        for text in examples:
            if not is_address(text):
                topic.exemplify(text, _example_bag(text), like=like)
    return topic


def _example_bag(text: str) -> WordCounts:
    bag = count_words(*title_and_text(text))
    if not len(bag.words):
        raise UserMistake(
            f"the example {text[:60]!r} has no word that tells pages apart: "
            "choose another"
        )
    return bag


def live_policies(settings: Settings) -> LivePolicies:
    return LivePolicies(
        make_discovery_policy(settings.discovery.policy, settings.discovery.options),
        make_refresh_policy(settings.refresh.policy, settings.refresh.options),
    )


def request_controller(
    settings: Settings,
    policies: LivePolicies,
    book: HashUrlBook,
    manners: Manners,
    robots: Callable[[int], Robots | None],
) -> RequestController:
    """`robots(host)` tells what was noted of a robots.txt."""
    table = settings.budget
    most_pages = settings.scope.pages
    return RequestController(
        discovery=policies.discovery,
        refresh=policies.refresh,
        budget=Budget(
            per_s=table.per_s,
            burst=table.burst,
            discovery_share=table.discovery_share,
            cost=table.cost,
        ),
        url=book.url,
        gap_s=lambda host, delay_s: manners.gap_for(book.host_name(host), delay_s),
        rules=RulesBook(robots),
        limits=Limits(
            depth=settings.scope.depth,
            pages=math.inf if most_pages == UNLIMITED else most_pages,
            share_by_yield=True,
        ),
    )


def fetcher_controller(settings: Settings) -> FetcherController:
    table = settings.fetchers
    policy = make_fetcher_policy(
        table.policy, table.most, table.queue_room, table.options
    )
    return FetcherController(policy, table.queue_room)
