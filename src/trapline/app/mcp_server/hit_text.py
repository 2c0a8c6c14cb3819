"""One result of a search, as a model reads it."""

from __future__ import annotations

from trapline.app.mcp_server.foreign_text import ForeignText
from trapline.app.output.changes import iso
from trapline.search.hits import Hit


def hit_lines(number: int, hit: Hit, foreign: ForeignText) -> list[str]:
    facts = [
        f"{number}. page {hit.page}",
        f"score {hit.score:.3g}",
        f"fetched {iso(hit.fetched_s)}",
    ]
    if hit.changed_s:
        facts.append(f"changed {iso(hit.changed_s)}")
    if hit.language:
        facts.append(f"language {hit.language}")
    if hit.copies:
        facts.append(f"{hit.copies} copies")
    lines = [", ".join(facts)]
    if hit.factors:
        factors = (
            f"{factor.name} {factor.value:.3g} ({factor.points:+.3g})"
            for factor in hit.factors
        )
        lines.append(f"   score: {', '.join(factors)}")
    snippet = "".join(fragment.text for fragment in hit.snippet)
    return [*lines, foreign.wrap(f"{hit.title}\n{hit.url}\n{snippet}")]
