"""Listings: sitemaps and feeds, which say where pages are and when they changed."""
