"""Commands on settings: writing a file to begin with, and printing what is in force.

In: the words of the command line. Out: a file, or TOML on the standard output.
"""
