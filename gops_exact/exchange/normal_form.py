"""A zero-sum matrix game with names, and its file in Gambit's format ``.nfg``.

The format is Gambit's *strategic games file format* (Savani and Turocy, *Gambit: the package for
computation in game theory*, manual, "Game representation formats"): a prologue with the names of
players and strategies, then the payoffs, player one's strategy varying fastest. They stand there
one by one, or as outcomes that a list of numbers refers to; both are read, the first is written.
"""

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from flint import fmpq

from gops_exact.arguments import instance, items, shown
from gops_exact.game.game import Position
from gops_exact.matrix_game.payoff import Matrix, Payoff
from gops_exact.numbers import rational

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}]|[^\s,{}"]+|"')


@dataclass(frozen=True)
class NormalForm:
    """A zero-sum matrix game whose strategies have names.

    Raises:
        ValueError: if the matrix is not one, or names are too few, too many or repeated.
    """

    payoff: Matrix  # shape (m, n), player one's gain, from anything rational
    rows: tuple[str, ...] = ()  # names of player one's strategies, length m; 1 … m by default
    columns: tuple[str, ...] = ()  # names of player two's strategies, length n; 1 … n by default
    title: str = "matrix game"  # the name of the game

    def __post_init__(self) -> None:
        matrix = Payoff.of(self.payoff).rows
        object.__setattr__(self, "payoff", matrix)
        for side, count in (("rows", len(matrix)), ("columns", len(matrix[0]))):
            given = items(getattr(self, side), side, f"{count} different names", ordered=True)
            names = tuple(given) or _numbered(count)
            if not all(isinstance(name, str) for name in names) or (
                not len(names) == len(set(names)) == count
            ):
                raise ValueError(f"{side} must have {count} different names, got {shown(given)}")
            object.__setattr__(self, side, names)
        instance(self.title, str, "title", "text")


def bidding_game(position: Position, payoffs: Matrix) -> NormalForm:
    """Name the matrix game of the bids at a position.

    Args:
        position: the position.
        payoffs: its payoffs, optimal play to follow: see :func:`gops_exact.payoff_matrix`.

    >>> game = bidding_game(Position([2, 4], [1, 3], [12, 13], upcard=13), [[25, -1], [1, 25]])
    >>> game.rows, game.title
    (('bid 2', 'bid 4'), 'GOPS: 2 4 against 1 3 for 12 13, upcard 13')
    """
    instance(position, Position, "position", "a Position")
    seen = "" if position.upcard is None else f", upcard {position.upcard}"
    rows, columns = (tuple(map(bid_name, hand)) for hand in (position.one, position.two))
    return NormalForm(payoffs, rows, columns, title(position) + seen)


def title(position: Position) -> str:
    """Name a position in one line, prizes ascending.

    >>> title(Position([2, 4], [1, 3], [12, 13]))
    'GOPS: 2 4 against 1 3 for 12 13'
    """
    cards = (position.one, position.two, sorted(position.prizes))
    return "GOPS: {} against {} for {}".format(*(" ".join(map(str, each)) for each in cards))


def bid_name(card: int) -> str:
    """Name a bid; Gambit would take a bare number for a place in the list of names.

    >>> bid_name(4)
    'bid 4'
    """
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
    tokens = _Tokens(instance(text, str, "text", "text"))
    for words in (["NFG"], ["1"], ["R", "D"]):
        tokens.word(*words)
    title = tokens.name()
    players = tokens.names()
    if len(players) != 2:
        raise ValueError(f"an nfg file must be of two players, got {len(players)}")
    rows, columns = _strategies(tokens)
    if tokens.next_is('"'):
        tokens.name()  # a comment
    count = len(rows) * len(columns)
    if tokens.next_is("{"):
        pairs = _outcomes(tokens, count)
    else:
        pairs = [(tokens.number(), tokens.number()) for _ in range(count)]
    tokens.take("its end", "")
    for gain, loss in pairs:
        if gain + loss != 0:
            raise ValueError(f"payoffs of a zero-sum game must add up to 0, got {gain} and {loss}")
    payoff = [[pairs[i + j * len(rows)][0] for j in range(len(columns))] for i in range(len(rows))]
    return NormalForm(payoff, rows, columns, title)


def quoted(name: str) -> str:
    r"""Quote a name for a file of Gambit.

    >>> print(quoted('the "best" game'))
    "the \"best\" game"
    """
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted_list(names: Iterable[str]) -> str:
    """Quote names and put them in braces.

    >>> print(quoted_list(["a", "b"]))
    { "a" "b" }
    """
    return f"{{ {' '.join(map(quoted, names))} }}"


class _Tokens:
    """The names (in quotes), braces and words of a file, taken one by one."""

    def __init__(self, text: str) -> None:
        self._left = deque[str]()
        for found in _TOKEN.finditer(text):
            if found[0] == '"':
                raise ValueError(
                    f"an nfg file has a name that does not end: {text[found.start() :][:40]!r}"
                )
            self._left.append(found[0])

    def next_is(self, start: str) -> bool:
        """Tell if the next token begins with a character."""
        return bool(self._left) and self._left[0].startswith(start)

    def take(self, expected: str, pattern: str) -> str:
        """Take the next token, "" at the end, which must match a pattern or is not `expected`."""
        token = self._left.popleft() if self._left else ""
        if not re.fullmatch(pattern, token, re.DOTALL):
            inner = token[1:-1] if token.startswith('"') else token
            given = repr(inner[:40]) if token else "the end"
            raise ValueError(f"an nfg file must have {expected} here, got {given}")
        return token

    def word(self, *allowed: str) -> str:
        return self.take(" or ".join(allowed) or "a number", "|".join(allowed) or r'[^{}"].*')

    def number(self) -> fmpq:
        return rational(self.word())

    def brace(self, brace: str) -> None:
        self.take(brace, re.escape(brace))

    def name(self) -> str:
        return re.sub(r"\\(.)", r"\1", self.take("a name in quotes", '".*')[1:-1])

    def names(self) -> tuple[str, ...]:
        """Take names in braces."""
        self.brace("{")
        names = []
        while not self.next_is("}"):
            names.append(self.name())
        self.brace("}")
        return tuple(names)


def _strategies(tokens: _Tokens) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take the strategies of both players, given by name or by number alone."""
    tokens.brace("{")
    if tokens.next_is("{"):
        names = tokens.names(), tokens.names()
    else:
        names = _numbered(_count(tokens)), _numbered(_count(tokens))
    tokens.brace("}")
    if not all(names):
        raise ValueError("an nfg file must have a strategy for each player, got none")
    return names


def _count(tokens: _Tokens) -> int:
    word = tokens.word()
    if not (word.isascii() and word.isdigit() and len(word) < 6):
        raise ValueError(f"a number of strategies must be an integer, got {word[:40]!r}")
    return int(word)


def _outcomes(tokens: _Tokens, count: int) -> list[tuple[fmpq, fmpq]]:
    """Take payoffs as outcomes, and for every cell the number of its outcome; 0 stands for none."""
    zero = fmpq(0)
    outcomes = [(zero, zero)]
    tokens.brace("{")
    while tokens.next_is("{"):
        tokens.brace("{")
        tokens.name()
        outcomes.append((tokens.number(), tokens.number()))
        tokens.brace("}")
    tokens.brace("}")
    places = [_count(tokens) for _ in range(count)]
    if max(places) >= len(outcomes):
        raise ValueError(
            f"an outcome must be from 0 to {len(outcomes) - 1} in this nfg file, got {max(places)}"
        )
    return [outcomes[place] for place in places]


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))
