"""Write the reference page of the five papers, line by line: `make docs` runs this.

A line that a paper's folder declares is on the page without another line. The page is not kept in
the repository.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from trapline.laboratory.study.paper_book import (
    PAPERS,
    Paper,
    all_lines,
    lines_of,
    say_verdicts,
)
from trapline.laboratory.study.paper_line import PaperLine

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "papers.md"
HEAD: Final = """# The five papers, line by line

Every equation, figure, table, policy, assumption, claim and open problem of the papers that
Trapline is built on: where it is in the code (below `trapline`), how it is checked (a test, or an
experiment of `trapline lab run` and a row of its table), what was found, and how a crawl can have
it. Made from what the code declares: `make docs` writes this page, `trapline lab papers` prints it.
"""
COLUMNS: Final = ("line", "what it says", "found", "live", "where", "check")


def page() -> str:
    parts = [HEAD, say_verdicts(all_lines()), *map(section, PAPERS)]
    return "\n".join(parts)


def section(paper: Paper) -> str:
    heads = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    title = f"\n## {paper.key}: {paper.authors}\n\n“{paper.title}”\n"
    return "\n".join([title, *heads, *map(row, lines_of(paper.key)), ""])


def row(line: PaperLine) -> str:
    found = f"{line.verdict}: {line.number.text}" if line.number.text else line.verdict
    cells = (
        f"{line.id}<br>{line.kind}",
        line.says,
        found,
        line.live.text,
        f"`{line.where}`",
        "<br>".join(f"`{check}`" for check in line.check),
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
