"""The application: settings, and the only rooms that put parts together.

In: a settings file or the words of a command line. Out: a running engine, answers, files.

`engine/` builds and runs a robot, `crawl/` runs it from the command line, `commands/` has one file
per command, `folder/` reads and writes an engine's folder, `output/` writes files and tells
changes, `web/` serves pages, and `demo/` crawls a practice web.
"""
