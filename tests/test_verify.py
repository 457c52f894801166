"""The verifier: it proves what is right, and finds whatever is not."""

import json
import random
import shutil
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from flint import fmpq, fmpq_mat, fmpz
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st
from recursions import EVERY_RULE
from stores import payload_of, put, solve, sql

import gops_exact as gx
from gops_exact import cli
from gops_exact.documents import read_document
from gops_exact.game.order_types import all_pairs, order_types, word
from gops_exact.game.rules import Rules
from gops_exact.lattice.exact import ExactSlab, ExactSystem
from gops_exact.matrix_game.play import Basis
from gops_exact.numbers import view
from gops_exact.solutions.formats import emit
from gops_exact.store import DiskStore
from gops_exact.verify.arithmetic import Interval, NotProvedError, kernel, solve_game
from gops_exact.verify.checks import check_document, check_store
from gops_exact.verify.proofs import check_strategy
from gops_exact.verify.rules import Left, outcomes, turns, words
from gops_exact.verify.values import Game, Values

ARITHMETIC = ExactSystem()
small = st.integers(-9, 9)
PLAIN = "points/discard/random"


@pytest.fixture(scope="module", params=[1, 2, 3, 4, 5], ids="n = {}".format)
def solved(request, tmp_path_factory):
    """The stores of small games."""
    path = tmp_path_factory.mktemp("solved") / "store.sqlite"
    solve(request.param, path)
    return request.param, path


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    path = tmp_path_factory.mktemp("five") / "store.sqlite"
    solve(5, path)
    return path


@pytest.fixture
def spoilt(five, tmp_path):
    """A copy of the store of five cards, to be spoilt."""
    return Path(shutil.copy(five, tmp_path / "store.sqlite"))


def rewrite(path, key, payload):
    """Replace an entry by one that is sound as far as the store can tell."""
    put(path, key, payload)
    with DiskStore(path, read_only=True) as store:
        assert list(store.check()) == []


def keys(path, kind):
    with DiskStore(path, read_only=True) as store:
        return [key for key in store.sizes() if key.startswith(f"{PLAIN} exact {kind} ")]


# Its parts


@pytest.mark.parametrize(("size", "length"), [(k, m) for k in range(1, 5) for m in range(k, 9)])
def test_words_are_the_pairs_in_stored_order(size, length):
    equal = [(2**size - 1,) * 2] if length == size else []
    if length <= 2 * size:
        expected = [word(*pair) for pair in all_pairs(size, length) + equal]
        assert [*words(size, length)] == expected


def test_outcomes_are_those_of_the_order_types():
    types = order_types(range(1, 7), range(1, 7))
    for below, layer in pairwise(types):
        named = below.words()
        for h, text in enumerate(layer.words()):
            rows, columns = layer.row_kept[h].nonzero()[0], layer.column_kept[h].nonzero()[0]
            found = outcomes(text)
            assert (len(found), len(found[0])) == (len(rows), len(columns))
            for i, row in zip(rows, found, strict=True):
                for j, (sign, orientation, left) in zip(columns, row, strict=True):
                    child = int(layer.child[h, i, j])
                    assert sign == layer.sign[h, i, j]
                    assert orientation == (child > 0) - (child < 0)
                    if child:
                        assert left == named[abs(child) - 1]


