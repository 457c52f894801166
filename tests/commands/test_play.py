"""Terminal play, tried through a pseudo-terminal, and the review's costs against the oracle."""

import re
import shlex
import sys
from io import BytesIO, TextIOWrapper
from itertools import product
from random import Random

import oracle
import pytest
from hypothesis import given, settings
from oracle import fraction
from strategies import views_of_a_player
from terminals import INTERRUPT, Terminal, program

import gops_exact as gx
from gops_exact.commands import cli
from gops_exact.commands.options import parser_of
from gops_exact.commands.play import again
from gops_exact.game.rules import OBJECTIVES, TIES, Rules
from gops_exact.players import Optimal, match
from gops_exact.players.optimal import review
from gops_exact.players.simple import Uniform

PRIZES = "random", "hidden", "descending", (2, 1, 3)
EVERY_RULE = [Rules(*each) for each in product(OBJECTIVES, TIES, PRIZES)]


def solved_by_oracle(view):
    """Value and payoff matrix of the game a player is in, by plain recursion."""
    rules = view.rules
    return oracle.position_solution(
        view.hand,
        view.opponent,
        view.prizes,
        view.upcard,
        objective=rules.objective,
        ties=rules.ties,
        order="fixed" if rules.fixed else rules.prizes,
        margin=view.margin,
        pot=view.pot,
    )


@given(views_of_a_player())
@settings(max_examples=40)
def test_advice_is_optimal_play(view):
    solver, position = gx.solver("exact", gx.Game(view.n, view.rules)), view.position
    advice = Optimal(gx.Game(view.n, view.rules), solver)
    solution = solver.solve(position)
    value, matrix = solved_by_oracle(view)
    row, column = ([fraction(p) for p in each.values()] for each in (solution.row, solution.column))
    assert fraction(solution.value) == value == fraction(advice.value(position))
    assert advice.strategy(position) == solution.row
    assert oracle.is_optimal(matrix, value, row, column)
    assert [
        [fraction(entry) for entry in line] for line in solver.payoff_matrix(position)
    ] == matrix
    for card, entries in zip(view.hand, matrix, strict=True):
        gain = sum(entry * q for entry, q in zip(entries, column, strict=True))
        assert fraction(advice.gain(position, card)) == gain
        assert abs(advice.gains(position)[card] - float(gain)) < 1e-12


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_what_bids_cost(rules):
    """A bid of a random player costs the value less the least that an optimal opponent leaves."""

    class Remembering(Uniform):
        def bid(self, view, rng):
            had.append(view)
            return super().bid(view, rng)

    game = gx.Game(3, rules)
    solver = gx.solver("exact", game)
    optimal = Optimal(game, solver)
    for seed in range(4):
        had = []
        (rounds,) = match(Remembering(), optimal, game, seed=seed)
        judged = review(rounds, game, solver)
        assert [each.over for each in judged] == list(rounds)
        assert [each.view for each in judged] == had
        for each in judged:
            value, matrix = solved_by_oracle(each.view)
            column = [fraction(q) for q in solver.solve(each.view.position).column.values()]
            bid = each.view.hand.index(each.over.bid)
            assert each.cost >= 0
            assert fraction(each.cost) == value - sum(
                entry * q for entry, q in zip(matrix[bid], column, strict=True)
            )
        (rounds,) = match(optimal, "random", game, seed=seed)
        assert not any(each.cost for each in review(rounds, game, solver))


class Person(Terminal):
    """Somebody who plays in a terminal, and types when asked."""

    def __init__(self, *words):
        super().__init__(program("play", *words), {"TERM": "dumb"})
        self.heard = 0

    @property
    def shown(self):
        return self.text.decode().replace("\r\n", "\n")

    def until(self, text, seconds=60):
        """Wait for the text after what was waited for before; False if it does not come."""
        end = self.now() + seconds
        while text not in self.text[self.heard :]:
            if self.now() > end or not self.read(0.01):
                return False
        self.heard = self.text.index(text, self.heard) + len(text)
        return True

    def say(self, keys):
        assert self.until(b"Your bid: "), self.shown
        self.type(keys)

    def interrupt(self):
        """Press Ctrl-C at the prompt; again if the key fell between the prompt and the reading."""
        self.say(INTERRUPT)
        while self.until(b"^C") and self.read(5):
            self.type(INTERRUPT)


@pytest.fixture
def piped(monkeypatch, capsys):
    """Play with an input that is no terminal; returns the exit status and what is printed."""

    def played(*words, text):
        given = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given)))
        status = cli.main(["play", *words])
        shown = capsys.readouterr()
        assert shown.err == ""
        return status, shown.out

    return played


def test_a_game_at_the_terminal(tmp_path, piped):
    transcript = tmp_path / "game.txt"
    words = ["--n", "3", "--seed", "4"]
    person = Person(*words, "--transcript", transcript)
    for keys in (b"nonsense\n", b"9\n", b"\n", b"hint\n", b"3\n", b"3\n", b"A\n", b"2\n"):
        person.say(keys)
    assert person.end(60)[0] == 0
    shown = re.sub(r"\r[^\n]*\r", "", person.shown)  # bars, which are wiped
    assert shown.count("is not a card you hold") == 3  # nonsense, the 9, and the 3 once bid
    assert "optimal  expects" in shown
    assert "What your bids cost against an optimal opponent" in shown
    assert "Traceback" not in shown
    assert "\x1b" not in shown
    assert transcript.read_text() == shown
    _, out = piped(*words, text="3\nA\n2\n")
    assert out.splitlines()[-7:-1] == shown.splitlines()[-7:-1]


