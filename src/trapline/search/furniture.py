"""What the pages of a host repeat: lines at the beginning or end of their texts, ends of titles.

"Small. Fast. Reliable. Choose any three." on every page of a host says nothing of any of them. A
sample of the host's pages tells what is repeated; it is neither shown in snippets nor counted.

>>> texts = [f"Moon News\\nA text on subject {n}.\\nImprint" for n in range(9)]
>>> pages = [(f"Page {n} | Moon News", text) for n, text in enumerate(texts)]
>>> found = learn_furniture(pages)
>>> sorted(found.lines), sorted(found.tails)
(['imprint', 'moon news'], ['moon news'])
>>> found.strip_text("Moon News\\nSomething else.\\nImprint")
'Something else.'
>>> found.strip_title("Tides | Moon News")
'Tides'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

SAMPLE: Final = 48  # pages of a host
LEAST: Final = 6  # pages: of fewer nothing can be said
_SHARE: Final = 0.2  # of the sample
_ENDS: Final = 15  # lines at the beginning, and so many at the end
_LONGEST: Final = 200  # characters of a line
# what stands between the title of a page and the name of its site
_BORDER: Final = re.compile(r"\s+[-–—|·•»«:]+\s+|\s*[—|]\s*")


@dataclass(frozen=True, slots=True)
class Furniture:
    lines: frozenset[str] = frozenset()
    tails: frozenset[str] = frozenset()  # of titles

    def strip_text(self, text: str) -> str:
        """The text without what its host repeats at its ends."""
        repeated = self.find_lines(text)
        if not repeated:
            return text
        lines = enumerate(text.split("\n"))
        return "\n".join(line for number, line in lines if number not in repeated)

    def find_lines(self, text: str) -> frozenset[int]:
        """Numbers of the lines that its host repeats; none if there is nothing else."""
        if not self.lines:
            return frozenset()
        lines = text.split("\n")
        count = len(lines)
        ends = {*range(min(_ENDS, count)), *range(max(0, count - _ENDS), count)}
        repeated = frozenset(n for n in ends if _key(lines[n]) in self.lines)
        others = (line for number, line in enumerate(lines) if number not in repeated)
        return repeated if any(map(str.strip, others)) else frozenset()

    def strip_title(self, title: str) -> str:
        """The title without the name of its site; never nothing."""
        if not self.tails:
            return title
        end = len(title)
        for border in reversed(list(_BORDER.finditer(title))):
            if _key(title[border.end() : end]) not in self.tails:
                break
            end = border.start()
        return title[:end] or title


NO_FURNITURE: Final = Furniture()


def learn_furniture(pages: Iterable[tuple[str, str]]) -> Furniture:
    """From (title, text) of some pages of a host."""
    lines: Counter[str] = Counter()
    tails: Counter[str] = Counter()
    count = 0
    for title, text in pages:
        count += 1
        lines.update({_key(line) for line in _ends(text.split("\n")) if line.strip()})
        tails.update(set(_tails(title)))
    if count < LEAST:
        return NO_FURNITURE
    least = max(LEAST // 2 + 1, _SHARE * count)
    return Furniture(
        frozenset(line for line, pages in lines.items() if pages >= least),
        frozenset(tail for tail, pages in tails.items() if pages >= least),
    )


def _ends(lines: Sequence[str]) -> Sequence[str]:
    if len(lines) > 2 * _ENDS:
        lines = [*lines[:_ENDS], *lines[-_ENDS:]]
    return [line for line in lines if len(line) <= _LONGEST]


def _tails(title: str) -> Iterator[str]:
    parts = _BORDER.split(title)
    yield from (_key(part) for part in parts[1:])


def _key(line: str) -> str:
    """Lines that differ in case or spaces only are the same. Not numbers: they may be all that a
    page says ("Release 3.5").
    """
    return " ".join(line.split()).lower()
