"""The application: settings, and the only rooms that put parts together.

In: a settings file or command-line words. Out: a running engine, answers, files.
`engine/` builds and runs a robot, `commands/` holds one file per command, `folder/` reads and
writes an engine's folder, `output/` tells others what changed, `web/` serves pages.
"""
