"""The verifier: it proves what is right, and finds whatever is not; its schemas beside another reader of them."""

import json
import random
import shutil
from contextlib import nullcontext
from itertools import product
from pathlib import Path

import pytest
from documents import reshaped
from gmpy2 import mpq, mpz
from oracle_checks import places, schema
from project_paths import DATA
from recursions import EVERY_RULE
from stores import contents, first_moves, put, sql

import gops_exact as gx
from gops_exact.base.documents import read_document, read_table
from gops_exact.base.schemas import check
from gops_exact.base.store import DiskStore
from gops_exact.matrix_game.basis import Basis
from gops_exact.solvers.exact.ball import BallSystem
from gops_exact.solvers.exact.lattice import ExactSystem, exact_value_table
from gops_exact.verify.checks import check_store, mark, record_of
from gops_exact.verify.interleavings import PrizeState, interleavings, outcomes, stage_games
from gops_exact.verify.intervals import Interval, add_up
from gops_exact.verify.values import Game, Values

ARITHMETIC = ExactSystem()
PLAIN = "points/discard/random"


def test_interval_arithmetic_contains_every_result():
    rng = random.Random(1)
    for _ in range(500):
        ends = [sorted(rng.choices(range(-9, 10), k=2)) for _ in "12"]
        one, two = (Interval(*map(mpz, pair)) for pair in ends)
        x, y = (rng.randint(*pair) for pair in ends)
        for held, number in (
            *((one + two, x + y), (one - two, x - y)),
            *((one * two, x * y), (-one, -x)),
        ):
            assert held.low <= number <= held.high
            assert held.sign in (None, (number > 0) - (number < 0))
        low, high = (mpq(end, 7) for end in ends[0])
        held = Interval.between(low.as_integer_ratio(), high.as_integer_ratio(), 2)
        assert 0 <= 4 * low - held.low < 1 and 0 <= held.high - 4 * high < 1


def test_verify_adds_zero_to_nine_fractions_exactly():
    pairs = [(mpz(k), mpz(k + 1)) for k in range(9)]
    for count in range(10):
        assert mpq(*add_up(pairs[:count])) == sum(mpq(*pair) for pair in pairs[:count])


def test_intervals_of_mean_payoffs_in_verify_are_rounded_outward(tmp_path):
    gx.first_move(gx.Game(3, gx.Rules(prizes="hidden"), (1, 2, 4)), store=tmp_path / "store.sqlite")
    with DiskStore(tmp_path / "store.sqlite", read_only=True) as store:
        ((_, stakes),) = stage_games(PrizeState("points/discard/hidden", (1, 2, 4))).values()
        game = Game(Values(store), "BBB", stakes)
        for outcome in (cell for row in game.outcomes for cell in row):
            held, payoff = game.interval(outcome, 8), mpq(*game.pair(outcome))
            assert held.low <= 256 * payoff <= held.high


@pytest.mark.parametrize(("kind", "read"), [("json", read_document), ("csv", read_table)])
def test_verifier_reads_floats_of_documents_exactly(kind, read):
    """A decimal of 17 digits is not the float, which the radius was proved for."""
    moves = gx.first_move(5, "float")
    document = read(moves.emit(kind))
    for column, strategy in zip(document.columns, moves.values(), strict=True):
        for card, number in strategy.items():
            assert document.number(column, str(card)) == (mpq(number.value), mpq(number.radius))


RIGHT = [
    *((n, gx.Rules(), ExactSystem()) for n in range(1, 5)),
    *((3, rules, ExactSystem()) for rules in (*EVERY_RULE, gx.Rules("win", prizes=(3, 1, 2)))),
    *((4, gx.Rules(), BallSystem(*each)) for each in ((100,), (100, 0), (200, 2))),
]


@pytest.mark.parametrize(("n", "rules", "system"), RIGHT, ids=str)
def test_verify_proves_every_entry_of_a_store_file(tmp_path, n, rules, system):
    path, game = tmp_path / "store.sqlite", gx.Game(n, rules)
    first_moves(game, game.upcards, system, path, workers=1)
    told = []
    report = check_store(path, progress=lambda *done: told.append(done))
    assert (report.faults, report.entries) == ([], len(contents(path)))
    assert report.proved["first moves"] == len(game.upcards)
    assert report.proved.total() >= report.entries and not report.passed_over
    done, (total, *_) = zip(*told, strict=True)
    assert (done[0], done[-1], len(told)) == (0, total, report.entries + 1)
    assert list(done) == sorted(done)


