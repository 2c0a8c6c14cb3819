"""Queueing control of fetchers (paper `talim`): how many should run, fixed or woken one by one."""
