"""Service management: what a federation lacks, and who should hold it (`omeara`, "Open Problems").

In: past queries, how well they were answered and by whom; engines and how much two of them hold in
common. Out: suggestions: a topic for a new engine, a shift of one, or what one should leave to
another, each with what it would gain.
"""
