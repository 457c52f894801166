"""What stands in results/ agrees with itself, with a fresh computation and with its manifest."""

import csv
import hashlib
import json
import sys

import pytest
from places import DATA, RESULTS

import gops_exact as gx
from gops_exact import first_move
from gops_exact.commands import cli
from gops_exact.game.rules import Rules, upcard_name
from gops_exact.solvers.formats import emit

DESCRIPTIONS = {"manifest.csv", "fields.csv", "datapackage.json"}
PRIMES = {"p61": 2**61 - 1, "p64": 2**64 - 59}


def table(path, encoding="ascii"):
    with path.open(encoding=encoding, newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_file_is_in_the_manifest_as_it_stands():
    lines = {line["file"]: line for line in table(RESULTS / "manifest.csv")}
    files = {
        str(path.relative_to(RESULTS))
        for path in RESULTS.rglob("*")
        if path.suffix in {".csv", ".json", ".txt"}
    } - DESCRIPTIONS
    assert files == set(lines)
    for name, line in lines.items():
        assert hashlib.sha256((RESULTS / name).read_bytes()).hexdigest() == line["sha256"], name


def test_the_manifest_has_the_command_of_every_file(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(RESULTS), *sys.path])
    import make

    files = make.QUICK | make.LONG
    commands = {name: f"python {make.arguments(command)}" for name, command in files.items()}
    assert commands == {line["file"]: line["command"] for line in table(RESULTS / "manifest.csv")}


@pytest.fixture(scope="module")
def package():
    return json.loads((RESULTS / "datapackage.json").read_text(encoding="ascii"))


def test_the_data_package_is_what_its_script_makes(package, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(RESULTS), *sys.path])
    import describe

    assert describe.package() == package
    described = {resource["path"] for resource in package["resources"]}
    assert described == {line["file"] for line in table(RESULTS / "manifest.csv")} | {
        "manifest.csv"
    }
    assert len({resource["name"] for resource in package["resources"]}) == len(described)


def test_tables_have_the_columns_that_are_described(package):
    tables = [resource for resource in package["resources"] if resource["path"].endswith(".csv")]
    assert len(tables) > 80
    for resource in tables:
        fields = resource["schema"]["fields"]
        lines = table(RESULTS / resource["path"], "utf-8")
        assert list(lines[0]) == [field["name"] for field in fields], resource["path"]
        for line in lines:
            for field in fields:
                if text := line[field["name"]]:
                    TYPES[field["type"]](text)


BOOLEANS = {"true": True, "false": False}


TYPES = {"string": str, "integer": int, "number": float, "boolean": BOOLEANS.__getitem__}


