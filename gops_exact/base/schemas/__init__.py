"""JSON schemas of the documents, ``NAME-VERSION.json``, and a check by them.

The check knows the keywords that these schemas use, and is stricter than JSON Schema in three points: 1.0 is no
integer, a pattern is one of the whole text, and true is not 1.
"""

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float, Decimal),
}


class Fault(NamedTuple):
    """What is wrong with a document."""

    keyword: str  # of the schema that is not obeyed
    path: tuple[str, ...]  # the names and indices that lead to the value
    message: str


def check(document: object, name: str) -> None:
    """Refuse a value read from JSON that does not obey a schema.

    Args:
        document: the value; decimals may be of any type in `TYPES`.
        name: that of the schema, as ``table-1``.

    Raises:
        ValueError: if it does not.

    >>> check({"caption": "none", "numbers": [], "notes": [5]}, "table-1")
    Traceback (most recent call last):
    ValueError: notes 0: expected string, got 5
    """
    schema = _schema(name)
    for fault in _faults(document, schema, schema, ()):
        raise ValueError(": ".join(filter(None, (" ".join(fault.path), fault.message))))


@cache
def _schema(name: str) -> Any:  # noqa: ANN401  # whatever JSON has
    return json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8"))


def _is(value: object, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _faults(value: Any, schema: Any, root: Any, path: tuple[str, ...]) -> Iterator[Fault]:  # noqa: ANN401  # as above
    """Yield what is wrong with the value at a path, in the order of the schema, whose definitions `root` has."""
    if schema is False:
        schema = {"enum": []}

    def wrong(expected: str) -> Fault:
        return Fault(keyword, path, f"expected {expected}, got {repr(value)[:40]}")

    def below(name: object, part: object, inner: object) -> Iterator[Fault]:
        return _faults(part, inner, root, (*path, str(name)[:40]))

    for keyword, asked in schema.items():
        match keyword, value:
            case "$ref", _:
                yield from _faults(value, root["$defs"][asked.rpartition("/")[2]], root, path)
            case "type", _:
                kinds = [asked] if isinstance(asked, str) else asked
                if not any(_is(value, kind) for kind in kinds):
                    yield wrong(" or ".join(kinds))
            case (("const" | "enum"), _):
                choices = [asked] if keyword == "const" else asked
                if not any(type(value) is type(each) and value == each for each in choices):
                    yield wrong(" or ".join(map(repr, choices)) or "no such member")
            case (("oneOf" | "anyOf"), _):
                firsts = [next(_faults(value, each, root, path), None) for each in asked]
                failed = [fault for fault in firsts if fault is not None]
                if len(failed) == len(firsts):
                    # An alternative with another constant is meant least, one wrong far inside most.
                    yield max(failed, key=lambda fault: (fault.keyword != "const", len(fault.path)))
                elif keyword == "oneOf" and len(firsts) - len(failed) > 1:
                    yield wrong("one of several kinds of document alone")
            case "pattern", str():
                if not re.fullmatch(asked, value):
                    yield wrong(f"a text of the form {asked}")
            case (("minimum" | "maximum"), int() | float() | Decimal()):
                if (value < asked) if keyword == "minimum" else (value > asked):
                    yield wrong(f"a number from {asked} {'on' if keyword == 'minimum' else 'down'}")
            case (("minItems" | "minProperties"), list() | dict()):
                if len(value) < asked:
                    yield wrong(f"at least {asked} entries")
            case "maxItems", list():
                if len(value) > asked:
                    yield wrong(f"at most {asked} entries")
            case "uniqueItems", list():
                if len(set(map(repr, value))) < len(value):
                    yield wrong("different entries")
            case "prefixItems", list():
                for index, (part, inner) in enumerate(zip(value, asked, strict=False)):
                    yield from below(index, part, inner)
            case "items", list():
                before = len(schema.get("prefixItems", ()))
                for index, part in enumerate(value[before:], before):
                    yield from below(index, part, asked)
            case "properties", dict():
                for name, inner in asked.items():
                    if name in value:
                        yield from below(name, value[name], inner)
            case "required", dict():
                for name in asked:
                    if name not in value:
                        yield wrong(f"the member {name}")
            case "propertyNames", dict():
                for name in value:
                    yield from below(name, name, asked)
            case "patternProperties", dict():
                for pattern, inner in asked.items():
                    for name, part in value.items():
                        if re.fullmatch(pattern, name):
                            yield from below(name, part, inner)
            case "additionalProperties", dict():
                known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
                for name, part in value.items():
                    if name not in known and not any(re.fullmatch(each, name) for each in patterns):
                        yield from below(name, part, asked)
