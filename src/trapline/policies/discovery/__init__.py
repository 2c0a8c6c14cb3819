"""What to fetch for the first time: policies that score pages of the fringe. One policy, one file."""
