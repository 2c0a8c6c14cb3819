"""Where changes are told while a robot runs: files, feeds, receivers on the web.

In: changes from the store, by number. Out: lines that others read, each once.
"""
