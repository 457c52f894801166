"""A zero-sum matrix game with names, and its file in Gambit's format ``.nfg``.

The format is Gambit's *strategic games file format* (Savani and Turocy, *Gambit: the package for
computation in game theory*, manual, "Game representation formats"): a prologue with the names of
players and strategies, then the payoffs, player one's strategy varying fastest. They stand there
one by one, or as outcomes that a list of numbers refers to; both are read, the first is written.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flint import fmpq

from gops_exact.matrix_game.payoff import Matrix, as_matrix
from gops_exact.numbers import rational, to_text

_TOKEN = re.compile(r'"((?:\\.|[^"\\])*)"|([{}])|([^\s,{}"]+)')


@dataclass(frozen=True)
class NormalForm:
    """A zero-sum matrix game whose strategies have names.

    Attributes:
        payoff: shape (m, n), player one's gain.
        rows: names of player one's strategies, length m.
        columns: names of player two's, length n.
        title: of the game.
    """

    payoff: Matrix
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    title: str = "matrix game"

    @classmethod
    def of(
        cls,
        payoff: Iterable[Iterable[object]],
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        title: str = "matrix game",
    ) -> "NormalForm":
        """A game from anything rational; strategies without names are numbered from 1.

        Raises:
            ValueError: if the matrix is not one, or names are too few, too many or repeated.
        """
        matrix = as_matrix(payoff)
        return cls(
            matrix,
            _names(rows, len(matrix), "row"),
            _names(columns, len(matrix[0]), "column"),
            title,
        )


def write_nfg(game: NormalForm) -> str:
    """The game as the text of an ``.nfg`` file, payoffs as fractions.

    >>> print(write_nfg(NormalForm.of([[3, "-1/2"], [1, 2]])), end="")
    NFG 1 R "matrix game" { "Player one" "Player two" }
    { { "1" "2" } { "1" "2" } }
    ""
    <BLANKLINE>
    3 -3
    1 -1
    -1/2 1/2
    2 -2
    """
    cells = (entry for column in zip(*game.payoff, strict=True) for entry in column)
    lines = [
        f'NFG 1 R {quoted(game.title)} {{ "Player one" "Player two" }}',
        f"{{ {quoted_list(game.rows)} {quoted_list(game.columns)} }}",
        '""',
        "",
        *(f"{to_text(entry)} {to_text(-entry)}" for entry in cells),
    ]
    return "\n".join(lines) + "\n"


def read_nfg(text: str) -> NormalForm:
    """The game in the text of an ``.nfg`` file.

    Raises:
        ValueError: if it is not the text of a zero-sum game of two players with rational payoffs.

    >>> game = read_nfg('NFG 1 R "" { "One" "Two" } { 2 1 } 0.5 -0.5 1/3 -1/3')
    >>> game.payoff, game.rows
    ([[1/2], [1/3]], ('1', '2'))
    """
    tokens = _Tokens(text)
    for word in ("NFG", "1"):
        tokens.take_word(word)
    tokens.take_word("R", "D")
    title = tokens.take_text()
    players = tokens.take_texts()
    if len(players) != 2:
        raise ValueError(f"an nfg file must be of two players, got {len(players)}")
    rows, columns = _strategies(tokens)
    if tokens.next_is_text():
        tokens.take_text()  # a comment
    count = len(rows) * len(columns)
    pairs = _outcomes(tokens, count) if tokens.next_is("{") else _pairs(tokens, count)
    tokens.end()
    for gain, loss in pairs:
        if gain + loss != 0:
            raise ValueError(f"payoffs of a zero-sum game must add up to 0, got {gain} and {loss}")
    payoff = [[pairs[i + j * len(rows)][0] for j in range(len(columns))] for i in range(len(rows))]
    return NormalForm(payoff, rows, columns, title)


def quoted(name: str) -> str:
    r"""A name as Gambit's files have it.

    >>> print(quoted('the "best" game'))
    "the \"best\" game"
    """
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted_list(names: Iterable[str]) -> str:
    """Names in braces.

    >>> print(quoted_list(["a", "b"]))
    { "a" "b" }
    """
    return f"{{ {' '.join(map(quoted, names))} }}"


class _Tokens:
    """The words, names and braces of a file, taken one by one."""

    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        place = 0
        for match in _TOKEN.finditer(text):
            self._skip(text[place : match.start()])
            place = match.end()
            name, brace, word = match.groups()
            kind = "name" if name is not None else "brace" if brace else "word"
            self._tokens.append((kind, re.sub(r"\\(.)", r"\1", name or "") or brace or word or ""))
        self._skip(text[place:])
        self._place = 0

    @staticmethod
    def _skip(gap: str) -> None:
        if gap.replace(",", " ").strip():
            raise ValueError(f"an nfg file has a name that does not end: {gap.strip()[:40]!r}")

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._place] if self._place < len(self._tokens) else ("end", "")

    def _take(self, kind: str, expected: str) -> str:
        found, token = self._peek()
        if found != kind:
            given = "the end" if found == "end" else repr(token[:40])
            raise ValueError(f"an nfg file must have {expected} here, got {given}")
        self._place += 1
        return token

    def next_is(self, brace: str) -> bool:
        return self._peek() == ("brace", brace)

    def next_is_text(self) -> bool:
        return self._peek()[0] == "name"

    def take_word(self, *allowed: str) -> str:
        word = self._take("word", " or ".join(allowed) or "a number")
        if allowed and word not in allowed:
            raise ValueError(
                f"an nfg file must have {' or '.join(allowed)} here, got {word[:40]!r}"
            )
        return word

    def take_text(self) -> str:
        return self._take("name", "a name in quotes")

    def take_brace(self, brace: str) -> None:
        if self._take("brace", brace) != brace:
            raise ValueError(f"an nfg file must have {brace} here, got the other brace")

    def take_texts(self) -> tuple[str, ...]:
        """Names in braces."""
        self.take_brace("{")
        names = []
        while not self.next_is("}"):
            names.append(self.take_text())
        self.take_brace("}")
        return tuple(names)

    def take_number(self) -> fmpq:
        return rational(self.take_word())

    def end(self) -> None:
        if self._peek()[0] != "end":
            self._take("end", "its end")


def _strategies(tokens: _Tokens) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both players' strategies: by name, or only how many."""
    tokens.take_brace("{")
    if tokens.next_is("{"):
        names = tokens.take_texts(), tokens.take_texts()
    else:
        names = _numbered(_count(tokens)), _numbered(_count(tokens))
    tokens.take_brace("}")
    if not all(names):
        raise ValueError("an nfg file must have a strategy for each player, got none")
    return names


