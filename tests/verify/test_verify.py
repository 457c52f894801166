"""The verifier: it proves what is right, and finds whatever is not."""

import json
import random
import re
import shutil
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from flint import fmpq, fmpq_mat, fmpz
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st
from places import PACKAGE
from recursions import EVERY_RULE
from stores import contents, put, solve, sql

import gops_exact as gx
from gops_exact.base.documents import read_document
from gops_exact.commands import cli
from gops_exact.game.rules import Rules
from gops_exact.matrix_game.basis import Basis
from gops_exact.solvers.exact.ball import BallSystem, ResidueSystem
from gops_exact.solvers.exact.by_prizes import openings
from gops_exact.solvers.exact.rational import ExactSlab, ExactSystem
from gops_exact.solvers.store import DiskStore, StoreLocation
from gops_exact.verify.checks import Record, check_document, check_store
from gops_exact.verify.intervals import Interval, NotProvedError
from gops_exact.verify.proofs import check_strategy
from gops_exact.verify.values import Game, Values
from gops_exact.verify.words import Left, outcomes, turns, words

ARITHMETIC = ExactSystem()
PLAIN = "points/discard/random"
small = st.integers(-9, 9)


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """The stores of small games, by number of cards."""
    folder = tmp_path_factory.mktemp("stores")
    for n in range(1, 5):
        solve(n, folder / f"{n}.sqlite")
    return {n: folder / f"{n}.sqlite" for n in range(1, 5)}


@pytest.fixture
def spoilt(stores, tmp_path):
    """A copy of the store of four cards, to be spoilt."""
    return Path(shutil.copy(stores[4], tmp_path / "store.sqlite"))


def keys(path, kind):
    return [key for key in contents(path) if key.startswith(f"{PLAIN} exact {kind} ")]


@given(
    a=st.tuples(small, small),
    b=st.tuples(small, small),
    inside=st.tuples(st.fractions(0, 1), st.fractions(0, 1)),
)
def test_intervals_hold_every_result(a, b, inside):
    one, two = (Interval(mpz(min(ends)), mpz(max(ends))) for ends in (a, b))
    x, y = (
        Fraction(int(each.low)) + share * int(each.high - each.low)
        for each, share in zip((one, two), inside, strict=True)
    )
    for held, number in ((one + two, x + y), (one - two, x - y), (one * two, x * y), (-one, -x)):
        assert held.low <= number <= held.high
        assert held.sign in (None, (number > 0) - (number < 0))


@pytest.mark.parametrize("bits", [0, 5, 96])
def test_what_is_not_stored_is_enclosed(stores, tmp_path, bits):
    with DiskStore(stores[4], read_only=True) as store, DiskStore(tmp_path / "none") as none:
        known, unknown = Values(store), Values(none)
        for text in ("VBYB", "VYVBY", "VVYY"):
            left = Left(PLAIN, (1, 2, 3)[: text.count("V") + text.count("B")])
            tight, loose = (each.interval(left, text, bits) for each in (known, unknown))
            assert loose.low <= tight.low <= tight.high <= loose.high
            assert loose.high - loose.low < 20


def test_shares_nothing_with_what_it_checks():
    folder = PACKAGE
    files = [folder / "base/documents.py", *(folder / "verify").glob("*.py")]
    lines = [line for path in files for line in path.read_text().splitlines()]
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    own = {name for name in imported if name.startswith("gops_exact.")}
    allowed = ("base.documents", "base.schemas", "base.pools", "base.progress", "solvers.store")
    assert {name for name in own if ".verify." not in name} == {f"gops_exact.{x}" for x in allowed}
    assert not {"flint", "numpy", "sympy"} & {name.split(".")[0] for name in imported}


# What is right


