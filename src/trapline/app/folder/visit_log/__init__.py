"""The log of an engine: `log.jsonl` in its folder, one line a visit, a remark, a start or an end.

In: what the robot did. Out: files of bounded size, and their lines for whoever asks.
"""
