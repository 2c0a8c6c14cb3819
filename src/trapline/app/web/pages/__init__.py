"""The pages that people see, one file a page, and their routes.

In: what the folder says of a collection, its robot and its plan. Out: HTML that works without
JavaScript; what is live is added by the modules in `static/`. Everything that comes from the Web is
text here: `markup.element` escapes whatever is not markup of our own.
"""
