"""For all tests: how long an example takes says nothing on a busy machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("house", deadline=None)
settings.load_profile("house")