@pytest.mark.parametrize(("n", "values"), [(1, 0), (2, 0), (3, 3), (4, 40)])
def test_proves_what_was_stored(stores, n, values):
    told = []
    report = check_store(stores[n], jobs=2, progress=lambda *done: told.append(done))
    assert report == check_store(stores[n])
    assert (report.faults, report.entries) == ([], len(contents(stores[n])))
    assert report.proved["first moves"] == n
    assert report.proved["values"] >= values
    done, totals = zip(*told, strict=True)
    assert (done[0], done[-1]) == (0, totals[0])
    assert list(done) == sorted(done)
    assert len(told) == report.entries + 1


def test_no_further_than_asked(stores):
    whole, part = check_store(stores[4]), check_store(stores[4], prizes_up_to=2)
    assert (part.proved["first moves"], part.faults) == (0, [])
    assert 0 < part.proved["values"] < whole.proved["values"]
    assert part.passed_over == {"entries about more than 2 prizes": whole.entries - part.entries}


@pytest.mark.parametrize("rules", [*EVERY_RULE, Rules("win", "carryover", (3, 1, 2))], ids=str)
def test_every_rule_set(rules, tmp_path):
    """Its store and its document are right; a document of other rules is not."""
    path = tmp_path / "store.sqlite"
    moves = gx.first_move(3, rules=rules, store=path)
    report = check_store(path)
    assert (report.faults, report.entries) == ([], len(contents(path)))
    assert report.proved["first moves"] == len(moves)
    document = json.loads(moves.emit("json"))
    assert check(path, document) == []
    document["rules"] |= {"objective": "points" if rules.winning else "win"}
    assert all("the store has no" in fault for fault in check(path, document))
    with pytest.raises(ValueError, match="the rules must be those of a game of 3 cards"):
        check(path, document | {"rules": document["rules"] | {"prizes": [4, 3, 2]}})


# What is wrong


def spoil_value(path, key, place, change):
    slab = ARITHMETIC.unpack_slab(contents(path)[key])
    values = list(slab.values)
    values[place] = change(*values[place])
    put(path, key, ARITHMETIC.pack_slab(replace(slab, values=values)))


def test_a_wrong_basis_is_found(stores, tmp_path):
    """Any other basis than the optimal one, of whatever size, or a card too high, the value left as it is."""
    rng = random.Random(6)
    found = 0
    for key in keys(stores[4], "values"):
        path = Path(shutil.copy(stores[4], tmp_path / "store.sqlite"))
        slab = ARITHMETIC.unpack_slab(contents(path)[key])
        subject, length = key.split()[3], int(key.split()[5])
        prizes = tuple(map(int, subject.split(",")))
        place = rng.randrange(len(slab.values))
        text = [*words(len(prizes), length)][place]
        upcard = rng.randrange(len(prizes))
        m, n = len(outcomes(text)), len(outcomes(text)[0])
        others = [
            Basis(rows, columns)
            for size in range(1, min(m, n) + 1)
            for rows in combinations(range(m), size)
            for columns in combinations(range(n), size)
            if (rows, columns) != tuple(vars(slab.bases[place][upcard]).values())
        ]
        for basis in [*rng.sample(others, min(4, len(others))), Basis((m,), (0,))]:
            bases = list(slab.bases)
            bases[place] = (*bases[place][:upcard], basis, *bases[place][upcard + 1 :])
            put(path, key, ARITHMETIC.pack_slab(ExactSlab.of(slab.values, bases)))
            faults = check_store(path, prizes_up_to=len(prizes)).faults
            if faults:
                (fault,) = faults
                reason = "does not fit the game" if basis.rows == (m,) else "is not optimal"
                assert f"hands {text}, upcard {prizes[upcard]}: the basis {reason}" in fault
                found += 1
            else:  # then it is optimal, too
                with DiskStore(path, read_only=True) as store:
                    _, stakes = turns(Left(PLAIN, prizes))[prizes[upcard]]
                    game = Game(Values(store), text, stakes)
                    payoff = [
                        [fmpq(*map(fmpz, map(int, game.pair(each)))) for each in row]
                        for row in game.outcomes
                    ]
                assert is_optimal_by_fractions(payoff, basis)
    assert found > 10


