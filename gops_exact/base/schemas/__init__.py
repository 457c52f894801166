"""JSON schemas of the documents, ``NAME-VERSION.json``, and a validator of documents.

The validator supports the keywords that these schemas use, except ``prefixItems``. Only the schema of policy tables
uses that keyword, and policy tables are read without the validator. The validator is stricter than JSON Schema in three
points: 1.0 is not an integer, a pattern must match the whole text, and true is not equal to 1.

No library is used, because error messages must give the location in the document, the expected value and the actual
value. fastjsonschema ignores keywords of draft 2020-12, which these schemas use, and gives no location inside
alternatives. jsonschema depends on four more packages, takes 0.2 seconds to load, and takes four times as long to check
a table of payoffs. Its messages would have to be rewritten for every keyword. The tests compare the verdicts of
jsonschema and of this validator.
"""

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

TYPES: Mapping[type, tuple[str, ...]] = {
    dict: ("object",),
    list: ("array",),
    str: ("string",),
    bool: ("boolean",),
    type(None): ("null",),
    int: ("integer", "number"),
    float: ("number",),
    Decimal: ("number",),
}
"""{Python type of a value that was read from JSON: the names that schemas use for this type}."""

Fault = tuple[str, tuple[str, ...], str]
"""A violation of a schema: the keyword, the names and indices that lead to the wrong value, and a message."""


def check(document: object, name: str) -> None:
    """Check that a value which was read from JSON obeys a schema.

    Args:
        document: the value, composed of the types in :data:`TYPES`.
        name: the name of the schema, such as ``table-1``.

    Raises:
        ValueError: if the value does not obey the schema; the message gives the location of the first fault.

    >>> check({"caption": "none", "numbers": [], "notes": [5]}, "table-1")
    Traceback (most recent call last):
    ValueError: notes 0: expected string, got 5
    """
    schema = json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8"))
    for _, path, message in _faults(document, schema, schema, ()):
        raise ValueError(": ".join(filter(None, (" ".join(path), message))))


def _faults(value: Any, schema: Any, root: Any, path: tuple[str, ...]) -> Iterator[Fault]:  # noqa: ANN401  # any JSON value
    # `value` is a part of the document, to which the names and indices in `path` lead. `schema` is the schema of this
    # part, `root` that of the whole document, which has the definitions.

    def wrong(expected: str) -> Fault:
        return keyword, path, f"expected {expected}, got {repr(value)[:40]}"

    for keyword, asked in ({"enum": []} if schema is False else schema).items():
        # Parts of the value that have a schema of their own: (name or index, part, schema).
        below: list[tuple[object, object, object]] = []
        match keyword, value:
            case "$ref", _:
                yield from _faults(value, root["$defs"][asked.rpartition("/")[2]], root, path)
            case "type", _:
                kinds = [asked] if isinstance(asked, str) else asked
                if not any(kind in TYPES[type(value)] for kind in kinds):
                    yield wrong(" or ".join(kinds))
            case (("const" | "enum"), _):
                choices = [asked] if keyword == "const" else asked
                if not any(type(value) is type(choice) and value == choice for choice in choices):
                    yield wrong(" or ".join(map(repr, choices)) or "no such member")
            # Treat oneOf like anyOf, because in these schemas no value satisfies two alternatives.
            case (("oneOf" | "anyOf"), _):
                faults = [next(_faults(value, inner, root, path), None) for inner in asked]
                failed = [fault for fault in faults if fault is not None]
                if len(failed) == len(asked):
                    # `failed` has the first fault of each alternative. Only one of these is reported: that of the
                    # alternative that was most likely meant. An alternative whose first fault is a wrong constant,
                    # such as the name of another kind of document, was probably not meant. Among the others, choose the
                    # one whose fault lies deepest in the document.
                    yield max(failed, key=lambda fault: (fault[0] != "const", len(fault[1])))
            case "pattern", str() if not re.fullmatch(asked, value):
                yield wrong(f"a text of the form {asked}")
            case "minimum", int() | float() | Decimal() if value < asked:
                yield wrong(f"a number from {asked} on")
            case "maximum", int() | float() | Decimal() if value > asked:
                yield wrong(f"a number from {asked} down")
            case (("minItems" | "minProperties"), list() | dict()) if len(value) < asked:
                yield wrong(f"at least {asked} entries")
            case "maxItems", list() if len(value) > asked:
                yield wrong(f"at most {asked} entries")
            case "uniqueItems", list() if len(set(map(repr, value))) < len(value):
                yield wrong("different entries")
            case "items", list():
                below = [(index, part, asked) for index, part in enumerate(value)]
            case "required", dict():
                yield from (wrong(f"the member {name}") for name in asked if name not in value)
            case "propertyNames", dict():
                below = [(name, name, asked) for name in value]
            case "properties", dict():
                below = [(name, value[name], asked[name]) for name in asked if name in value]
            case "patternProperties", dict():
                below = [
                    (name, part, inner)
                    for pattern, inner in asked.items()
                    for name, part in value.items()
                    if re.fullmatch(pattern, name)
                ]
            case "additionalProperties", dict():
                known, patterns = schema.get("properties", ()), schema.get("patternProperties", ())
                below = [
                    (name, part, asked)
                    for name, part in value.items()
                    if name not in known and not any(re.fullmatch(form, name) for form in patterns)
                ]
        for name, part, inner in below:
            yield from _faults(part, inner, root, (*path, str(name)[:40]))
