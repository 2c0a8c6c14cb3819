"""Fetchers allocated to areas, each with its own response queue and processor: how many to each,
and which gets the next one. In come `FetcherQueue`s, one for each area; out come numbers, tables of
what one more fetcher is worth, and bounds.
"""
