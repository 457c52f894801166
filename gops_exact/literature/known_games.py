"""Well-known zero-sum games of the literature, with known results: matrix games, games of paths and game trees.

In a *game of paths* each player chooses a path through a graph, without seeing the other player's path, and pairs of
their moves have payoffs (:mod:`~gops_exact.extensive.paths`). A *state* of a game tree is a situation in the game.

>>> from gops_exact import known_games, optimal_set, solve_game
>>> game = known_games.morra(2)
>>> game.rows
('1, says 2', '1, says 3', '2, says 3', '2, says 4')
>>> optimal_set(game).row
((0, 4/7, 3/7, 0), (0, 3/5, 2/5, 0))
>>> solve_game(known_games.kuhn_poker()).value, solve_game(known_games.liars_dice(3)).value
(-1/18, 1/9)
"""

from collections.abc import Callable, Sequence
from itertools import chain, combinations, permutations, product
from math import comb
from typing import Literal

import numpy as np
from flint import fmpq

from gops_exact.base.arguments import instance, integer, items, shown
from gops_exact.extensive.paths import PathGame
from gops_exact.extensive.trees import Chance, Move, Simultaneous, Tree
from gops_exact.matrix_game.matrix import MatrixGame

MOST_BIDS = 10_000
"""Greatest number of pure strategies of a player in a matrix game, and of coins and fields in :func:`blotto`. If both
players have so many pure strategies, the game has 10^8 payoffs, which take a gigabyte of memory or more."""

MOST_MOVES = 1_000_000
"""Greatest product of the number of castles and the square of the greater number of coins. With 100 coins and 10
castles the product is 100,000, and the game takes a minute."""

MOST_FINGERS = 100

PLAYERS: tuple[Literal[1], Literal[2]] = 1, 2
"""The players, in the order in which they move. PLAYERS[k % 2] is to move after k moves."""

RANKS = "JQK"
"""The ranks of the cards in Kuhn poker and Leduc poker, in ascending order."""

__all__ = [
    "biased_rock_paper_scissors",
    "blotto",
    "castles",
    "hilbert",
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "morra",
    "oshi_zumo",
    "pascal",
    "recursive_blotto",
    "repeated",
    "rock_paper_scissors",
]
__dir__ = __all__.copy


def morra(fingers: int = 2) -> MatrixGame:
    """Return Morra: both players show fingers and guess the sum; a player who alone is right wins that sum.

    The matrix is skew-symmetric, so the value is 0. With two fingers the optimal strategies are the mixtures of two
    strategies. With three fingers all optimal strategies always guess 4; one of them shows 1, 2 and 3 fingers in
    the ratio 5 : 4 : 3 (Dresher 1961, *Games of Strategy*; Dantzig 1963, ch. 13).

    Args:
        fingers: the greatest number of fingers that a player can show, from 1 to 100; the least is 1.

    Returns:
        The game, with fingers² pure strategies for each player and payoffs in points.

    Raises:
        ValueError: if `fingers` is not an integer from 1 to 100.

    >>> morra(3).shape
    (9, 9)
    """
    most = integer(fingers, "fingers", 1, MOST_FINGERS)
    fingers_shown = range(1, most + 1)
    bids = [(own, own + other) for own in fingers_shown for other in fingers_shown]
    payoff = [
        [(own + other) * ((call == own + other) - (reply == own + other)) for other, reply in bids]
        for own, call in bids
    ]
    labels = [f"{own}, says {call}" for own, call in bids]
    return MatrixGame(payoff, labels, labels, f"Morra, {most} fingers")


