"""The explorer, an HTML page to look at a solved game and to play it; and solved games as JSON documents.

Words used here:

* The *upcard* is the prize turned up in a round.
* A *state* is a position without an upcard.
* An *order type* is the way in which the cards of two hands interleave, a text such as ``VBY``. It has a letter for
  each card that is held, in ascending order: V for a card that only player one holds, Y for one that only player two
  holds, B for one that both hold.
* The *margin* is player one's points minus player two's; it is always 0 if the objective is points.
* The *pot* is the sum of the prizes carried over from ties.
* A *value table* has the value of every order type, for one combination of prizes left, margin and pot.
* A *layer* has the values of all positions with the same number of cards a side.
* A *basis* is a choice of equally many rows and columns of the payoff matrix, which determines a strategy of each
  player.

A page for up to nine cards a side holds the solved game and loads nothing else. With up to six cards, the page
holds the exact value of every state, and a basis of every matrix game. A basis takes a few bytes, while the
probabilities that follow from it have up to thousands of digits, so the page solves the linear system itself. Only the
first moves (the optimal strategies of the first bid) are stored as fractions, too, because a browser would take long to
solve their system. With seven to nine cards, the page holds values as 32-bit floats and solves the matrix games in
floats with proved bounds. The page of a server (``gops-exact serve``), for up to 13 cards, asks the server for every
position. The files of the pages are in the folder ``page``.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from importlib.resources import files
from itertools import product
from string import Template
from typing import Any

import numpy as np
from flint import fmpq

from gops_exact.base.arguments import flag, function, shown
from gops_exact.base.progress import Progress, part_of
from gops_exact.game.game import Game, PrizeState, as_game
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Rules, upcard_name
from gops_exact.matrix_game.family import solve_family
from gops_exact.solvers.api import payoff_matrix
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.cost import estimate_cost
from gops_exact.solvers.exact.lattice import ExactSystem
from gops_exact.solvers.exact.value_tables import Values
from gops_exact.solvers.floats.layer import unit_of
from gops_exact.solvers.floats.sweep import float_layers

Document = dict[str, Any]
"""A JSON object."""

GAME_SCRIPTS = "game.js", "name.js"
VIEW_SCRIPTS = "view.js", "explore.js", "editor.js", "play.js", "drill.js", "main.js"
"""The scripts that every page has: GAME_SCRIPTS are its first scripts, VIEW_SCRIPTS its last. Between them are the
scripts for the page's kind of number and for the source of its solutions. A script depends only on earlier ones."""

LARGEST, MOST_CARDS = 6, 9
"""LARGEST is the greatest number of cards a side of a page with exact numbers, MOST_CARDS that of a page with floats.
Under the rules with the longest numbers (points, ties carried over) an exact page of six cards has 13 megabytes. With
seven cards an exact page would be too large for a browser under any rules."""

BYTES_A_VALUE, MOST_MEGABYTES = 16 / 3, 64
"""BYTES_A_VALUE is the size of a value in a page of floats: the four bytes of a float, written in base 64.
MOST_MEGABYTES is the greatest size of such a page, in megabytes. A browser opens a page of 40 megabytes in seconds."""

MOST_VARIED, MOST_WORTH, WORTH_STEPS = 5, 20, 8
"""MOST_VARIED is the greatest number of cards a side of a page that shows the first bids for each worth of the highest
prize; with six cards they take minutes. MOST_WORTH is the greatest worth, WORTH_STEPS the number of straight lines that
make the curves on which the same cards are bid."""

WRITTEN = {"command": "explore", "connect": ""}
EXACT = WRITTEN | {"how": " exactly", "numbers": "All numbers are exact fractions"}
BOUNDED = WRITTEN | {
    "how": ", every number within a proved bound",
    "numbers": "All numbers are floats within proved bounds",
}
"""Texts in pages, as {placeholder in the template: text}. WRITTEN has those that all pages written to a file share,
EXACT all texts of a file with exact numbers, BOUNDED all texts of a file with floats."""

