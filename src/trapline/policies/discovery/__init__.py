"""Discovery policies: which page to fetch for the first time. They score fringe pages."""
