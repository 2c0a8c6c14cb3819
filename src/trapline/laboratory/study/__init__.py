"""Studies: runs repeated over seeds, judged with intervals, and reported.

In: jobs and seeds. Out: a `Report` with a table, remarks and figures.
"""
