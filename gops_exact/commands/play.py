"""Play the game at the terminal, and see at the end how much each bid cost.

After invalid input the game asks again. If the input ends or is interrupted, the game ends with a message that has the
command to continue it.

A *policy* is a rule that chooses a card in each round of the game. A *view* is what a player sees before a bid: the
position, and the rounds before it.
"""

import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from io import TextIOWrapper
from random import Random, SystemRandom
from typing import Any

from gops_exact.base.progress import progress_bar
from gops_exact.commands import program
from gops_exact.commands.options import (
    CHOSEN,
    EXACT_OR_FLOAT,
    UNKEPT,
    Options,
    Parser,
    resumable,
    writable_folder,
)
from gops_exact.game.game import Game
from gops_exact.game.rules import (
    Prizes,
    card_name,
    cards_name,
    deck_name,
    parse_card,
    parse_cards,
)
from gops_exact.players.catalogue import MAKERS, policy
from gops_exact.players.grades import Review, Transcript, review
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Policy, Round, View
from gops_exact.players.referee import rounds, shuffled
from gops_exact.show import game_text
from gops_exact.solvers import api
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.floats.by_layers import MEMORY_BYTES, ByLayers, has_layers
from gops_exact.solvers.solver import Solver

EXAMPLES = {
    "-n 5": "five cards against the optimal player",
    "-n 13 --policy matching --no-review": "a full suit against another policy",
    "-n 4 --objective win --hints": "with hints, to learn",
}

SEEDS = 10**6
"""Seeds that the program draws are less than this number, so that they are short enough to type again."""

PROMPT = "Your bid: "

UNFINISHED, INTERRUPTED = 1, 130


class _Quit(EOFError):  # noqa: N818  # it is no error
    """Signal that the person leaves the game. Unlike the end of the input, this is no failure."""


class _Undo(Exception):  # noqa: N818  # it is no error
    """Signal that the person takes the last bid back."""


def add_arguments(parser: Parser) -> None:
    parser.share("-n --n")
    parser.add_rules(deck=True)
    policies = f"the opponent, one of {', '.join(MAKERS)}"
    parser.add("game", "--policy", "NAME", policies, Optimal.name, choices=tuple(MAKERS))
    parser.add("output", "--hints", "", "before every bid show optimal play and values")
    no_review = (
        "show no costs at the end; games too large to solve can then be played, against policies "
        "other than the optimal one"
    )
    parser.add("output", "--no-review", "", no_review)
    seed = "the same seed and the same bids give the same game (default: a new one)"
    parser.add("game", "--seed", "S", seed, between=(0, 2**64 - 1))
    bids = "the first bids, such as 3,K,A; the game goes on from there"
    parser.add("game", "--bids", "CARDS", bids)
    parser.share("--arithmetic", text=CHOSEN, default=None, choices=EXACT_OR_FLOAT)
    parser.share("--folder", "--force")


def run(options: Options) -> int:
    game = options.game
    first = () if options.bids is None else parse_cards(options.bids)
    if len(first) != len(set(first)) or any(card > game.n for card in first):
        raise ValueError(
            f"--bids: expected different cards from 1 to {game.n}, got {options.bids!r}"
        )
    if options.seed is None:
        options.seed = SystemRandom().randrange(SEEDS)
    prizes = shuffled(game, Random(f"{options.seed} prizes"))
    is_optimal = options.policy == Optimal.name
    advice: Optimal | None = None
    if options.hints or not options.no_review or is_optimal:
        solver: Solver[Any] | None = None
        # Without --arithmetic the solver is exact if an exact solution takes at most minutes or --force is set.
        if options.arithmetic != Float.name:
            with suppress(ValueError) if options.arithmetic is None else nullcontext():
                solver = api.solver("exact", game, progress=progress_bar(), force=options.force)
        if solver is None and has_layers(options.folder, game):
            solver = ByLayers(Float(options.folder), progress=progress_bar())
        elif solver is None:
            memory = None if options.folder else MEMORY_BYTES
            kind = Float(writable_folder(options.folder), memory_bytes=memory)
            with resumable(options.folder, UNKEPT):
                solver = ByLayers(kind, game, progress=progress_bar(), force=options.force)
        advice = Optimal(game, solver)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # invalid bytes become text that is no card
    if advice is not None and is_optimal:
        opponent: Policy = advice
    else:
        opponent = policy(options.policy, game)
        upcard = None if game.rules.hidden else prizes[0]
        # A policy that cannot play by these rules raises an error when it bids. To report this before the game begins,
        # the policy is asked for a bid that is not used.
        opponent.bid(View(game.n, game.start.at(upcard), deck=game.own_deck), Random(0))
    return Session(options, game, first, advice).play(opponent, prizes)


def again(options: Options, bids: Sequence[int]) -> str:
    """Return the command that plays the same game with the same seed, and begins with `bids` as the person's bids."""
    words = ["--n", str(options.n), "--seed", str(options.seed)]
    for name in ("objective", "ties", "prizes", "policy", "deck", "arithmetic", "folder"):
        if name in options.chosen:
            words += [f"--{name}", str(getattr(options, name))]
    flags = {"--hints": options.hints, "--no-review": options.no_review, "--force": options.force}
    words += [flag for flag, is_set in flags.items() if is_set]
    if bids:
        words += ["--bids", ",".join(map(str, bids))]
    return f"{program()} play {shlex.join(words)}"