@given(
    rows=st.integers(1, 5).flatmap(
        lambda s: st.lists(st.lists(small, min_size=s + 1, max_size=s + 1), min_size=s, max_size=s)
    ),
    data=st.data(),
)
def test_kernel(rows, data):
    z = kernel([[mpz(entry) for entry in row] for row in rows])
    assert all(sum(a * b for a, b in zip(row, z, strict=True)) == 0 for row in rows)
    minor = data.draw(st.integers(0, len(rows)))
    square = fmpq_mat([row[:minor] + row[minor + 1 :] for row in rows])
    assert z[minor] == (-1) ** minor * int(square.det().p)
    wide = [[Interval(mpz(entry - 1), mpz(entry + 2)) for entry in row] for row in rows]
    assert all(y.low <= x <= y.high for x, y in zip(z, kernel(wide), strict=True))


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(small, min_size=n, max_size=n), min_size=1, max_size=5)
    )
)
def test_solve_game(payoff):
    value = gx.solve_matrix_game(payoff).value
    found, rows, columns = solve_game([[mpz(entry) for entry in row] for row in payoff])
    assert found == mpq(str(value))
    basis = [[fmpq(payoff[i][j]) for j in columns] + [fmpq(1)] for i in rows]
    inverse = fmpq_mat([*basis, [fmpq(1)] * len(rows) + [fmpq(0)]]).inv().tolist()
    assert -inverse[-1][-1] == value
    assert min(inverse[-1][:-1]) >= 0 <= min(row[-1] for row in inverse[:-1])


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
def test_what_is_not_stored_is_enclosed(five, tmp_path, bits):
    with DiskStore(five, read_only=True) as store, DiskStore(tmp_path / "none.sqlite") as none:
        known, unknown = Values(store), Values(none)
        for text in ("VBYB", "VYVBY", "VVYY"):
            left = Left(PLAIN, (1, 2, 3)[: text.count("V") + text.count("B")])
            tight, loose = (each.interval(left, text, bits) for each in (known, unknown))
            assert loose.low <= tight.low <= tight.high <= loose.high
            assert loose.high - loose.low < 20


def test_shares_nothing_with_what_it_checks():
    folder = Path(gx.__file__).parent / "verify"
    lines = [line for path in folder.glob("*.py") for line in path.read_text().splitlines()]
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    own = {name for name in imported if name.startswith("gops_exact.")}
    allowed = {f"gops_exact.{name}" for name in ("documents", "store", "pools", "progress")}
    assert {name for name in own if not name.startswith("gops_exact.verify.")} == allowed
    assert not {"flint", "numpy", "sympy"} & {name.split(".")[0] for name in imported}


# What is right


def test_proves_what_was_stored(solved):
    n, path = solved
    report = check_store(path)
    assert report.faults == []
    with DiskStore(path, read_only=True) as store:
        assert report.entries == len(store.sizes())
    assert report.proved["first moves"] == n
    assert report.proved["values"] >= {1: 0, 2: 0, 3: 3, 4: 40, 5: 280}[n]


@pytest.mark.parametrize("rules", [*EVERY_RULE, Rules("win", "carryover", (3, 1, 4, 2))], ids=str)
def test_proves_every_rule_set_and_finds_a_wrong_value(rules, tmp_path):
    path = tmp_path / "store.sqlite"
    moves = gx.first_move(4, rules=rules, store=path)
    report = check_store(path)
    with DiskStore(path, read_only=True) as store:
        every = list(store.sizes())
    assert (report.faults, report.entries) == ([], len(every))
    assert report.proved["first moves"] == len(moves)
    key = random.Random(1).choice([key for key in every if " values " in key])
    slab = ARITHMETIC.unpack_slab(payload_of(path, key))
    (p, q), *others = slab.values
    rewrite(path, key, ARITHMETIC.pack_slab(ExactSlab.of([(p + q, q), *others], slab.bases)))
    faults = check_store(path).faults
    assert any(key in fault for fault in faults)


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_documents_of_every_rule_set(rules, tmp_path):
    path = tmp_path / "store.sqlite"
    moves = gx.first_move(4, rules=rules, store=path)
    document = json.loads("".join(emit(moves, "json")))
    assert check(path, document) == []
    other = {"objective": "points" if rules.winning else "win"}
    document["rules"] |= other
    assert all("the store has no" in fault for fault in check(path, document))
    document["rules"] |= {"prizes": [4, 3, 2]}
    with pytest.raises(ValueError, match="the rules must be those of a game of 4 cards"):
        check(path, document)


