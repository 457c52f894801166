"""Terminal play: a game in a pseudo-terminal, every rule, and advice and costs against the oracle."""

import re
import shlex
from itertools import product
from random import Random

import oracle
import pytest
from oracle import fraction
from program import run
from terminals import INTERRUPT, Terminal, program

import gops_exact as gx

PRIZES = "random", "hidden", "descending", (2, 1, 3)
EVERY_RULE = [
    gx.Rules(*each) for each in product(("points", "win"), ("discard", "carryover"), PRIZES)
]


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
        margin=view.position.margin,
        pot=view.position.pot,
    )


def worth(row, column):
    """What a bid gains of its row of payoffs, against a strategy."""
    return sum(entry * fraction(q) for entry, q in zip(row, column.values(), strict=True))


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_a_bid_costs_the_value_less_the_least_that_an_optimal_opponent_leaves(rules):
    game = gx.Game(3, rules)
    solver = gx.solver("exact", game)
    optimal = gx.players.Optimal(game, solver)
    for seed in range(3):
        (rounds,) = gx.players.match("random", optimal, game, seed=seed)
        judged = gx.players.review(rounds, game, solver)
        assert [each.over for each in judged] == list(rounds)
        for each in judged:
            value, matrix = solved_by_oracle(each.view)
            bid = matrix[each.view.hand.index(each.over.bid)]
            least = worth(bid, solver.solve(each.view.position).column)
            assert fraction(each.cost) == value - least >= 0
        (rounds,) = gx.players.match(optimal, "random", game, seed=seed)
        assert not any(each.cost for each in gx.players.review(rounds, game, solver))


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_every_rule_can_be_played(rules):
    cards = Random(str(rules)).sample(["1", "2", "3"], 3)
    words = f"--objective {rules.objective} --ties {rules.ties} --prizes {rules.order}"
    status, out, err = run(f"play --n 3 --seed 2 --hints {words}", "\n".join(cards).encode())
    assert (status, err, out.count("expects")) == (0, "", 3)
    points = map(int, re.search(r"^(\d+) to (\d+):", out, re.MULTILINE).groups())
    assert sum(points) <= 6 and "together" in out


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


def test_a_game_at_the_terminal_is_interrupted_and_taken_up_again():
    words = "--n 4 --seed 11 --objective win --ties carryover"
    person = Person(*words.split())
    for keys in (b"nonsense\n", b"hint\n", b"4\n", b"4\n", b"3\n"):
        person.say(keys)
    person.interrupt()
    assert person.end(60)[0] == 130
    shown = re.sub(r"\r[^\n]*\r", "", person.shown)  # bars, which are wiped
    assert shown.count("is not a card you hold") == 2  # nonsense, and the 4 once bid
    assert "optimal  expects" in shown and "Traceback" not in shown and "\x1b" not in shown
    again = shlex.split(re.search(r"Go on with: (.*)", shown)[1])
    assert again[:4] == ["python", "-m", "gops_exact", "play"]
    resumed = run(again[3:], b"1\n2\n")
    whole = f"play {words}"
    assert resumed == run(whole, b"4\n3\n1\n2\n") and resumed.status == 0


def test_what_a_folder_has_finished_is_not_computed_again(tmp_path):
    words = f"-n 4 --arithmetic float --folder '{tmp_path / 'layers'}'"
    assert run(f"{words} --emit csv").status == 0
    layers = sorted((tmp_path / "layers").iterdir())
    assert run(f"play {words} --seed 1 --bids 1,2,3,4").status == 0
    assert sorted((tmp_path / "layers").iterdir()) == layers  # not those of fewer cards, either
