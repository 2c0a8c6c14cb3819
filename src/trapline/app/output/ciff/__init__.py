"""The collection as an index that other search engines take over: Common Index File Format (CIFF).

In: the held documents. Out: one file, a header, a list of postings a term and a record a document,
as Lucene, PISA and the Open Web Index read it (github.com/osirrc/ciff).
"""