def test_several_processes_find_the_same(five):
    told = []
    report = check_store(five, jobs=2, progress=lambda *done: told.append(done))
    assert report == check_store(five)
    done, totals = zip(*told, strict=True)
    assert (done[0], done[-1]) == (0, totals[0])
    assert list(done) == sorted(done)
    assert len(told) == report.entries + 1


def test_no_further_than_asked(five):
    whole, part = check_store(five), check_store(five, prizes_up_to=3)
    assert (part.proved["first moves"], part.faults) == (0, [])
    assert 0 < part.proved["values"] < whole.proved["values"]
    assert part.passed_over == {"entries about more than 3 prizes": whole.entries - part.entries}


# What is wrong


def spoil_value(path, key, place, change):
    slab = ARITHMETIC.unpack_slab(payload_of(path, key))
    values = list(slab.values)
    values[place] = change(*values[place])
    rewrite(path, key, ARITHMETIC.pack_slab(ExactSlab.of(values, slab.bases)))


@pytest.mark.parametrize(
    "change",
    [
        lambda p, q: (p + 1, q),
        lambda p, q: (p - 1, q),
        lambda p, q: (p, q + 1),
        lambda p, q: (p * 10**30 + 1, q * 10**30),
    ],
    ids=["p + 1", "p - 1", "q + 1", "p/q + 1e-30/q"],
)
def test_a_changed_value_is_found(five, tmp_path, change):
    rng = random.Random(5)
    for key in rng.sample(keys(five, "values") + keys(five, "value"), 4):
        path = Path(shutil.copy(five, tmp_path / "store.sqlite"))
        place = rng.randrange(len(ARITHMETIC.unpack_slab(payload_of(path, key)).values))
        spoil_value(path, key, place, change)
        faults = check_store(path).faults
        assert any(f"'{key}'" in fault for fault in faults), key


def test_a_denominator_that_is_not_positive(spoilt):
    key = keys(spoilt, "values")[0]
    slab = ARITHMETIC.unpack_slab(payload_of(spoilt, key))
    (p, q), *others = slab.values
    payload = ARITHMETIC.pack_slab(replace(slab, values=[(-p, -q), *others]))
    rewrite(spoilt, key, payload)
    assert any("a denominator is not positive" in fault for fault in check_store(spoilt).faults)


def test_a_wrong_basis_is_found(five, tmp_path):
    """Any other basis than the optimal one, of whatever size, with the value left as it is."""
    rng = random.Random(6)
    found = 0
    for key in rng.sample(keys(five, "values"), 12):
        path = Path(shutil.copy(five, tmp_path / "store.sqlite"))
        slab = ARITHMETIC.unpack_slab(payload_of(path, key))
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
        for basis in rng.sample(others, min(4, len(others))):
            bases = list(slab.bases)
            bases[place] = (*bases[place][:upcard], basis, *bases[place][upcard + 1 :])
            rewrite(path, key, ARITHMETIC.pack_slab(ExactSlab.of(slab.values, bases)))
            faults = check_store(path, prizes_up_to=len(prizes)).faults
            if faults:
                (fault,) = faults
                assert f"hands {text}, upcard {prizes[upcard]}: the basis is not optimal" in fault
                found += 1
            else:  # then it is optimal, too
                with DiskStore(path, read_only=True) as store:
                    _, stakes = turns(Left(PLAIN, prizes))[prizes[upcard]]
                    assert is_optimal_by_fractions(Game(Values(store), text, stakes), basis)
    assert found > 20


def is_optimal_by_fractions(game, basis):
    """The same by the solver's own exact inverse of the bordered basis."""
    payoff = [[fmpq(*map(fmpz, map(int, game.pair(o)))) for o in row] for row in game.outcomes]
    size = len(basis.rows)
    bordered = [[payoff[i][j] for j in basis.columns] + [fmpq(1)] for i in basis.rows]
    inverse = fmpq_mat([*bordered, [fmpq(1)] * size + [fmpq(0)]]).inv().tolist()
    x, y, value = inverse[size][:size], [row[size] for row in inverse[:size]], -inverse[size][size]
    gains = [
        sum((row[j] * q for j, q in zip(basis.columns, y, strict=True)), fmpq(0)) for row in payoff
    ]
    losses = [
        sum((payoff[i][j] * p for i, p in zip(basis.rows, x, strict=True)), fmpq(0))
        for j in range(len(payoff[0]))
    ]
    return min(x) >= 0 and min(y) >= 0 and max(gains) == value == min(losses)


