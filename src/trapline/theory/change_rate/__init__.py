"""What visits teach about a page's change rate: posteriors, and the price of the next visit under
them.
"""
