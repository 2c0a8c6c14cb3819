"""Refresh policies: when to visit a held page again. They write offers on its card."""