VALUES, FIRST_MOVE = f"{PLAIN} exact values 1,3 length 3", f"{PLAIN} exact opening 4 upcard 1"


def spoil(path, key, change):
    """Change the bytes of an entry."""
    put(path, key, change(contents(path)[key]))


def first(value=lambda p, q: (p, q), basis=None):
    """A change of the terms of an entry's first value, or of the basis of its first game."""

    def changed(payload):
        table = ARITHMETIC.unpack_values(payload)
        (terms, *values), ((own, *more), *bases) = table.values, table.bases
        return ARITHMETIC.pack_values(
            exact_value_table([value(*terms), *values], [(basis or own, *more), *bases])
        )

    return changed


def each_probability(change, count=None):
    """A change of the terms of a first move's probabilities, of which only the first `count` are kept."""

    def changed(payload):
        first_move = ARITHMETIC.unpack(payload)
        row = tuple(change(*pair) for pair in first_move.row[:count])
        return ARITHMETIC.pack(first_move._replace(row=row))

    return changed


WRONG_VALUE = first(lambda p, q: (p + q, q))
WRONG = [
    (
        FIRST_MOVE,
        each_probability(lambda p, q: (2 * p, 2 * q)),
        "probability is not in lowest terms",
    ),
    (FIRST_MOVE, each_probability(lambda p, q: (-p, q)), "a probability is not between 0 and 1"),
    (FIRST_MOVE, each_probability(lambda *pair: pair, 3), "expected 4 probabilities, got 3"),
    (VALUES, WRONG_VALUE, "the value is not the mean over the upcards"),
    (VALUES, first(lambda p, q: (-p, -q)), "a denominator is not positive"),
    (VALUES, first(basis=Basis((9,), (0,))), "the basis does not fit the game"),
    (
        VALUES,
        lambda payload: payload + b"\0",
        "a payload must end after its last number, got 1 bytes",
    ),
    (VALUES, lambda payload: payload[:-1], "more bytes, got "),
]


@pytest.mark.parametrize(("key", "change", "fault"), WRONG)
def test_verify_names_entries_of_a_store_file_with_false_numbers_or_a_wrong_length(
    spoilt, key, change, fault
):
    spoil(spoilt, key, change)
    faults = check_store(spoilt).faults
    assert any(each.startswith(f"entry '{key}'") and fault in each for each in faults)


def test_verify_finds_a_basis_in_a_store_file_that_is_not_optimal(stored, tmp_path):
    """Any other basis than the optimal one, the value left as it is; more than one can be optimal."""
    found = 0
    for key in contents(stored):
        if " exact values " not in key:
            continue
        path = Path(shutil.copy(stored, tmp_path / "store.sqlite"))
        size = key.count(",") + 1
        letters = next(iter(interleavings(size, int(key.split()[-1]))))
        shape = map(range, (len(outcomes(letters)), len(outcomes(letters)[0])))
        for i, j in [*product(*shape)][:4]:
            spoil(path, key, first(basis=Basis((i,), (j,))))
            faults = check_store(path).faults
            assert all(f"hands {letters}, upcard" in fault for fault in faults)
            assert all("the basis is not optimal" in fault for fault in faults)
            found += len(faults)
    assert found > 10


def test_verify_passes_over_numbers_modulo_a_prime_in_a_store_file(tmp_path):
    """The store of an earlier version has exact numbers, balls and residues."""
    report = check_store(Path(shutil.copy(DATA / "before/store.sqlite", tmp_path)))
    passed = {"entries modulo a prime, which an earlier version stored": 15}
    assert (report.faults, report.passed_over) == ([], passed)


def test_verify_names_a_value_missing_from_a_store_file(spoilt):
    sql(spoilt, "DELETE FROM entry WHERE key = ?", f"{PLAIN} exact values 1,4 length 4")
    assert any("the store has no value of V" in fault for fault in check_store(spoilt).faults)


# Runs that are stopped


