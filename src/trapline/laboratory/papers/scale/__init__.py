"""Experiments on one crawl in many shards: what is lost beside one engine."""