_say = partial(print, sep="\n", flush=True)


@dataclass(eq=False, repr=False)
class Session(Policy):
    """A game at the terminal. It is also the policy of one of the two players, which bids what the person types."""

    # The parsed command line, to which a random seed was added if the user gave none.
    options: Options
    game: Game
    # The person's first bids, which are made without asking: those of ``--bids`` or, after a bid was taken back, all bids
    # before it.
    first: tuple[int, ...]
    # The optimal player, which computes the hints and the costs of the review. None if it is not needed: the options
    # ask for neither hints nor a review, and the opponent plays another policy.
    advice: Optimal | None
    bids: list[int] = field(default_factory=list)  # the bids made so far
    silent: int = 0  # number of first rounds that are not shown again after a bid was taken back

    name = "person"

    def play(self, opponent: Policy, prizes: Prizes) -> int:
        """Play the game until it ends or the person leaves it, print the review, and return the exit status.

        Args:
            opponent: the policy of the other player.
            prizes: the prizes in the order in which they are turned up.
        """
        rules, advice = self.game.rules, self.advice
        played: list[Round] | None = None
        status = 0
        try:
            _say(
                f"GOPS, N = {self.game.n}: {rules}{deck_name(self.game.own_deck)}.",
                f"Your opponent is the policy {self.options.policy!r}. Seed {self.options.seed}.",
                *game_text.rules_lines(self.game),
            )
            if advice is not None and isinstance(advice.solver, ByLayers):
                _say("With so many cards, optimal play and costs come from floats.")
            while played is None:
                with suppress(_Undo):
                    played = self._rounds(opponent, prizes)
            _say("", game_text.result_line(tuple(played), rules))
        except _Quit:
            pass
        except EOFError:
            status = UNFINISHED
        except KeyboardInterrupt:
            status = INTERRUPTED
        if played is None:
            bids = max(self.bids, self.first, key=len)  # some of `first` may not be made yet
            _say("", f"The game is not over. Go on with: {again(self.options, bids)}")
            return status
        if advice is not None and not self.options.no_review:
            with suppress(KeyboardInterrupt):  # the game is over, so this is no failure
                judged = review(tuple(played), self.game, advice.solver)
                shown = Review(Transcript(self.game, tuple(played)), {1: judged})
                _say("", *str(shown).splitlines())
                costliest = max(judged, key=lambda grade: grade.cost)
                if costliest.cost > 0:
                    _say(f"The costliest: round {judged.index(costliest) + 1}.")
        _say(f"Replay with: {again(self.options, self.bids)}")
        return 0

    def _rounds(self, opponent: Policy, prizes: Prizes) -> list[Round]:
        # As :func:`.match` seeds its generators with the same texts, the opponent draws the same random numbers as in a
        # match with this seed, and as before a bid was taken back.
        seed = self.options.seed
        rngs = Random(f"{seed} player one"), Random(f"{seed} player two")
        played: list[Round] = []
        for over in rounds(self, opponent, self.game, prizes, rngs):
            played.append(over)
            if len(played) > self.silent:
                _say(game_text.round_line(over, self.game.rules))
        return played

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002  # the signature of Policy
        """Return the next bid, by default the card that the person types.

        The first bids may be fixed beforehand, and a last card is bid without asking. If the input is no card in the hand, a
        hint, help or an error message is printed, and the person is asked again.

        Raises:
            EOFError: if the person quits or the input ends.
            _Undo: if the person takes the last bid back.
        """
        if len(self.bids) < self.silent:
            self.bids.append(self.first[len(self.bids)])
            return self.bids[-1]
        _say("", *game_text.table_lines(view))
        if view.position.decided is not None:
            _say("The game is decided: no prize that is left can change it.")
        if self.options.hints:
            _say(*game_text.hint_lines(view.position, self.advice))
        card: int | None = None
        if len(self.bids) < len(self.first):
            card = self.first[len(self.bids)]
            _say(f"{PROMPT}{card}")
        elif len(view.hand) == 1:
            (card,) = view.hand
            _say(f"{PROMPT}{card_name(card)}, your last card")
        while card is None:
            typed = input(PROMPT)
            if not sys.stdin.isatty():
                print(ascii(typed)[1:-1])  # only a terminal shows the input itself
            word = typed.strip().lower()
            if word in ("quit", "exit"):
                raise _Quit
            if word == "undo" and self.bids:
                # The game is played again from the start with all bids but the last one.
                self.first = tuple(self.bids[:-1])
                self.bids, self.silent = [], len(self.first)
                raise _Undo
            with suppress(ValueError):
                card = parse_card(typed)
            if word == "hint":
                _say(*game_text.hint_lines(view.position, self.advice))
            elif card not in view.hand:
                card = None
                if word in ("help", "rules", "?"):
                    _say(*game_text.rules_lines(self.game))
                elif word == "undo":
                    _say("No bid was made that could be taken back.")
                elif word:
                    _say(f"{typed.strip()[:40]!a} is not a card you hold.")
                _say(f"Type one of {cards_name(view.hand)}; or hint, rules, undo, quit.")
        self.bids.append(card)
        return card
