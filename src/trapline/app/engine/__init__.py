"""An engine: its parts are built from a folder and settings, then run.

In: settings and a folder. Out: a robot that crawls until it is done or stopped.

`parts.py` says what an engine consists of, `from_settings.py` and `restore.py` make single parts,
`build.py` puts them together, and `run.py` runs them, with `begin.py` at the start and
`background.py` beside the loop.
"""
