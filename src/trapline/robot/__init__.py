"""The robot's mind: controllers as state machines without clock, socket, thread or log. Time is handed in."""
