"""Games of bids that may come next at a position, and the positions that they lead to."""

from typing import NamedTuple

from gops_exact.game.rules import LEVEL, Prizes, Rules, State, Upcard, Winner


class Node(NamedTuple):
    """The prizes left and the state: all of a position but its hands. Values of a node form a slab.

    Attributes:
        prizes: the prizes left, arranged as the rules say.
        state: the margin and the pot.
    """

    prizes: Prizes
    state: State = LEVEL


class Outcome(NamedTuple):
    """The result of a round with a given winner.

    Attributes:
        gain: points that it pays player one at once.
        decided: the final value if no round that is left can change it, else None.
        node: the node after the round.
        mirrored: that node with the players swapped.
    """

    gain: int
    decided: int | None
    node: Node
    mirrored: Node


class Stake(NamedTuple):
    """A prize that bids are for.

    Attributes:
        times: the number of prizes of its value.
        outcomes: the result of the round if nobody wins it, player one, player two.
    """

    times: int
    outcomes: tuple[Outcome, Outcome, Outcome]


class Turn(NamedTuple):
    """A matrix game that may come next.

    Attributes:
        upcard: the prize turned up; None where bids are made before it is seen.
        times: the number of prizes that lead to this game.
        stakes: the prizes that the bids may be for: one, or all if the prize is not seen.
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
    """List the games whose mean is the value of a node.

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
