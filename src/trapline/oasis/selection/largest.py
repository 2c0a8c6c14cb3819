"""The largest engine first, whatever is asked: what any other selector must beat."""

from __future__ import annotations

from trapline.oasis.federation import Federation
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.selector import Floats


class Largest:
    def score(self, query: QueryKeys, federation: Federation) -> Floats:
        return federation.pages.copy()
