"""Commands of a federation: `trapline directory`, and the verbs of `trapline engines`, each a
function that says what can be asked for and leaves the work to `app/federation`.
"""