@pytest.fixture
def state(tmp_path_factory, monkeypatch):
    """A state folder of the test's own."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder / "gops_exact"


def stop(path, entries):
    """Stop a run after so many entries; return the file that it leaves, and its first line."""
    left = iter(range(entries))

    def progress(_done, _total):
        if next(left, None) is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_store(path, progress=progress)
    with DiskStore(path, read_only=True) as store:
        return record_of(store)


BEFORE = "entries that a stopped run has proved"


def test_stopped_verification_of_a_store_file_goes_on_where_it_stopped(state, spoilt):
    kept, _ = stop(spoilt, 9)
    assert (kept.stat().st_mode & 0o777, state.stat().st_mode & 0o777) == (0o600, 0o700)
    text = kept.read_text()
    report = check_store(spoilt)
    assert (report.entries, report.faults, report.passed_over) == (26, [], {BEFORE: 9})
    assert not kept.exists()
    stop(spoilt, 1)
    kept.write_text(text[:-1])  # a torn line
    report = check_store(spoilt)
    assert (report.entries, report.faults, report.passed_over) == (26, [], {BEFORE: 8})


@pytest.mark.usefixtures("state")
def test_recorded_proofs_do_not_count_for_a_changed_store_file(spoilt):
    """Neither for a store with another value, nor for entries damaged since."""
    kept, header = stop(spoilt, 26)
    text, entries = kept.read_text(), contents(spoilt)
    lines = text.splitlines()
    assert sorted(lines) == sorted([header, *(mark(header, key) for key in entries)])
    spoil(spoilt, VALUES, WRONG_VALUE)
    _, own_header = stop(spoilt, 1)
    for first in (header, own_header):
        kept.write_text("\n".join([first, *lines[1:]]))
        report = check_store(spoilt)
        assert not report.passed_over and any(VALUES in fault for fault in report.faults)
    put(spoilt, VALUES, entries[VALUES])
    kept.write_text(text)
    sql(spoilt, "UPDATE entry SET payload = zeroblob(8) WHERE key = ?", VALUES)
    report = check_store(spoilt)
    (fault,) = report.faults
    assert report.passed_over == {BEFORE: 25}
    assert f"the checksum of entry '{VALUES}' does not match" in fault


@pytest.mark.usefixtures("state")
def test_verify_ignores_a_forged_record_of_proofs_beside_a_store_file(spoilt, tmp_path):
    """A store comes with a file that says that each of its entries was proved, made with the verifier's own code."""
    spoil(spoilt, FIRST_MOVE, each_probability(lambda p, q: (q - p, q)))
    with DiskStore(spoilt, read_only=True) as store:
        kept, header = record_of(store)
        lines = [header, *(mark(header, key) for key in store.sizes())]
    for path in (Path(f"{spoilt}-verified"), tmp_path / kept.name):
        path.write_text("\n".join(lines))
    report = check_store(spoilt)
    assert not report.passed_over and any(FIRST_MOVE in fault for fault in report.faults)


def test_verify_checks_a_store_file_where_the_user_has_no_folder_to_record_proofs(
    spoilt, monkeypatch
):
    monkeypatch.setenv("XDG_STATE_HOME", "")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    report = check_store(spoilt, jobs=2)
    assert (report.entries, report.passed_over, report.faults) == (26, {}, [])


MOVES = [gx.first_move(3, kind, store=":memory:") for kind in ("exact", "ball")]
OBEYING = {
    "first-moves-1": [each.emit("json") for each in [*MOVES, gx.first_move(3, "float")]],
    "hidden-bids-1": [
        """{"document": "hidden bids", "version": 1, "n": 2, "rules": {"objective": "points", "ties": "discard",
        "prizes": [2, 1]}, "seen": [true, false], "value": "0", "row": {"2": {"2": "1"}},
        "column": {"2": {"1": "1/3", "2": "2/3"}}}"""
    ],
    "matrix-game-1": [gx.solve_matrix_game([[3, -1], [1, 2]]).emit("json")],
    "path-game-1": [gx.solve_game(gx.known_games.castles((2, 1), (1, 2))).emit("json")],
    "records-1": ['[{"n": 3, "policy": "random", "loss": "1/3", "proved": true, "upcard": null}]'],
    "table-1": [
        gx.payoff_matrix("2.4_1.3_12.13@13", store=":memory:").emit("json"),
        gx.solve("2.4_1.3_12.13@13", store=":memory:").row.emit("json"),
    ],
}
"""Documents that obey, as text."""


@pytest.mark.parametrize("name", OBEYING)
def test_schema_check_agrees_with_jsonschema(name):
    """But for 1.0, which is an integer there."""
    rng, verdicts = random.Random(name), []
    for _ in range(150):
        text = rng.choice(OBEYING[name])
        document = json.loads(text if rng.random() < 0.1 else reshaped(rng, text))
        if any(
            isinstance(part := tree[key], float) and part.is_integer()
            for tree, key in places(document)
        ):
            continue
        verdicts.append(schema(name).is_valid(document))
        with nullcontext() if verdicts[-1] else pytest.raises(ValueError, match="^.+$"):
            check(document, name)
    assert {True, False} <= set(verdicts)