EVERY_RULES = tuple(Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS))

LONG = (
    Rules("points", "carryover", "random"),
    Rules("points", "carryover", "hidden"),
    Rules("win", "carryover", "hidden"),
)
"""The three sets of rules with the longest numbers. A page of six cards offers them only as the game's own,
because they would take 27 of the 30 megabytes of all sixteen sets of rules. With five cards all take 0.6 megabytes."""


def other_rules(game: Game | int) -> list[Rules]:
    """List the rules, besides the game's own, that can be chosen in the page of the game.

    With up to five cards these are all other rules; with six cards, all others but those whose exact numbers are too
    long. Pages of more than six cards hold floats and offer no other rules. Rules that list the order of the prizes are
    never offered.

    Args:
        game: the game, or the number of its cards a side.

    >>> len(other_rules(5)), len(other_rules(6)), other_rules(7)
    (15, 12, [])
    """
    game = as_game(game)
    if game.n > LARGEST:
        return []
    left_out = {game.rules, *(LONG if game.n == LARGEST else ())}
    return [rules for rules in EVERY_RULES if rules not in left_out]


@dataclass(frozen=True)
class Page:
    """HTML page of the explorer, which notebooks show in a frame."""

    html: str = field(repr=False)  #: the HTML document, as ``gops-exact explore`` writes it

    def _repr_html_(self) -> str:
        # Without this base, links within the framed document would lead to the notebook's page.
        framed = self.html.replace("<head>", '<head><base href="about:srcdoc">', 1)
        quoted = framed.replace("&", "&amp;").replace("'", "&#39;")
        style = "width: 100%; height: 48em; border: 0"
        return f"<iframe title='A game, solved' style='{style}' srcdoc='{quoted}'></iframe>"


def explore(
    game: Game | int, *, rules: Rules = PLAIN, only: bool = False, progress: Progress | None = None
) -> Page:
    """Solve a game and return a page to explore and play it, which a notebook shows.

    The page is the one that ``gops-exact explore`` writes. With up to six cards, its numbers are exact, and other rules
    can be chosen in it, unless their numbers are too long. With seven to nine cards, its numbers are floats with a
    proved bound, and no other rules can be chosen.

    Args:
        game: the game, or the number of its cards a side.
        rules: the rules of the game, if `game` is the number of cards a side.
        only: True to offer no other rules than those of the game.
        progress: called as progress(done, total), counted in matrix games; None for no report.

    Raises:
        ValueError: if the page would be too large for a browser, or if an argument is invalid.

    >>> page = explore(2)
    >>> page.html[:15], page
    ('<!doctype html>', Page())
    """
    game = as_game(game, rules=rules)
    others = [] if flag(only, "only") else other_rules(game)
    games = [game, *(replace(game, rules=other) for other in others)]
    function(progress, "progress")
    if game.n > MOST_CARDS:
        raise ValueError(
            f"n must be at most {MOST_CARDS} for an explorer page, got {shown(game.n)}; "
            "gops-exact serve shows up to 13 cards"
        )
    if game.n <= LARGEST:
        scripts = "rational.js", "exact.js", "worked.js"
        return Page(_page(game, exact_document(games, progress), scripts, EXACT))
    megabytes = estimate_cost(game, Float()).values * BYTES_A_VALUE / 1e6
    if megabytes > MOST_MEGABYTES:
        raise ValueError(
            f"an explorer page must have at most {MOST_MEGABYTES} megabytes, got {megabytes:.0f} of "
            f"n = {game.n}; gops-exact serve shows up to 13 cards"
        )
    return Page(_page(game, float_document(game, progress), ("floats.js", "held.js"), BOUNDED))


