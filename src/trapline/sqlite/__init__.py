"""SQLite: what its errors mean to people.

In: an error of a file. Out: an error that says what to do. Stores and ledgers use it.
"""
