"""A game looked back on: what each bid cost against optimal play."""

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from gops_exact.game.cards import without
from gops_exact.game.rules import PLAIN, Rules, Winner
from gops_exact.players.analysis import Adviser, Analyst
from gops_exact.players.view import Game, Round, View


@dataclass(frozen=True)
class Judgement:
    """One bid and what it cost.

    Attributes:
        view: what the player saw before the round.
        over: the round.
        value: what the player could expect from there on, in points, or wins less losses.
        gain: what the bid could expect, against an opponent who plays an optimal strategy, and with
            optimal play to follow.
    """

    view: View
    over: Round
    value: fmpq
    gain: fmpq

    @property
    def cost(self) -> fmpq:
        """Value less gain, at least 0. A bid that an optimal strategy plays costs nothing.

        Where the opponent has several optimal strategies it is the cost against one of them.
        """
        return self.value - self.gain


def review(
    game: Game, n: int, rules: Rules = PLAIN, analyst: Adviser | None = None
) -> list[Judgement]:
    """What each bid of a player cost, round by round.

    Args:
        game: the rounds as the player saw them, all or the first ones.
        n: cards a side.
        rules: the rules.
        analyst: solves the positions; a new one by default.

    >>> [bid] = review((Round(upcard=3, stake=3, bid=2, reply=3),), 3)
    >>> print(bid.value, bid.gain, bid.cost)
    0 -2 2
    """
    adviser = Analyst(n, rules) if analyst is None else analyst
    judgements = []
    for view, over in zip(views(game, n, rules), game, strict=True):
        advice = adviser.advice(view)
        judgements.append(Judgement(view, over, advice.value, advice.gain(over.bid)))
    return judgements


def views(game: Game, n: int, rules: Rules = PLAIN) -> Iterator[View]:
    """What the player saw before each round of a game."""
    deck = tuple(range(1, n + 1))
    hand, opponent, prizes = deck, deck, rules.arranged(deck)
    state = rules.start()
    for played, over in enumerate(game):
        seen = None if rules.hidden else over.upcard
        margin, pot = state
        yield View(n, hand, opponent, prizes, seen, rules, margin, pot, game[:played])
        hand, opponent = without(hand, over.bid), without(opponent, over.reply)
        prizes = without(prizes, over.upcard)
        winner: Winner = 1 if over.won else -1 if over.lost else 0
        state = rules.after(state, over.upcard, winner)
