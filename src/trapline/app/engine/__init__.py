"""An engine: parts built from a folder and settings, then run.

In: settings and a folder. Out: a robot that runs until it is done or told to stop.
"""
