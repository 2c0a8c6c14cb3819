"""Crawls and watches from the command line: settings, the run itself, and what is shown meanwhile.

In: the words of the command line. Out: a filled folder, and lines on the terminal.
"""