def is_optimal_by_fractions(payoff, basis):
    """Whether a basis is optimal, by the exact inverse of the bordered basis."""
    size = len(basis.rows)
    bordered = [[payoff[i][j] for j in basis.columns] + [fmpq(1)] for i in basis.rows]
    *inverse, last = fmpq_mat([*bordered, [fmpq(1)] * size + [fmpq(0)]]).inv().tolist()
    *x, minus_value = last
    y = [row[size] for row in inverse]
    gains = fmpq_mat([[row[j] for j in basis.columns] for row in payoff]) * fmpq_mat(
        [[q] for q in y]
    )
    losses = fmpq_mat([x]) * fmpq_mat([payoff[i] for i in basis.rows])
    return min(*x, *y) >= 0 and max(gains.entries()) == -minus_value == min(losses.entries())


def spoil_opening(path, change):
    """Change the terms of the first upcard's probabilities; the key."""
    key = keys(path, "opening")[0]
    opening = ARITHMETIC.unpack_opening(contents(path)[key])
    row = tuple(change(*pair) for pair in opening.row)
    put(path, key, ARITHMETIC.pack_opening(opening._replace(row=row)))
    return key


def test_terms_that_are_not_lowest(spoilt):
    """Nor is a fraction of two negative numbers, in a value."""
    key = spoil_opening(spoilt, lambda p, q: (2 * p, 2 * q))
    assert check_store(spoilt).faults == [f"entry '{key}': a probability is not in lowest terms"]
    value = keys(spoilt, "values")[0]
    spoil_value(spoilt, value, 0, lambda p, q: (-p, -q))
    assert f"entry '{value}': a denominator is not positive" in str(check_store(spoilt).faults)


class Fixed:
    """A game with given payoffs, one for each pair of bids."""

    def __init__(self, payoff):
        self.payoff = payoff
        self.outcomes = [[(i, j) for j in range(len(payoff))] for i in range(len(payoff))]

    def pair(self, outcome):
        i, j = outcome
        return mpz(self.payoff[i][j]), mpz(1)

    def intervals(self, bits):
        one = mpz(1) << bits
        return [[Interval((x - 1) * one, (x + 1) * one) for x in row] for row in self.payoff], one


EQUAL_CARDS = [[0, 0, 1, -1], [0, 0, 1, -1], [-1, -1, 0, 1], [1, 1, -1, 0]]
UNEQUAL_CARDS = [[0, -1, 1, -1], [1, 0, 2, -2], [-1, -2, 0, 1], [1, 2, -1, 0]]


@pytest.mark.parametrize(
    ("payoff", "strategy", "several"),
    [
        (EQUAL_CARDS, "1/6 1/6 1/3 1/3", "the support's game is degenerate"),
        (EQUAL_CARDS, "1/3 0 1/3 1/3", "see card 2"),
        (UNEQUAL_CARDS, "0 1/5 2/5 2/5", None),
    ],
)
def test_uniqueness_is_proved_either_way(payoff, strategy, several):
    """Stone, scissors and paper, with two kinds of stone."""
    pairs = [(mpq(x).numerator, mpq(x).denominator) for x in strategy.split()]
    check_strategy(Fixed(payoff), pairs, None)
    check_strategy(Fixed(payoff), pairs, several is None)
    with pytest.raises(NotProvedError, match=several or "the only optimal one, but said not to be"):
        check_strategy(Fixed(payoff), pairs, several is not None)


def test_what_is_missing_or_cut_short(spoilt):
    entries = contents(spoilt)
    sql(spoilt, "DELETE FROM entry WHERE key = ?", f"{PLAIN} exact values 1,4 length 4")
    longer, shorter = f"{PLAIN} exact values 1,2 length 3", f"{PLAIN} exact values 1,3 length 3"
    put(spoilt, longer, entries[longer] + b"\0")
    put(spoilt, shorter, entries[shorter][:-1])
    faults = check_store(spoilt).faults
    assert any("the store has no value of V" in fault for fault in faults)
    assert f"entry '{longer}': the payload is longer than what it holds" in faults
    assert f"entry '{shorter}': the payload ends too early" in faults


