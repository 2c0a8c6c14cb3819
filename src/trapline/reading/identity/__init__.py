"""Identity of texts: whether two texts are the same for a reader.

In: title, text and links of a document. Out: its `Marks`, which are the fingerprint of what is
steady in it (`steady_text`, `text_links`) and its simhash, near which are those of near copies; and
of two versions of a page, the places where they differ (`differing_places`).
"""
