"""The tournament of Dror, Kendall & Rapoport: strategies against their descriptions; the round robin, laid out as published."""

import shlex
from dataclasses import replace
from random import Random

import pytest
import round_robin
import tournament
from dror_kendall_rapoport import STRATEGIES
from project_paths import RESULTS

import gops_exact as gx
from gops_exact.players import Round, View

KEPT = RESULTS / "players"


@pytest.fixture
def run(capsys):
    """The script, run with a line of words: its status, output and errors."""

    def called(words):
        return tournament.main(shlex.split(words)), *capsys.readouterr()

    return called


def test_tournament_score_is_a_mean_over_seeds_with_two_standard_errors():
    one, two, both = (
        round_robin.tournament(
            ["0205", "random"], seeds=seeds, lengths=[10], rule_sets=[CARRY], jobs=jobs
        )[0]
        for seeds, jobs in (([1], 1), ([2], 1), ([1, 2], 2))
    )
    assert both.score.mean == (one.score.mean + two.score.mean) / 2
    # Of two numbers, two standard errors of the mean are the difference.
    assert both.score.error == pytest.approx(abs(one.score.mean - two.score.mean))
    assert both.wins.mean == (one.wins.mean + two.wins.mean) / 2
    assert one.score.error == float("inf")


@pytest.mark.parametrize(
    ("seeds", "message"), [([1, 2, 1], "all different, got 1 2 times"), ([], "at least one seed")]
)
def test_tournament_refuses_repeated_and_missing_seeds(seeds, message):
    with pytest.raises(ValueError, match=message):
        round_robin.tournament(["0205", "matching"], seeds=seeds, n=5, jobs=1)


@pytest.mark.parametrize(
    ("source", "emit", "kept"),
    [
        ("tournament.csv", "csv", "tournament.csv"),
        ("tournament.csv", "agreement", "agreement.csv"),
        ("tournament.csv", "tables", "tables.txt"),
        ("optimal_n9.csv", "games", "optimal_n9.txt"),
    ],
)
def test_tournament_script_makes_the_tables_in_results_from_their_csv_files(
    run, source, emit, kept
):
    text = (KEPT / kept).read_text("utf-8")
    assert run(f"--from '{KEPT / source}' --emit {emit}") == (0, text, "")


def test_tournament_of_more_than_an_hour_is_refused(run, monkeypatch):
    monkeypatch.setattr(tournament, "tournament", lambda *_, **__: [])
    words = "--policy random,matching --objective win --ties discard --lengths 100 --seeds 200000"
    status, out, err = run(f"{words} --jobs 1")
    assert (status, out) == (2, "")
    assert err.endswith("got 20,000,000 games, about 91 min on 1 core\n")
    assert run(f"{words} --jobs 2")[0] == 0


# The ten strategies

DECK = tuple(range(1, 14))
POINTS, WIN, CARRY = gx.Rules(), gx.Rules("win"), gx.Rules(ties="carryover")


def view(hand, opponent, prizes, upcard, rules=WIN, **more):
    pot = more.pop("pot", 0)
    return View(13, gx.Position(hand, opponent, prizes, upcard, rules, pot=pot), **more)


def bid(name, seen, seed=1):
    return STRATEGIES[name]().bid(seen, Random(seed))


def earlier(prize, replies):
    """Games that began with a prize, one for each reply of the opponent to it."""
    return tuple((Round(prize, prize, 5, each), *(Round(1, 1, 1, 1),) * 12) for each in replies)


TIE = view((1, 3, 7, 8, 9), (1, 3, 6, 8, 9), (1, 2, 3, 4, 5), 5, CARRY, pot=10)
LOST = tuple(Round(p, p, 1, 2) for p in range(1, 7))
TIED = tuple(Round(p, p, 13, 13) for p in (1, 2, 3))
WON = tuple(Round(p, p, p, p - 1) for p in (13, 12, 11, 10))

# The table in the description of 0206: after 10, 7, 2 it stands 17/22 against 2/20.
QUALITY = (Round(10, 10, 12, 11), Round(7, 7, 9, 7), Round(2, 2, 1, 2))
LEFT, MINE, THEIRS = (
    tuple(card for card in DECK if card not in gone)
    for gone in ((10, 7, 2), (12, 9, 1), (11, 7, 2))
)
BETTER = view(MINE, THEIRS, LEFT, 6, POINTS, rounds=QUALITY)

SPENT = Round(5, 5, 9, 7), Round(1, 1, 8, 3)
SHIFTED = view(
    *(tuple(card for card in DECK if card not in gone) for gone in ((9, 8), (7, 3), (5, 1))),
    6,
    POINTS,
    rounds=SPENT,
)

# Figures 4 and 6 of 0205.
TENS = {"games": earlier(10, [1] * 2 + [3] * 3 + [10] * 7), "length": 20}
FIVES = {"games": earlier(5, [3] * 8 + [6] * 7 + [8] * 7 + [10] * 7), "length": 50}
NO_TEN, LATE = tuple(card for card in DECK if card != 10), (3, 6, 8, 10, 11)