def blotto(coins: int, fields: int) -> MatrixGame | PathGame:
    """Return Colonel Blotto's game: players spread coins over fields, and more coins win a field.

    The payoff is the number of fields won less the number lost (Borel 1921; Hart 2008, *Discrete Colonel
    Blotto and General Lotto games*). The game is symmetric, so its value is 0.

    Args:
        coins: the number of coins of each player, who uses all of them.
        fields: the number of fields. Their order counts: (1, 2) and (2, 1) coins are two strategies.

    Returns:
        A matrix game with a pure strategy for each way to spread the coins. The label of a strategy has the number of
        coins on each field. If there are more than 10,000 ways, the game of paths that :func:`castles` returns for
        ``castles((coins, coins), [1] * fields)``.

    Raises:
        ValueError: if `coins` is not an integer from 0 to 10,000, or `fields` is not an integer from 1 to 10,000; or if
            there are more than 10,000 ways, and `fields` times the square of `coins` exceeds 10⁶.

    >>> blotto(10, 5).shape
    (1001, 1001)
    """
    coins = integer(coins, "coins", 0, MOST_BIDS)
    fields = integer(fields, "fields", 1, MOST_BIDS)
    count = comb(coins + fields - 1, fields - 1)
    if count > MOST_BIDS:
        return castles((coins, coins), (1,) * fields)
    # Stars and bars: a strategy is a line of coins with dividers between fields. Each row of `dividers` has the
    # positions of the dividers of one strategy.
    dividers = np.array(list(combinations(range(coins + fields - 1), fields - 1)), np.int64)
    bids = np.diff(dividers.reshape(count, -1), prepend=-1, append=coins + fields - 1) - 1
    payoff = np.zeros((count, count), dtype=np.int64)
    for field in bids.T:
        payoff += np.sign(field[:, None] - field)
    labels = [" ".join(map(str, bid)) for bid in bids.tolist()]
    return MatrixGame(payoff, labels, labels, f"Colonel Blotto, {coins} coins, {fields} fields")


def castles(coins: Sequence[int], prizes: Sequence[int], limits: Sequence[int] = ()) -> PathGame:
    """Return Colonel Blotto's game with prizes: players spread coins over castles, and more coins win a castle's prize.

    The payoff is the sum of the prizes won minus the sum of the prizes lost. If both players spend equally many coins
    on a castle, nobody wins its prize.

    Args:
        coins: coins of player one and of player two; both use all of them.
        prizes: the prizes of the castles, positive integers.
        limits: the greatest number of coins that a player may spend on each castle, positive integers; empty for no
            limits.

    Returns:
        The game of paths. The name of a set has a castle and the number of coins left, such as ``"castle 2, 5 left"``.
        The name of a move has a castle and the coins spent there, such as ``"2: 3"``.

    Raises:
        ValueError: if `coins` is no pair, `prizes` is empty, a number is no positive integer, there are not as many
            limits as prizes, the limits leave no room for all coins, or the number of castles times the square of the
            greater number of coins exceeds 10⁶.

    >>> from gops_exact import solve_game
    >>> solve_game(castles((5, 4), (1, 2, 3))).value
    19/18
    """
    both, worth = _positive_integers(coins, "coins"), _positive_integers(prizes, "prizes")
    most = _positive_integers(limits, "limits") or [max(both, default=0)] * len(worth)
    if len(both) != 2 or not worth or len(most) != len(worth) or sum(most) < max(both):
        raise ValueError(
            "expected coins of two players, prizes, and as many limits with room for all coins, "
            f"got {shown(both)}, {shown(worth)} and {shown(most)}"
        )
    integer(len(worth) * max(both) ** 2, "the number of castles times coins²", most=MOST_MOVES)
    at, spend = "castle {}, {} left".format, "{}: {}".format
    graphs: tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]] = {}, {}
    payoffs = dict[str, dict[str, int]]()
    armies = [{army} for army in both]  # the numbers of coins that each player may have left
    for castle, (prize, limit) in enumerate(zip(worth, most, strict=True), start=1):
        room, played = sum(most[castle:]), []  # `room` is for coins on later castles
        for player, graph in enumerate(graphs):
            bids = {n: range(max(0, n - room), min(n, limit) + 1) for n in sorted(armies[player])}
            for n, choices in bids.items():
                graph[at(castle, n)] = {spend(castle, b): at(castle + 1, n - b) for b in choices}
            armies[player] = {n - bid for n, choices in bids.items() for bid in choices}
            played.append(sorted({*chain(*bids.values())}))
        for bid in played[0]:
            payoffs[spend(castle, bid)] = {
                spend(castle, reply): prize if bid > reply else -prize
                for reply in played[1]
                if reply != bid
            }
    title = f"Castles worth {', '.join(map(str, worth))}; {both[0]} coins against {both[1]}"
    return PathGame(graphs, payoffs, title)