def spoil_opening(path, key, change):
    opening = ARITHMETIC.unpack_opening(payload_of(path, key))
    strategy, unique = change(
        [view(fmpq(*pair)).to_fraction() for pair in opening.row], opening.row_unique
    )
    pairs = tuple((fmpz(x.numerator), fmpz(x.denominator)) for x in strategy)
    rewrite(path, key, ARITHMETIC.pack_opening(opening._replace(row=pairs, row_unique=unique)))


def moved(strategy, unique):
    """A little moved from one card to another."""
    cards = [i for i, x in enumerate(strategy) if 0 < x < 1] or [0, 1]
    step = Fraction(1, 10**40)
    strategy[cards[0]] -= step
    strategy[cards[-1]] += step
    return strategy, unique


def swapped(strategy, unique):
    return strategy[::-1], unique


def too_much(strategy, unique):
    return [*strategy[:-1], strategy[-1] + Fraction(1, 10**40)], unique


def pure(strategy, unique):
    return [Fraction(int(card == 1)) for card in range(len(strategy))], unique


@pytest.mark.parametrize("change", [moved, swapped, too_much, pure])
def test_a_changed_first_move_is_found(spoilt, change):
    for key in keys(spoilt, "opening"):
        spoil_opening(spoilt, key, change)
    faults = check_store(spoilt).faults
    assert len(faults) == 5
    assert all("opening 5 upcard" in fault for fault in faults)


def test_terms_that_are_not_lowest(spoilt):
    key = keys(spoilt, "opening")[0]
    opening = ARITHMETIC.unpack_opening(payload_of(spoilt, key))
    pairs = tuple((2 * p, 2 * q) for p, q in opening.row)
    rewrite(spoilt, key, ARITHMETIC.pack_opening(opening._replace(row=pairs)))
    assert check_store(spoilt).faults == [f"entry '{key}': a probability is not in lowest terms"]


def test_a_first_move_that_is_not_the_only_one(solved, tmp_path):
    n, path = solved
    copy = Path(shutil.copy(path, tmp_path / "store.sqlite"))
    claims = {
        key: ARITHMETIC.unpack_opening(payload_of(copy, key)).row_unique
        for key in keys(copy, "opening")
    }
    for key in claims:
        spoil_opening(copy, key, lambda strategy, _: (strategy, True))
    faults = check_store(copy).faults
    assert len(faults) == sum(not claim for claim in claims.values())
    assert n != 3 or faults


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
    sql(spoilt, "DELETE FROM entry WHERE key = ?", f"{PLAIN} exact values 2,3 length 4")
    longer, shorter = f"{PLAIN} exact values 1,2 length 3", f"{PLAIN} exact values 1,3 length 3"
    rewrite(spoilt, longer, payload_of(spoilt, longer) + b"\0")
    rewrite(spoilt, shorter, payload_of(spoilt, shorter)[:-1])
    faults = check_store(spoilt).faults
    assert any("the store has no value of VYVY with prizes 2,3" in fault for fault in faults)
    assert f"entry '{longer}': the payload is longer than what it holds" in faults
    assert f"entry '{shorter}': the payload ends too early" in faults


# Emitted results


@pytest.fixture
def documents(five):
    moves = gx.first_move(5, store=five)
    exact = json.loads("".join(emit(moves, "json")))
    prime = 2**61 - 1
    residue = json.loads(json.dumps(exact)) | {"arithmetic": "residue", "prime": prime}
    decimal = json.loads(json.dumps(exact)) | {"arithmetic": "float"}
    for column in residue["columns"]:
        column["proved"] = True
        for card, text in column["probabilities"].items():
            p, _, q = text.partition("/")
            column["probabilities"][card] = int(p) * pow(int(q or 1), -1, prime) % prime
    for column in decimal["columns"]:
        for card, text in column["probabilities"].items():
            column["probabilities"][card] = float(Fraction(text))
        column["radii"] = dict.fromkeys(column["probabilities"], 1e-15)
    return {"exact": exact, "residue": residue, "float": decimal}


