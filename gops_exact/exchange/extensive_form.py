"""A small position of GOPS as a game tree, in Gambit's format ``.efg``.

The tree is made of the rules alone; nothing is solved. A round is a chance node for the prize, a
node of player one and a node of player two who does not see player one's bid; where prizes are
hidden, the chance node comes last. Every node of player two after the same history and prize is
one information set. Moves without a choice, such as the last round's bids, are left out.

The format is Gambit's *extensive game (.efg) file format*: nodes in prefix order, chance
probabilities and payoffs as fractions.
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import Literal, NamedTuple

from gops_exact.exchange.normal_form import quoted, quoted_list
from gops_exact.exchange.position import bid_name, title
from gops_exact.game.cards import as_position, without
from gops_exact.game.rules import PLAIN, Draw, Prizes, Rules, State, winner_of

MOST_CARDS = 4
"""Cards a side: 13,824 leaves at four, 1.7 million at five."""

History = tuple[Hashable, ...]


class _Node(NamedTuple):
    """Where play stands between two rounds.

    Attributes:
        one: player one's hand.
        two: player two's.
        prizes: the prizes left, arranged.
        state: margin and pot.
        gained: player one's points so far, less player two's, where points count.
        history: prizes and bids so far.
    """

    one: tuple[int, ...]
    two: tuple[int, ...]
    prizes: Prizes
    state: State
    gained: int = 0
    history: History = ()


def write_efg(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    rules: Rules = PLAIN,
    margin: int = 0,
    pot: int = 0,
) -> str:
    """The game from a position on, as the text of an ``.efg`` file.

    Args:
        one: player one's hand, distinct positive integers.
        two: player two's hand, as many.
        prizes: the prizes left, as many.
        rules: the rules of the game.
        margin: player one's points less player two's so far; counts where winning does.
        pot: points carried over so far.

    Raises:
        ValueError: if the position is not one, or has more than four cards a side.

    >>> print(write_efg([2], [1], [3]), end="")
    EFG 2 R "GOPS: 2 against 1 for 3" { "Player one" "Player two" }
    ""
    <BLANKLINE>
    t "" 1 "" { 3, -3 }
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    if len(deck) > MOST_CARDS:
        raise ValueError(
            f"a game tree is written for at most {MOST_CARDS} cards a side, got {len(deck)}"
        )
    start = _Node(hand_one, hand_two, rules.arranged(deck), rules.start(margin, pot))
    head = f'EFG 2 R {quoted(title(hand_one, hand_two, deck))} {{ "Player one" "Player two" }}'
    return "\n".join([head, '""', "", *_Tree(rules).rounds(start)]) + "\n"


class _Tree:
    """The lines of a tree, its information sets and outcomes numbered as they come."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._numbers: dict[Hashable, int] = {}
        self._counts: dict[str, int] = {}

    def rounds(self, node: _Node) -> Iterator[str]:
        """The tree from a position between two rounds on."""
        worth = self._rules.decided(node.prizes, node.state)
        if worth is not None:
            gain = node.gained + worth
            yield f't "" {self._number("outcome", gain)} "" {{ {gain}, {-gain} }}'
        elif self._rules.hidden:
            yield from self._bids(node, None)
        else:
            yield from self._prize(node, self._rules.draws(node.prizes), None)

    def _prize(self, node: _Node, draws: list[Draw], bids: tuple[int, int] | None) -> Iterator[str]:
        """Chance turns a prize up, before the bids or after them."""
        if len(draws) > 1:
            chances = " ".join(
                f"{quoted(f'prize {draw.upcard}')} {draw.times}/{len(node.prizes)}"
                for draw in draws
            )
            number = self._number("chance", (node.history, bids))
            yield f'c "" {number} "" {{ {chances} }} 0'
        for draw in draws:
            if bids is None:
                yield from self._bids(node, draw)
            else:
                yield from self.rounds(self._after(node, draw, bids))

    def _bids(self, node: _Node, draw: Draw | None) -> Iterator[str]:
        """Both players bid; draw is None where they do not see the prize."""
        seen = (node.history, None if draw is None else draw.upcard)
        if len(node.one) > 1:
            yield self._player(1, seen, node.one)
        for bid in node.one:
            if len(node.two) > 1:
                yield self._player(2, seen, node.two)
            for reply in node.two:
                if draw is None:
                    draws = self._rules.draws(node.prizes)
                    yield from self._prize(node, draws, (bid, reply))
                else:
                    yield from self.rounds(self._after(node, draw, (bid, reply)))

    def _after(self, node: _Node, draw: Draw, bids: tuple[int, int]) -> _Node:
        """Where a round leads."""
        bid, reply = bids
        winner = winner_of(bid, reply)
        return _Node(
            without(node.one, bid),
            without(node.two, reply),
            draw.rest,
            self._rules.after(node.state, draw.upcard, winner),
            node.gained + self._rules.gain(node.state, draw.upcard, winner),
            (*node.history, (draw.upcard, bid, reply)),
        )

    def _player(
        self, player: Literal[1, 2], seen: tuple[History, int | None], hand: tuple[int, ...]
    ) -> str:
        """The line of a node at which a player bids."""
        number = self._number(f"player {player}", seen)
        return f'p "" {player} {number} "" {quoted_list(map(bid_name, hand))} 0'

    def _number(self, kind: str, name: Hashable) -> int:
        """The number of an information set or outcome, from 1 within its kind."""
        if (kind, name) not in self._numbers:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._numbers[kind, name] = self._counts[kind]
        return self._numbers[kind, name]
