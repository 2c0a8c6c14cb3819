"""HTML pages: from bytes to title, text, links and what the head says."""
