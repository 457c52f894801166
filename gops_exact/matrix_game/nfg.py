"""Gambit's files of matrix games with names, ``.nfg``.

The format is its *strategic games file format* (Savani and Turocy, *Gambit: the package for computation in
game theory*, manual, "Game representation formats"). A file has a prologue with the names of players and
strategies, then the payoffs, player one's strategy varying fastest. They stand there one by one, or as
outcomes that a list of numbers refers to; both are read, the first is written.
"""

import re
from collections import deque
from collections.abc import Iterable

from flint import fmpq

from gops_exact.arguments import instance
from gops_exact.matrix_game.game import MatrixGame
from gops_exact.numbers import rational

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}]|[^\s,{}"]+|"')
_WORD = r'[^{}"].*'


def write_nfg(game: MatrixGame) -> str:
    """Return the text of an ``.nfg`` file with payoffs as fractions.

    >>> print(write_nfg(MatrixGame([[3, "-1/2"], [1, 2]])), end="")
    NFG 1 R "matrix game" { "Player one" "Player two" }
    { { "1" "2" } { "1" "2" } }
    ""
    <BLANKLINE>
    3 -3
    1 -1
    -1/2 1/2
    2 -2
    """
    instance(game, MatrixGame, "game", "a MatrixGame")
    cells = (entry for column in zip(*game.payoff, strict=True) for entry in column)
    lines = [
        f'NFG 1 R {quoted(game.title)} {{ "Player one" "Player two" }}',
        f"{{ {quoted_list(game.rows)} {quoted_list(game.columns)} }}",
        '""',
        "",
        *(f"{entry!s} {-entry!s}" for entry in cells),
    ]
    return "\n".join(lines) + "\n"


def read_nfg(text: str) -> MatrixGame:
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
        # Strategies without names are numbered.
        rows, columns = (tuple(map(str, range(1, _count(tokens) + 1))) for _ in range(2))
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
    total = sum(pairs[0])  # what the players share does not change how they play
    for gain, loss in pairs:
        if gain + loss != total:
            raise ValueError(
                f"payoffs must add up to the same everywhere, to {total} as the first ones do, got {gain} and {loss}"
            )
    payoff = [[pairs[i + j * len(rows)][0] for j in range(len(columns))] for i in range(len(rows))]
    return MatrixGame(payoff, rows, columns, title)


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


def quoted(name: str) -> str:
    """Quote a name for a file of Gambit."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted_list(names: Iterable[str]) -> str:
    """Quote names and put them in braces."""
    return f"{{ {' '.join(map(quoted, names))} }}"
