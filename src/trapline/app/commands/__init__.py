"""The command line: one file per command, with its words; the work is in other rooms of app/.

In: what a user typed. Out: work done, and text or JSON on the screen. Commands import what they
need when they run, so that `--help` answers at once.
"""