def served_page(game: Game, others: Mapping[Rules, Mapping[str, object]]) -> str:
    """Return the page of a server: an HTML document that asks the server for solutions.

    Args:
        game: the game that the page opens with.
        others: {rules: cost of solving the game by these rules}, the other rules that the page offers. A cost is {} if
            the game takes only a moment, else {"takes": time and memory as text, "held": True if the server allows so
            much time and memory}.
    """
    held = [{"rules": asdict(rules), **cost} for rules, cost in {game.rules: {}, **others}.items()]
    words = BOUNDED | {"command": "serve", "connect": "; connect-src 'self'"}
    return _page(game, {"games": held}, ("floats.js", "served.js"), words)


def page_file(name: str) -> str:
    """Return the text of a file in the folder ``page`` beside this module."""
    return (files("gops_exact.show") / "page" / name).read_text(encoding="utf-8")


def _page(game: Game, data: Document, scripts: Sequence[str], words: Mapping[str, str]) -> str:
    """Return a page as an HTML document.

    Args:
        game: the game that the page opens with.
        data: the JSON object that the scripts read.
        scripts: the files of scripts for the page's kind of number and for the source of its solutions.
        words: {placeholder in the template of the page: text}: :data:`EXACT` for a page with exact numbers,
            :data:`BOUNDED` for a page with floats; for the page of a server, :data:`BOUNDED` with the texts for
            "command" and "connect" replaced.
    """
    own = {"deck": game.deck} if game.own_deck else {}
    listed = ", ".join(map(str, game.deck))
    prizes = f"the prizes are {listed}" if own else "a third suit is the prizes"
    code = ['"use strict";', *map(page_file, (*GAME_SCRIPTS, *scripts, *VIEW_SCRIPTS))]
    return Template(page_file("template.html")).substitute(
        words,
        n=game.n,
        cards="1 card" if game.n == 1 else f"{game.n} cards",
        prizes=prizes,
        version=version("gops-exact"),
        css=page_file("explorer.css"),
        scripts="\n".join(code),
        # The HTML element that holds the data ends at the first "</" followed by its name, so every "</" is escaped.
        data=json.dumps({"n": game.n} | own | data, separators=(",", ":")).replace("</", "<\\/"),
    )


def exact_document(games: Sequence[Game], progress: Progress | None = None) -> Document:
    """Solve games exactly and return the document that the page reads.

    Args:
        games: the games, which differ only in their rules.
        progress: called as progress(done, total), counted in matrix games; None for no report.

    Returns:
        {"words": lists of order types, "games": solved games}. The list at index k has the order types of k cards a
        side, one of each pair of mirror images. A solved game is a JSON object with the members ``rules``;
        ``openings``, {upcard: probabilities of the first bids}; and ``slabs``, {name: value table}, with a table for
        each combination of prizes left, margin and pot that does not decide the game. By the default rules, and with at
        most :data:`MOST_VARIED` cards a side, it also has the member ``worths``, the result of :func:`worths`. A value
        table has the members ``values`` and ``bases``, with an entry for each order type listed. An entry of ``bases``
        has two bit masks for each upcard: the cards of player one and those of player two that are in the basis of the
        matrix game. Bit i stands for the card at index i of the hand, which is in ascending order.
    """
    types = order_types(games[0].hand, games[0].hand, equal=True)
    system, solved = ExactSystem(), []
    work = [game.counts.games for game in games]
    for index, game in enumerate(games):
        values = Values(types, game.rules, system)
        part = part_of(progress, sum(work[:index]), work[index], sum(work))
        values.sweep(game.stage_games.values(), part)
        first_moves = {}
        for stage in game.stage_games.values():
            row = system.play(types[-1], stage, values).row
            first_moves[upcard_name(stage.upcard)] = [str(fmpq(*chance)) for chance in row]
        values.fill(game.start.prize_state)
        tables = {}
        for prize_state in sorted(values, key=lambda state: (len(state.prizes), state)):
            layer, table, masks = values.layer(prize_state), values[prize_state], []
            # Of several equivalent cards in a hand, the solver keeps only one, so the indices in its bases count only the
            # cards that are kept. In the masks, bit i stands for the card at index i of the whole hand.
            kept = zip(layer.row_kept, layer.column_kept, table.bases, strict=True)
            for rows, columns, bases in kept:
                hands = rows.nonzero()[0], columns.nonzero()[0]
                masks.append(
                    [
                        sum(1 << int(cards[index]) for index in chosen)
                        for basis in bases
                        for cards, chosen in zip(hands, (basis.rows, basis.columns), strict=True)
                    ]
                )
            texts = [str(fmpq(*value)) for value in table.values]
            tables[state_name(prize_state)] = {"values": texts, "bases": masks}
        document = {"rules": asdict(game.rules), "slabs": tables, "openings": first_moves}
        is_varied = game.rules == PLAIN and game.n <= MOST_VARIED
        solved.append(document | ({"worths": worths(game)} if is_varied else {}))
    if progress is not None:
        progress(sum(work), sum(work))
    return {"words": [layer.interleavings() for layer in types], "games": solved}


