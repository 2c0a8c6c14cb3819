"""The agenda: all offers of all pages, so that the dearest permitted visit is found in O(log n).

In: cards with offers. Out: the page to visit now. All modules but `agenda` are kernels over the
arrays of `tables`.
"""