def check(five, document):
    with DiskStore(five, read_only=True) as store:
        return check_document(Values(store), read_document(json.dumps(document))).faults


@pytest.mark.parametrize("arithmetic", ["exact", "residue", "float"])
def test_documents(five, documents, arithmetic):
    document = documents[arithmetic]
    assert check(five, document) == []
    for column in document["columns"]:
        numbers = column["probabilities"]
        card = next(card for card, number in numbers.items() if number not in ("0", 0))
        right = numbers[card]
        numbers[card] = {
            "exact": lambda text: text[:-1] + str((int(text[-1]) + 1) % 10),
            "residue": lambda residue: residue - 1,
            "float": lambda number: number + 3e-15,
        }[arithmetic](right)
        (fault,) = check(five, document)
        assert fault.startswith(f"upcard {column['upcard']}: ")
        numbers[card] = right
    document["columns"][2]["value"] = "1"
    assert check(five, document) == ["upcard 3: the value must be 0, got 1"]
    document["columns"][2]["value"] = "0"
    del document["columns"][1]["probabilities"]["3"]
    with pytest.raises(
        ValueError, match="upcard 2: expected a probability for each card, ascending"
    ):
        check(five, document)


def test_residues_need_a_prime(five, documents):
    document = documents["residue"] | {"prime": 2**61 + 1}
    assert len(check(five, document)) == 5
    document["columns"] = document["columns"][:1]
    wrong = f"the modulus must be a prime between 10^9 and 2^64, got {2**61 + 1}"
    assert check(five, document) == [f"upcard 1: {wrong}"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": 5}, "expected first moves, got something else"),
        ({"rules": {"ties": "carryover"}}, "the rules must be"),
        ({"arithmetic": "roman"}, "the arithmetic must be one of exact, residue, float"),
        ({"n": 2}, "upcard 1: expected a probability for each card"),
        ({"columns": []}, "expected at least one first move, got none"),
        ({"arithmetic": []}, "the arithmetic must be one of exact, residue, float"),
    ],
)
def test_what_is_no_result(documents, change, message):
    with pytest.raises(ValueError, match=message):
        read_document(json.dumps(documents["exact"] | change))


@pytest.mark.parametrize("proved", ["true", [], 1, None, "missing"])
def test_residues_say_if_they_are_proved(documents, proved):
    document = documents["residue"]
    document["columns"][1]["proved"] = proved
    if proved == "missing":
        del document["columns"][1]["proved"]
    with pytest.raises(ValueError, match="upcard 2: proved must be|something else: 'proved'"):
        read_document(json.dumps(document))


def test_a_first_move_is_said_to_be_one_of_several(five, documents):
    balls = json.loads("".join(emit(gx.first_move(5, gx.Ball(6), store=":memory:"), "json")))
    for arithmetic, document in (documents | {"ball": balls}).items():
        assert check(five, document) == []
        document["columns"] = document["columns"][:1]
        document["columns"][0]["unique"] = False
        # Floats, and residues that rest on a tie, only say that they cannot tell.
        wrong = "upcard 1: the first move is said to be not unique, unlike the one in the store"
        if arithmetic == "exact":
            wrong = "upcard 1: the strategy is the only optimal one, but said not to be unique"
        assert check(five, document) == ([] if arithmetic == "float" else [wrong]), arithmetic
    documents["residue"]["columns"][0]["proved"] = False
    assert check(five, documents["residue"]) == []


@pytest.mark.parametrize("text", ["", "n,upcard,card\n", '{"n": 3,'])
def test_what_is_no_json(text):
    with pytest.raises(ValueError, match=f"expected JSON, got '{text[:9]}"):
        read_document(text)


