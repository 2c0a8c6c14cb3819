"""Sources of ephemeral content (paper `whittle`): the price of a visit, bounds, and what the index
policy earns.
"""
