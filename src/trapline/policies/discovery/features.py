"""What a fringe page shows of itself before anybody has fetched it: clues of its links, and how its
like turned out.

Features of Cho, Chakrabarti, Diligenti, Rennie and Menczer's focused crawlers, in one vector:
relevance of its parents, likeness of the words of its links, URL and surroundings to the topic, and
means of what was fetched so far by host, directory, prefix of the URL, tag path, siblings and
words, each shrunk towards the wider group it belongs to.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import TOKENS, Links
from trapline.policies.discovery.group_means import Groups, add, hash_group, mean
from trapline.theory.kernel import bare_kernel

Numbers = NDArray[np.float64]
Known = NDArray[np.void]

KNOWN: Final = np.dtype(
    [
        ("fetched", np.uint8),
        ("host", np.int32),
        ("parent", np.int32),  # the most relevant page that links to it; −1 = none
        ("path", np.int32),  # tag path on that page, by host
        ("directory", np.int32),
        ("prefix", np.int32),
        ("tokens", np.int32, (TOKENS,)),
        ("best", np.float32),  # relevance of that parent,
        ("grand", np.float32),  # of the best parent of that one,
        ("total", np.float32),  # of all parents
        ("links", np.float32),  # how many they are; 0 = the page is not known
        ("anchor", np.float32),  # the best that its links show
        ("address", np.float32),
        ("context", np.float32),
        ("place", np.float32),
        ("depth", np.float32),
        ("abroad", np.float32),  # 1 = that parent is on another host
        ("children", np.float32),  # of this page, that were fetched,
        ("worth", np.float32),  # and their relevance
    ]
)

FEATURES: Final = (
    "one",
    "parent",
    "parents",
    "anchor",
    "address",
    "context",
    "siblings",
    "same path",
    "path",
    "host",
    "directory",
    "prefix",
    "words",
    "best word",
    "links",
    "depth",
    "place",
    "abroad",
    "grandparent",
)
(
    _ONE,
    _PARENT,
    _PARENTS,
    _ANCHOR,
    _ADDRESS,
    _CONTEXT,
    _SIBLINGS,
    _SAME_PATH,
    _PATH,
    _HOST,
    _DIRECTORY,
) = range(11)
_PREFIX, _WORDS, _WORD, _LINKS, _DEPTH, _PLACE, _ABROAD, _GRAND = range(11, 19)

_BY_HOST, _BY_DIRECTORY, _BY_PREFIX, _BY_PATH, _BY_PARENT_PATH, _BY_WORD = range(1, 7)
GROUPS_A_PAGE: Final = 5 + TOKENS

_FEW: Final = 2.0  # pages that outweigh what the wider group is like
_MORE: Final = 4.0


@bare_kernel
def _path_of(known: Known, page: int) -> int:
    return hash_group(_BY_PARENT_PATH, known["parent"][page] * 31 + known["path"][page])


@bare_kernel
def note_links(known: Known, links: Links, parent: int, relevance: float) -> None:
    """What a fetched page's links say of the pages that they lead to."""
    for i in range(len(links)):
        page = links["page"][i]
        first = known["links"][page] == 0.0
        if first:
            known["host"][page] = links["host"][i]
            known["directory"][page] = links["directory"][i]
            known["prefix"][page] = links["prefix"][i]
            known["address"][page] = links["address"][i]
            known["parent"][page] = -1
        known["links"][page] += 1.0
        known["total"][page] += relevance
        known["anchor"][page] = max(known["anchor"][page], links["anchor"][i])
        known["context"][page] = max(known["context"][page], links["context"][i])
        if first or relevance > known["best"][page]:
            _adopt(known, links, i, parent, relevance)


@bare_kernel
def _adopt(
    known: Known, links: Links, link: int, parent: int, relevance: float
) -> None:
    """The page of a link has a better parent than it had."""
    page = links["page"][link]
    known["best"][page] = relevance
    known["parent"][page] = parent
    known["place"][page] = links["place"][link]
    known["path"][page] = hash_group(
        _BY_PATH, links["path"][link] + known["host"][parent] if parent >= 0 else 0
    )
    for k in range(TOKENS):
        known["tokens"][page, k] = links["tokens"][link, k]
    if parent >= 0:
        known["grand"][page] = known["best"][parent]
        known["depth"][page] = known["depth"][parent] + 1.0
        known["abroad"][page] = (
            0.0 if known["host"][parent] == known["host"][page] else 1.0
        )


