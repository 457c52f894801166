"""``.. api:: MODULE``: a table of public names, and what their docstrings say."""  # noqa: INP001  # a Sphinx extension, not a package

import inspect
from importlib import import_module
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective


class Api(SphinxDirective):
    """Public names of a module: those listed, else those of ``__all__`` or made in the module."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Write them as a table and one description each, for autosummary and autodoc."""
        module = import_module(self.arguments[0])
        names = " ".join(self.content).split() or public_names(module)
        lines = [f"From ``{module.__name__}``:", "", f".. currentmodule:: {module.__name__}", ""]
        lines += [".. autosummary::", "   :nosignatures:", "", *(f"   {name}" for name in names)]
        for name in names:
            value = getattr(module, name)
            show_one_signature(name, value)
            lines += ["", *described(name, value)]
        return self.parse_text_to_nodes("\n".join(lines))


def public_names(module: ModuleType) -> list[str]:
    """Return ``__all__``, or the documented classes and functions made there, in their order."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    own = [
        (inspect.getsourcelines(value)[1], name)
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
        and value.__doc__
    ]
    return [name for _line, name in sorted(own)]


def show_one_signature(name: str, value: object) -> None:
    """Let autodoc show a function's own signature in place of its overloads."""
    if inspect.isfunction(value):
        source = ModuleAnalyzer.for_module(value.__module__)
        source.analyze()
        source.overloads.pop(name, None)


def described(name: str, value: object) -> list[str]:
    """Return the directive that describes an object."""
    if not inspect.isclass(value):
        return [f".. autofunction:: {name}"]
    kind = "exception" if issubclass(value, Exception) else "class"
    return [f".. auto{kind}:: {name}", "   :members:"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("api", Api)
    return {"parallel_read_safe": True}
