"""The topic: what pages should be about, and how relevant a page or a link is.

In: words, examples, labels; the word counts of documents and the words of links. Out: relevance in
[0, 1], and one record for each link. `word_kernels` and `link_kernels` do the work on arrays.
"""
