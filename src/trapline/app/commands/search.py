"""`trapline search`: the words of the command; the work is in app/folder/folder_search.py."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


class Order(StrEnum):
    """As search/questions.py has them, which the help need not load."""

    BEST = "best"
    CHANGED = "changed"


def search(
    folder: Folder,
    query: Annotated[
        str, typer.Argument(help="Words to look for.", show_default=False)
    ],
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most results.")] = 10,
    page: Annotated[int, typer.Option(min=1, max=1000, help="Of the results.")] = 1,
    sort: Annotated[
        Order, typer.Option(help="The best, or the newest changes, first.")
    ] = Order.BEST,
    host: Annotated[
        str, typer.Option(help="Only of this host.", show_default=False)
    ] = "",
    lang: Annotated[
        str, typer.Option(help="Only in this language, as en.", show_default=False)
    ] = "",
    changed_after: Annotated[
        str | None,
        typer.Option(help="Not on that day: 2026-01-31.", show_default=False),
    ] = None,
    changed_before: Annotated[
        str | None,
        typer.Option(help="Not on that day: 2026-01-31.", show_default=False),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what each score is made of.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Search an engine's collection."""
    from trapline.app.folder.folder_search import search_folder
    from trapline.app.printing.answer import print_answer
    from trapline.app.printing.dates import seconds_of
    from trapline.search.questions import Question, Sort

    question = Question(
        query,
        limit,
        offset=(page - 1) * limit,
        sort=Sort(sort.value),
        host=host,
        language=lang,
        changed_from_s=seconds_of("--changed-after", changed_after, at_end=True),
        changed_to_s=seconds_of("--changed-before", changed_before),
        explain=explain,
    )
    print_answer(search_folder(folder, question), question, as_json)
