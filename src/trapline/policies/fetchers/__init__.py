"""Fetcher policies: how many fetchers to run. They hold a table of wake-ups."""
