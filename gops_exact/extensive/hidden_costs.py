"""Worth of bids in GOPS with hidden bids, given the information of the player who bids.

The worth of a bid is the player's expected gain from this round on if both players go on with a quasi-perfect
equilibrium. This equilibrium is a limit of strategies that give every bid a positive probability (see
:mod:`~gops_exact.extensive.refined`). An *information set* is a set of states that the player cannot tell apart. With
strategies that play every bid, every information set has a conditional distribution of the opponent's earlier bids. The
worth of a bid is computed from the limit of this distribution.
"""

from collections.abc import Iterator, Sequence
from math import factorial
from typing import cast

from flint import fmpq_poly

from gops_exact.base.progress import Progress, silent
from gops_exact.extensive.form import START
from gops_exact.extensive.private_bids import HiddenBids
from gops_exact.extensive.refined import for_small, limit, refined_plans
from gops_exact.extensive.trees import Simultaneous
from gops_exact.numbers.exact import BigRational

BidWorth = tuple[BigRational, BigRational, int]
"""The worth of a bid to its player: (the player's expected gain with the best bid; the expected gain with the bid that
was made; the card that the player's equilibrium strategy plays most often). Points of earlier rounds are left out."""


def worth_of_bids(
    game: HiddenBids, rounds: Sequence[tuple[int, int, int, int]], progress: Progress = silent
) -> tuple[list[BidWorth], list[BidWorth]]:
    """Return the worth of each player's bid in each of the first rounds of a play.

    Args:
        game: the game, which the function solves.
        rounds: the rounds, from the first on, each (prize, points at stake, player one's bid, player two's bid). The
            points at stake are not used. The bids and prizes must follow the rules of the game.
        progress: called as progress(done, total) while the game is solved, see :func:`.refined_plans`.

    Returns:
        For each player, a list with a :data:`BidWorth` for each round: (expected gain from this round on with the best
        bid; expected gain with the bid that was made; card that the player's equilibrium strategy plays most often).

    Raises:
        PrecisionError: if no quasi-perfect equilibrium is found, see :func:`.refined_plans`.

    >>> from gops_exact import Game, Rules
    >>> game = HiddenBids(Game(3, Rules(prizes="descending")))
    >>> worth_of_bids(game, [(3, 3, 2, 3), (2, 2, 3, 1)])[0]
    [(0, -5/3, 3), (4/3, 4/3, 3)]
    """
    plans = refined_plans(game.form, progress)

    def worth_to(player: int) -> Iterator[BidWorth]:
        own, other, plan = game.form.sides[player], game.form.sides[1 - player], plans[1 - player]
        _, gains = game.form.best_moves(plan, player, for_small)
        turn = 1 - 2 * player  # the order of pairs of bids, and the sign of payoffs
        possible = {game.start: START}  # {state: the opponent's sequence that leads to it}
        for left, (upcard, _, *bids) in zip(range(game.game.n - 1, -1, -1), rounds, strict=False):
            record, later, at_end = game.record(player, *bids[::turn]), {}, fmpq_poly()
            for state, sequence in possible.items():
                node = cast(Simultaneous, game.at(state._replace(upcard=upcard)))
                name, of_other = node.knows[player], node.knows[1 - player]
                _, after = other.sets.get(of_other, (START, {}))
                for pair, following in node.moves.items():
                    if game.record(player, *pair[::turn]) == record:
                        later[following] = after.get(pair[1 - player], sequence)
                if not left:  # each has one card
                    at_end += plan[sequence] * turn * cast(int, game.at(following))
            weight = sum((plan[sequence] for sequence in possible.values()), fmpq_poly())
            if left:
                _, moves = own.sets[name]
                orders = 1 if game.game.rules.fixed else factorial(left)  # of the later prizes
                worth = {card: limit(gains[k], weight) / orders for card, k in moves.items()}
                best = max(moves, key=lambda card: for_small(plans[player][moves[card]]))
            else:
                worth, best = {bids[player]: limit(at_end, weight)}, bids[player]
            won = turn * state.lead  # the same in all possible states
            yield max(worth.values()) - won, worth[bids[player]] - won, best
            possible = later

    return [*worth_to(0)], [*worth_to(1)]
