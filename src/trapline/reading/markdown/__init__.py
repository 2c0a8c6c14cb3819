"""Markdown of a held page, made when somebody asks for it.

In: a `Page`, whose text has a block a line, and the form that those blocks had. Out: Markdown with
its headings, lists, tables, quotes, code and links. `form` packs and unpacks what the reader found
(reading/blocks/form_writing.py), `form_tree` says what is in what, `line_text` writes one line,
`block_text` all others, and `page_markdown` is for callers.
"""
