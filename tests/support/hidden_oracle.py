"""An oracle of the game with hidden bids that lists whole games, and shares nothing with the package."""

from fractions import Fraction
from itertools import permutations, product


def games(n, rules):
    """Every course of a game: prizes in order, bids of both, player one's payoff, and its chance from nature."""
    deck = tuple(range(1, n + 1))
    fixed = [rules.prizes] if isinstance(rules.prizes, tuple) else list(permutations(deck))
    orders = {"ascending": [deck], "descending": [deck[::-1]]}.get(rules.prizes, fixed)
    for prizes, one, two in product(orders, permutations(deck), permutations(deck)):
        margin = pot = 0
        for prize, bid, reply in zip(prizes, one, two, strict=True):
            stake = prize + pot
            pot = stake if bid == reply and rules.ties == "carryover" else 0
            margin += stake * ((bid > reply) - (bid < reply))
        if rules.objective == "win":
            margin = (margin > 0) - (margin < 0)
        yield prizes, one, two, margin, Fraction(1, len(orders))


def noticed(prizes, own, other, rounds, sees):
    """What a player knows when the next bid is due, after so many rounds."""
    words = []
    for prize, bid, reply in list(zip(prizes, own, other, strict=True))[:rounds]:
        place = (bid > reply) - (bid < reply) + 1
        words.append(
            f"{prize}:{bid}{'<=>'[place]}{reply}" if sees else f"{prize}:{bid}{'-=+'[place]}"
        )
    return " ".join([*words, str(prizes[rounds])])


def oracle_reply(n, rules, seen, strategy, player):
    """What player one expects if the other player replies best to the strategy of a player."""
    gains = {}  # by what the one who replies knows, and the bids made
    for prizes, one, two, payoff, chance in games(n, rules):
        own, other = (one, two) if player == 0 else (two, one)
        played = chance
        for rounds in range(n - 1):
            at = strategy.get(noticed(prizes, own, other, rounds, seen[player]), {})
            played *= Fraction(at.get(own[rounds], 0))
        if played:
            path = tuple(
                (noticed(prizes, other, own, rounds, seen[1 - player]), other[rounds])
                for rounds in range(n)
            )
            gains[path] = gains.get(path, 0) + played * payoff
    best = max if player else min
    for rounds in reversed(range(n)):
        choices = {}
        for path, gain in gains.items():
            bids = choices.setdefault((path[:rounds], path[rounds][0]), {})
            bids[path[rounds][1]] = bids.get(path[rounds][1], 0) + gain
        gains = {}
        for (path, _), bids in choices.items():
            gains[path] = gains.get(path, 0) + best(bids.values())
    return gains[()]


def plain(strategy):
    return {
        name: {int(bid): Fraction(str(chance)) for bid, chance in bids.items()}
        for name, bids in strategy.items()
    }
