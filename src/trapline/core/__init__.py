"""Records, ports (Protocols), errors, cards and URLs: the nouns that every room shares.

No work is done here. Imports nothing from other rooms.
"""
