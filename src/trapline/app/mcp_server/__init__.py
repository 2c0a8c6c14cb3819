"""A collection for language models, by the Model Context Protocol (extra `mcp`).

In: calls of tools, over standard input and output or over HTTP on loopback. Out: short answers in
plain text, in which everything that strangers wrote is marked (`foreign_text`). `reading_tools`
change nothing; `order_tools` write the same files as the commands, and are offered only to whoever
has the folder's token. `tool_server` puts them together.
"""