def _positive_integers(numbers: object, name: str) -> list[int]:
    entries = items(numbers, name, "a sequence of positive integers", ordered=True)
    return [integer(number, name, 1) for number in entries]


def rock_paper_scissors(weapons: int = 3) -> MatrixGame:
    """Return rock, paper, scissors with an odd number of weapons in a circle.

    Each weapon beats the (weapons − 1)/2 weapons before it in the circle. The only optimal strategy plays all weapons
    with equal probability (Fisher & Ryan 1992, *Optimal strategies for a generalized "scissors, paper, and stone"
    game*).

    Args:
        weapons: the number of weapons, odd.

    Returns:
        The game, with the payoffs 1, 0 and −1.

    Raises:
        ValueError: if `weapons` is not an odd integer from 1 to 10,000.

    >>> print(rock_paper_scissors().payoff)
    [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    """
    count = integer(weapons, "weapons", 1, MOST_BIDS)
    if count % 2 == 0:
        raise ValueError(f"weapons must be odd, got {count}")
    weapon = np.arange(count)
    ahead = (weapon[:, None] - weapon) % count
    payoff = np.where(ahead == 0, 0, np.where(ahead <= count // 2, 1, -1))
    labels = ("rock", "paper", "scissors") if count == 3 else ()
    return MatrixGame(payoff, labels, labels, f"rock, paper, scissors with {count} weapons")


def biased_rock_paper_scissors() -> MatrixGame:
    """Return biased rock, paper, scissors, with unequal payoffs.

    In this game the visit counts of UCT, a Monte Carlo tree search, do not converge to the optimum. The only optimal
    strategy plays rock, paper and scissors with the probabilities 1/16, 10/16 and 5/16 (Shafiei, Sturtevant & Schaeffer
    2009, *Comparing UCT versus CFR in simultaneous games*; Bošanský, Lisý, Lanctot, Čermák & Winands 2016, *Algorithms
    for computing strategies in two-player simultaneous move games*, section 6.1).

    >>> biased_rock_paper_scissors().payoff
    [[0, -25, 50], [25, 0, -5], [-50, 5, 0]]
    """
    labels = ("rock", "paper", "scissors")
    payoff = [[0, -25, 50], [25, 0, -5], [-50, 5, 0]]
    return MatrixGame(payoff, labels, labels, "biased rock, paper, scissors")


def hilbert(n: int) -> MatrixGame:
    """Return the game of Hilbert's matrix with alternating signs.

    The payoff in row i and column j, counted from 1, is (−1)^(i + j) / (i + j − 1). The inverse of Hilbert's matrix has
    the signs (−1)^(i + j), too, so all entries of the inverse of the payoffs are positive. Hence every optimal strategy
    plays all pure strategies (Kaplansky 1945), and the value is 1 divided by the sum of the inverse's entries

        (i + j − 1) C(n + i − 1, n − j) C(n + j − 1, n − i) C(i + j − 2, i − 1)²

    (Choi 1983, *Tricks or treats with the Hilbert matrix*). From n = 12 on the value is less than 2^-53, the
    rounding error of floats near the greatest payoff, 1.

    Args:
        n: the number of pure strategies of each player, from 1 to 10,000.

    Returns:
        The game, shape (n, n).

    Raises:
        ValueError: if `n` is not an integer from 1 to 10,000.

    >>> hilbert(2).payoff
    [[1, -1/2], [-1/2, 1/3]]
    """
    return _chessboard(n, lambda i, j: fmpq(1, i + j - 1), "Hilbert's matrix")


def pascal(n: int) -> MatrixGame:
    """Return the game of Pascal's matrix with alternating signs.

    The payoff in row i and column j, counted from 0, is (−1)^(i + j) C(i + j, i). The inverse of the payoffs has the
    positive entries Σ_k C(k, i) C(k, j), summed over k from 0 to n − 1. Hence every optimal strategy plays all pure
    strategies (Kaplansky 1945). The sum of these entries is (4^n − 1) / 3, and the value is 1 divided by it.

    Args:
        n: the number of pure strategies of each player, from 1 to 10,000.

    Returns:
        The game, shape (n, n).

    Raises:
        ValueError: if `n` is not an integer from 1 to 10,000.

    >>> pascal(3).payoff
    [[1, -1, 1], [-1, 2, -3], [1, -3, 6]]
    """
    return _chessboard(n, lambda i, j: fmpq(comb(i + j - 2, i - 1)), "Pascal's matrix")


def _chessboard(n: int, entry: Callable[[int, int], fmpq], name: str) -> MatrixGame:
    bids = range(1, integer(n, "n", 1, MOST_BIDS) + 1)
    payoff = [[(-1) ** (i + j) * entry(i, j) for j in bids] for i in bids]
    return MatrixGame(payoff, title=f"{name}, {n} × {n}")


def kuhn_poker() -> Tree:
    """Return Kuhn poker (Kuhn 1950, *A simplified two-person poker*), whose value is −1/18.

    Each player antes 1 and is dealt one of three cards, J, Q, K. The players take turns to pass or to bet 1. If one
    player bets and the other player then passes, the player who bet wins. If both pass or both bet, the higher card
    wins. The winner gains what the loser has paid. A state is a text: the card of player one, the card of player two,
    then the moves so far, p (pass) and b (bet).

    >>> kuhn_poker().at("JQp")
    Move(player=2, moves={'p': 'JQpp', 'b': 'JQpb'}, knows='Qp')
    """

    def at(state: str) -> Chance | Move | int:
        if not state:
            return Chance({"".join(deal): fmpq(1, 6) for deal in permutations(RANKS, 2)})
        one, two, moves = state[0], state[1], state[2:]
        better = 1 if RANKS.index(one) > RANKS.index(two) else -1
        match moves:
            case "bp":
                return 1
            case "pbp":
                return -1
            case "pp":
                return better
            case "bb" | "pbb":
                return 2 * better
        player = len(moves) % 2
        return Move(PLAYERS[player], {move: state + move for move in "pb"}, state[player] + moves)

    return Tree("", at)


def leduc_poker() -> Tree:
    """Return Leduc poker (Southey et al. 2005, *Bayes' bluff*), with the rules and the 5,520 leaves of OpenSpiel.

    The deck has six cards, J, Q and K in two suits. Each player antes 1 and is dealt a card. After a round of bets a
    public card is turned up, and there is a second round. A raise is 2 in the first round and 4 in the second, with
    at most two raises a round. If a player folds, the other wins. Otherwise a player whose card makes a pair with the
    public card wins. If there is no pair, the higher card wins; with equal cards nobody wins. The winner gains what the
    loser has paid.

    A state is a pair: the cards dealt so far (player one's, player two's and the public one), and for each round so far
    a text of its moves: f (fold), c (check or call) and r (raise).

    >>> leduc_poker().at((("Ja", "Kb"), ("r",))).moves
    {'c': (('Ja', 'Kb'), ('rc',)), 'f': (('Ja', 'Kb'), ('rf',)), 'r': (('Ja', 'Kb'), ('rr',))}
    """
    deck = [rank + suit for rank in RANKS for suit in "ab"]

    def at(state: tuple[tuple[str, ...], tuple[str, ...]]) -> Chance | Move | int:
        cards, (*before, moves) = state
        done = moves.endswith("c") and len(moves) > 1
        if len(cards) < 2 or (done and not before):
            left = [card for card in deck if card not in cards]
            rounds = (moves, "") if done else (moves,)
            return Chance({((*cards, card), rounds): fmpq(1, len(left)) for card in left})
        player, higher = len(moves) % 2, 4 if before else 2  # size of a raise in chips
        paid = 1 + higher * moves.count("r") + 2 * "".join(before).count("r")
        if done:
            one, two = ((card[0] == cards[2][0], RANKS.index(card[0])) for card in cards[:2])
            return ((one > two) - (one < two)) * paid
        if moves.endswith("f"):  # the other player has not paid the last raise
            return (paid - higher) * (1 if player == 0 else -1)
        choice = "c" + "f" * moves.endswith("r") + "r" * (moves.count("r") < 2)
        later = {move: (cards, (*before, moves + move)) for move in choice}
        knows = " ".join((cards[player], *before, *cards[2:], moves)).strip()
        return Move(PLAYERS[player], later, knows)

    return Tree(((), ("",)), at)


def liars_dice(sides: int = 6) -> Tree:
    """Return liar's dice with one die for each player, by the rules of OpenSpiel.

    Each player rolls a die in secret. The players take turns to bid a number of dice and a face. Each bid after the
    first has a higher number than the bid before, or the same number and a higher face. The game ends when a player,
    instead of bidding, calls the other a liar. The last bid is true if at least its number of dice show its face. The
    bidder wins 1 if the bid is true, otherwise the caller wins 1. The highest face is wild: it counts as any face. A
    state is a pair: both dice, and the moves so far, which are texts such as "2×6" or "liar".

    Args:
        sides: number of sides of a die, 2 to 6.

    Raises:
        ValueError: if `sides` is not an integer from 2 to 6.

    >>> [*liars_dice(2).at(((1, 2), ("1×2",))).moves]
    ['2×1', '2×2', 'liar']
    """
    sides = integer(sides, "sides", 2, 6)
    faces = range(1, sides + 1)

    def at(state: tuple[tuple[int, ...], tuple[str, ...]]) -> Chance | Move | int:
        dice, bids = state
        if not dice:
            return Chance({(roll, ()): fmpq(1, sides**2) for roll in product(faces, faces)})
        player, last = len(bids) % 2, bids[-1] if bids else ""
        if last == "liar":  # `player` made the bid before this call
            count, face = map(int, bids[-2].split("×"))
            bidder = 1 if player == 0 else -1
            return bidder if sum(die in (face, sides) for die in dice) >= count else -bidder
        moves = [f"{count}×{face}" for count in (1, 2) for face in faces]
        # Bids are compared as texts. This gives their order, because all their numbers have one digit.
        moves = [bid for bid in moves if bid > last] + ["liar"] * bool(bids)
        knows = " ".join((str(dice[player]), *bids))
        return Move(PLAYERS[player], {move: (dice, (*bids, move)) for move in moves}, knows)

    return Tree(((), ()), at)


def oshi_zumo(coins: int, size: int = 3, least: int = 1) -> Tree:
    """Return Oshi-Zumo (Buro 2004, *Solving the Oshi-Zumo game*): both players bid coins to push a wrestler.

    Both players bid at the same time, and both bids are spent. The higher bid moves the wrestler a step towards the
    other player; equal bids do not move the wrestler. The game ends when the wrestler is pushed off the board or when
    neither player has coins for the least bid. The player on whose side the wrestler then stands loses 1 to the other;
    the payoff is 0 if the wrestler stands in the middle. A state is (player one's coins, player two's coins, the
    wrestler's position). Positions on the board are −size to size; those on player two's side are positive.

    Args:
        coins: number of coins of each player at the start.
        size: number of steps from the middle to either end of the board.
        least: the least bid; a player with fewer coins bids 0. If the least bid is 0, a play can reach a state twice,
            because both players may bid 0 for ever. A play without end is worth 0.

    Raises:
        ValueError: if `coins` or `size` is not a positive integer, or `least` is not an integer from 0 to `coins`.

    Examples:
        Player one has the last coin and bids it; player two has none and bids 0. So the wrestler moves a step:

        >>> oshi_zumo(3).at((1, 0, 0)).moves
        {(1, 0): (0, 0, 1)}
    """
    coins, size = integer(coins, "coins", 1), integer(size, "size", 1)
    least = integer(least, "least", 0, coins)

    def at(state: tuple[int, int, int]) -> Simultaneous | int:
        one, two, position = state
        if abs(position) > size or max(one, two) < least:
            return (position > 0) - (position < 0)
        pairs = product(*(range(least, left + 1) or (0,) for left in (one, two)))
        return Simultaneous(
            {(b, r): (one - b, two - r, position + (b > r) - (b < r)) for b, r in pairs}
        )

    return Tree((coins, coins, 0), at)


def repeated(game: MatrixGame, rounds: int) -> Tree:
    """Return a matrix game repeated several times; payoffs are added up, and players see all earlier moves.

    The value is the value of the matrix game times the number of rounds. Shafiei, Sturtevant & Schaeffer (2009,
    *Comparing UCT versus CFR in simultaneous games*) repeat biased rock, paper, scissors in this way. A state is
    (number of rounds left, sum of player one's payoffs so far).

    Args:
        game: the matrix game, such as ``known_games.biased_rock_paper_scissors()``.
        rounds: number of rounds.

    Raises:
        ValueError: if `game` is no :class:`~gops_exact.MatrixGame`, or `rounds` is not a positive integer.

    >>> repeated(rock_paper_scissors(), 2).at((1, fmpq(0))).moves["rock", "paper"]
    (0, -1)
    """
    instance(game, MatrixGame, "game", "a MatrixGame")

    def at(state: tuple[int, fmpq]) -> Simultaneous | fmpq:
        left, total = state
        if not left:
            return total
        pairs = product(game.rows, game.columns)
        gains = chain.from_iterable(game.numbers.rows)
        later = {pair: (left - 1, total + gain) for pair, gain in zip(pairs, gains, strict=True)}
        return Simultaneous(later)

    return Tree((integer(rounds, "rounds", 1), fmpq(0)), at)


def recursive_blotto(coins: Sequence[int], prizes: Sequence[int]) -> Tree:
    """Return Colonel Blotto field by field: players bid coins for one prize after the other, and see past bids.

    The payoff is the sum of the prizes won minus the sum of the prizes lost. Chance decides who wins a field, with
    probabilities in proportion to the bids, or 1/2 for each player if nobody bids. If a field has the share s of all
    prizes that are still to be won, it is optimal to bid the share s of one's remaining coins (Anbarcı, Cingiz & Ismail
    2020, *Proportional resource allocation in dynamic n-player Blotto games*). If coins can always be split in this
    way, and the players begin with a and b coins, the value is (sum of the prizes) · (a − b) / (a + b).

    A state is the tuple (player one's coins, player two's coins, number of fields decided, player one's gain on these
    fields). At a chance node, which decides a field, the tuple has both bids as two more entries.

    Args:
        coins: coins of player one and of player two, positive integers.
        prizes: the prizes of the fields, in the order of play, positive integers.

    Raises:
        ValueError: if `coins` is no pair, if `prizes` is empty, or if a number is not a positive integer.

    Examples:
        After bids of 2 coins and 1 coin player one wins the field with probability 2/3, after bids of 0 with 1/2:

        >>> tree = recursive_blotto([4, 4], [3, 5])
        >>> tree.at((2, 3, 0, 0, 2, 1)).outcomes
        {(2, 3, 1, 3): 2/3, (2, 3, 1, -3): 1/3}
        >>> tree.at((4, 4, 0, 0, 0, 0)).outcomes
        {(4, 4, 1, 3): 1/2, (4, 4, 1, -3): 1/2}
    """
    both, worth = _positive_integers(coins, "coins"), _positive_integers(prizes, "prizes")
    if len(both) != 2 or not worth:
        raise ValueError(
            f"coins must be a pair of integers, and prizes not empty, got {shown(both)} and {shown(worth)}"
        )
    start = *both, 0, 0

    def at(state: tuple[int, ...]) -> Chance | Simultaneous | int:
        one, two, field, gain, *bids = state
        if field == len(worth):
            return gain
        if bids:
            bid, reply = bids
            share = fmpq(bid, bid + reply) if bid + reply else fmpq(1, 2)
            later = {worth[field]: share, -worth[field]: 1 - share}
            return Chance({(one, two, field + 1, gain + won): p for won, p in later.items() if p})
        pairs = product(range(one + 1), range(two + 1))
        return Simultaneous({(b, r): (one - b, two - r, field, gain, b, r) for b, r in pairs})

    return Tree(start, at)
