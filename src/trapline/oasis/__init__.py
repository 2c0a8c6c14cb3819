"""Oasis: engines that specialise, described so that a broker can ask the right ones and merge them.

In: what engines say of themselves, a query as keys of its words, answers of engines. Out: whom to
ask, one list of hits, and what was learnt. After "A Distributed Search Architecture" of the paper
`omeara`. Pure: sockets, clocks and files are in `app/federation`, `app/directory` and `net`.
"""