def worths(game: Game) -> Document:
    """Solve the first round with the highest prize turned up, for many numbers of points that this prize may be worth.

    The other prizes, and all later rounds, stay as they are.

    Args:
        game: the game, for points, with ties discarded and prizes in random order.

    Returns:
        {"upcard": the prize, "points": lists}. A list has a number of points that the prize is worth, from 0 to
        :data:`MOST_WORTH`, and then the probability of each card in an optimal first bid, as floats. The lists are in
        ascending order of these numbers. Between two of these numbers, straight lines approximate the probabilities.

    >>> [first, *_, last] = worths(Game(3))["points"]
    >>> first, last
    ([0.0, 1.0, 0.0, 0.0], [20.0, 0.0, 0.0, 1.0])
    """
    prize, hand = game.deck[-1], game.hand
    payoffs = payoff_matrix(game.start.at(prize), store=":memory:")
    higher = np.sign(np.subtract.outer(hand, hand)).astype(object)
    rest = np.array([[payoffs[one][two] for two in hand] for one in hand]) - prize * higher
    points = [
        [
            float(t),
            *(float(piece.row[card](t)) if card in piece.row else 0.0 for card in map(str, hand)),
        ]
        for t, piece in solve_family(rest, higher, 0, MOST_WORTH).points(WORTH_STEPS)
    ]
    return {"upcard": prize, "points": points}


def state_name(prize_state: PrizeState) -> str:
    """Return the key of a value table in the page, such as ``1 3|-2,4`` for the prizes 1 and 3, margin −2 and pot 4."""
    prizes, state = prize_state
    return f"{' '.join(map(str, prizes))}|{state.margin},{state.pot}"


def float_document(game: Game, progress: Progress | None = None) -> Document:
    """Solve a game in floats and return the document that the page reads.

    Args:
        game: the game that the page opens with.
        progress: called as progress(done, total), counted in matrix games; None for no report.

    Returns:
        {"games": [the solved game]}. The solved game is a JSON object with ``rules`` and ``layers``, with one layer for
        each number of cards a side from 1 to n − 1. A layer has ``words``, its order types; ``names``, one for
        each combination of prizes left, margin and pot; ``values``, a matrix of 32-bit floats in base 64, with a row
        for each order type and a column for each name; and ``bound``, the greatest proved bound on the error of a value
        before it is rounded to 32 bits.
    """
    layers = []
    for types, layer in zip(game.types[1:-1], float_layers(game, progress=progress), strict=True):
        values = (layer.values * unit_of(layer.values)).astype("<f4").tobytes()
        layers.append(
            {
                "words": types.interleavings(),
                "names": [state_name(prize_state) for prize_state in layer.columns.prize_states()],
                "bound": float(layer.bounds.max()),
                "values": b64encode(values).decode(),
            }
        )
    return {"games": [{"rules": asdict(game.rules), "layers": layers}]}
