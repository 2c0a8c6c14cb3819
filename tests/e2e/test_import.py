"""A list of urlwatch, imported and watched: its filters mean the same."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.support.command import said, started, trapline, wait_until
from tests.e2e.support.site import Site


def shop(price: int, adverts: str) -> str:
    return (
        "<html><head><title>The shop</title></head><body>"
        f"<p class='price'>The tea costs {price} EUR</p><p>Seen by {adverts}</p></body></html>"
    )


def test_an_imported_list_is_watched_by_its_filters(tmp_path: Path) -> None:
    with Site({"/tea": shop(3, "many")}) as site:
        theirs = tmp_path / "urls.yaml"
        theirs.write_text(
            f"name: Tea\nurl: {site.url('/tea')}\nfilter:\n  - css: .price\n---\ncommand: ls\n"
        )
        ours = tmp_path / "pages.toml"
        done = said(trapline("import", theirs, "--out", ours, "--json"))
        assert (done["taken"], done["left_out"]) == (1, 1)
        with ours.open("a") as file:
            file.write(
                f'\n[manners]\nown = {{ "{site.host}" = 0.0 }}\n'
                '[budget]\nvisits = "20/s"\n'
            )
        told = tmp_path / "told.jsonl"
        with started("watch", ours, "--dir", tmp_path / "w", "--changes", told):
            wait_until(lambda: told.exists() and told.read_text().count("\n") == 1)
            site.pages["/tea"] = shop(3, "nobody, at another place and time")
            seen = len(site.visits("/tea"))
            wait_until(lambda: len(site.visits("/tea")) > seen + 3)
            site.pages["/tea"] = shop(4, "nobody, at another place and time")
            wait_until(lambda: told.read_text().count("\n") == 2)
        assert "4 EUR" in told.read_text().splitlines()[1]
