"""Studies: runs repeated over seeds, judged with intervals, and reported.

In: cases, seeds and a function that runs one case with one seed. Out: a `Report` with a table,
remarks and figures.

`sweep.py` repeats the runs, `estimate.py` gives a mean with its interval, `claims.py` judges what
a paper says, `figures*.py` draw, `report.py` is what comes out, `registry.py` finds an experiment
by its id. `courses.py` and `contestants.py` are what several studies of polling share.
"""
