"""A federation in the laboratory: engines over slices of a linked web, and people who ask.

In: a shape and a seed. Out: what each engine holds, says of itself and answers at any time; queries
with their time; what one index over everything would answer. Engines are born, gather pages, die
and lie; topics of queries drift.

`topical_pages.py` gives the pages of a linked web topics, `bags_of_words.py` their words,
`word_index.py` finds them, `slices.py` cuts the web into engines, `fates.py` says when each lives
and whether it lies, `descriptions.py` and `answers.py` are what it says, `query_stream.py` what it
is asked. `federation_world.py` is all of it.
"""
