"""The open web, reached politely and safely: one request, one answer.

In: a request. Out: what the server answered, or the name of what went wrong. No address is
contacted before it was checked, and credentials go only to the scheme, host and port that
they were given for.
"""
