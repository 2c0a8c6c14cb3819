"""The robot's decisions: controllers as state machines without clock, socket, thread or log.

In: links, observations and the time. Out: tickets. `agenda/` orders all offers, `response/` turns
an answer into results, `hindrances/` says what keeps the robot from visiting.
"""