# Emitted results


KINDS = (gx.Exact(), gx.Ball(6), gx.Residue(2**61 - 1), gx.Float())
NAMES = [kind.name for kind in KINDS]


@pytest.fixture(scope="module")
def texts():
    """The first moves of four cards in every arithmetic."""
    moves = (gx.first_move(4, kind, store=":memory:", jobs=1) for kind in KINDS)
    return dict(zip(NAMES, (each.emit("json") for each in moves), strict=True))


def check(path, document):
    with DiskStore(path, read_only=True) as store:
        return check_document(Values(store), read_document(json.dumps(document))).faults


MODULUS = "the modulus must be a prime between 10^9 and 2^64, got"
UNLIKE = "the first move is said to be not unique, unlike the one in the store"


@pytest.mark.parametrize(
    ("kind", "members", "column", "numbers", "fault"),
    [
        ("exact", {}, {}, {"4": "2/4"}, "expected a fraction in lowest terms, got '2/4'"),
        ("residue", {"prime": 2**61 + 1}, {}, {}, f"{MODULUS} {2**61 + 1}"),
        ("residue", {}, {}, {"1": 2**61}, f"card 1 is not {2**61} modulo {2**61 - 1}"),
        *(
            ("ball", {"digits": digits}, {}, {}, f"card 1 has not {digits} decimals")
            for digits in (3, 10**12)
        ),
        ("exact", {}, {"unique": False}, {}, "only optimal one, but said not to be unique"),
        ("ball", {}, {"unique": False}, {}, UNLIKE),
        ("residue", {}, {"unique": False}, {}, UNLIKE),
        # Floats, and residues that rest on a tie, only say that they cannot tell.
        ("residue", {}, {"unique": False, "proved": False}, {}, None),
        ("float", {}, {"unique": False}, {}, None),
    ],
)
def test_a_claim_that_is_wrong_is_named(stores, texts, kind, members, column, numbers, fault):
    document = json.loads(texts[kind]) | members
    document["columns"] = document["columns"][:1]
    document["columns"][0] |= column
    document["columns"][0]["probabilities"] |= numbers
    found = check(stores[4], document)
    assert len(found) == (fault is not None)
    assert all(each.startswith("upcard 1: ") and fault in each for each in found)


@pytest.mark.parametrize(
    ("kinds", "change", "message"),
    [
        (NAMES, {"columns": 5}, "columns: expected array, got 5"),
        (NAMES, {"columns": []}, "columns: expected at least 1 entries, got"),
        (
            NAMES,
            {"arithmetic": []},
            "arithmetic: expected 'exact' or 'ball' or 'residue' or 'float'",
        ),
        (NAMES, {"rules": {"ties": "carryover"}}, "rules: expected the member objective"),
        (NAMES, {"n": 2}, "upcard 1: expected a probability for each card, ascending"),
        (NAMES, {"digest": 7}, "digest: expected no such member, got 7"),
        (["ball"], {"digits": ...}, "expected the member digits"),
        (["ball"], {"digits": 0}, "digits: expected a number from 1 on, got 0"),
    ],
)
def test_what_is_no_result(texts, kinds, change, message):
    """Members that nothing checks are refused, and so are documents that lack one."""
    for kind in kinds:
        document = json.loads(texts[kind]) | change
        whole = {name: value for name, value in document.items() if value is not ...}
        with pytest.raises(ValueError, match=message):
            read_document(json.dumps(whole))


@pytest.mark.parametrize("proved", ["true", [], 1, None, ...], ids=repr)
def test_residues_must_say_if_they_are_proved(texts, proved):
    document = json.loads(texts["residue"])
    del document["columns"][1]["proved"]
    if proved is not ...:
        document["columns"][1]["proved"] = proved
    with pytest.raises(ValueError, match="columns 1.*proved"):
        read_document(json.dumps(document))