def _count(tokens: _Tokens) -> int:
    word = tokens.take_word()
    if not (word.isascii() and word.isdigit() and len(word) < 6):
        raise ValueError(f"a number of strategies must be an integer, got {word[:40]!r}")
    return int(word)


def _pairs(tokens: _Tokens, count: int) -> list[tuple[fmpq, fmpq]]:
    """Payoffs one by one."""
    return [(tokens.take_number(), tokens.take_number()) for _ in range(count)]


def _outcomes(tokens: _Tokens, count: int) -> list[tuple[fmpq, fmpq]]:
    """Payoffs as outcomes, and for every cell the number of its outcome, 0 where there is none."""
    zero = fmpq(0)
    outcomes = [(zero, zero)]
    tokens.take_brace("{")
    while tokens.next_is("{"):
        tokens.take_brace("{")
        tokens.take_text()
        outcomes.append((tokens.take_number(), tokens.take_number()))
        tokens.take_brace("}")
    tokens.take_brace("}")
    places = [_count(tokens) for _ in range(count)]
    if max(places) >= len(outcomes):
        raise ValueError(
            f"an outcome must be from 0 to {len(outcomes) - 1} in this nfg file, got {max(places)}"
        )
    return [outcomes[place] for place in places]


def _names(given: Sequence[str] | None, count: int, side: str) -> tuple[str, ...]:
    if given is None:
        return _numbered(count)
    if len(given) != count or len(set(given)) != count:
        raise ValueError(f"{side} names must be {count} different ones, got {list(given)}")
    return tuple(given)


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))
