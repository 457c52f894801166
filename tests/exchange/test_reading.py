"""What is emitted comes back by :func:`gops_exact.read`: the object, and the same text once more."""

import json
from itertools import count
from random import Random

import pytest
from flint import fmpq
from program import run
from recursions import EVERY_RULE

import gops_exact as gx
from gops_exact import exchange, extensive, hidden_bids

RULES = [*EVERY_RULE, gx.Rules("win", "carryover", (2, 3, 1))]


def share(rng, parts):
    """Random probabilities, some of them 0."""
    weights = [rng.choice((0, 1, 2, 10 ** rng.randint(0, 60))) for _ in range(parts)]
    weights[rng.randrange(parts)] += rng.randint(1, 10**9)
    return [gx.view(fmpq(weight, sum(weights))) for weight in weights]


def first_moves(rng):
    """First moves of any rules and deck, in any arithmetic that keeps its numbers."""
    rules = rng.choice(RULES)
    n = 3 if isinstance(rules.prizes, tuple) else rng.randint(1, 4)
    deck = () if n == 3 else tuple(sorted(rng.sample(range(12), n)))
    deck = () if deck == tuple(range(1, n + 1)) else deck
    game = gx.Game(n, rules, deck)
    kind = rng.choice((gx.Exact(), gx.Float(), gx.Residue(), gx.Residue(2**64 - 59)))
    upcards = rng.sample(game.upcards, rng.randint(1, len(game.upcards)))
    columns = {}
    for upcard in upcards:
        chances = share(rng, n)
        if isinstance(kind, gx.Float):
            radius = rng.choice((0.0, 1e-17 * rng.random()))
            chances = [gx.BoundedFloat(float(p), radius if p else 0.0) for p in chances]
        elif isinstance(kind, gx.Residue):
            chances = [gx.ResidueClass(0, kind.prime) + p for p in chances]
        columns[upcard] = gx.Strategy(dict(zip(range(1, n + 1), chances, strict=True)))
    return gx.FirstMoves(n, columns, rules, kind, deck=deck)


def matrix(rng):
    size = rng.randint(1, 5), rng.randint(1, 5)
    payoff = [
        [fmpq(rng.randint(-9, 9), rng.randint(1, 4)) for _ in range(size[1])]
        for _ in range(size[0])
    ]
    rows, columns = ([f"{side}; {k}" for k in range(m)] for side, m in zip("rc", size, strict=True))
    return gx.MatrixGame(payoff, rows, columns, rng.choice(("matrix game", "Räuber")))


def tree(rng):
    """A game of hidden dice in which player two sees the bid, and perhaps not player one's die."""
    hidden = rng.random() < 0.5
    nodes = [extensive.Chance({1: "1/3", 2: "2/3"}), None, None]
    for die in (1, 2):
        moves = {}
        for bid in "ab":
            replies = {}
            for reply in "xyz"[: rng.randint(1, 3)] if not hidden else "xy":
                replies[reply] = len(nodes)
                nodes.append(fmpq(rng.randint(-9, 9), rng.randint(1, 3)))
            moves[bid] = len(nodes)
            nodes.append(extensive.Move(2, replies, f"saw {bid}" if hidden else None))
        nodes[die] = extensive.Move(1, moves, f"die {die}" if hidden else None)
    return gx.solve_game(extensive.ListedTree(nodes, "dice"))


def by_card(rng):
    cards = dict(zip(range(1, 5), share(rng, 4), strict=True))
    return rng.choice(
        (gx.Strategy(cards), gx.bid_gains(gx.Position.start(rng.randint(1, 4)).at(1)))
    )


def payoffs(rng):
    start = gx.Position.start(rng.randint(1, 3), rng.choice(EVERY_RULE[:4]))
    position = rng.choice([turned for _, turned in start.turns()])
    return gx.payoff_matrix(position)


KINDS = {
    first_moves: 80,
    matrix: 30,
    lambda rng: gx.solve_matrix_game(matrix(rng)): 30,
    lambda rng: gx.optimal_set(matrix(rng)): 10,
    tree: 20,
    by_card: 10,
    payoffs: 20,
}
"""{function that makes an object from random numbers: how many are made}."""


@pytest.mark.parametrize(("make", "times"), KINDS.items(), ids=count())
def test_what_is_emitted_comes_back(make, times, tmp_path):
    file = tmp_path / "emitted.json"
    for seed in range(times):
        emitted = make(Random(seed))
        file.write_text(emitted.emit("json"), "utf-8")
        again = gx.read(file)
        if isinstance(emitted, gx.OptimalSet):  # read as a table of its numbers
            assert again.document() == emitted.document(), seed
            continue
        assert again.emit("json") == file.read_text("utf-8"), seed
        if isinstance(emitted, extensive.Equilibrium):  # its game is read as a list of nodes
            again.check()
            assert again.value == emitted.value, seed
        else:
            assert again == emitted, seed
            assert type(again) is type(emitted)


