"""Which elements a page has that are searched for.

Searching a tree costs, and most pages have little to search for. So first one look over the bytes
says which names a page has at all.
"""

from __future__ import annotations

from typing import Final

from selectolax.lexbor import LexborHTMLParser

from trapline.reading.html.tag_scan import WordScanner

_NO_WORDS: Final = ("<script", "<style")
_SCANNER: Final = WordScanner((*_NO_WORDS, "<noscript", "<meta", "<area"))

NameCounts = dict[str, int]  # names in a page → how often


def scan_names(html: bytes) -> NameCounts:
    """What there may be to search for.

    >>> scan_names(b"<META name=x><p>Of <style> and area")
    {'<style': 1, '<meta': 1}
    """
    return _SCANNER.count(html)


def remove_scripts(tree: LexborHTMLParser, names: NameCounts) -> None:
    """Take out what has letters, but no words."""
    scripts = [tag[1:] for tag in _NO_WORDS if tag in names]
    tree.strip_tags(scripts, recursive=True)
