"""The pictures show the numbers, each in its place."""

import sys

import numpy as np
import pytest
from runs import finish, python

import gops_exact as gx
from gops_exact import extensive, known_games

pytest.importorskip("matplotlib", reason="the plot extra is not installed")
plots = gx.plots


def texts(axes):
    """{(upcard, card): text} of a map."""
    return {tuple(round(x) + 1 for x in t.get_position()): t.get_text() for t in axes.texts}


def test_plot_of_bid_gains_shows_the_gains():
    for position in ("1.3.5.6_1.2.4.6_1.2.4.6@4", "2.3.5_1.3.4_2.3.4@3_w_c_p2", "1.2_1.3_h4.5"):
        solution, gains = gx.solve(position), gx.bid_gains(position)
        (axes,) = plots.bid_gains(solution, gains).axes
        assert [bar.get_height() for bar in axes.patches] == list(map(float, gains.values()))
        labels = [int(label.get_text()) for label in axes.get_xticklabels()]
        assert labels == list(gains)
        assert axes.lines[0].get_ydata()[0] == float(gx.view(solution.value))
        chances = zip(axes.patches, solution.row.values(), strict=True)
        by_colour = {(bar.get_facecolor(), bool(p)) for bar, p in chances}
        assert len(by_colour) == len({played for _, played in by_colour})
    assert axes.get_xlabel() == "bid before the upcard; blue: played"


def test_payoffs_heatmap_shows_the_payoffs():
    game = gx.payoff_matrix(gx.Position([2, 4], [1, 3], [12, 13], upcard=13))
    (axes,) = plots.payoffs_heatmap(game).axes
    assert axes.images[0].get_array().tolist() == [[25, -1], [1, 25]]
    assert axes.images[0].get_clim() == (-25, 25)
    assert texts(axes) == {(1, 1): "25", (2, 1): "-1", (1, 2): "1", (2, 2): "25"}
    labels = axes.get_xticklabels(), axes.get_yticklabels()
    assert [[label.get_text() for label in each] for each in labels] == [["1", "3"], ["2", "4"]]
    game = gx.MatrixGame([["1e400", "-1/2"]], ["top"], ["a", "$1 or $2"], "mine")
    (axes,) = plots.payoffs_heatmap(game, digits=1).axes
    assert axes.get_title() == "mine" and texts(axes)[2, 1] == "-0.5"
    labels = axes.get_xticklabels()
    assert [label.get_text() for label in labels] == ["a", "$1 or $2"]
    assert not any(label.get_parse_math() for label in labels)  # which would lose the dollars


def test_payoffs_heatmap_of_a_solution_shows_mixes_and_greys_unplayed_bids():
    solution = gx.solve_matrix_game(
        gx.MatrixGame([[0, 0, 9], [3, -1, 9], [1, 2, 8]], ["x", "y", "z"])
    )
    (axes,) = plots.payoffs_heatmap(solution, digits=1).axes
    lines = ["0 0 9 0.0", "3 -1 9 0.2", "1 2 8 0.8", "0.6 0.4 0.0 1.4"]
    words = {
        (x, y): word for y, line in enumerate(lines, 1) for x, word in enumerate(line.split(), 1)
    }
    assert texts(axes) == words and axes.get_title() == "matrix game: value 1.4"
    grey = {place for place in words if place[0] == 3 or place[1] == 1}
    colours = {place: text.get_color() for place, text in zip(words, axes.texts, strict=True)}
    assert {place for place, colour in colours.items() if colour == "darkgrey"} == grey
    shaded = np.argwhere(~np.ma.getmaskarray(axes.images[0].get_array()))
    assert {(x + 1, y + 1) for y, x in shaded.tolist()} == {(1, 2), (2, 2), (1, 3), (2, 3)}
    ticks = [
        (t.get_text(), t.get_color()) for t in (*axes.get_yticklabels(), *axes.get_xticklabels())
    ]
    assert [label for label, colour in ticks if colour == "darkgrey"] == ["x", "3"]
    assert axes.get_ylim() == (3.5, -0.5)  # the first row is at the top, as in the table
    wide = gx.solve_matrix_game([[*range(30)], [*range(30, 0, -1)]])
    for whole, count in ((False, len(wide.support[1])), (True, 30)):
        (axes,) = plots.payoffs_heatmap(wide, whole=whole).axes
        assert len(axes.get_xticklabels()) == count + 1


def test_plot_of_the_envelope_draws_lines_corners_and_the_solution():
    for game, best in (([[2, 3, 1, 5], [4, 1, 6, 0]], max), ([[4, 2], [2, 4], [3, "7/2"]], min)):
        (axes,) = plots.envelope(game).axes
        *lines, envelope, dot = ([*line.get_data()] for line in axes.lines)
        replies = zip(*game, strict=True) if best is max else game
        assert [[*map(float, line[1])] for line in lines] == [
            [float(gx.view(second)), float(gx.view(first))] for first, second in replies
        ]
        solution = gx.solve_matrix_game(game)
        own = solution.row if best is max else solution.column
        assert dot == [[float(own[0])], [float(solution.value)]]
        assert best(envelope[1]) == float(solution.value) and float(own[0]) in envelope[0]
    with pytest.raises(ValueError, match="two rows or two columns, got 3 × 3"):
        plots.envelope([[1, 2, 3]] * 3)


def test_plot_of_digit_growth_shows_the_layers_and_is_a_png():
    layers = [(4, 135), (5, 373)]
    picture = plots.digit_growth({5: layers})
    (line,) = picture.axes[0].lines
    assert list(zip(line.get_xdata(), line.get_ydata(), strict=True)) == layers
    shown = picture._repr_png_()
    assert shown.startswith(b"\x89PNG")
    assert shown == picture.png(100) and len(picture.png(200)) > len(shown)


