"""Tables of experiments that ship with the package, so that they can be shown without running them.

In: files that `tools/laboratory_results.py` wrote. Out: reports, as the experiments handed them
over.
"""
