"""Games of bids that may come next at a position, and the positions that they lead to."""

from typing import NamedTuple

from gops_exact.game.rules import LEVEL, Prizes, Rules, State, Upcard, Winner


class Node(NamedTuple):
    """What a slab is for.

    Attributes:
        prizes: the prizes left, arranged as the rules say.
        state: what is left of the rounds so far.
    """

    prizes: Prizes
    state: State = LEVEL


class Outcome(NamedTuple):
    """What a round leads to that went one way.

    Attributes:
        gain: what it pays player one at once.
        decided: what the rest is worth if it cannot change anything; None if it can.
        node: what comes next.
        mirrored: the same with the players swapped.
    """

    gain: int
    decided: int | None
    node: Node
    mirrored: Node


class Stake(NamedTuple):
    """A prize that bids are for.

    Attributes:
        times: how many prizes of its value there are.
        outcomes: of the round, if nobody wins it, player one, player two.
    """

    times: int
    outcomes: tuple[Outcome, Outcome, Outcome]


class Turn(NamedTuple):
    """A matrix game that may come next.

    Attributes:
        upcard: the prize turned up; None where bids are made before it is seen.
        times: how many of the prizes lead to this game.
        stakes: the prizes that the bids may be for: one, or all where none is seen.
    """

    upcard: Upcard
    times: int
    stakes: tuple[Stake, ...]

    @property
    def nodes(self) -> list[Node]:
        """The nodes whose slabs the game looks at, each once."""
        found: dict[Node, None] = {}
        for stake in self.stakes:
            for outcome in stake.outcomes:
                if outcome.decided is None:
                    found |= {outcome.node: None, outcome.mirrored: None}
        return list(found)


def turns(rules: Rules, node: Node) -> list[Turn]:
    """The games that a node's values are the mean of.

    >>> [turn.upcard for turn in turns(Rules(), Node((2, 2, 5)))]
    [2, 5]
    >>> (turn,) = turns(Rules("win", prizes="hidden"), Node((1, 2)))
    >>> turn.upcard, [(node.prizes, node.state.margin) for node in turn.nodes]
    (None, [((2,), 0), ((2,), 1), ((2,), -1), ((1,), 0)])
    """
    found = [
        (draw.upcard, Stake(draw.times, _outcomes(rules, node.state, draw.upcard, draw.rest)))
        for draw in rules.draws(node.prizes)
    ]
    if rules.hidden and found:
        return [Turn(None, len(node.prizes), tuple(stake for _, stake in found))]
    return [Turn(upcard, stake.times, (stake,)) for upcard, stake in found]


def _outcomes(
    rules: Rules, state: State, upcard: int, rest: Prizes
) -> tuple[Outcome, Outcome, Outcome]:
    def outcome(winner: Winner) -> Outcome:
        left = rules.after(state, upcard, winner)
        return Outcome(
            rules.gain(state, upcard, winner),
            rules.decided(rest, left),
            Node(rest, left),
            Node(rest, left.swapped()),
        )

    return outcome(0), outcome(1), outcome(-1)
