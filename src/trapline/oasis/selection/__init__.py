"""Which engines to ask: selectors, one file each, and the forecast of what each would bring.

In: a query as keys of its words (`QueryKeys`), the federation. Out: a score for each engine (higher
= ask first), the share of the ten best that it is expected to hold, and whom to ask.
"""

from trapline.oasis.query_keys import QueryKeys

__all__ = ["QueryKeys"]
