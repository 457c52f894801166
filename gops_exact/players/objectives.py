"""What a policy is worth whatever the game is for: points, wins, draws.

A game ends with a margin, one player's points less the other's, and every objective is a *payoff* of
that margin: itself where points are played for, its sign where winning is. Here policies made for
one objective are measured by another, exactly, by dynamic programming over all states: the pair of
hands, the prizes left, the margin and the pot. For games of a few cards.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from flint import fmpq

from gops_exact.game.cards import Hand, positive_integer, without
from gops_exact.game.rules import PLAIN, Draw, Prizes, Rules, State, Upcard, winner_of
from gops_exact.players.analysis import Analyst, relabelled
from gops_exact.players.policy import Memoryless, as_memoryless, checked_bids
from gops_exact.players.view import View

Payoff = Callable[[int], int]
"""What a final margin is worth to player one."""


def points(margin: int) -> int:
    """The payoff of a game for points: the margin itself."""
    return margin


def win(margin: int) -> int:
    """The payoff of a game for winning: 1 for a win, −1 for a loss, 0 for a draw."""
    return (margin > 0) - (margin < 0)


def draw(margin: int) -> int:
    """1 for a draw, so that the expectation is its probability."""
    return int(margin == 0)


class ForPoints(Memoryless):
    """Optimal play for points in a game for whatever else: it does not look at the margin.

    Args:
        n: cards a side.
        rules: ties and prizes; the objective is points.
    """

    name = "for points"
    ordinal = True

    def __init__(self, n: int, rules: Rules = PLAIN) -> None:
        self.rules = replace(rules, objective="points")
        self.analyst = Analyst(n, self.rules)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """One optimal strategy of the position, as if nobody had any points yet."""
        return self.analyst.advice(replace(view, rules=self.rules, margin=0)).row


class ForWin(Memoryless):
    """Optimal play for winning; once the game is decided, for points.

    Args:
        n: cards a side.
        rules: ties and prizes; the objective is winning.
    """

    name = "for a win"
    ordinal = True

    def __init__(self, n: int, rules: Rules = PLAIN) -> None:
        self.rules = replace(rules, objective="win")
        self.analyst = Analyst(n, self.rules)
        self.afterwards = ForPoints(n, rules)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """One optimal strategy of the position."""
        if self.rules.decided(view.prizes, State(view.margin, view.pot)) is not None:
            return self.afterwards.bids(view)
        return self.analyst.advice(replace(view, rules=self.rules)).row


def expected_payoff(
    one: Memoryless, two: Memoryless, n: int, payoff: Payoff, rules: Rules = PLAIN
) -> fmpq:
    """The expected payoff of the final margin between two policies.

    Args:
        one: player one; it is shown the margin, as in a game for winning.
        two: player two, likewise.
        n: cards a side.
        payoff: of the final margin.
        rules: ties and prizes.

    >>> print(expected_payoff(ForWin(4), ForWin(4), 4, draw))
    1006948471/1315748700
    """
    return _Expected(n, rules, payoff, one, two).start()


def guaranteed(policy: Memoryless, n: int, payoff: Payoff, rules: Rules = PLAIN) -> fmpq:
    """The expected payoff that a policy has against the worst of all opponents.

    Args:
        policy: player one; it is shown the margin.
        n: cards a side.
        payoff: of the final margin.
        rules: ties and prizes.

    >>> guaranteed(ForPoints(4), 4, points), guaranteed(ForWin(4), 4, win)
    (0, 0)
    """
    return _Guaranteed(n, rules, payoff, policy).start()


def upcards(rules: Rules, prizes: Prizes) -> list[tuple[Upcard, list[Draw]]]:
    """What may be turned up next, each with the prizes that the bids may be for.

    >>> [(upcard, len(stakes)) for upcard, stakes in upcards(Rules(prizes="hidden"), (1, 2, 3))]
    [(None, 3)]
    """
    draws = rules.draws(prizes)
    if rules.hidden:
        return [(None, draws)]
    return [(each.upcard, [each]) for each in draws]


def left(view: View, stake: Draw, bid: int, reply: int) -> tuple[Hand, Hand, Prizes, State]:
    """Both hands, the prizes and the state after a round for a prize."""
    state = State(view.margin, view.pot)
    after = view.rules.after(state, stake.upcard, winner_of(bid, reply))
    return without(view.hand, bid), without(view.opponent, reply), stake.rest, after


class _Walk:
    """Expected payoffs, from the end backwards; player one is a policy."""

    def __init__(self, n: int, rules: Rules, payoff: Payoff, one: Memoryless) -> None:
        self.n = positive_integer(n, "n")
        self.rules = replace(rules, objective="win")
        self.payoff = payoff
        self.one = as_memoryless(one)
        self.ordinal = one.ordinal
        self.known: dict[tuple[Hand, Hand, Prizes, State], fmpq] = {}

    def start(self) -> fmpq:
        """What the game is worth."""
        deck = tuple(range(1, self.n + 1))
        return self.value(deck, deck, self.rules.arranged(deck), State())

    def value(self, one: Hand, two: Hand, prizes: Prizes, state: State) -> fmpq:
        """What the rest of the game is worth."""
        if not prizes:
            return fmpq(self.payoff(state.margin))
        if self.ordinal:
            one, two = relabelled(one, two)
        key = one, two, prizes, state
        if key not in self.known:
            total, count = fmpq(0), 0
            for upcard, stakes in upcards(self.rules, prizes):
                view = View(self.n, one, two, prizes, upcard, self.rules, *state)
                total += self.game(view, stakes)
                count += sum(stake.times for stake in stakes)
            self.known[key] = total / count
        return self.known[key]

    def game(self, view: View, stakes: list[Draw]) -> fmpq:
        """What a round is worth, times the number of prizes it may be for."""
        raise NotImplementedError

    def entry(self, view: View, stakes: list[Draw], bid: int, reply: int) -> fmpq:
        """What a pair of bids is worth, times the number of prizes."""
        values = (stake.times * self.value(*left(view, stake, bid, reply)) for stake in stakes)
        return sum(values, fmpq(0))


class _Expected(_Walk):
    def __init__(
        self, n: int, rules: Rules, payoff: Payoff, one: Memoryless, two: Memoryless
    ) -> None:
        super().__init__(n, rules, payoff, one)
        self.two = as_memoryless(two)
        self.ordinal = one.ordinal and two.ordinal

    def game(self, view: View, stakes: list[Draw]) -> fmpq:
        replies = checked_bids(self.two, view.swapped())
        return sum(
            (
                p * q * self.entry(view, stakes, bid, reply)
                for bid, p in checked_bids(self.one, view)
                for reply, q in replies
            ),
            fmpq(0),
        )


class _Guaranteed(_Walk):
    def game(self, view: View, stakes: list[Draw]) -> fmpq:
        bids = checked_bids(self.one, view)
        return min(
            sum((p * self.entry(view, stakes, bid, reply) for bid, p in bids), fmpq(0))
            for reply in view.opponent
        )
