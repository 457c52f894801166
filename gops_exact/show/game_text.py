"""Lines of plain text for a game at the terminal: hands and prizes, rules, rounds, results and hints.

Cards are written with their names, such as A for 1 and K for 13. A *view* is what a player sees before a bid: the
position, and the rounds before it. The *pot* is the sum of the prizes carried over from ties.
"""

from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Rules, State, card_name, cards_name, without
from gops_exact.numbers.kinds import view
from gops_exact.numbers.table import Cell, Table
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Round, Rounds, View, points

DIGITS = 4
"""Number of digits after the point of values and expected gains."""


def table_lines(view: View) -> list[str]:
    """Return lines that list hands, prizes and points before the bids of a round, as the player of a view sees them.

    >>> position = Position.start(3, Rules("win")).at(1).after(2, 1).at(2)
    >>> for line in table_lines(View(3, position, (Round(1, 1, 2, 1),))):
    ...     print(line)
    Round 2 of 3. The prize is 2.
      your cards        A 3
      opponent's cards  2 3
      prizes to come    3
      points            you 1, opponent 0
    >>> tied = Position.start(3, Rules(ties="carryover")).at(2).after(1, 1).at(1)
    >>> table_lines(View(3, tied, (Round(2, 2, 1, 1),)))[0]
    'Round 2 of 3. The prize is A, with 2 in the pot: 3 points.'
    """
    own, other = points(view.rounds)
    later = view.prizes if view.upcard is None else without(view.prizes, view.upcard)
    to_come = f"{cards_name(later)}{', in this order' if view.rules.fixed and later[1:] else ''}"
    carried = view.position.pot
    pot = f", with {carried} in the pot" if carried else ""
    if view.upcard is None:
        prize = f"is hidden{pot}"
    else:
        worth = f": {view.upcard + carried} points" if pot else ""
        prize = f"is {card_name(view.upcard)}{pot}{worth}"
    return [
        f"Round {len(view.rounds) + 1} of {view.n}. The prize {prize}.",
        f"  your cards        {cards_name(view.hand)}",
        f"  opponent's cards  {cards_name(view.opponent)}",
        f"  prizes to come    {to_come or 'none'}",
        f"  points            you {own}, opponent {other}",
    ]


TURNED_UP = {
    "random": "turned up at random",
    "hidden": "turned up once both have bid",
    "ascending": "turned up in ascending order",
    "descending": "turned up in descending order",
}
TIED = {
    "discard": "nobody gets the prize",
    "carryover": "the prize is added to the next one, and after the last round nobody gets it",
}
WON_BY = {
    "points": "What counts is by how many points you are ahead at the end.",
    "win": "Who has more points at the end wins, by however little.",
}


def rules_lines(game: Game) -> list[str]:
    """Return lines that explain a game to a player.

    >>> for line in rules_lines(Game(5, Rules("win"))):
    ...     print(line)
    You and the opponent hold the cards A to 5. Each round is for a prize from A to 5, turned up at random.
    Both bid a card at once. The higher card wins the prize, worth its number in points, and both are spent.
    If both bid the same card, nobody gets the prize.
    Who has more points at the end wins, by however little.
    A, T, J, Q and K are 1, 10, 11, 12 and 13; numbers will do.
    Type a card to bid it. "hint" shows what each bid is worth, "rules" these lines, and "undo" takes your last bid back.
    "quit" leaves the game, and says how to go on with it.
    """
    rules, cards = game.rules, f"{card_name(1)} to {card_name(game.n)}"
    prize = f"of {cards_name(game.deck)}" if game.own_deck else f"from {cards}"
    order = TURNED_UP.get(rules.order, f"in the order {cards_name(game.prizes)}")
    return [
        f"You and the opponent hold the cards {cards}. Each round is for a prize {prize}, {order}.",
        "Both bid a card at once. The higher card wins the prize, worth its number in points, and both are spent.",
        f"If both bid the same card, {TIED[rules.ties]}.",
        WON_BY[rules.objective],
        "A, T, J, Q and K are 1, 10, 11, 12 and 13; numbers will do.",
        'Type a card to bid it. "hint" shows what each bid is worth, "rules" these lines, and "undo" takes your last bid back.',
        '"quit" leaves the game, and says how to go on with it.',
    ]