def test_interrupted_and_taken_up_again(piped):
    words = ["--n", "4", "--seed", "11", "--objective", "win", "--ties", "carryover"]
    person = Person(*words)
    person.say(b"4\n")
    person.say(b"3\n")
    person.interrupt()
    assert person.end(60)[0] == 130
    assert "Traceback" not in person.shown
    command = shlex.split(re.search(r"Go on with: (.*)", person.shown)[1])
    assert command[:4] == ["python", "-m", "gops_exact", "play"]
    resumed = piped(*command[4:], text="1\n2\n")
    assert resumed == piped(*words, text="4\n3\n1\n2\n")
    assert resumed[0] == 0


def test_the_end_of_input_tells_how_to_go_on(tmp_path, piped):
    transcript = tmp_path / "game.txt"
    words = ["--n", "3", "--seed", "4", "--transcript", str(transcript)]
    for last in ("quit\n", ""):
        status, out = piped(*words, text=f"1\n{last}")
        assert status == 1
        assert out.endswith("--n 3 --seed 4 --bids 1\n")
        assert transcript.read_text() == out.replace("Your bid: \n", "\n")


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
@pytest.mark.parametrize("opponent", ["optimal", "random --deck 0,1,2"])
def test_the_command_shown_has_the_same_options(rules, opponent):
    options = f"--objective {rules.objective} --ties {rules.ties} --prizes {rules.order}"
    words = f"-n 3 --seed 5 {options} --policy {opponent} --hints --no-review --arithmetic float"
    read = parser_of("play").parse_args
    given = vars(read(words.split()))
    for bids, known in [((), None), ([2], "2"), ((2, 1), "2,1")]:
        shown = shlex.split(again(read(words.split()), bids))
        assert shown[:2] == ["gops-exact", "play"]
        assert vars(read(shown[2:])) == given | {"bids": known}


def test_the_bids_to_begin_with_are_shown_even_if_not_all_are_made(monkeypatch, capsys):
    def leave(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr("gops_exact.commands.play.table_lines", leave)
    words = ["play", "--n", "3", "--seed", "5", "--bids", "2,1"]
    assert cli.main(words) == 130
    assert capsys.readouterr().out.endswith(
        "Go on with: gops-exact play --n 3 --seed 5 --bids 2,1\n"
    )


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_every_rule_can_be_played(rules, monkeypatch, capsys):
    order = rules.prizes if isinstance(rules.prizes, str) else ",".join(map(str, rules.prizes))
    cards = Random(str(rules)).sample(["1", "2", "3"], 3)
    monkeypatch.setattr("builtins.input", lambda _prompt: cards.pop())
    words = ["--objective", rules.objective, "--ties", rules.ties, "--prizes", order]
    assert cli.main(["play", "--n", "3", "--seed", "2", "--hints", *words]) == 0
    out = capsys.readouterr().out
    points = map(int, re.search(r"^(\d+) to (\d+):", out, re.MULTILINE).groups())
    assert sum(points) <= 6
    assert out.count("expects") == 3
    assert "together" in out


def test_a_game_for_prizes_of_0(piped):
    words = ["-n", "3", "--deck", "0,2,2", "--seed", "2", "--policy", "matching"]
    status, out = piped(*words, text="help\n3\n2\n1\n")
    assert status == 0
    assert "prizes random, deck 0,2,2." in out
    assert "Each round is for a prize of 0 2 2, turned up at random." in out
    assert re.findall("to come +(.*)", out) == ["2 2", "2", "none"]
    assert "You bid 3, the opponent A: 0 for you." in out
    assert "--policy matching --deck 0,2,2 --bids 3,2,1" in out


def test_a_game_in_floats(monkeypatch, capsys, tmp_path):
    words = ["--n", "4", "--objective", "win", "--arithmetic", "float", "--seed", "6", "--hints"]
    shown = []
    for place in (None, tmp_path, tmp_path):
        cards = ["4", "2", "1", "3"]
        monkeypatch.setattr("builtins.input", lambda _prompt, cards=cards: cards.pop(0))
        folder = [] if place is None else ["--folder", str(place)]
        assert cli.main(["play", *words, *folder]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[1] == shown[2]
    # The command that plays the game again names the folder.
    option = f" --folder {shlex.quote(str(tmp_path))}"
    assert shown[1].count(f"{option} ") == 1
    assert shown[0] == shown[1].replace(option, "")
    assert "come from floats" in shown[0]
    assert "together" in shown[0]
    assert "/" not in shown[0]


def test_a_game_too_long_to_solve_can_be_played_without_review(monkeypatch, capsys):
    cards = ["hint", *map(str, range(1, 13 + 1))]
    monkeypatch.setattr("builtins.input", lambda _prompt: cards.pop(0))
    words = ["--n", "13", "--policy", "matching", "--no-review", "--seed", "3"]
    assert cli.main(["play", *words]) == 0
    out = capsys.readouterr().out
    assert "No hints in a game that is not solved." in out
    assert "You bid J, the opponent" in out
    assert "cost" not in out
