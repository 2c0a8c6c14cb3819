"""What keeps the robot from visiting, in words and numbers.

In: counts of hosts and pages, and rates. Out: one cause in one line, with what would lift it.
"""
