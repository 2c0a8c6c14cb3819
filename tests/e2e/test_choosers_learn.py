"""Policies that choose by themselves run live on loopback and learn: a page that is another at
every visit comes to be visited more often than its like.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.support.command import trapline
from tests.e2e.support.site import Site, html

BUSY = ["/busy0", "/busy1"]
QUIET = [f"/quiet{number}" for number in range(6)]
VISITS = 160


class Restless(dict[str, str]):
    """Busy pages have news whenever somebody asks."""

    asked = 0

    def get(self, path: str, default: object = None) -> str | None:  # type: ignore[override]
        if path in BUSY:
            self.asked += 1
            return html("Busy", f"the news of {path}, version{self.asked}")
        return super().get(path)


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        ("traa", "resolution = 10"),
        ("estimator", "rounds = 3"),
        ("lspe", "steepness = 10"),
    ],
)
def test_what_changes_comes_to_be_preferred(
    policy: str, options: str, tmp_path: Path
) -> None:
    pages = Restless({path: html("Quiet", f"what {path} says") for path in QUIET})
    with Site(pages) as site:
        listed = tmp_path / "list.txt"
        listed.write_text("".join(f"{site.url(page)}\n" for page in [*BUSY, *QUIET]))
        chosen = tmp_path / "chosen.toml"
        chosen.write_text(
            f'[manners]\nown = {{ "{site.host}" = 0.0 }}\n[budget]\nvisits = "100/s"\n'
            f'[refresh]\npolicy = "{policy}"\noptions = {{ {options} }}\n'
        )
        command = ("watch", listed, chosen, "--dir", tmp_path / "engine")
        done = trapline(*command, "--visits", VISITS)
        assert done.returncode == 0, done.stderr
        seen = [one.path for one in site.asked if one.path in {*BUSY, *QUIET}]
    late = seen[len(seen) // 2 :]
    assert len(seen) >= VISITS - 10
    # a quarter of the pages
    assert sum(path in BUSY for path in late) > 0.4 * len(late)
