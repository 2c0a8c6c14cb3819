"""The demo: a practice web on loopback, and a crawl of it before your eyes.

In: a world of the laboratory. Out: real HTTP, a count of every request as the servers saw it, and
how much of the world the robot holds.
"""