def assert_schema(document, name, *damage):
    """Fail unless a document obeys a schema, and not with any of its members replaced."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((RESULTS.parent / f"gops_exact/base/schemas/{name}").read_text())
    jsonschema.validate(document, schema)
    for wrong in damage:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document | wrong, schema)


def test_documents_obey_the_schemas_that_are_named(package):
    tried = set()
    for resource in package["resources"]:
        if resource["path"].endswith(".json"):
            name = resource["jsonSchema"].rpartition("/")[2]
            wrong = {"more": 1}, {"n": "5"}, {"rules": {"objective": "points"}}
            document = json.loads((RESULTS / resource["path"]).read_text())
            assert_schema(document, name, *(() if name in tried else wrong))
            tried.add(name)
    assert tried == {"first-moves-1.json", "hidden-bids-1.json"}


ARITHMETICS = pytest.mark.parametrize("arithmetic", ["exact", "ball", "residue", "float"])


@ARITHMETICS
@pytest.mark.parametrize(
    "rules", [Rules(), Rules("win", "carryover", "hidden"), Rules(prizes=(2, 3, 1))], ids=str
)
def test_first_moves_obey_their_schema(arithmetic, rules):
    moves = first_move(3, arithmetic=arithmetic, rules=rules)
    assert_schema(json.loads(moves.emit("json")), "first-moves-1.json")


@ARITHMETICS
@pytest.mark.parametrize(
    "words", ["2.4_1.3_12.13", "1.2.5_1.3.4_1.2.2@2_w_m1", "1.2_2.3_h1.2", "1.2_1.3_f2.0"]
)
def test_solved_positions_obey_their_schema(arithmetic, words, capsys):
    assert cli.main(["position", words, "--arithmetic", arithmetic, "--emit", "json"]) == 0
    wrong = {"value": None}, {"columns": []}, {"pot": -1}, {"more": 1}
    assert_schema(json.loads(capsys.readouterr().out), "position-1.json", *wrong)


@ARITHMETICS
def test_tables_obey_their_schema(arithmetic):
    position = gx.Position.parse("2.4_1.3_12.13@13")
    for shown in (gx.payoff_matrix(position, arithmetic), gx.solve(position, arithmetic)):
        assert_schema(json.loads(shown.emit("json")), "table-1.json")


def test_policy_tables_obey_their_schema(capsys):
    assert cli.main(["export", "--emit", "openspiel", "-n", "3"]) == 0
    wrong = [{"a state": actions} for actions in ([], [[0]], [[0, 1.5]], [[0, 1.0, 2]])]
    assert_schema(json.loads(capsys.readouterr().out), "policy-table-1.json", *wrong)


@pytest.mark.parametrize("n", range(1, 7))
def test_first_moves_are_computed_again_to_the_letter(n):
    kept = (RESULTS / f"exact/first_moves_n{n}.json").read_text(encoding="ascii")
    assert "".join(emit(first_move(n), "json")) == kept


def test_digests_of_the_full_numbers():
    # The digests of N = 7 are made by the same code; here it meets numbers that can be looked at.
    line = next(csv.DictReader("".join(emit(first_move(5, upcards=[1]), "digests")).splitlines()))
    entry = DATA / "rhoads_bartholdi_2012_n5_top_entry.txt"
    numerator, denominator = entry.read_text(encoding="ascii").strip().split("/")
    for name, digits in (("numerator", numerator), ("denominator", denominator)):
        assert line[f"{name}_digits"] == str(len(digits))
        assert line[f"{name}_bits"] == str(int(digits).bit_length())
        assert line[f"{name}_first_50_digits"] == digits[:50]
        assert line[f"{name}_last_50_digits"] == digits[-50:]
        assert line[f"{name}_sha256"] == hashlib.sha256(digits.encode()).hexdigest()
    for prime in PRIMES.values():
        residue = int(numerator) * pow(int(denominator), -1, prime) % prime
        assert line[f"modulo_{prime}"] == str(residue)


DIGESTS = [*RESULTS.glob("exact/digests_n*.csv"), *RESULTS.glob("rules/*_digests.csv")]


@pytest.mark.parametrize("path", sorted(DIGESTS), ids=lambda path: path.stem)
def test_digests_agree_with_residue_arithmetic(path):
    lines = table(path)
    (n,) = {line["n"] for line in lines}
    upcards = {line["upcard"] for line in lines}
    # Under the usual rules some files have some upcards.
    whole = {"hidden"} if "hidden" in path.stem else set("1234567"[: int(n)])
    assert upcards == whole or path.parent.name == "exact"
    for name, prime in PRIMES.items():
        residues = {"exact": f"residues_n{n}_{name}.json"}.get(
            path.parent.name, path.name.replace("digests.csv", f"{name}.json")
        )
        document = json.loads(path.with_name(residues).read_text())
        assert document["prime"] == prime
        columns = {upcard_name(column["upcard"]): column for column in document["columns"]}
        assert all(columns[upcard]["proved"] and columns[upcard]["unique"] for upcard in upcards)
        # Cards without a digest are not played.
        played = {
            (upcard, card): str(residue)
            for upcard in upcards
            for card, residue in columns[upcard]["probabilities"].items()
            if residue
        }
        assert played == {(line["upcard"], line["card"]): line[f"modulo_{prime}"] for line in lines}


@pytest.mark.parametrize("path", sorted(RESULTS.glob("exact/digests_n*.csv")), ids=lambda p: p.name)
def test_digests_agree_with_certified_decimals(path):
    lines = table(path)
    decimals = RESULTS / f"ball/first_moves_n{lines[0]['n']}.json"
    if not decimals.exists():
        pytest.skip(f"no certified decimals for n = {lines[0]['n']}")
    columns = {c["upcard"]: c for c in json.loads(decimals.read_text())["columns"]}
    for line in lines:
        text = columns[int(line["upcard"])]["probabilities"][line["card"]]
        scaled = int(text.replace(".", ""))  # to 50 decimals
        # The first 50 digits of numerator and denominator bound the quotient within 1e-48 of it.
        shift = int(line["numerator_digits"]) - int(line["denominator_digits"])
        ratio = int(line["numerator_first_50_digits"]) * 10 ** (50 + shift + 49)
        quotient = ratio // (int(line["denominator_first_50_digits"]) * 10**49)
        assert abs(quotient - scaled) <= 1000, line


@pytest.mark.parametrize("path", sorted(RESULTS.glob("rules/*_n[567].json")), ids=lambda p: p.stem)
def test_other_rules_are_computed_again_to_the_letter(path):
    kept = path.read_text(encoding="ascii")
    document = json.loads(kept)
    rules = Rules(**document["rules"])
    assert path.stem == f"{str(rules.key).replace('/', '_')}_n{document['n']}".replace(
        "fixed", str(rules.prizes)
    )
    if document["n"] == 5 or rules.fixed:
        assert "".join(emit(first_move(document["n"], rules=rules), "json")) == kept
    if rules.hidden and rules.ties == "discard":
        # Ross (1970), theorem 2; for an even number of cards there are other optimal bids.
        (column,) = document["columns"]
        uniform = set(column["probabilities"].values()) == {f"1/{document['n']}"}
        assert uniform == column["unique"] == (document["n"] % 2 == 1)
