"""Reading: what an answer says by itself, whatever the robot knows or holds.

In: a `Fetched`. Out: a `Reading` with a document, a listing or a remark. Pure functions, safe to
run in another process. `html/` reads pages, `listings/` sitemaps and feeds, `identity/` says
whether two texts are the same.
"""
