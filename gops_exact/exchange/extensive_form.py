"""A small position of GOPS as a game tree, in Gambit's format ``.efg``.

The tree is made of the rules alone; nothing is solved. A round is a chance node for the prize, a
node of player one and a node of player two who does not see player one's bid; where prizes are
hidden, the chance node comes last. Every node of player two after the same history and prize is
one information set. Moves without a choice, such as the last round's bids, are left out.

The format is Gambit's *extensive game (.efg) file format*: nodes in prefix order, chance
probabilities and payoffs as fractions.
"""

from collections.abc import Hashable, Iterator
from typing import Literal, NamedTuple, Self

from gops_exact.arguments import instance
from gops_exact.exchange.normal_form import bid_name, quoted, quoted_list, title
from gops_exact.game.game import Position
from gops_exact.game.rules import Draw, winner_of

MOST_CARDS = 4
"""Cards a side: 13,824 leaves at four, 1.7 million at five."""


class _Round(NamedTuple):
    """A node of the tree between two rounds."""

    position: Position  # before a prize is turned up
    gained: int = 0  # player one's points so far less player two's; 0 where winning counts
    history: tuple[tuple[int, int, int], ...] = ()  # (prize, bid, reply) of each round so far

    def after(self, prize: int, bid: int, reply: int) -> Self:
        """Return the node that a round leads to."""
        rules, state = self.position.rules, self.position.state
        turned = self.position if rules.hidden else self.position.at(prize)
        return type(self)(
            turned.after(bid, reply, prize),
            self.gained + rules.gain(state, prize, winner_of(bid, reply)),
            (*self.history, (prize, bid, reply)),
        )


def write_efg(position: Position) -> str:
    """Return the text of an ``.efg`` file of the game from a position on.

    Args:
        position: a position without an upcard, of at most four cards a side.

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
    tree = _Tree()
    tree.add(_Round(position))
    head = f'EFG 2 R {quoted(title(position))} {{ "Player one" "Player two" }}'
    return "\n".join([head, '""', "", *tree.lines]) + "\n"


class _Tree:
    """The lines of a tree, its information sets and outcomes numbered in the order of the lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._numbers: dict[Hashable, int] = {}
        self._counts: dict[str, int] = {}

    def add(self, node: _Round) -> None:
        """Add the tree from a node on."""
        position = node.position
        if position.decided is not None:
            gain = node.gained + position.decided
            self.lines.append(f't "" {self._number("outcome", gain)} "" {{ {gain}, {-gain} }}')
        elif position.rules.hidden:
            for bid, reply in self._bids(node, None):
                for draw in self._draws(node, (bid, reply)):
                    self.add(node.after(draw.upcard, bid, reply))
        else:
            for draw in self._draws(node, None):
                for bid, reply in self._bids(node, draw.upcard):
                    self.add(node.after(draw.upcard, bid, reply))

    def _draws(self, node: _Round, bids: tuple[int, int] | None) -> list[Draw]:
        """Add a chance node, and return its branches; `bids` are made before if prizes are hidden."""
        prizes = node.position.prizes
        draws = node.position.rules.draws(prizes)
        if len(draws) > 1:
            chances = " ".join(
                f"{quoted(f'prize {draw.upcard}')} {draw.times}/{len(prizes)}" for draw in draws
            )
            number = self._number("chance", (node.history, bids))
            self.lines.append(f'c "" {number} "" {{ {chances} }} 0')
        return draws

    def _bids(self, node: _Round, upcard: int | None) -> Iterator[tuple[int, int]]:
        """Add the nodes at which the players bid, each before the first of its branches.

        Yields:
            Each bid of player one with each of player two, as branches of the tree.
        """
        one, two, seen = node.position.one, node.position.two, (node.history, upcard)
        self._player(1, seen, one)
        for bid in one:
            self._player(2, seen, two)
            for reply in two:
                yield bid, reply

    def _player(self, player: Literal[1, 2], seen: Hashable, hand: tuple[int, ...]) -> None:
        """Add a node at which a player bids, unless there is one card."""
        if len(hand) > 1:
            number = self._number(f"player {player}", seen)
            self.lines.append(f'p "" {player} {number} "" {quoted_list(map(bid_name, hand))} 0')

    def _number(self, kind: str, name: Hashable) -> int:
        """Return the number of an information set or outcome, counted from 1 within its kind."""
        if (kind, name) not in self._numbers:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._numbers[kind, name] = self._counts[kind]
        return self._numbers[kind, name]
