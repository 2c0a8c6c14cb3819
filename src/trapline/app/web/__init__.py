"""Search and status pages for one engine. Imported only by `serve` and `demo`.

In: HTTP requests on loopback, under its own names. Out: HTML and JSON, read from the folder, never
written to it.
"""
