"""Rounds, games and matches between two policies.

A *policy* is a rule that chooses a card in each round of the game. A *match* is several games of the same two players,
who see the earlier games. A *position* has both hands, the prizes left, the prize turned up if there is one, and the
points of earlier rounds that still count.
"""

from collections.abc import Iterable, Iterator
from random import Random

from gops_exact.base.arguments import LARGEST, MOST_GAMES, function, integer
from gops_exact.base.documents import named
from gops_exact.base.progress import Progress, tracked
from gops_exact.game.game import Game, Position, as_game
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Prizes
from gops_exact.players.catalogue import as_policy
from gops_exact.players.policy import Policy, Round, Rounds, View, checked_bid, mirrored


def rounds(
    one: Policy,
    two: Policy,
    game: Game,
    order: Prizes,
    rngs: tuple[Random, Random],
    *,
    games: tuple[tuple[Rounds, ...], tuple[Rounds, ...]] = ((), ()),
    length: int = 1,
) -> Iterator[Round]:
    """Play a game between two policies, round by round.

    Args:
        one: player one.
        two: player two.
        game: the game that is played.
        order: the prizes in the order in which they come. The players see only the prizes that the rules show.
        rngs: the sources of randomness of player one and of player two.
        games: a pair: the earlier games of the match as player one saw them, and as player two saw them.
        length: the number of games of the match.

    Yields:
        Each round as player one saw it.

    Raises:
        BidError: if a policy bids a card that it does not hold.
        ValueError: if a prize of `order` cannot come next.

    >>> from gops_exact.players.simple import UpcardPlus
    >>> rngs = Random(1), Random(2)
    >>> [over.reply for over in rounds(UpcardPlus(0), UpcardPlus(1), Game(3), (3, 1, 2), rngs)]
    [1, 2, 3]
    """
    position = game.start
    by_one: Rounds = ()
    by_two: Rounds = ()
    for prize in order:
        position = position.at(None if game.rules.hidden else prize)
        seen_by_one = View(game.n, position, by_one, games[0], length, game.own_deck)
        seen_by_two = View(game.n, position.swapped(), by_two, games[1], length, game.own_deck)
        bid = checked_bid(one, seen_by_one, rngs[0])
        reply = checked_bid(two, seen_by_two, rngs[1])
        over = Round(prize, prize + position.pot, bid, reply)
        yield over
        position = position.after(bid, reply, prize)
        by_one, by_two = (*by_one, over), (*by_two, over.mirrored())


def replayed(game: Game, bids: Iterable[tuple[int, int, int]]) -> tuple[Position, Rounds]:
    """Replay rounds whose prizes and bids are known.

    Args:
        game: the game; its prizes are not hidden.
        bids: the prize, player one's bid and player two's bid of each round.

    Returns:
        The position after these rounds, and the rounds as player one saw them.

    Raises:
        ValueError: if a prize cannot come next, or a bid is not in its player's hand. The message begins with the
            number of the round.

    >>> position, played = replayed(Game(3), [(3, 2, 1)])
    >>> print(position, *played)
    1.3_2.3_1.2 Round(upcard=3, stake=3, bid=2, reply=1)
    """
    position, played = game.start, list[Round]()
    for number, (upcard, bid, reply) in enumerate(bids, start=1):
        played.append(Round(upcard, upcard + position.pot, bid, reply))
        with named(f"round {number}"):
            position = position.at(upcard).after(bid, reply)
    return position, tuple(played)


def match(
    one: Policy | str,
    two: Policy | str,
    game: Game | int,
    *,
    games: int = 1,
    seed: int | str = 0,
    progress: Progress | None = None,
) -> list[Rounds]:
    """Play a match: several games of the same two players, who see the earlier games.

    Args:
        one: player one, a policy or the name of one.
        two: player two, a policy or the name of one.
        game: the game, or the number of its cards a side.
        games: the number of games to play.
        seed: an integer or a text, the seed of three random number generators: one for the order of the prizes, one
            for player one, one for player two. Equal seeds give equal matches, if the policies use no other randomness.
        progress: called as progress(done, total), in games; None for no report.

    Returns:
        The rounds of each game as player one saw them.

    Raises:
        BidError: if a policy bids a card that it does not hold.
        ValueError: if a player is neither a policy nor the name of one, or another argument is out of its range.

    >>> [played] = match("matching", "upcard+1", Game(2))
    >>> sorted(played)
    [Round(upcard=1, stake=1, bid=1, reply=2), Round(upcard=2, stake=2, bid=2, reply=1)]
    """
    function(progress, "progress")
    game = as_game(game, LONGEST)
    one, two = as_policy(one, game), as_policy(two, game)
    games = integer(games, "games", 1, MOST_GAMES)
    if not isinstance(seed, str):
        seed = integer(seed, "seed", -LARGEST, LARGEST)
    # Random hashes a text with SHA-512, so the same seed gives the same match on every machine.
    prizes = Random(f"{seed} prizes")
    rngs = Random(f"{seed} player one"), Random(f"{seed} player two")
    played: list[Rounds] = []
    seen_by_two: list[Rounds] = []
    for _ in tracked(range(games), progress):
        order = shuffled(game, prizes)
        earlier = tuple(played), tuple(seen_by_two)
        over = tuple(rounds(one, two, game, order, rngs, games=earlier, length=games))
        played.append(over)
        seen_by_two.append(mirrored(over))
    return played


def shuffled(game: Game, rng: Random) -> Prizes:
    """Return the prizes of a game in the order in which they come; `rng` draws the order if the rules do not fix it."""
    return game.prizes if game.rules.fixed else tuple(rng.sample(game.prizes, game.n))
