"""All words of a piece of HTML, one block a line: nothing is left out as a menu or a footer.

The parts that people select are read like this; whole pages are read by reading/blocks.
"""

from __future__ import annotations

from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser

from trapline.reading.identity.calendar_words import words_of

# elements that begin no line of their own
_INLINE: Final = words_of(
    """
    a abbr acronym b bdi bdo big button cite code data del dfn em font i img ins kbd label mark
    meter output q s samp small span strike strong sub sup td th time tt u var wbr
    """
)
_SPACED: Final = frozenset(("td", "th", "button", "label"))
_NO_WORDS: Final = ["script", "style", "template", "noscript", "head"]


def part_text(html: bytes) -> str:
    """
    >>> part_text(b"<p>It is <b>h</b>ot,<br>and far.</p><ul><li>1<li>2</ul>")
    'It is hot,\\nand far.\\n1\\n2'
    >>> part_text(b"<table><tr><td>a<td>b<tr><td>c</table>")
    'a b\\nc'
    """
    tree = LexborHTMLParser(html)
    tree.strip_tags(_NO_WORDS, recursive=True)
    lines: list[list[str]] = [[]]
    if tree.body is None:
        return ""
    before = 0
    blocks: dict[int, int] = {}
    for node in tree.body.traverse(include_text=True):
        if node.tag == "br":
            lines.append([])
        elif node.tag in _SPACED:
            lines[-1].append(" ")
        elif node.tag == "-text":
            block = _block_of(node.parent, blocks)
            if block != before:
                lines.append([])
            before = block
            lines[-1].append(node.text_content or "")
    tidy = (" ".join("".join(line).split()) for line in lines)
    return "\n".join(filter(None, tidy))


def _block_of(node: Any, known: dict[int, int]) -> int:
    """The nearest element around that begins a line; `known` by what was asked before."""
    passed: list[int] = []
    found = 0
    while node is not None:
        number = int(node.mem_id)
        if number in known:
            found = known[number]
            break
        passed.append(number)
        if node.tag not in _INLINE:
            found = number
            break
        node = node.parent
    known.update(dict.fromkeys(passed, found))
    return found
