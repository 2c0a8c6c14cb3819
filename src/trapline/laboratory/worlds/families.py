"""Families of webs, all woven by the same hands, with seeds for training and for testing that never
meet.

A family is a kind of web, not a web: what was learnt on some webs of a family is tried on others of
it, and on other families. Webs of families stand still (no births, no deaths), as discovery is
measured; everything else may be asked of `family_shape`.

>>> web = family("forum", pages=2000, seed=3, part="test")
>>> web.pages, web.hosts, web.seed == family("forum", pages=2000, seed=3, part="train").seed
(2000, 4, False)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from trapline.core.errors import BadNumber, UnknownName, check_count
from trapline.laboratory.worlds.host_layout import Layout
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

Part = Literal["train", "test"]

_LEAST_HOSTS: Final = 4
_PARTS: Final = ("train", "test")


@dataclass(frozen=True, slots=True)
class Family:
    about: str
    pages_a_host: int
    shape: Shape


_STILL: Final = Shape(born_share=0.0, dies_share=0.0, seeds=15)

FAMILIES: Final = {
    "topical": Family(
        "hosts of all sizes, a topic spread over most of them", 140, _STILL
    ),
    "archipelago": Family(
        "many small hosts, the topic on islands that only hubs elsewhere link to",
        35,
        replace(_STILL, at_home=0.6, layout=Layout(crowding=0.5, lean=4.0, islands=40)),
    ),
    "encyclopaedia": Family(
        "few huge hosts, directories in directories, the topic in some of them",
        20_000,
        replace(
            _STILL,
            at_home=0.95,
            layout=Layout(
                crowding=0.7,
                lean=3.0,
                section_pages=60,
                nested=True,
                least_links=2,
                hub_links=12,
            ),
        ),
    ),
    "forum": Family(
        "threads of pages, each found by the one before it, behind long lists of threads",
        500,
        replace(
            _STILL,
            at_home=0.9,
            layout=Layout(
                lean=3.0, section_pages=12, chain=0.95, least_links=1, hub_links=8
            ),
        ),
    ),
}


def family_shape(name: str, anchors: float = 1.0) -> Shape:
    if name not in FAMILIES:
        raise UnknownName("family of webs", name, list(FAMILIES))
    return replace(FAMILIES[name].shape, anchors=anchors)


def family(
    name: str,
    pages: int = 20_000,
    seed: int = 0,
    part: Part = "train",
    *,
    anchors: float = 1.0,
    topic: str = "space",
) -> LinkedWeb:
    """Web number `seed` of a family. `anchors` = 0: the same web, of which links show no words."""
    shape = family_shape(name, anchors)
    check_count("the number of pages", pages, "a web has some")
    if part not in _PARTS:
        raise UnknownName("part of a family", part, list(_PARTS))
    if seed < 0:
        raise BadNumber("the seed", seed, "at least 0")
    hosts = min(pages, max(_LEAST_HOSTS, pages // FAMILIES[name].pages_a_host))
    # Even seeds train, odd ones test: whatever numbers are asked for, no web is in both parts.
    return LinkedWeb.generate(pages, hosts, topic, 2 * seed + _PARTS.index(part), shape)