DRAWING = """
import sys
import gops_exact as gx
gx.plots.payoffs_heatmap(gx.MatrixGame([[3, -1], [1, 2]])).png(100)
gx.plots.first_moves_heatmap(gx.first_move(3, store=":memory:")).png(100)
gx.plots.envelope([[3, -1], [1, 2]]).png(100)
gx.plots.family(gx.solve_family([[3, -1], [1, 2]], [[0, 1], [0, 0]], 0, 4)).png(100)
gx.plots.game_tree(gx.solve_game(gx.known_games.kuhn_poker())).png(100)
print("matplotlib" in sys.modules, "matplotlib.pyplot" in sys.modules)
"""


def test_pictures_are_drawn_without_pyplot():
    assert finish(python("-c", DRAWING)) == "True False\n"


def test_plot_of_digit_growth_refuses_layers_without_pairs_and_takes_an_empty_list():
    for layers in ([1], [(1, 2, 3)], ["12"], [{1, 2}]):
        with pytest.raises(ValueError, match="layers of 3 must be a sequence of Lengths or pairs"):
            plots.digit_growth({3: layers})
    (line,) = plots.digit_growth({3: [(1, 1)], 4: []}).axes[0].lines[1:]
    assert len(line.get_xdata()) == 0


def test_first_moves_heatmaps_of_every_arithmetic_are_alike():
    rules = gx.Rules("win")
    exact = gx.first_move(4, rules=rules, store=":memory:")
    (plain,) = plots.first_moves_heatmap(exact).axes
    places = [(upcard, card, p) for upcard, column in exact.items() for card, p in column.items()]
    assert texts(plain) == {(upcard, card): p.decimal(3) for upcard, card, p in places if p}
    assert (plain.images[0].get_array() == exact.table().floats().to_numpy()).all()
    assert [label.get_text() for label in plain.get_yticklabels()] == ["1", "2", "3", "4"]
    assert plain.get_ylim() == (3.5, -0.5)  # the first card is at the top, as in the table
    for kind in (gx.Ball(8), "float"):
        (axes,) = plots.first_moves_heatmap(gx.first_move(4, kind, rules=rules)).axes
        assert axes.get_title() == f"Optimal first moves, 4 cards\n{rules}"
        assert axes.images[0].get_clim() == (0, 1)
        assert texts(axes) == texts(plain)
    (axes,) = plots.first_moves_heatmap(gx.first_move(3, "float")).axes  # nothing is proved at 2
    asked = {(2, card): "?" for card in (1, 2, 3)}
    assert texts(axes) == {(1, 1): "1.000", **asked, (3, 3): "1.000"}


def test_plot_of_a_family_of_matrix_games_shows_values_and_mixed_strategies():
    game = gx.MatrixGame([[3, -1], [1, 2]], ["$a$", "b"])
    family = gx.solve_family(game, [[0, 1], [0, 0]], 0, 4)
    top, one, two = plots.family(family).axes
    points = {round(x, 9): y for x, y in zip(*top.lines[0].get_data(), strict=True)}
    assert (points[0], points[3], points[4]) == (7 / 5, 2, 3)
    assert [text.get_text() for text in one.get_legend().get_texts()] == ["$a$", "b"]
    assert one.lines[0].get_ydata()[0] == 1 / 5 and one.lines[1].get_ydata()[-1] == 0
    assert len(two.lines) == 2


def test_plot_of_a_game_tree_labels_moves_and_joins_information_sets():
    solved = gx.solve_game(known_games.kuhn_poker())
    (axes,) = plots.game_tree(solved).axes
    texts = [text.get_text() for text in axes.texts]
    branches = sorted(text for text in texts if ": " in text)
    deals = {"one": 2, "two": 2}  # the other player holds one of two cards
    strategies = {"one": solved.row, "two": solved.column}
    assert branches == sorted(
        f"{move}: {mix.get(move, 0)}"
        for player, strategy in strategies.items()
        for mix in strategy.values()
        for move in "pb"
        for _ in range(deals[player])
    )
    assert texts.count("1/6") == 6  # the deals
    assert sum(text.lstrip("-").isdigit() for text in texts) == 30  # five ends after each deal
    assert len(axes.patches) == 12  # each information set has two nodes, which one arc joins
    assert "-1/18" in axes.get_title()


def test_plot_of_a_game_tree_draws_simultaneous_moves_in_turn():
    ends = {("a", "c"): 1, ("a", "d"): 2, ("b", "c"): 3, ("b", "d"): 1}
    game = extensive.ListedTree((extensive.Simultaneous(ends), 1, -1, -2))
    (axes,) = plots.game_tree(gx.solve_game(game)).axes
    shown = [text.get_text() for text in axes.texts]
    left, right = ["1", "c: 2/5", "-1", "d: 3/5"], ["-2", "c: 2/5", "1", "d: 3/5"]
    assert shown == [*left, "a: 3/5", *right, "b: 2/5"]
    assert len(axes.patches) == 1


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (known_games.liars_dice(3), "room for 100 nodes, got a tree with more"),
        (extensive.HiddenBids(gx.Game(2)), "must be of a game tree, got one of hidden bids"),
    ],
)
def test_plot_of_a_game_tree_refuses_more_than_100_nodes_and_hidden_bids(game, words):
    with pytest.raises(ValueError, match=words):
        plots.game_tree(gx.solve_game(game))


def test_pictures_name_the_extra_that_is_missing(monkeypatch):
    monkeypatch.delitem(sys.modules, "gops_exact.show.plots", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    with pytest.raises(ImportError, match=r"need Matplotlib: pip install '\.\[plot\]'"):
        gx.plots  # noqa: B018  # loaded when it is asked for
