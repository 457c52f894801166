"""Claims that `verify` has to prove or refuse, each made by changing one that is true."""

import json

import pytest
from stores import contents, put

import gops_exact as gx
from gops_exact import cli
from gops_exact.lattice.ball import BallSystem
from gops_exact.lattice.residue import ResidueSystem
from gops_exact.solvers.by_prizes import openings
from gops_exact.store import StoreLocation

PRIME = 10**9 + 7


@pytest.fixture
def file(tmp_path):
    return tmp_path / "moves.json"


def emitted(n, arithmetic, **options):
    return json.loads(gx.first_move(n, arithmetic, **options).emit("json"))


def verify(*words):
    return cli.main(["verify", "--jobs", "1", *map(str, words)])


# Documents


@pytest.mark.usefixtures("own_store")
def test_balls_say_how_many_decimals_are_proved(file, capsys):
    document = emitted(4, gx.Ball(6), upcards=[3])
    file.write_text(json.dumps(document))
    assert verify(file) == 0
    assert "ball, right, to 6 decimals\n" in capsys.readouterr().out
    del document["digits"]
    file.write_text(json.dumps(document))
    assert verify(file) == 2
    assert "'digits'" in capsys.readouterr().err
    (column,) = document["columns"]
    for card, text in column["probabilities"].items():
        column["probabilities"][card] = str(round(float(text)))
    for digits in ({}, {"digits": 0}):
        file.write_text(json.dumps(document | digits))
        assert verify(file) != 0
        assert "right" not in capsys.readouterr().out


@pytest.mark.usefixtures("own_store")
def test_floats_that_may_be_anything_are_not_the_only_ones(file, capsys):
    document = emitted(4, "float", upcards=[3], jobs=1)
    file.write_text(json.dumps(document))
    assert verify(file) == 0
    largest = max(document["columns"][0]["radii"].values())
    assert f"float, right, within {largest!r}\n" in capsys.readouterr().out
    cards = "1", "2", "3", "4"
    for number, radius in ((1.0, 1.0), (0.5, 0.5), (0.25, 0.75)):
        (column,) = document["columns"]
        column["probabilities"] = dict.fromkeys(cards, number)
        column["radii"] = dict.fromkeys(cards, radius)
        file.write_text(json.dumps(document))
        assert verify(file) == 1
        assert "though the first move is said to be unique" in capsys.readouterr().out


@pytest.mark.usefixtures("own_store")
@pytest.mark.parametrize("arithmetic", ["exact", "ball", "residue", "float"])
def test_a_member_that_is_not_checked_is_refused(file, capsys, arithmetic):
    document = emitted(3, arithmetic)
    for place in (document, document["columns"][0]):
        place["digest"] = 7
        file.write_text(json.dumps(document))
        assert verify(file) == 2
        assert "got 'digest'" in capsys.readouterr().err
        del place["digest"]
    file.write_text(json.dumps(document))
    assert verify(file) == 0
    *_, compared, passed_over = capsys.readouterr().out.splitlines()
    if arithmetic == "float":
        assert compared == "  only compared: 6 probabilities"
        assert passed_over.endswith(", 1 first moves that say nothing")


# Uniqueness


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", prizes="hidden")], ids=str)
def test_a_first_move_said_to_be_one_of_several_is_proved_to_be(tmp_path, file, capsys, rules):
    path = tmp_path / "store.sqlite"
    gx.first_move(4, rules=rules, store=path)
    assert verify("--store", path) == 0
    cleared = 0
    for key, payload in contents(path).items():
        if " exact opening " in key:
            at = 8 + int.from_bytes(payload[:8], "little")  # of the flag
            cleared += payload[at]
            put(path, key, payload[:at] + bytes(8) + payload[at + 8 :])
    assert verify("--store", path) == int(cleared > 0)
    faults = capsys.readouterr().out.count("the only optimal one, but said not to be unique")
    assert faults == cleared
    file.write_text(gx.first_move(4, rules=rules, store=path).emit("json"))
    assert verify("--store", path, file) == int(cleared > 0)


# Stores of balls and residues


SYSTEMS = [
    BallSystem(100),
    BallSystem(100, 0),
    BallSystem(200, 2),
    ResidueSystem(PRIME),
    ResidueSystem(PRIME, 128, 2),
]


@pytest.fixture(scope="module", params=SYSTEMS, ids=lambda system: system.name)
def solved(request, tmp_path_factory):
    """A store in one arithmetic."""
    path = tmp_path_factory.mktemp("solved") / "store.sqlite"
    openings(gx.Game(4), range(1, 5), request.param, StoreLocation(path), workers=1)
    return request.param, path


def test_a_store_of_balls_or_residues_is_proved(solved, capsys):
    system, path = solved
    assert verify("--store", path) == 0
    summary, proved, *_ = capsys.readouterr().out.splitlines()
    assert f"{len(contents(path))} entries, 0 faults" in summary
    assert "balls" in proved
    assert ("residues" in proved) == isinstance(system, ResidueSystem)
    assert "first moves" in proved


@pytest.mark.parametrize("kind", ["values", "opening"])
def test_a_changed_entry_of_balls_or_residues_is_found(solved, tmp_path, capsys, kind):
    """The lowest and the highest bytes of its last number."""
    _, path = solved
    keys = [key for key in contents(path) if f" {kind} " in key]
    for key in (keys[0], keys[-1]):
        for at in (-8, -9):
            payload = bytearray(contents(path)[key])
            payload[at] ^= 4
            copy = tmp_path / "copy.sqlite"
            copy.write_bytes(path.read_bytes())
            put(copy, key, bytes(payload))
            assert verify("--store", copy) == 1
            assert f"entry '{key}'" in capsys.readouterr().out
