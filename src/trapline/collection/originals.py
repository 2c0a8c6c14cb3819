"""Which of two pages that say the same is the original: the rule of decision note 0020.

>>> originals = Originals()
>>> originals.note_copy(9, original=4)  # 9 was met second
>>> originals.precedes(4, 9), originals.precedes(9, 4)
(True, False)
>>> originals.note_word(4, original=9)  # but page 4 itself says that it is the copy
>>> originals.precedes(4, 9), originals.precedes(9, 4)
(False, True)
>>> originals.seeds.add(4)  # and the user names it
>>> originals.precedes(4, 9)
True
"""

from __future__ import annotations

from typing import Final

MOST: Final = 50_000  # pages of which either is remembered


class Originals:
    """What is known beyond who came first. What is forgotten costs a place in the search, never a
    page.
    """

    def __init__(self) -> None:
        self.seeds: set[int] = set()  # what the user has named
        self._by_word: dict[int, int] = {}  # copy → what it says it is a copy of
        self._met: dict[int, int] = {}  # copy → whose copy it was when it was last one

    def note_copy(self, page: int, original: int) -> None:
        _note(self._met, page, original)

    def note_word(self, page: int, original: int) -> None:
        """A page's own word is believed against itself alone: it lifts nobody but the page named,
        and that one only above the page that names it.
        """
        _note(self._by_word, page, original)

    def precedes(self, page: int, other: int) -> bool:
        """Whether a page takes the first place from another that has it."""
        if (page in self.seeds) != (other in self.seeds):
            return page in self.seeds
        if self._by_word.get(page) == other:
            return False
        if self._by_word.get(other) == page:
            return True
        return self._met.get(other) == page and self._met.get(page) != other

    def rank(self, page: int) -> tuple[bool, int]:
        """In which order pages are put again that have lost their first one."""
        return page not in self.seeds, page


def _note(memory: dict[int, int], page: int, original: int) -> None:
    memory.pop(page, None)
    memory[page] = original
    if len(memory) > MOST:
        del memory[next(iter(memory))]
