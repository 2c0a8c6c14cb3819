"""`trapline export`: the words of the command; the work is in app/output/export.py."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json
from trapline.core.errors import UserMistake


def export(
    folder: Folder,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="One JSON object a line.")
    ] = False,
    warc: Annotated[
        bool, typer.Option("--warc", help="WARC 1.1, texts as conversion records.")
    ] = False,
    parquet: Annotated[
        bool, typer.Option("--parquet", help=r"Parquet; needs trapline\[parquet].")
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="A folder of Markdown, a file a page.")
    ] = False,
    ciff: Annotated[
        bool, typer.Option("--ciff", help="An index for Lucene, PISA and others.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            help="The file, - = standard output; with --markdown the folder.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace it if it is there.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write the held documents to a file, to a folder of Markdown files, or as an index."""
    from trapline.app.output.ciff.export_ciff import export_ciff
    from trapline.app.output.export import export_folder
    from trapline.app.output.export_forms import STDOUT
    from trapline.app.output.export_markdown import export_markdown
    from trapline.app.output.standard_output import print_json

    wishes = {
        "jsonl": jsonl,
        "warc": warc,
        "parquet": parquet,
        "markdown": markdown,
        "ciff": ciff,
    }
    forms = [form for form, wished in wishes.items() if wished]
    if len(forms) != 1:
        raise UserMistake(
            "say how to write the documents: one of --jsonl, --warc, --parquet, --markdown and "
            "--ciff"
        )
    if as_json and out == STDOUT:
        raise UserMistake(
            "--json and --out - both want the standard output: name a file with --out"
        )
    if markdown:
        count, target = export_markdown(folder, out, force=force)
    elif ciff:
        count, target = export_ciff(folder, out, force=force)
    else:
        count, target = export_folder(folder, forms[0], out, force=force)
    if as_json:
        print_json({"documents": count, "target": target})
        return
    place = "the standard output" if target == STDOUT else target
    print(f"{count} documents written to {place}.", file=sys.stderr)
