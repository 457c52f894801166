"""One game at the terminal: a person against a policy.

Whatever is typed, the game goes on or ends in words: a card that is not held is asked for again,
and where the input ends or is interrupted the command is shown that takes the game up again.
"""

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TextIO

from gops_exact.game.cards import cards_name, parse_card
from gops_exact.game.game import Game
from gops_exact.game.rules import PLAIN, Prizes
from gops_exact.players.catalogue import policy
from gops_exact.players.optimal import Optimal, review
from gops_exact.players.policy import Policy, Round, View
from gops_exact.players.referee import rounds, shuffled
from gops_exact.program import program
from gops_exact.show.game_text import hint_lines, result_line, review_lines, round_line, table_lines
from gops_exact.solutions.solver import Solver

SLOW_FROM = 6
"""Cards a side from which solving takes seconds."""

PROMPT = "Your bid: "

UNFINISHED, INTERRUPTED = 1, 130


class Quit(Exception):  # noqa: N818  # nothing went wrong
    """The player leaves before the end."""


@dataclass(frozen=True)
class Setup:
    """A game to be played, and how: the options of ``gops-exact play``.

    The bids in `first` are not asked for. Where no arithmetic is named, numbers are exact if they are
    short enough. Float values are kept in memory if there is no folder.
    """

    game: Game
    seed: int = 0
    opponent: str = Optimal.name
    first: tuple[int, ...] = ()
    hints: bool = False
    review: bool = True
    arithmetic: str | None = None
    folder: Path | None = None
    force: bool = False

    @property
    def is_solved(self) -> bool:
        """True if hints, review or opponent need the game to be solved."""
        return self.hints or self.review or self.opponent == Optimal.name

    def order(self) -> Prizes:
        """Return the prizes as they come."""
        return shuffled(self.game, Random(f"{self.seed} prizes"))

    def command(self, bids: Sequence[int]) -> str:
        """Return the command that plays the same game up to the bids made.

        >>> from gops_exact import Rules
        >>> Setup(Game(5, Rules("win")), seed=7, hints=True).command([3, 1])
        'gops-exact play --n 5 --seed 7 --objective win --hints --bids 3,1'
        """
        rules = self.game.rules
        words = ["--n", str(self.game.n), "--seed", str(self.seed)]
        options = [
            ("--objective", rules.objective, PLAIN.objective),
            ("--ties", rules.ties, PLAIN.ties),
            ("--prizes", rules.order, PLAIN.order),
            ("--policy", self.opponent, Optimal.name),
            ("--arithmetic", self.arithmetic, None),
            ("--folder", None if self.folder is None else str(self.folder), None),
        ]
        for option, chosen, usual in options:
            if chosen is not None and chosen != usual:
                words += [option, chosen]
        flags = {"--hints": self.hints, "--no-review": not self.review, "--force": self.force}
        words += [flag for flag, is_set in flags.items() if is_set]
        known = max(bids, self.first, key=len)  # those to begin with may not all be made yet
        words += ["--bids", ",".join(map(str, known))] if known else []
        return f"{program()} play {shlex.join(words)}"


class Session(Policy):
    """One game at the terminal; towards the referee the person who plays is a policy.

    Args:
        setup: the game.
        solver: solves positions; None where nobody needs it.
        transcript: a file that gets all that is said, or None.
    """

    name = "person"

    def __init__(self, setup: Setup, solver: Solver[Any] | None, transcript: TextIO | None) -> None:
        self.setup = setup
        self.game = setup.game
        self.solver = solver
        self.transcript = transcript
        self.played: list[Round] = []
        self.bids: list[int] = []

    def play(self) -> int:
        """Play the game to the end, or to where the player leaves, and return the exit status.

        Raises:
            ValueError: if the opponent's policy is not for these rules.
        """
        opponent = self._opponent()
        rngs = Random(f"{self.setup.seed} player one"), Random(f"{self.setup.seed} player two")
        status = 0
        try:
            self._greet()
            # The prizes and the opponent's draws are those of a match of that seed.
            for over in rounds(self, opponent, self.game, self.setup.order(), rngs):
                self.played.append(over)
                self._say(round_line(over, self.game.rules))
            self._say("", result_line(tuple(self.played), self.game.rules))
        except (EOFError, Quit):
            status = UNFINISHED
        except KeyboardInterrupt:
            status = INTERRUPTED
        if status:
            self._say("", f"The game is not over. Go on with: {self.setup.command(self.bids)}")
            return status
        with suppress(KeyboardInterrupt):  # whoever does not wait for the review has played
            self._review()
        self._say(f"Replay with: {self.setup.command(self.bids)}")
        return 0

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002  # a person needs no dice
        """Return the card that the player types; anything else is answered and asked again."""
        self._say("", *table_lines(view))
        if self.setup.hints:
            self._hint(view)
        if len(self.bids) < len(self.setup.first):
            card: int | None = self.setup.first[len(self.bids)]
            self._say(f"{PROMPT}{card}")
        else:
            card = self._understood(self._ask(), view)
        while card is None:
            card = self._understood(self._ask(), view)
        self.bids.append(card)
        return card

    def _opponent(self) -> Policy:
        """Return the opponent, if it can make a first bid by these rules."""
        if self.setup.opponent == Optimal.name:
            return Optimal(self.game, self.solver)
        opponent = policy(self.setup.opponent, self.game)
        upcard = None if self.game.rules.hidden else self.setup.order()[0]
        opponent.bid(View(self.game.n, self.game.start.at(upcard)), Random(0))
        return opponent

    def _greet(self) -> None:
        self._say(
            f"GOPS, N = {self.game.n}: {self.game.rules}.",
            f"Your opponent is the policy {self.setup.opponent!r}. Seed {self.setup.seed}.",
            "Type a card to bid it, or: hint, help, quit.",
        )
        if self.solver is None:
            return
        if not Optimal(self.game, self.solver).exact:
            self._say("With so many cards, optimal play and costs come from floats.")
        elif self.game.n >= SLOW_FROM:
            self._say("With so many cards, solving the game takes a while.")

    def _understood(self, typed: str, view: View) -> int | None:
        """Return the card typed if it can be bid; otherwise answer what was typed."""
        word = typed.strip().lower()
        if word in ("quit", "exit"):
            raise Quit
        if word == "hint":
            self._hint(view)
            return None
        try:
            card = parse_card(typed)
        except ValueError:
            card = None
        if card in view.hand:
            return card
        if word not in ("", "help", "?"):
            self._say(f"{typed.strip()[:40]!a} is not a card you hold.")
        self._say(f"Type one of {cards_name(view.hand)}; or hint, or quit.")
        return None

    def _hint(self, view: View) -> None:
        if self.solver is None:
            self._say("No hints in a game that is not solved.")
        else:
            self._say(*hint_lines(view.position, Optimal(self.game, self.solver)))

    def _review(self) -> None:
        if self.solver is not None and self.setup.review:
            found = review(tuple(self.played), self.game, self.solver)
            exact = Optimal(self.game, self.solver).exact
            self._say("", *review_lines(found, self.game.rules, exact=exact))

    def _ask(self) -> str:
        typed = input(PROMPT)
        shown = ascii(typed)[1:-1]
        self._note(f"{PROMPT}{shown}")
        if not sys.stdin.isatty():
            print(shown)  # what is piped in does not show by itself
        return typed

    def _say(self, *lines: str) -> None:
        for line in lines:
            print(line, flush=True)
            self._note(line)

    def _note(self, line: str) -> None:
        if self.transcript is not None:
            self.transcript.write(f"{line}\n")
