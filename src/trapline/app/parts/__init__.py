"""An index in parts: servers of one part each, and a front that makes one answer of theirs.

In: a store and which part of its pages to hold; or the URLs of all parts, and questions. Out: what
a part says of its words, its rows and its hits; answers as one index would give them, with the
names of parts that did not answer in time.
"""
