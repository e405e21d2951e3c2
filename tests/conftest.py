"""For all tests: Hypothesis has no deadline, since the machine may be busy with others."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("boardctl", deadline=None)
settings.load_profile("boardctl")
