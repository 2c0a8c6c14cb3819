"""Polling pages that change with known probabilities (paper `htraa`): the best rates, bounds, and
what is earned.
"""
