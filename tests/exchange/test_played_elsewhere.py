"""Transcripts of TextArena and OpenSpiel are read as the games that they are; reviews are in the transcripts of commands."""

import json
from random import Random

import pytest

import gops_exact as gx
from gops_exact import players
from gops_exact.exchange import Transcript, read_transcript

ARENA = gx.Rules("win", "carryover")
SPIEL = [
    gx.Rules(objective, prizes=order)
    for objective in ("points", "win")
    for order in ("random", "ascending", "descending")
]
RETURNS = {"points": "point_difference", "win": "win_loss"}
FACES = {1: "A", 11: "J", 12: "Q", 13: "K"}


def rounds_of(game, order, bids, replies):
    """The rounds with these prizes and bids, counted by hand."""
    pot, rounds = 0, []
    for prize, bid, reply in zip(order, bids, replies, strict=True):
        rounds.append(players.Round(prize, prize + pot, bid, reply))
        pot = prize + pot if bid == reply and game.rules.carries else 0
    return tuple(rounds)


def textarena(game, rounds, tag=""):
    """The lines of TextArena's GameOfPureStrategy, as its players see them."""
    lines = [f"{tag}You are Player 0 in a match of GameOfPureStrategy."]
    for number, over in enumerate(rounds, start=1):
        stake = over.stake
        prize, bid, reply = (FACES.get(card, card) for card in (over.upcard, over.bid, over.reply))
        lines += [
            f"{tag}### Round {number}/{game.n} - Prize: {prize}  (worth {stake})",
            f"{tag}Your remaining hand: '[{bid}]'",
            f"[Player 0] My reason: bids of P0 {reply} vs P1 {bid} - no. [{bid}]",
            f"{tag}Bids: P0 {bid} vs P1 {reply} - Player 0 wins {stake}.",
            f"{tag}Scores -> P0:0  P1:0",
        ]
    return "\n".join(lines)


def openspiel(game, rounds, form="state"):
    """OpenSpiel's own text of a game; it leaves out the last round, which it plays by itself."""
    rules = game.rules
    name = (
        f"goofspiel(imp_info=False,num_cards={game.n},points_order={rules.prizes},"
        f"returns_type={RETURNS[rules.objective]})"
    )
    actions = [
        ([] if rules.fixed else [over.upcard - 1], [over.bid - 1, over.reply - 1])
        for over in rounds[: game.n - 1]
    ]
    if form == "state":
        history = [str(action) for drawn, both in actions for action in (*drawn, *both)]
        return "\n".join(["[Meta]", "Version: 1", "", "[Game]", name, "[State]", *history, "", ""])
    lines = [f"game: {name}", "", "# State 0", "LegalActions(0) = [0, 1]"]
    for drawn, both in actions:
        lines += [*(f"action: {action}" for action in drawn), f"actions: {both}", 'x = "1\\n2"']
    return "\n".join(lines)


def random_games(rules, count):
    rng = Random(f"transcripts {rules}")
    for _ in range(count):
        game = gx.Game(rng.randint(2, 4), rules)
        cards = range(1, game.n + 1)
        order = game.prizes if rules.fixed else rng.sample(cards, game.n)
        yield game, rounds_of(game, order, *(rng.sample(cards, game.n) for _ in "12"))


@pytest.mark.parametrize("rules", [ARENA, *SPIEL], ids=str)
def test_games_are_read(rules):
    for number, (game, rounds) in enumerate(random_games(rules, 15)):
        if rules == ARENA:
            text = textarena(game, rounds, tag="[GAME] " * (number % 2))
            text += f"\n{text}" if number % 3 else ""  # a log of all that was seen, twice
            text = json.dumps(text) if number % 5 == 0 else text
        else:
            text = openspiel(game, rounds, "state" if number % 2 else "playthrough")
        assert read_transcript(text) == Transcript(game, rounds)


def test_openspiels_own_texts_are_read():
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    for name in (
        "goofspiel(num_cards=4,points_order=descending,returns_type=point_difference)",
        "turn_based_simultaneous_game(game=goofspiel(num_cards=4,returns_type=point_difference))",
        "goofspiel(imp_info=True,num_cards=4,returns_type=point_difference)",
    ):
        text = playthrough(name, None, seed=1)
        played, game = read_transcript(text), pyspiel.load_game(name)
        state = game.new_initial_state()
        for line in text.splitlines():
            if line.startswith("action"):
                actions = json.loads(line.partition(":")[2])
                apply = state.apply_actions if isinstance(actions, list) else state.apply_action
                apply(actions)
        assert state.is_terminal() and len(played.rounds) == played.game.n == 4
        assert played.hidden == ("imp_info=True" in name)
        won, lost = players.points(played.rounds)
        assert (won - lost) / 2 == state.returns()[0]
        assert read_transcript(pyspiel.serialize_game_and_state(game, state)) == played


LINES = textarena(gx.Game(3, ARENA), rounds_of(gx.Game(3, ARENA), (2, 3, 1), (2, 1, 3), (2, 3, 1)))
STATE = openspiel(gx.Game(3), rounds_of(gx.Game(3), (2, 3, 1), (2, 1, 3), (2, 3, 1)))
OTHER = "the prize and the bids of each round of one game"
CHANGES = [
    (LINES, LINES, "", "expected a transcript of TextArena's GameOfPureStrategy or OpenSpiel's"),
    (LINES, "worth 5", "worth 3", "round 2: expected a prize worth 5 with the pot, got '3'"),
    (LINES, "P0 A vs", "P0 2 vs", "round 2: player one must bid one of 1, 3, got 2"),
    (LINES, "Prize: 3", "Prize: 2", "round 2: the upcard must be one of the prizes 1, 3, got 2"),
    (LINES, "Round 2/3", "Round 3/3", OTHER),
    (LINES, "Round 1/3", "Round 1/4", OTHER),
    (LINES, "Bids: P0 2 vs", "Bits:", OTHER),
    (LINES, LINES, f"{LINES}\n{LINES.replace('worth 5', 'worth 4')}", OTHER),
    (LINES, "P1 3 - ", "P1 X - ", "a card must be an integer"),
    (STATE, "num_cards=3", "num_cards=99", "OpenSpiel's num_cards must be an integer"),
    (STATE, "num_cards", "players=3,num_cards", "OpenSpiel's players must be 2, got 3"),
    (STATE, "random", "hidden", "points_order must be random or ascending or descending"),
    (STATE, "point_difference", "total_points", "returns_type must be point_difference or"),
    (STATE, "[State]\n1", "[State]\n3", "the upcard must be one of the prizes 1, 2, 3, got 4"),
    (STATE, STATE, STATE * 2, "expected one game, got 2"),
    (STATE, STATE, f"{STATE.strip()}\n0\n2\n0\n0\n0\n0\n", "round 4: no prize is left"),
]


@pytest.mark.parametrize(("text", "old", "new", "message"), CHANGES, ids=lambda part: part[:20])
def test_what_is_no_game_is_refused(text, old, new, message):
    with pytest.raises(ValueError) as refusal:
        read_transcript(text.replace(old, new))
    assert message in str(refusal.value)


def test_a_game_that_is_not_over_is_reviewed_as_far_as_it_went():
    upto = LINES.index("### Round 3")
    assert len(read_transcript(LINES[:upto]).rounds) == 2
    assert read_transcript(f"{LINES[:upto]}### Round 3/3 - Prize: A  (worth 1)").rounds[-1].bid == 1
    begun = STATE.replace("num_cards=3", "num_cards=5")
    assert read_transcript(begun).rounds == read_transcript(STATE).rounds[:2]
