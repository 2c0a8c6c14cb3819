"""Reading: what an answer says by itself, whatever the robot knows or holds.

In: a `Fetched`. Out: a `Reading`, which is a `ReadDocument`, a `Listing` or `Unreadable`. Pure
functions, safe to run in another process; `packing` makes bytes of a reading for the way back.
`html/` reads pages, `listings/` sitemaps and feeds, `identity/` tells whether two texts are the
same.
"""
