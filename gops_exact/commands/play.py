"""``gops-exact play``: a game at the terminal against any policy, with a review at the end."""

import sys
from argparse import Namespace
from contextlib import ExitStack
from io import TextIOWrapper
from pathlib import Path
from random import SystemRandom
from typing import Any

from gops_exact import api
from gops_exact.commands.arguments import Parser, integer, output, rules_of, writable_folder
from gops_exact.commands.session import Session, Setup
from gops_exact.cost import Run
from gops_exact.game.game import Game
from gops_exact.game.rules import parse_cards
from gops_exact.layers.files import LayerFile
from gops_exact.players.catalogue import MAKERS
from gops_exact.players.optimal import Optimal
from gops_exact.progress import progress_bar
from gops_exact.solutions.arithmetic import Exact, Float
from gops_exact.solutions.solution import Solver
from gops_exact.solvers.by_layers import ByLayers

DESCRIPTION = "Play the game at the terminal; at the end see what each bid cost."
EXAMPLES = {
    "-n 5": "five cards against the optimal player",
    "-n 13 --policy matching --no-review": "a full suit against another policy",
    "-n 4 --objective win --hints": "with hints, to learn",
}

ARITHMETICS = ("exact", "float")

MEMORY_BYTES = 4 * 10**9
"""The most that float values may take in memory."""

SEEDS = 10**6
"""Seeds chosen for the user are below this: short enough to type again."""


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_n()
    parser.add_rules()
    policies = f"the opponent, one of {', '.join(MAKERS)}"
    parser.add("game", "--policy", "NAME", policies, Optimal.name, choices=tuple(MAKERS))
    parser.add_flag("output", "--hints", "before every bid show optimal play and values")
    no_review = (
        "show no costs at the end; games too large to solve can then be played, against policies "
        "other than the optimal one"
    )
    parser.add_flag("output", "--no-review", no_review)
    seed = "the same seed and the same bids give the same game (default: a new one)"
    parser.add("game", "--seed", "S", seed, type=integer(0, 2**64 - 1))
    parser.add(
        "game", "--bids", "CARDS", "the first bids, such as 3,K,A; the game goes on from there"
    )
    parser.add("output", "--transcript", "FILE", "write the game to this file, too", type=Path)
    kinds = "exact or float (default: exact where that takes at most minutes, otherwise float)"
    parser.add_arithmetic(ARITHMETICS, kinds)
    parser.add_folder(
        "keep float values in files in this folder; if it has the highest layer of the game, missing "
        "lower layers are solved as the game goes on"
    )
    parser.add_force()


def run(given: Namespace) -> int:
    """Play a game."""
    setup = setup_of(given)
    solver = _solver(setup) if setup.is_solved else None
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no card either
    with ExitStack() as stack:
        file = given.transcript and stack.enter_context(
            output(given.transcript, option="--transcript")
        )
        return Session(setup, solver, file).play()


def _solver(setup: Setup) -> Solver[Any]:
    """Return the solver of the positions, exact if that takes no more than minutes.

    Raises:
        ValueError: if the game takes too much time or memory.
    """
    if setup.arithmetic != "float":
        try:
            Run(setup.game).check(Exact(), force=setup.force)
        except ValueError:
            if setup.arithmetic == "exact":
                raise
        else:
            return api.solver("exact", setup.game, progress=progress_bar(), force=True)
    return game_in_floats(setup.game, setup.folder, force=setup.force)


def game_in_floats(
    game: Game, folder: Path | None, *, memory_bytes: int | None = None, force: bool
) -> ByLayers:
    """Return the solver of a game's positions in floats; it is solved first, unless the folder has it.

    `memory_bytes` is the most that a position of another game may take.

    Raises:
        ValueError: if the game takes too much time or memory.
    """
    bar = progress_bar()
    if folder is not None and LayerFile.is_finished(folder, game):
        return ByLayers(Float(folder, memory_bytes=memory_bytes), progress=bar)
    kind = Float(folder, keep=folder is not None)
    estimate = Run(game).check(kind, force=force)
    if folder is None and estimate.kept > MEMORY_BYTES and not force:
        raise ValueError(
            f"n = {game.n} with {game.rules} needs --folder for {estimate.kept / 1e9:.1f} GB of "
            f"values, which are at most {MEMORY_BYTES / 1e9:.0f} GB without"
        )
    place = None if folder is None else writable_folder(folder)
    return ByLayers(Float(place, memory_bytes=memory_bytes), game, progress=bar, force=True)


def setup_of(given: Namespace) -> Setup:
    """Return the game that the arguments ask for.

    Raises:
        ValueError: if they name what there is not.
    """
    return Setup(
        Game(given.n, rules_of(given)),
        SystemRandom().randrange(SEEDS) if given.seed is None else given.seed,
        given.policy,
        _first_bids(given),
        given.hints,
        not given.no_review,
        given.arithmetic,
        given.folder,
        given.force,
    )


def _first_bids(given: Namespace) -> tuple[int, ...]:
    cards = () if given.bids is None else parse_cards(given.bids)
    if len(cards) != len(set(cards)) or any(card > given.n for card in cards):
        raise ValueError(
            f"--bids: expected different cards from 1 to {given.n}, got {given.bids!r}"
        )
    return cards
