"""The laboratory: simulated webs and the runs, studies and papers built on them.

In: the very controllers and policies that run live. Out: tables and figures.
`worlds/` simulates, `runs/` drives policies through worlds, `study/` repeats runs over seeds and
reports, `papers/` reproduces published results, `compare/` puts policies side by side.
"""
