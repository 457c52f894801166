"""Transcripts of TextArena and OpenSpiel are read as the games that they are; reviews are in the commands' transcripts."""

import json
import re

import pytest

import gops_exact as gx
from gops_exact import players
from gops_exact.exchange import Transcript, read_transcript

ARENA = """You are Player 0 in a match of GameOfPureStrategy.
### Round 1/3 - Prize: 2  (worth 2)
[Player 0] My reason: bids of P0 3 vs P1 A - no. [2]
Bids: P0 2 vs P1 2 - tie.
Scores -> P0:0  P1:0
### Round 2/3 - Prize: 3  (worth 5)
Bids: P0 A vs P1 3 - Player 1 wins 5.
### Round 3/3 - Prize: A  (worth 1)
Bids: P0 3 vs P1 A - Player 0 wins 1.
"""
ARENA_ROUNDS = tuple(players.Round(*over) for over in ((2, 2, 2, 2), (3, 5, 1, 3), (1, 1, 3, 1)))
STATE = """[Game]
goofspiel(imp_info=False,num_cards=3,points_order=random,returns_type=point_difference)
[State]
1
1
1
2
0
2
"""
PLAYTHROUGH = """game: goofspiel(num_cards=3,points_order=descending)
# State 0
LegalActions(0) = [0, 1]
actions: [1, 2]
x = "1\\n2"
actions: [0, 0]
"""


@pytest.mark.parametrize(
    "text",
    [
        ARENA,
        "".join(f"[GAME] {line}" for line in ARENA.splitlines(keepends=True)),
        ARENA * 2,  # a log of all that was seen
        json.dumps(ARENA),
        json.dumps({"observations": [[0, text] for text in ARENA.splitlines()]}, indent=1),
        "\n".join(json.dumps({"step": 1, "text": text}) for text in ARENA.splitlines()),
        json.dumps([{"to": 0, "text": text} for text in ARENA.splitlines()]),  # in one line
        "".join(f"  > {line}" for line in ARENA.splitlines(keepends=True)),
        "".join(
            f"2025-01-31 12:00:00,000 INFO: {line}" for line in ARENA.splitlines(keepends=True)
        ),
        ARENA[: ARENA.index("### Round 3")] + ARENA,  # a log that is shown from the beginning again
        ARENA.replace("\n", "\r\n"),
    ],
)
def test_transcripts_of_textarena_are_read(text):
    assert read_transcript(text) == Transcript(
        gx.Game(3, gx.Rules("win", "carryover")), ARENA_ROUNDS
    )
    begun = text[: text.index("### Round 3")]
    for more in ("", "### Round 3/3 - Prize: A  (worth 1)"):
        assert read_transcript(begun + more).rounds == ARENA_ROUNDS[:2]


def test_one_of_several_games_in_a_transcript_is_read_by_its_number():
    swapped = {"P0 A vs P1 3": "P0 3 vs P1 A", "P0 3 vs P1 A": "P0 A vs P1 3"}
    other = re.sub("|".join(swapped), lambda bids: swapped[bids[0]], ARENA)
    for text, right in (
        (ARENA + other + ARENA, [ARENA, other]),
        ("\n".join(json.dumps([game]) for game in (ARENA, other)), [ARENA, other]),
        (STATE + PLAYTHROUGH + STATE, [STATE, PLAYTHROUGH, STATE]),
    ):
        games = [read_transcript(text, number) for number in range(1, len(right) + 1)]
        assert games == [*map(read_transcript, right)]
        for number in (0, len(right) + 1):
            with pytest.raises(ValueError, match="the number of a game must be"):
                read_transcript(text, number)


def test_transcripts_of_openspiel_are_read():
    rounds = tuple(players.Round(*over) for over in ((2, 2, 2, 2), (3, 3, 1, 3), (1, 1, 3, 1)))
    assert read_transcript(STATE) == Transcript(gx.Game(3), rounds)
    begun = STATE.replace("num_cards=3", "num_cards=5")
    assert read_transcript(begun).rounds == rounds[:2]
    rounds = tuple(players.Round(*over) for over in ((3, 3, 2, 3), (2, 2, 1, 1), (1, 1, 3, 2)))
    game = gx.Game(3, gx.Rules("win", prizes="descending"))
    for text in (PLAYTHROUGH, PLAYTHROUGH.replace("\n", "\r\n")):
        assert read_transcript(text) == Transcript(game, rounds)
    for text in (json.dumps(STATE), json.dumps(STATE.replace("\n", "\r\n"))):
        assert read_transcript(text) == read_transcript(STATE)


def test_playthroughs_that_openspiel_generates_are_read_as_transcripts():
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


SEVERAL = "expected one game, or the number of one, got 2"
OTHER = "the prize and the bids of each round of one game"
CHANGES = [
    (ARENA, ARENA, "", "expected a transcript of TextArena's GameOfPureStrategy or OpenSpiel's"),
    (ARENA, "worth 5", "worth 3", "round 2: expected a prize worth 5 with the pot, got '3'"),
    (ARENA, "P0 A vs", "P0 2 vs", "round 2: player one must bid one of 1, 3, got 2"),
    (ARENA, "Round 2/3", "Round 3/3", OTHER),
    (ARENA, "Round 1/3", "Round 1/4", OTHER),
    (ARENA, ARENA, f"{ARENA}\n{ARENA.replace('worth 5', 'worth 4')}", SEVERAL),
    (ARENA, "P1 3 - ", "P1 X - ", "a card must be an integer"),
    (STATE, "num_cards", "players=3,num_cards", "OpenSpiel's players must be 2, got 3"),
    (STATE, "random", "hidden", "points_order must be random or ascending or descending"),
    (STATE, "point_difference", "total_points", "returns_type must be point_difference or"),
    (STATE, "[State]\n1", "[State]\n3", "the upcard must be one of the prizes 1, 2, 3, got 4"),
    (STATE, STATE, STATE * 2, SEVERAL),
    (STATE, STATE, f"{STATE.strip()}\n0\n2\n0\n0\n0\n0\n", "round 4: no prize is left"),
]


@pytest.mark.parametrize(("text", "old", "new", "message"), CHANGES, ids=lambda part: part[:20])
def test_transcripts_with_impossible_rounds_several_games_or_unknown_rules_are_refused(
    text, old, new, message
):
    with pytest.raises(ValueError) as refusal:
        read_transcript(text.replace(old, new))
    assert message in str(refusal.value)