def round_line(over: Round, rules: Rules) -> str:
    """Return a line with the bids and the result of a finished round, addressed to the player who bid ``over.bid``.

    >>> round_line(Round(3, 3, 2, 2), Rules(ties="carryover"))
    'You bid 2, the opponent 2: a tie, 3 in the pot.'
    """
    bids = f"You bid {card_name(over.bid)}, the opponent {card_name(over.reply)}"
    prize = f" The prize was {card_name(over.upcard)}." if rules.hidden else ""
    if over.bid > over.reply:
        return f"{bids}: {over.stake} for you.{prize}"
    if over.bid < over.reply:
        return f"{bids}: {over.stake} for the opponent.{prize}"
    pot = rules.after(State(pot=over.stake - over.upcard), over.upcard, 0).pot
    left = f"{pot} in the pot" if pot else "nobody's"
    return f"{bids}: a tie, {left}.{prize}"


def result_line(rounds: Rounds, rules: Rules) -> str:
    """Return a line with both players' points and the result of a game, in words addressed to one player.

    Args:
        rounds: all rounds of the game, as this player saw them.
        rules: the rules of the game.

    >>> result_line((Round(2, 2, 2, 1), Round(1, 1, 1, 2)), Rules("win"))
    '2 to 1: you win.'
    """
    own, other = points(rounds)
    if own == other:
        end = "a draw" if rules.winning else "even"
    elif rules.winning:
        end = "you win" if own > other else "you lose"
    else:
        end = f"you {'gain' if own > other else 'lose'} {abs(own - other)}"
    return f"{own} to {other}: {end}."


def illegal_line(sign: int, stake: int, rounds: Rounds, rules: Rules) -> str:
    """Return a line with the result of a game that an illegal action ended, addressed to one of the players.

    Args:
        sign: −1 if this player's action was illegal, 1 if the opponent's was, 0 if both were.
        stake: the sum of the prizes left and the pot. The player whose action was legal gets it; if both actions were
            illegal, nobody does.
        rounds: the rounds that were finished before, as this player saw them.
        rules: the rules of the game. In a game to win, the player whose action was legal wins; if both actions were
            illegal, the game is a draw.

    >>> illegal_line(-1, 3, (Round(3, 3, 3, 1),), Rules())
    'Your action was illegal. 3 to 3: even.'
    """
    action = {-1: "Your action was", 1: "The opponent's action was", 0: "Both actions were"}[sign]
    if rules.winning:
        end = {-1: "you lose.", 1: "you win.", 0: "a draw."}[sign]
        return f"{action} illegal: {end}"
    rest = Round(upcard=stake, stake=stake, bid=sign, reply=0)
    return f"{action} illegal. {result_line((*rounds, rest), rules)}"


def hint_lines(position: Position, optimal: Optimal | None) -> list[str]:
    """Return lines that list each bid's optimal probability and its expected gain against an optimal opponent.

    Args:
        position: the position, with the player's hand first.
        optimal: the optimal policy of the game; None if the game is not solved, for a line that says so.

    >>> for line in hint_lines(Position.start(3).at(2), Optimal(Game(3))):
    ...     print(line)
    The position is worth 0 to you, in points from here on
    <BLANKLINE>
    bid  optimal  expects
      A        0  -1.0000
      2   0.5556   0.0000
      3   0.4444   0.0000
    """
    if optimal is None:
        return ["No hints in a game that is not solved."]
    strategy = optimal.strategy(position)
    rows: list[tuple[tuple[str], list[Cell]]] = [
        # The format option "z" omits the sign of a gain that is rounded to −0.0.
        ((card_name(card),), [view(strategy[card]), f"{gain:z.{DIGITS}f}"])
        for card, gain in optimal.gains(position).items()
    ]
    value = optimal.value(position)
    worth = value if value.q == 1 else value.decimal(DIGITS)
    caption = f"The position is worth {worth} to you, in {position.rules.unit}"
    table = Table(
        caption, ("bid",), rows, heads=("optimal", "expects"), digits=DIGITS, probabilities=True
    )
    return str(table).splitlines()
