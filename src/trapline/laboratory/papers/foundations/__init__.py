"""Experiments on our own scheduler that no paper prints."""