def test_what_is_nested_too_deeply():
    with pytest.raises(ValueError, match="nested too deeply"):
        read_document("[" * 100_000)


@pytest.mark.parametrize("text", ["1/0", "5/7", "-1", "1.0", ""])
def test_residues_are_integers(five, documents, text):
    document = documents["residue"]
    document["columns"] = document["columns"][:1]
    document["columns"][0]["probabilities"]["2"] = text
    assert check(five, document) == [f"upcard 1: expected a residue, got {text!r}"]


@pytest.mark.parametrize("text", ["1/0", "0/00"])
def test_no_denominator_is_zero(five, documents, text):
    document = documents["exact"]
    document["columns"] = document["columns"][:1]
    document["columns"][0]["probabilities"]["5"] = text
    assert check(five, document) == [f"upcard 1: expected a fraction p/q, got {text!r}"]


@pytest.mark.parametrize("digits", [-1, 3, 10**12])
def test_as_many_decimals_as_there_are(five, digits):
    moves = gx.first_move(5, gx.Ball(6), upcards=[1], store=":memory:")
    document = json.loads("".join(emit(moves, "json")))
    assert check(five, document) == []
    wrong = check(five, document | {"digits": digits})
    assert wrong == [f"upcard 1: card 1 has not {digits} decimals"]


# Commands


def test_verify_command(five, spoilt, documents, tmp_path, capsys):
    assert cli.main(["verify", "--store", str(five), "--jobs", "1"]) == 0
    summary, *account = capsys.readouterr().out.splitlines()
    assert "72 entries, 0 faults, " in summary
    proved = "  proved: 843 games, 297 values, 5 first moves"
    assert account == [proved, "  only compared: nothing", "  passed over: nothing"]
    spoil_opening(spoilt, keys(spoilt, "opening")[3], too_much)
    assert cli.main(["verify", "--store", str(spoilt), "--jobs", "1"]) == 1
    fault, summary, proved, *_ = capsys.readouterr().out.splitlines()
    assert "opening 5 upcard 4" in fault
    assert "72 entries, 1 faults" in summary
    assert ", 4 first moves" in proved
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(documents["exact"]))
    documents["exact"]["columns"][0]["probabilities"]["1"] = "1/3"
    wrong.write_text(json.dumps(documents["exact"]))
    assert cli.main(["verify", "--store", ":memory:", str(right)]) == 0
    assert cli.main(["verify", "--store", str(five), str(right), str(wrong)]) == 1
    shown = capsys.readouterr().out
    assert shown.count(f"{right}: 5 first moves of n = 5, exact, right, exactly\n") == 2
    assert f"{wrong}: 5 first moves of n = 5, exact, wrong\n" in shown
    assert f"{wrong}: upcard 1: the probabilities do not add up to 1\n" in shown
    wrong.write_text("{")
    assert cli.main(["verify", str(wrong)]) == 2
    assert cli.main(["verify", str(tmp_path / "none.json")]) == 2
    assert cli.main(["verify", "--store", str(tmp_path / "none")]) == 2


def test_store_command(five, spoilt, capsys):
    for path, status in ((five, 0), (spoilt, 1)):
        if status:
            sql(path, "UPDATE entry SET payload = zeroblob(9) WHERE rowid = 7")
        assert cli.main(["store", "check", "--store", str(path)]) == status
    assert "none damaged" in (shown := capsys.readouterr().out)
    assert f"{spoilt} is damaged: the checksum of entry" in shown
    assert cli.main(["store", "info", "--store", str(five)]) == 0
    table = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["opening", "5", "1", "5"] in [line[:4] for line in table]
    assert ["values", "2", "10", "20"] in [line[:4] for line in table]
    assert cli.main(["store", "clear", "--yes", "--store", str(spoilt)]) == 0
    assert f"{spoilt}: 72 entries deleted" in capsys.readouterr().out
    with DiskStore(spoilt) as store:
        assert store.sizes() == {}