@pytest.mark.parametrize(
    ("name", "seen", "card"),
    [
        # The highest prize, when it can.
        ("0203", view((2, 5, 9), (1, 3, 9), (4, 6, 8), 8), 9),
        # More daring the more is at stake.
        *(("0202", view(DECK, DECK, DECK, p, POINTS), card) for p, card in [(1, 3), (13, 12)]),
        # Just above the mean, as in the example; high after a tie.
        ("0204", view((2, 6, 7, 10), (1, 4, 10, 11), (4, 5, 6, 7), 4, rounds=TIED), 7),
        ("0204", view((2, 6, 9), (1, 4, 11), (4, 5, 6), 4, CARRY, pot=12), 9),
        # Low once a win is sure.
        ("0205", view(DECK[:9], DECK[:9], DECK[:9], 9, rounds=WON), 1),
        # Against a 10 the opponent bid mostly 10; without the 10 it is thought to bid the 3.
        ("0205", view(DECK, DECK, DECK, 10, **TENS), 11),
        ("0205", view(NO_TEN, NO_TEN, DECK[1:], 10, **TENS), 4),
        # What makes up half of the bids is beaten, whatever the others are.
        ("0205", view(DECK, DECK, DECK, 10, games=earlier(10, [3] * 6 + [10] * 4)), 4),
        # The lowest card above the average of the opponent's bids, one time in two, and again after the others.
        ("0208", view(DECK, DECK, DECK, 12, POINTS, games=earlier(12, [9] * 10)), 10),
        # A jack beats what was bid for a five. It is not given for a tosser, but for a winner.
        ("0205", view(DECK, DECK, DECK, 5, **FIVES), 1),
        ("0205", view(LATE, LATE, (1, 2, 3, 4, 5), 5, **FIVES), 11),
        # The lowest card for little.
        ("0206", view(DECK, DECK, DECK, 4), 1),
        ("0206", view(DECK, DECK, DECK, 7, POINTS), 8),
        ("0206", view((1, 5, 13), (2, 3, 9), (11, 12, 13), 12, POINTS), 13),
        # Point quality.
        ("0206", BETTER, 8),
        ("0206", BETTER.swapped(), 6),
        # Three more, and other ways when that does not go well.
        *(("0207", view(DECK, DECK, DECK, p), card) for p, card in [(1, 4), (10, 13), (11, 1)]),
        ("0207", view(DECK, DECK, DECK, 13), 3),
        ("0207", view(DECK[6:], DECK[6:], DECK[6:], 9, rounds=LOST), 9),
        ("0207", view(DECK[6:12], DECK[6:12], DECK[6:12], 9, rounds=(*LOST, LOST[0])), 7),
        # 9 follows the shift of 2, but was bid for the 5, where 8 should have been, which was bid for the 1.
        ("0209", SHIFTED, 4),
        ("0209", replace(SHIFTED, rounds=SPENT[1:] + SPENT[:1]), 4),
        # Two shifts are none.
        ("0209", replace(SHIFTED, rounds=(SPENT[0], Round(1, 1, 8, 4))), 6),
        # By rank for wins.
        ("0209", view((2, 6, 9), (1, 5, 11), (3, 7, 8), 7), 6),
        # The three examples in the description of 0210 that are legible.
        ("0210", view((1, 5, 12), (2, 4, 11), (2, 3, 10), 10), 12),
        ("0210", view((4, 11), (3, 12), (10, 12), 12), 4),
        ("0210", TIE, 9),
        ("0210", TIE.swapped(), 1),
    ],
)
def test_tournament_strategies_bid_as_described(name, seen, card):
    assert bid(name, seen) == card


FIGURE_3 = (Round(8, 8, 5, 5), Round(9, 9, 10, 9), Round(13, 13, 13, 13))  # 8 and 13 tied, 9 won
LEFT_3 = tuple(card for card in DECK if card not in {8, 9, 13})


@pytest.mark.parametrize(
    ("seen", "least_winner", "least_helper"),
    [
        # To win takes 46 points, and 63 are the goal where points count.
        (view(DECK, DECK, DECK, 1, POINTS), 8, 6),
        # 27 points are missing, and 12, 11, 10 and 7 are the winners.
        (view(LEFT_3, LEFT_3, LEFT_3, 1, rounds=FIGURE_3), 7, 6),
    ],
)
def test_tournament_strategy_0205_classes_prizes_as_winners_helpers_or_tossers(
    seen, least_winner, least_helper
):
    """Into winners, helpers and tossers, as its bids show when nothing is known of the opponent."""
    games = earlier(1, [1, 1])  # enough not to play by the published table
    for upcard in seen.prizes[1:]:
        position = seen.position.at(upcard)
        now = replace(seen, position=position, games=games, length=20)
        wanted = [card for card in seen.hand if card >= upcard]
        if upcard < least_winner:
            wanted = [card for card in wanted if card <= upcard + 2]
        bids = {bid("0205", now, seed) for seed in range(60)}
        assert bids == ({1} if upcard < least_helper else set(wanted))
