"""Reader of transcripts of games that were played with other programs.

* TextArena (Guertler et al. 2025, arXiv:2504.11442): ``GameOfPureStrategy``, played to win, with ties carried over.
  Two lines of each round are read: the line that begins the round and the line that shows the bids. Other text at the
  start of such a line is ignored, such as ``[GAME]``, blanks, quotation marks, the time, or the members of a JSON object.
  But a line that a player wrote, marked with ``[Player 0]``, is not read. A line may occur several times, as in a log of
  all messages to a player.
* OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453): ``goofspiel``, from a playthrough (OpenSpiel's log of a game), or
  from the text that ``pyspiel.serialize_game_and_state`` returns. OpenSpiel plays the last round automatically, so its
  transcripts do not list the bids of this round, and the reader adds them.
"""

import re
from collections.abc import Sequence

from gops_exact.base.arguments import instance, integer, shown
from gops_exact.base.progress import Item
from gops_exact.exchange.openspiel_games import bids_of, game_of_parameters
from gops_exact.game.game import Game
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Rules, parse_card
from gops_exact.players.grades import Transcript
from gops_exact.players.policy import Round
from gops_exact.players.referee import replayed

TEXTARENA = re.compile(
    r"^(?!.*\[Player)(?:.*[^\w#\n])?(?:#+ Round (\d+)/(\d\d?) - Prize: (\w+) +\(worth (\d+)\)"
    r"|Bids: P0 (\w+) vs P1 (\w+) )",
    re.ASCII | re.MULTILINE,
)
"""Pattern of the lines of TextArena's transcripts that begin a round or show its bids."""

IN_JSON = re.compile(r'^[\s>|]*[\[{]\s*["\[{]', re.MULTILINE)
"""Pattern of a line that begins an object or a list in JSON, unlike ``[GAME]``."""

OPENSPIEL = re.compile(r"\bgoofspiel\(([^()]*)\)")
"""Pattern of the name of OpenSpiel's game. The text in parentheses, a group of the pattern, lists the parameters whose
values differ from the defaults in :data:`USUAL`."""

ACTIONS = re.compile(r"^(?:actions?: )?\[?(\d+(?:, \d+)*)\]?$", re.ASCII | re.MULTILINE)
"""Pattern of a line that lists actions in a transcript of OpenSpiel."""

START = re.compile(r"^(?:# State 0|\[State\])$", re.MULTILINE)
"""Pattern of the line after which OpenSpiel writes the states of a game."""

USUAL = (
    "imp_info=False,num_cards=13,num_turns=-1,players=2,points_order=random,returns_type=win_loss"
)
"""Parameters of OpenSpiel's goofspiel that determine the rules, with their defaults."""

VALUES = {"True": True, "False": False} | {str(number): number for number in range(-1, LONGEST + 1)}
"""{value of a parameter as OpenSpiel writes it: the same value in Python}. Any other value stays text."""


def read_transcript(text: str, number: int | None = None) -> Transcript:
    """Read a transcript of TextArena's GameOfPureStrategy or of OpenSpiel's goofspiel.

    Args:
        text: the transcript. Line breaks may be escaped, as in JSON.
        number: the number of the game, from 1 on, if the transcript has several; None for the only one.

    Returns:
        The game and its rounds. A round that lacks a bid is left out.

    Raises:
        ValueError: if the text has no such game, or several games and no number, or if the rounds break the rules.

    >>> played = read_transcript('''
    ... ### Round 1/2 - Prize: 2  (worth 2)
    ... Bids: P0 2 vs P1 A - Player 0 wins 2.
    ... ''')
    >>> print(played.game, *played.rounds)
    2 cards, objective win, ties carryover, prizes random Round(upcard=2, stake=2, bid=2, reply=1)
    """
    text = instance(text, str, "text", "the text of a transcript").replace("\r\n", "\n")
    # In JSON, each text becomes a line.
    ends = r'(?:\\r)?\\n|(?<!\\)"' if IN_JSON.search(text) else r"(?:\\r)?\\n"
    in_lines = re.sub(ends, "\n", text)
    # A log may have the same line several times, once for each message that shows it, and a game from its beginning
    # again and again. So repeated lines are dropped, and games with which another one begins.
    # None of a game's own lines gets lost: they differ, because each round has its number and each card is bid once.
    games = list[dict[tuple[str, ...], None]]()
    for line in TEXTARENA.finditer(in_lines):
        if (line[1] == "1" and not (games and [*games[-1]] == [line.groups()])) or not games:
            games.append({})
        games[-1][line.groups()] = None
    logs = dict.fromkeys(tuple(lines) for lines in games)
    whole = [one for one in logs if not any(one == two[: len(one)] for two in logs if two != one)]
    if whole:
        return _textarena(list(_chosen(whole, number)))
    text = text if "\n" in text else in_lines  # a playthrough has texts with escapes
    starts = [*(start.start() for start in START.finditer(text))] or [0]
    begin = _chosen(starts, number)
    *_, name = [None, *OPENSPIEL.finditer(text, 0, begin or len(text))]
    if name is None:
        raise ValueError(
            "expected a transcript of TextArena's GameOfPureStrategy or OpenSpiel's goofspiel, got neither"
        )
    # If a parameter occurs twice, the last value counts. So the parameters of the name override the defaults in USUAL.
    values = dict(re.findall(r"(\w+)=(-?\w+)", f"{USUAL},{name[1]}"))
    known: dict[str, object] = {key: VALUES.get(value, value) for key, value in values.items()}
    hidden = known["imp_info"] is True
    game = game_of_parameters(known, hidden=hidden)
    span = begin, next((start for start in starts if start > begin), len(text))
    actions = [int(action) for line in ACTIONS.findall(text, *span) for action in line.split(", ")]
    bids, _ = bids_of(actions, game)
    position, rounds = replayed(game, bids)
    if position.size == 1:
        (prize,), (bid,), (reply,) = position.prizes, position.one, position.two
        rounds = (*rounds, Round(prize, prize, bid, reply))
    return Transcript(game, rounds, hidden)


def _chosen(games: Sequence[Item], number: int | None) -> Item:
    """Return game `number` of a list, counted from 1; if `number` is None, return the only game of the list.

    Raises:
        ValueError: if there is no game of this number, or if `number` is None and the list has several games.
    """
    if number is None and len(games) > 1:
        raise ValueError(f"expected one game, or the number of one, got {len(games)}")
    return games[
        integer(1 if number is None else number, "the number of a game", 1, len(games)) - 1
    ]


def _textarena(lines: list[tuple[str, ...]]) -> Transcript:
    headers, bids = [line[:4] for line in lines[::2]], [line[4:] for line in lines[1::2]]
    n = headers[0][1]
    numbered = [(str(number), n) for number in range(1, len(headers) + 1)]
    if n is None or [line[:2] for line in headers] != numbered or not all(map(all, bids)):
        raise ValueError(
            "expected the prize and the bids of each round of one game, got other lines"
        )
    game = Game(int(n), Rules("win", "carryover"))
    cards = [map(parse_card, (line[2], *pair)) for line, pair in zip(headers, bids, strict=False)]
    _, rounds = replayed(game, [(prize, bid, reply) for prize, bid, reply in cards])
    for over, (number, _, _, worth) in zip(rounds, headers, strict=False):
        if str(over.stake) != worth:
            raise ValueError(
                f"round {number}: expected a prize worth {over.stake} with the pot, got {shown(worth)}"
            )
    return Transcript(game, rounds)