@pytest.mark.parametrize(("number", "radius"), [(1.0, 1.0), (0.5, 0.5), (0.25, 0.75)])
def test_floats_that_may_be_anything_are_not_the_only_ones(texts, stores, number, radius):
    document = json.loads(texts["float"])
    for column in document["columns"]:
        column["probabilities"] = dict.fromkeys("1234", number)
        column["radii"] = dict.fromkeys("1234", radius)
    faults = check(stores[4], document)
    assert len(faults) == 4
    assert all("though the first move is said to be unique" in fault for fault in faults)


# Stores of balls and residues


SYSTEMS = [
    *(BallSystem(100), BallSystem(100, 0), BallSystem(200, 2)),
    *(ResidueSystem(10**9 + 7), ResidueSystem(10**9 + 7, 128, 2)),
]


@pytest.fixture(scope="module", params=SYSTEMS, ids=lambda system: system.name)
def rounded(request, tmp_path_factory):
    """A store in an arithmetic that is not exact."""
    path = tmp_path_factory.mktemp("rounded") / "store.sqlite"
    openings(gx.Game(4), range(1, 5), request.param, StoreLocation(path), workers=1)
    return path


def test_a_store_of_balls_or_residues_is_proved(rounded):
    report, entries = check_store(rounded), contents(rounded)
    assert (report.faults, report.entries) == ([], len(entries))
    assert {"balls", "first moves"} <= set(report.proved)
    assert ("residues" in report.proved) == all(" residue/" in key for key in entries)


# Runs that are stopped


@pytest.fixture
def state(tmp_path_factory, monkeypatch):
    """A state folder of the test's own."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder / "gops_exact"


def stop(path, entries):
    """Stop a run after so many entries; return the file that it leaves."""
    left = iter(range(entries))

    def progress(_done, _total):
        if next(left, None) is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_store(path, progress=progress)
    with DiskStore(path, read_only=True) as store:
        return Record.of(store).path


def spoil_one(path):
    """Spoil a value; its key."""
    key = keys(path, "values")[0]
    spoil_value(path, key, 0, lambda p, q: (p + q, q))
    return key


@pytest.mark.usefixtures("state")
def test_a_run_of_a_part_leaves_the_proofs_of_others_to_a_whole_one(stores, spoilt):
    kept = stop(spoilt, 9)
    assert check_store(spoilt, prizes_up_to=1).earlier == 0
    told = []
    report = check_store(spoilt, progress=lambda *done: told.append(done))
    assert report.earlier == 9 + 4  # and the entries about one prize
    assert replace(report, earlier=0) == check_store(stores[4])
    assert told == sorted(told) and len(told) == report.entries + 1
    assert not kept.exists()


@pytest.mark.usefixtures("state")
def test_proofs_count_for_one_content(spoilt):
    """Neither for a store with another value, nor for entries damaged since."""
    kept = stop(spoilt, 26)
    text, entries = kept.read_text(), contents(spoilt)
    lines = text.splitlines()
    assert len(lines) == 1 + 26
    key = spoil_one(spoilt)
    for header in (lines[0], stop(spoilt, 1).read_text().splitlines()[0]):  # of both contents
        kept.write_text("\n".join([header, *lines[1:]]))
        report = check_store(spoilt)
        assert report.earlier == 0
        assert any(key in fault for fault in report.faults)
    put(spoilt, key, entries[key])
    kept.write_text(text)
    sql(spoilt, "UPDATE entry SET payload = zeroblob(8) WHERE key = ?", key)
    report = check_store(spoilt)
    assert report.earlier == 25
    assert [f"the checksum of entry '{key}' does not match" in x for x in report.faults] == [True]


def test_nothing_beside_a_store_vouches_for_it(state, spoilt, tmp_path):
    """A store comes with a file for each of its entries that says "proved before", made with the verifier's own code."""
    key = spoil_opening(spoilt, lambda p, q: (q - p, q))
    with DiskStore(spoilt, read_only=True) as store:
        kept = Record.of(store)
        for path in (Path(f"{spoilt}-verified"), tmp_path / kept.path.name):
            forged = replace(kept, path=path)
            forged.begin()
            for each in store.sizes():
                forged.add(each, [{}, {}, {}])
    report = check_store(spoilt)
    assert report.earlier == 0
    assert any(key in fault for fault in report.faults)
    stop(spoilt, 3)
    (own,) = state.iterdir()
    assert (own.stat().st_mode & 0o777, state.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.usefixtures("state")
@pytest.mark.parametrize("wrong", [False, True])
def test_a_damaged_file_of_proofs_changes_no_verdict(spoilt, wrong):
    if wrong:
        spoil_one(spoilt)
    whole, rng = check_store(spoilt), random.Random(1)
    assert bool(whole.faults) == wrong
    kept = stop(spoilt, 20)
    data = kept.read_bytes()
    found = set()
    for _ in range(30):
        damaged = bytearray(data[: rng.randrange(len(data))] if rng.random() < 0.5 else data)
        for _ in range(rng.randrange(3)):
            if damaged:
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        kept.write_bytes(damaged)
        report = check_store(spoilt)
        found.add(report.earlier)
        assert replace(report, earlier=0, faults=sorted(report.faults)) == replace(
            whole, faults=sorted(whole.faults)
        )
    assert len(found) > 5


@pytest.mark.parametrize("where", ["a file", "no home"])
def test_where_nothing_can_be_kept(spoilt, tmp_path, monkeypatch, where):
    place = tmp_path / "file"
    place.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(place) if where == "a file" else "")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert check_store(spoilt) == check_store(spoilt, jobs=2)


