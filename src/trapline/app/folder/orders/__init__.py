"""What people order: pauses, blocks, shares, visits, seeds, pages to forget.

In: words of people. Out: lines of the folder's order file, which the robot carries out.
"""