@pytest.mark.parametrize("objective", ["points", "win"])
@pytest.mark.parametrize(("n", "prizes"), [(2, "random"), (3, "descending"), (3, "random")])
def test_hidden_bids_come_back(n, prizes, objective, tmp_path):
    pytest.importorskip("highspy", reason="highspy is not installed")
    solved = gx.solve_game(hidden_bids.HiddenBids(gx.Game(n, gx.Rules(objective, prizes=prizes))))
    (tmp_path / "hidden.json").write_text(solved.emit("json"))
    again = gx.read(tmp_path / "hidden.json")
    assert again == solved
    again.check()


POSITION = "2.4_1.3_12.13@13"
HIDDEN = gx.Position([1, 2], [1, 3], [2, 5], rules=gx.Rules("win", prizes="hidden"))
NAMED = {
    f"position {POSITION}": lambda: gx.solve(POSITION),
    f"position {POSITION} --arithmetic float": lambda: gx.solve(POSITION, "float"),
    f"position {POSITION} --arithmetic residue --prime 4294967291": (
        lambda: gx.solve(POSITION, gx.Residue(4294967291))
    ),
    "position 2.4_1.3_12.13": lambda: [gx.solve(f"2.4_1.3_12.13@{upcard}") for upcard in (12, 13)],
    "position --one 1,2 --two 1,3 --prizes hidden:2,5 --objective win": lambda: gx.solve(HIDDEN),
    "-n 4 --arithmetic float": lambda: gx.first_move(4, "float"),
    "-n 3 --objective win --ties carryover --prizes hidden": (
        lambda: gx.first_move(3, rules=gx.Rules("win", "carryover", "hidden"))
    ),
}


@pytest.mark.parametrize("words", NAMED)
def test_what_commands_write_comes_back(words, tmp_path):
    file = tmp_path / "written.json"
    assert run([*words.split(), "--out", str(file)]).status == 0
    assert gx.read(file) == NAMED[words]()


@pytest.mark.parametrize(
    "words", ["-n 4 --arithmetic ball --digits 7", f"position {POSITION} --arithmetic ball"]
)
def test_decimals_come_back_as_they_are_written(words, tmp_path):
    file = tmp_path / "balls.json"
    assert run([*words.split(), "--out", str(file)]).status == 0
    again = gx.read(file)
    if isinstance(again, gx.FirstMoves):
        assert again.emit("json") == file.read_text()
        exact = gx.first_move(4)
        pairs = [(again[u][c], exact[u][c]) for u in exact for c in exact[u]]
        assert str(again).count(".") == 16
    else:
        pairs = [
            (again.value, gx.value(POSITION)),
            *zip(again.row.values(), gx.solve(POSITION).row.values(), strict=True),
        ]
    for decimal, number in pairs:
        least, most = decimal.bounds()
        assert least <= number.value <= most
        assert decimal.decimal(decimal.digits) == str(decimal) == number.decimal(decimal.digits)


def test_records_policies_and_files_of_others_are_read(tmp_path):
    file, store = tmp_path / "records.json", tmp_path / "store"
    gx.first_move(3, store=store)
    assert run(["growth", "-n", "3", "--store", str(store), "--out", str(file)]).status == 0
    assert gx.read(file) == [vars(layer) for layer in gx.growth(3, store=store)]
    policy = {"1 2": [(0, 0.25), (1, 0.75)], "2 1": [(1, 1.0)]}
    file.write_text(json.dumps(policy))
    assert gx.read(file) == policy
    game = gx.MatrixGame([[3, "-1/2"], [1, 2]], ["top", "low"], ["a", "b"])
    for text in (exchange.write_nfg(game), game.emit("csv")):
        file.write_text(text)
        assert gx.read(file) == game
    file.write_text(exchange.write_efg(gx.Position.start(2)))
    assert gx.solve_game(gx.read(file)).value == 0
    for kind in ("exact", "float"):
        file.write_text(gx.first_move(4, kind).emit("csv"))
        assert gx.read(file).emit("csv") == file.read_text()


def test_long_fractions_are_read_as_they_are_written(tmp_path):
    long = gx.view(3) ** 30_000 / gx.view(2) ** 50_000
    emitted = gx.FirstMoves(2, {1: gx.Strategy({1: long, 2: 1 - long})})
    text = emitted.emit("json")
    (tmp_path / "long.json").write_text(text)
    again = gx.read(tmp_path / "long.json")
    assert again == emitted and again.emit("json") == text
    doubled = f"{2 * long.value.p}/{2 * long.value.q}"
    (tmp_path / "long.json").write_text(text.replace(str(long), doubled))
    with pytest.raises(ValueError, match="lowest terms"):
        gx.read(tmp_path / "long.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "expected a document that the program emits"),
        ('{"document": "matrix game"}', "expected the member version"),
        ('{"n": 3, "columns": []}', "expected the member"),
        ('{"caption": 1, "numbers": []}', "caption"),
        ("[1", "expected JSON"),
        ("", "expected a table in CSV, got no line"),
    ],
)
def test_what_is_not_emitted_is_refused_in_one_line(text, message, tmp_path):
    (tmp_path / "file").write_text(text)
    with pytest.raises(ValueError, match=message) as refusal:
        gx.read(tmp_path / "file")
    assert str(refusal.value).count(str(tmp_path)) == 1
