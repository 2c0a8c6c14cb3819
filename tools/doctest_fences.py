"""A griffe extension: examples in docstrings become code blocks.

Markdown reads `>>>` as a quotation. Each run of lines from `>>>` to the next empty line is put
into a `pycon` block, so that the API reference shows it as an interactive session.
"""

from __future__ import annotations

from griffe import Extension, Object


def fence_examples(text: str) -> str:
    """Put each example of a docstring into a fenced block.

    >>> print(fence_examples("Add.\\n\\n>>> 1 + 1\\n2"))
    Add.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        starts = line.lstrip().startswith(">>> ")
        if starts and not inside:
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line.strip() if starts else line)
    return "\n".join([*lines, "```"] if inside else lines)


class DoctestFences(Extension):
    """Applies `fence_examples` to every docstring that griffe reads."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fence_examples(obj.docstring.value)
