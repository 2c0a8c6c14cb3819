"""`trapline lab`: the words of its commands, and what they print.

In: words of the command line. Out: calls of `trapline.laboratory`, tables and pictures.
"""
