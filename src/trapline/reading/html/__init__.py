"""HTML pages: from bytes to title, text, links and what the head says.

In: the body of an answer. Out: a `Document`. `depth_guard` makes a page flat that would take the
tree builder too long; it asks `nesting`, which goes over the tags by `tag_syntax` and
`element_kinds`.
"""
