"""Docstrings as Markdown: what mkdocstrings needs to know about the style of this project.

Examples stand in docstrings as bare doctests, and references as Sphinx roles. Here the ones become
blocks of code and the others plain names; and x[i][j] is no link.
"""  # noqa: INP001  # loaded by mkdocstrings from its file

import re

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""A doctest, down to the next empty line."""

ROLE = re.compile(r":(?:func|class|meth|mod|data|attr):`~?(?:[\w.]*\.)?(\w+)`")

SUBSCRIPTS = re.compile(r"(?P<code>`[^`]*`|(?<=\n\n) {4}.*(?:\n {4}.*)*)|\]\[")
"""One subscript after another; or code, which may hold some: between ticks or set off by blanks."""


class PlainDocstrings(griffe.Extension):
    """Rewrites every docstring before it is parsed."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Rewrite one."""
        if obj.docstring is not None:
            text = ROLE.sub(r"`\1`", obj.docstring.value)
            text = EXAMPLE.sub(r"```pycon\n\g<0>\n```", text)
            obj.docstring.value = SUBSCRIPTS.sub(lambda found: found["code"] or r"]\[", text)