# Commands


def test_verify_command(stores, spoilt, texts, tmp_path, capsys):
    store = ["--store", str(stores[4])]
    assert cli.main(["verify", *store, "--jobs", "1"]) == 0
    summary, *account = capsys.readouterr().out.splitlines()
    assert "26 entries, 0 faults, " in summary
    proved = "  proved: 94 games, 46 values, 4 first moves"
    assert account == [proved, "  only compared: nothing", "  passed over: nothing"]
    spoil_opening(spoilt, lambda p, q: (p + 1, q))
    assert cli.main(["verify", "--store", str(spoilt), "--jobs", "1"]) == 1
    fault, summary, proved, *_ = capsys.readouterr().out.splitlines()
    assert "opening 4 upcard 1" in fault
    assert ", 1 faults" in summary
    assert ", 3 first moves" in proved
    right = {kind: tmp_path / f"{kind}.json" for kind in NAMES}
    for kind, file in right.items():
        file.write_text(texts[kind])
    wrong = tmp_path / "wrong.json"
    wrong.write_text(texts["exact"].replace('"1": "1"', '"1": "1/3"', 1))
    assert cli.main(["verify", "--store", ":memory:", str(right["exact"])]) == 0
    assert cli.main(["verify", *store, *map(str, right.values()), str(wrong)]) == 1
    shown = capsys.readouterr().out
    radius = max(max(each["radii"].values()) for each in json.loads(texts["float"])["columns"])
    said = "exactly", "to 6 decimals", f"modulo {2**61 - 1}", f"within {radius!r}"
    for (kind, file), how in zip(right.items(), said, strict=True):
        lines = shown.count(f"{file}: 4 first moves of n = 4, {kind}, right, {how}\n")
        assert lines == (2 if kind == "exact" else 1)
    assert f"{wrong}: 4 first moves of n = 4, exact, wrong\n" in shown
    assert f"{wrong}: upcard 1: the probabilities do not add up to 1\n" in shown
    assert re.search("  only compared: [1-9][0-9]* probabilities", shown)
    wrong.write_text("{")
    assert cli.main(["verify", str(wrong)]) == 2
    assert cli.main(["verify", str(tmp_path / "none.json")]) == 2
    assert cli.main(["verify", "--store", str(tmp_path / "none")]) == 2
