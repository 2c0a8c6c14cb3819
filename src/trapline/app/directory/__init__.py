"""Directory: knows the engines of a federation, and adds up what they say of their words.

In: signed statements of engines, and what other directories have heard. Out: the engines with their
descriptions as signed, their states and what was found wrong with them, and the shared table. It
checks by calling back, keeps all in `directory.sqlite`, and has to be trusted with nothing that an
engine has not signed.
"""
