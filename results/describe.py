"""Describe this folder for those who read it with other programs: ``python results/describe.py``.

Writes ``datapackage.json``, a data package (https://datapackage.org): of every file the title, the command
that made it, its length and checksum; the columns of tables, from ``fields.csv``, and for JSON the schema that
the file obeys, in ``gops_exact/base/schemas/``.
"""

import csv
import json
import re
from pathlib import PurePath
from typing import Any

from make import HERE, manifest

SCHEMAS = HERE.parent / "gops_exact/base/schemas"
FORMATS = {".csv": "text/csv", ".json": "application/json", ".txt": "text/plain"}
MOVES = "first-moves-1.json"
DOCUMENTS = {"hidden_bids": "hidden-bids-1.json", "exact": MOVES, "ball": MOVES, "rules": MOVES}
"""The schemas of JSON documents, by folder; those modulo a prime have none."""


def main() -> None:
    """Write the description."""
    (HERE / "datapackage.json").write_text(json.dumps(package(), indent=1) + "\n", encoding="ascii")


def package() -> dict[str, Any]:
    """Return the description of all files of the manifest, and of the manifest itself."""
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "gops-exact-results",
        "title": "The Game of Pure Strategy (Goofspiel), solved exactly",
        "description": "Optimal first moves, proved tables and digests of longer numbers, values of policies, and "
        "equilibria with hidden bids. README.md describes the files, manifest.csv how each was made.",
        "version": "1.0.0",
        "licenses": [{"name": "MIT", "path": "https://opensource.org/license/mit"}],
        "resources": [resource({"file": "manifest.csv"}), *map(resource, manifest())],
    }


def resource(line: dict[str, str]) -> dict[str, Any]:
    """Describe a file by its line of the manifest; the manifest has none."""
    name = line["file"]
    found: dict[str, Any] = {
        "name": re.sub(r"[/._]", "-", name.lower()),
        "path": name,
        "mediatype": FORMATS[PurePath(name).suffix],
        "encoding": "utf-8",
        "bytes": (HERE / name).stat().st_size,
    }
    if "sha256" in line:
        found |= {"hash": f"sha256:{line['sha256']}", "description": line["command"]}
    if name.endswith(".csv"):
        found |= {"type": "table", "schema": {"fields": fields(name)}}
    if name.endswith(".json") and (schema := DOCUMENTS.get(PurePath(name).parts[0])):
        found["jsonSchema"] = f"../gops_exact/base/schemas/{schema}"
    return found


def fields(name: str) -> list[dict[str, str]]:
    """Return the columns of a table in their order, from the data dictionary."""
    with (HERE / "fields.csv").open(encoding="utf-8", newline="") as lines:
        return [
            {"name": line["field"], "type": line["type"], "description": line["description"]}
            for line in csv.DictReader(lines)
            if any(PurePath(name).match(pattern) for pattern in line["files"].split())
        ]


if __name__ == "__main__":
    main()
