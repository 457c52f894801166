"""Files of Gambit: matrix games with names as ``.nfg``, small positions of GOPS as game trees, ``.efg``.

The formats are Gambit's *strategic games file format* and *extensive game file format* (Savani and
Turocy, *Gambit: the package for computation in game theory*, manual, "Game representation formats").

An ``.nfg`` file has a prologue with the names of players and strategies, then the payoffs, player one's
strategy varying fastest. They stand there one by one, or as outcomes that a list of numbers refers to;
both are read, the first is written.

An ``.efg`` file has the nodes of a tree in prefix order, chance probabilities and payoffs as fractions.
The tree is made of the rules alone; nothing is solved. A round is a chance node for the prize, a node of
player one and a node of player two who does not see player one's bid; where prizes are hidden, the chance
node comes last. Every node of player two after the same history and prize is one information set. Moves
without a choice, such as the last round's bids, are left out.
"""

import re
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from gops_exact.arguments import instance, items, shown
from gops_exact.game.game import Position
from gops_exact.game.rules import winner_of
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.numbers import BigRational, rational

MOST_CARDS = 4
"""Cards a side of a tree: 13,824 leaves at four, 1.7 million at five."""

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}]|[^\s,{}"]+|"')
_WORD = r'[^{}"].*'


@dataclass(frozen=True)
class NormalForm:
    """A zero-sum matrix game whose strategies have names.

    Raises:
        ValueError: if the matrix is not one, or names are too few, too many or repeated.
    """

    payoff: Sequence[Sequence[Any]]  # shape (m, n), player one's gain, from anything rational
    rows: tuple[str, ...] = ()  # names of player one's strategies, length m; 1 … m by default
    columns: tuple[str, ...] = ()  # names of player two's strategies, length n; 1 … n by default
    title: str = "matrix game"  # the name of the game

    def __post_init__(self) -> None:
        matrix = [[BigRational.of(entry) for entry in row] for row in Payoff.of(self.payoff).rows]
        object.__setattr__(self, "payoff", matrix)
        for side, count in (("rows", len(matrix)), ("columns", len(matrix[0]))):
            given = items(getattr(self, side), side, f"{count} different names", ordered=True)
            names = tuple(given) or _numbers(count)
            if not all(isinstance(name, str) for name in names) or (
                not len(names) == len(set(names)) == count
            ):
                raise ValueError(f"{side} must have {count} different names, got {shown(given)}")
            object.__setattr__(self, side, names)
        instance(self.title, str, "title", "text")


def bidding_game(position: Position, payoffs: Sequence[Sequence[Any]]) -> NormalForm:
    """Name the matrix game of the bids at a position, whose payoffs :func:`gops_exact.payoff_matrix` gives.

    >>> game = bidding_game(Position([2, 4], [1, 3], [12, 13], upcard=13), [[25, -1], [1, 25]])
    >>> game.rows, game.title
    (('bid 2', 'bid 4'), 'GOPS: 2 4 against 1 3 for 12 13, upcard 13')
    """
    instance(position, Position, "position", "a Position")
    seen = "" if position.upcard is None else f", upcard {position.upcard}"
    rows, columns = (tuple(map(bid_name, hand)) for hand in (position.one, position.two))
    return NormalForm(payoffs, rows, columns, title(position) + seen)


def title(position: Position) -> str:
    """Name a position in one line, prizes ascending."""
    cards = (position.one, position.two, sorted(position.prizes))
    return "GOPS: {} against {} for {}".format(*(" ".join(map(str, each)) for each in cards))


def bid_name(card: int) -> str:
    """Name a bid; Gambit would take a bare number for a place in the list of names."""
    return f"bid {card}"


def write_nfg(game: NormalForm) -> str:
    """Return the text of an ``.nfg`` file with payoffs as fractions.

    >>> print(write_nfg(NormalForm([[3, "-1/2"], [1, 2]])), end="")
    NFG 1 R "matrix game" { "Player one" "Player two" }
    { { "1" "2" } { "1" "2" } }
    ""
    <BLANKLINE>
    3 -3
    1 -1
    -1/2 1/2
    2 -2
    """
    instance(game, NormalForm, "game", "a NormalForm")
    cells = (entry for column in zip(*game.payoff, strict=True) for entry in column)
    lines = [
        f'NFG 1 R {quoted(game.title)} {{ "Player one" "Player two" }}',
        f"{{ {quoted_list(game.rows)} {quoted_list(game.columns)} }}",
        '""',
        "",
        *(f"{entry!s} {-entry!s}" for entry in cells),
    ]
    return "\n".join(lines) + "\n"


def read_nfg(text: str) -> NormalForm:
    """Return the game in the text of an ``.nfg`` file.

    Raises:
        ValueError: if it is not the text of a zero-sum game of two players with rational payoffs.

    >>> game = read_nfg('NFG 1 R "" { "One" "Two" } { 2 1 } 0.5 -0.5 1/3 -1/3')
    >>> game.payoff, game.rows
    ([[1/2], [1/3]], ('1', '2'))
    """
    tokens = deque[str]()
    for found in _TOKEN.finditer(instance(text, str, "text", "text")):
        if found[0] == '"':
            raise ValueError(
                f"an nfg file has a name that does not end: {text[found.start() :][:40]!r}"
            )
        tokens.append(found[0])
    tokens.append("")  # the end
    for expected, pattern in (("NFG", "NFG"), ("1", "1"), ("R or D", "R|D")):
        _take(tokens, expected, pattern)
    title = _name(tokens)
    players = _names(tokens)
    if len(players) != 2:
        raise ValueError(f"an nfg file must be of two players, got {len(players)}")
    _take(tokens, "{", r"\{")
    if tokens[0] == "{":
        rows, columns = _names(tokens), _names(tokens)
    else:
        rows, columns = _numbers(_count(tokens)), _numbers(_count(tokens))
    _take(tokens, "}", r"\}")
    if not rows or not columns:
        raise ValueError("an nfg file must have a strategy for each player, got none")
    if tokens[0].startswith('"'):
        _name(tokens)  # a comment
    cells = len(rows) * len(columns)
    if tokens[0] == "{":
        pairs = _outcomes(tokens, cells)
    else:
        pairs = [(_number(tokens), _number(tokens)) for _ in range(cells)]
    _take(tokens, "its end", "")
    for gain, loss in pairs:
        if gain + loss != 0:
            raise ValueError(f"payoffs of a zero-sum game must add up to 0, got {gain} and {loss}")
    payoff = [[pairs[i + j * len(rows)][0] for j in range(len(columns))] for i in range(len(rows))]
    return NormalForm(payoff, rows, columns, title)


def _outcomes(tokens: deque[str], cells: int) -> list[tuple[fmpq, fmpq]]:
    """Take payoffs as outcomes, and for every cell the number of its outcome; 0 stands for none."""
    outcomes = [(fmpq(0), fmpq(0))]
    _take(tokens, "{", r"\{")
    while tokens[0] == "{":
        _take(tokens, "{", r"\{")
        _name(tokens)
        outcomes.append((_number(tokens), _number(tokens)))
        _take(tokens, "}", r"\}")
    _take(tokens, "}", r"\}")
    places = [_count(tokens) for _ in range(cells)]
    if max(places) >= len(outcomes):
        raise ValueError(
            f"an outcome must be from 0 to {len(outcomes) - 1} in this nfg file, got {max(places)}"
        )
    return [outcomes[place] for place in places]


def _take(tokens: deque[str], expected: str, pattern: str) -> str:
    """Take the next token, "" at the end, which must match a pattern or is not `expected`."""
    token = tokens.popleft()
    if not re.fullmatch(pattern, token, re.DOTALL):
        inner = token[1:-1] if token.startswith('"') else token
        given = repr(inner[:40]) if token else "the end"
        raise ValueError(f"an nfg file must have {expected} here, got {given}")
    return token


def _number(tokens: deque[str]) -> fmpq:
    return rational(_take(tokens, "a number", _WORD))


def _count(tokens: deque[str]) -> int:
    word = _take(tokens, "a number", _WORD)
    if not (word.isascii() and word.isdigit() and len(word) < 6):
        raise ValueError(f"a number of strategies must be an integer, got {word[:40]!r}")
    return int(word)


def _name(tokens: deque[str]) -> str:
    return re.sub(r"\\(.)", r"\1", _take(tokens, "a name in quotes", '".*')[1:-1])


def _names(tokens: deque[str]) -> tuple[str, ...]:
    """Take names in braces."""
    _take(tokens, "{", r"\{")
    names = []
    while tokens[0] != "}":
        names.append(_name(tokens))
    _take(tokens, "}", r"\}")
    return tuple(names)


def _numbers(count: int) -> tuple[str, ...]:
    """Return the names of strategies that have none."""
    return tuple(str(number) for number in range(1, count + 1))


def write_efg(position: Position) -> str:
    """Return the text of an ``.efg`` file of the game from a position on, of at most four cards a side.

    Raises:
        ValueError: if a prize is turned up, or there are too many cards.

    >>> print(write_efg(Position([2], [1], [3])), end="")
    EFG 2 R "GOPS: 2 against 1 for 3" { "Player one" "Player two" }
    ""
    <BLANKLINE>
    t "" 1 "" { 3, -3 }
    """
    instance(position, Position, "position", "a Position")
    if position.size > MOST_CARDS:
        raise ValueError(
            f"a game tree is written for at most {MOST_CARDS} cards a side, got {position.size}"
        )
    if position.upcard is not None:
        raise ValueError(
            f"a game tree starts before a prize is turned up, got upcard {position.upcard}"
        )
    rules = position.rules
    lines = [f'EFG 2 R {quoted(title(position))} {{ "Player one" "Player two" }}', '""', ""]
    numbers: dict[str, dict[Hashable, int]] = {}

    def number(kind: str, name: Hashable) -> int:
        """Return the number of an information set or outcome, counted from 1 within its kind."""
        known = numbers.setdefault(kind, {})
        return known.setdefault(name, len(known) + 1)

    def prizes(at: Position, seen: Hashable) -> Iterator[int]:
        """Add a chance node if there is a choice; yield its branches."""
        draws = rules.draws(at.prizes)
        if len(draws) > 1:
            chances = " ".join(
                f"{quoted(f'prize {draw.upcard}')} {draw.times}/{len(at.prizes)}" for draw in draws
            )
            lines.append(f'c "" {number("chance", seen)} "" {{ {chances} }} 0')
        for draw in draws:
            yield draw.upcard

    def bids(at: Position, seen: Hashable) -> Iterator[tuple[int, int]]:
        """Add the nodes at which a player has a choice, each before its branches; yield these."""
        actions = [quoted_list(map(bid_name, hand)) for hand in (at.one, at.two)]
        if at.size > 1:
            lines.append(f'p "" 1 {number("player 1", seen)} "" {actions[0]} 0')
        for bid in at.one:
            if at.size > 1:
                lines.append(f'p "" 2 {number("player 2", seen)} "" {actions[1]} 0')
            for reply in at.two:
                yield bid, reply

    def add(at: Position, gained: int, history: tuple[tuple[int, int, int], ...]) -> None:
        """Add the tree from a position on, before a prize is turned up.

        So far player one `gained` so many points more than player two, 0 where winning counts; the
        history has (prize, bid, reply) of each round.
        """
        if at.decided is not None:
            gain = gained + at.decided
            lines.append(f't "" {number("outcome", gain)} "" {{ {gain}, {-gain} }}')
            return
        if rules.hidden:
            rounds = (
                (prize, bid, reply)
                for bid, reply in bids(at, (history, None))
                for prize in prizes(at, (history, (bid, reply)))
            )
        else:
            rounds = (
                (prize, bid, reply)
                for prize in prizes(at, (history, None))
                for bid, reply in bids(at, (history, prize))
            )
        for prize, bid, reply in rounds:
            turned = at if rules.hidden else at.at(prize)
            gain = rules.gain(at.state, prize, winner_of(bid, reply))
            after = turned.after(bid, reply, prize)
            add(after, gained + gain, (*history, (prize, bid, reply)))

    add(position, 0, ())
    return "\n".join(lines) + "\n"


def quoted(name: str) -> str:
    """Quote a name for a file of Gambit."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted_list(names: Iterable[str]) -> str:
    """Quote names and put them in braces."""
    return f"{{ {' '.join(map(quoted, names))} }}"