@bare_kernel
def write_features(
    known: Known, groups: Groups, page: int, usual: float, x: Numbers
) -> None:
    """`usual` is the mean relevance of all pages fetched."""
    host = mean(groups, hash_group(_BY_HOST, known["host"][page]), usual, _MORE)
    directory = mean(
        groups, hash_group(_BY_DIRECTORY, known["directory"][page]), host, _MORE
    )
    prefix = mean(
        groups, hash_group(_BY_PREFIX, known["prefix"][page]), directory, _FEW
    )
    parent = known["parent"][page]
    siblings = host
    if parent >= 0:
        siblings = (known["worth"][parent] + _FEW * host) / (
            known["children"][parent] + _FEW
        )
    x[_ONE] = 1.0
    x[_PARENT] = known["best"][page]
    x[_PARENTS] = known["total"][page] / max(known["links"][page], 1.0)
    x[_ANCHOR] = known["anchor"][page]
    x[_ADDRESS] = known["address"][page]
    x[_CONTEXT] = known["context"][page]
    x[_PLACE] = known["place"][page]
    x[_SIBLINGS] = siblings
    x[_SAME_PATH] = mean(groups, _path_of(known, page), siblings, _FEW)
    x[_PATH] = mean(groups, hash_group(_BY_PATH, known["path"][page]), host, _MORE)
    x[_HOST] = host
    x[_DIRECTORY] = directory
    x[_PREFIX] = prefix
    _write_words(known, groups, page, usual, x)
    x[_LINKS] = 0.2 * math.log(max(known["links"][page], 1.0))
    x[_DEPTH] = 0.1 * min(known["depth"][page], 10.0)
    x[_ABROAD] = known["abroad"][page]
    x[_GRAND] = known["grand"][page]


@bare_kernel
def _write_words(
    known: Known, groups: Groups, page: int, usual: float, x: Numbers
) -> None:
    total = 0.0
    best = usual
    words = 0
    for k in range(TOKENS):
        token = known["tokens"][page, k]
        if token != 0:
            of_word = mean(groups, hash_group(_BY_WORD, token), usual, _MORE)
            total = total + of_word
            best = max(best, of_word)
            words = words + 1
    x[_WORDS] = total / words if words > 0 else usual
    x[_WORD] = best


@bare_kernel
def note_outcome(known: Known, groups: Groups, page: int, relevance: float) -> None:
    """A page turned out so. There must be room for GROUPS_A_PAGE more groups."""
    known["fetched"][page] = 1
    add(groups, hash_group(_BY_HOST, known["host"][page]), relevance)
    if known["directory"][page] != 0:
        add(groups, hash_group(_BY_DIRECTORY, known["directory"][page]), relevance)
        add(groups, hash_group(_BY_PREFIX, known["prefix"][page]), relevance)
    parent = known["parent"][page]
    if parent >= 0:
        known["children"][parent] += 1.0
        known["worth"][parent] += relevance
        add(groups, hash_group(_BY_PATH, known["path"][page]), relevance)
        add(groups, _path_of(known, page), relevance)
    for k in range(TOKENS):
        if known["tokens"][page, k] != 0:
            add(groups, hash_group(_BY_WORD, known["tokens"][page, k]), relevance)


@bare_kernel
def hand(x: Numbers) -> float:
    """What one would say by hand."""
    alike = 0.25 * (x[_SAME_PATH] + x[_PREFIX] + x[_WORDS])
    return float(alike + 0.25 * x[_PARENT] + 0.5 * (x[_ANCHOR] + x[_ADDRESS]))


def foreign_features(
    known: Known, parent: int, links: Links, relevance: float, usual: float
) -> Numbers:
    """Of links of a page to other shards' pages: all that is like them is as usual."""
    x = np.full((len(links), len(FEATURES)), usual)
    x[:, _ONE] = 1.0
    x[:, [_PARENT, _PARENTS]] = relevance
    for feature, clue in (
        (_ANCHOR, "anchor"),
        (_ADDRESS, "address"),
        (_CONTEXT, "context"),
        (_PLACE, "place"),
    ):
        x[:, feature] = links[clue]
    x[:, _LINKS] = 0.0
    x[:, _DEPTH] = 0.1 * min(float(known["depth"][parent]) + 1.0, 10.0)
    x[:, _ABROAD] = 1.0
    x[:, _GRAND] = known["best"][parent]
    return x


def first_weights() -> Numbers:
    """Where learning begins: at what one would say by hand."""
    weights = np.zeros(len(FEATURES))
    weights[[_SAME_PATH, _PREFIX, _WORDS, _PARENT]] = 0.25
    weights[[_ANCHOR, _ADDRESS]] = 0.5
    return weights
