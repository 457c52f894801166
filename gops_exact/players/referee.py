"""Two policies play: rounds, games, matches.

A policy that bids a card it does not hold is named and the game is stopped.
"""

from collections.abc import Iterator
from random import Random

from gops_exact.arguments import LARGEST, MOST_GAMES, instance, integer, positive_integer
from gops_exact.game.cards import deck_of
from gops_exact.game.order_types import LONGEST
from gops_exact.game.position import Position
from gops_exact.game.rules import PLAIN, Prizes, Rules, as_rules
from gops_exact.players.catalogue import policy
from gops_exact.players.policy import Policy, checked_bid
from gops_exact.players.view import Game, Round, View, mirrored


def rounds(
    one: Policy,
    two: Policy,
    order: Prizes,
    rules: Rules,
    rngs: tuple[Random, Random],
    *,
    games: tuple[tuple[Game, ...], tuple[Game, ...]] = ((), ()),
    length: int = 1,
) -> Iterator[Round]:
    """Play one game, round by round, with the cards 1 … n in each hand.

    Args:
        one: player one.
        two: player two.
        order: the n prizes in the order in which they come; the players are shown only as much of
            it as the rules allow.
        rules: the rules.
        rngs: the players' sources of randomness.
        games: earlier games of the match, as player one and as player two saw them.
        length: how many games the match is to have.

    Yields:
        Each round as player one saw it.

    Raises:
        BidError: if a policy bids a card it does not hold.
    """
    position = Position.start(len(order), rules)
    played: tuple[Game, Game] = ((), ())
    for prize in order:
        position = position.at(None if rules.hidden else prize)
        bid, reply = (
            checked_bid(
                policy, View(len(order), seen, played[side], games[side], length), rngs[side]
            )
            for side, (policy, seen) in enumerate(((one, position), (two, position.swapped())))
        )
        over = Round(prize, prize + position.pot, bid, reply)
        yield over
        position = position.after(bid, reply, prize)
        played = (*played[0], over), (*played[1], over.mirrored())


def match(
    one: Policy | str,
    two: Policy | str,
    n: int,
    *,
    games: int = 1,
    rules: Rules = PLAIN,
    seed: int | str = 0,
) -> list[Game]:
    """Games of n cards a side, one after the other, each player remembering the earlier ones.

    Args:
        one: player one, a policy or the name of one.
        two: player two, a policy or the name of one.
        n: cards a side.
        games: how many.
        rules: the rules; points, ties discarded, prizes random by default.
        seed: the same seed, by its text, gives the same match. The prizes, player one and player
            two draw from sources of their own.

    Returns:
        The games as player one saw them.

    Raises:
        BidError: if a policy bids a card it does not hold.

    >>> from gops_exact.players.simple import UpcardPlus
    >>> [game] = match(UpcardPlus(0), UpcardPlus(1), 2)
    >>> sorted(game)
    [Round(upcard=1, stake=1, bid=1, reply=2), Round(upcard=2, stake=2, bid=2, reply=1)]
    """
    rules = as_rules(rules)
    one, two = (
        policy(given, n, rules)
        if isinstance(given, str)
        else instance(given, Policy, "a player", "a policy or the name of one")
        for given in (one, two)
    )
    deck = rules.arranged(deck_of(n, LONGEST))
    games = positive_integer(games, "games", MOST_GAMES)
    if not isinstance(seed, str):
        seed = integer(seed, "seed", -LARGEST, LARGEST)
    # A text seeds through SHA-512, the same on every machine.
    prizes = Random(f"{seed} prizes")
    rngs = Random(f"{seed} player one"), Random(f"{seed} player two")
    played: list[Game] = []
    seen_by_two: list[Game] = []
    for _ in range(games):
        order = deck if rules.fixed else tuple(prizes.sample(deck, len(deck)))
        earlier = tuple(played), tuple(seen_by_two)
        game = tuple(rounds(one, two, order, rules, rngs, games=earlier, length=games))
        played.append(game)
        seen_by_two.append(mirrored(game))
    return played
