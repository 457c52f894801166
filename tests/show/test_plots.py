"""The pictures show the numbers, each in its place."""

import csv

import pytest
from places import DOCS, RESULTS

import gops_exact as gx
from gops_exact import extensive, known_games

matplotlib = pytest.importorskip("matplotlib", reason="the plot extra is not installed")
plots = gx.plots

PICTURES = DOCS / "pictures"
MOST_BYTES = 60_000


@pytest.fixture(scope="module")
def unproved():
    """Three cards in floats: nothing is proved of the bids at upcard 2."""
    return gx.first_move(3, "float")


def texts(axes):
    """{(upcard, card): text} of a map."""
    return {tuple(round(x) + 1 for x in t.get_position()): t.get_text() for t in axes.texts}


def colours(bars):
    return [matplotlib.colors.to_hex(bar.get_facecolor()) for bar in bars]


def test_residues_have_no_pictures():
    moves = gx.first_move(3, "residue", store=":memory:")
    with pytest.raises(ValueError, match=r"moves must be .* floats, got Residue\(prime=\d+\)"):
        plots.first_moves_heatmap(moves)


def test_digit_growth():
    longest = {5: [(4, 135), (5, 373)], 6: [(5, 6613), (6, 17650)]}
    (axes,) = plots.digit_growth(longest).axes
    assert axes.get_yscale() == "log"
    drawn = {
        line.get_label(): list(zip(line.get_xdata(), line.get_ydata(), strict=True))
        for line in axes.lines
    }
    assert drawn == {f"N = {n}": layers for n, layers in longest.items()}
    assert axes.get_xlabel() == "cards a side"


HANDS = [2, 3, 5], [1, 3, 4], [2, 3, 4]


@pytest.mark.parametrize(
    ("position", "across", "up"),
    [
        (
            gx.Position([1, 3, 5, 6], [1, 2, 4, 6], [1, 2, 4, 6], upcard=4),
            "bid at upcard 4; blue: played",
            "expected gain in points",
        ),
        (
            gx.Position(*HANDS, upcard=3, rules=gx.Rules("win", "carryover"), pot=2),
            "bid at upcard 3; blue: played",
            "chance of a win less that of a loss",
        ),
        (
            gx.Position(*HANDS, rules=gx.Rules(prizes="hidden")),
            "bid before the upcard; blue: played",
            "expected gain in points",
        ),
    ],
    ids=["points", "win", "hidden"],
)
def test_bid_gains(position, across, up):
    solution, gains = gx.solve(position), gx.bid_gains(position)
    (axes,) = plots.bid_gains(solution, gains).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == (across, up)
    assert [bar.get_height() for bar in axes.patches] == list(map(float, gains.values()))
    labels = [int(label.get_text()) for label in axes.get_xticklabels()]
    assert labels == list(gains) == list(position.one)
    assert axes.lines[0].get_ydata()[0] == float(gx.view(solution.value))
    chances = zip(colours(axes.patches), solution.row.values(), strict=True)
    by_colour = {(colour, bool(p)) for colour, p in chances}
    assert len(by_colour) == len({played for _, played in by_colour})


def test_payoffs():
    game = gx.payoff_matrix(gx.Position([2, 4], [1, 3], [12, 13], upcard=13))
    (axes,) = plots.payoffs_heatmap(game).axes
    assert axes.images[0].get_array().tolist() == [[25, -1], [1, 25]]
    assert axes.images[0].get_clim() == (-25, 25)
    assert texts(axes) == {(1, 1): "25", (2, 1): "-1", (1, 2): "1", (2, 2): "25"}
    labels = axes.get_xticklabels(), axes.get_yticklabels()
    assert [[label.get_text() for label in each] for each in labels] == [["1", "3"], ["2", "4"]]
    game = gx.MatrixGame([["1e400", "-1/2"]], ["top"], ["a", "b"], "mine")
    (axes,) = plots.payoffs_heatmap(game, digits=1).axes
    assert axes.get_title() == "mine"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b"]
    assert texts(axes)[2, 1] == "-0.5"


def test_labels_are_no_formulas():
    picture = plots.payoffs_heatmap(gx.MatrixGame([[1, -1]], ["top"], ["a", "$1 or $2"]))
    picture.draw_without_rendering()
    labels = picture.axes[0].get_xticklabels()
    assert [label.get_text() for label in labels] == ["a", "$1 or $2"]
    assert not any(label.get_parse_math() for label in labels)  # which would lose the dollars


def test_pictures_show_themselves_without_pyplot():
    picture = plots.digit_growth({5: [(4, 135), (5, 373)]})
    shown = picture._repr_png_()
    assert shown.startswith(b"\x89PNG")
    assert shown == picture.png(100) and len(picture.png(200)) > len(shown)


def test_kept_pictures_are_compact():
    names = [f"first_moves_n{n}" for n in range(1, 15)]
    names += ["supports", "highest_upcard", "digit_growth", "bid_gains", "payoffs", "own_rules"]
    names += ["exploitability", "lattice"]
    assert max((PICTURES / f"{name}.png").stat().st_size for name in names) < MOST_BYTES


def test_growth_is_what_the_results_say(tmp_path):
    store = tmp_path / "values.sqlite"
    # As for the results, larger games fill the store with values that the smaller one passed over.
    for n in (5, 6):
        gx.first_move(n, store=store)
    with (RESULTS / "exact/growth_n5.csv").open(newline="") as file:
        kept = list(csv.DictReader(file))
    found = gx.growth(5, store=store)
    assert [str(layer.most_digits) for layer in found] == [row["most_digits"] for row in kept]
    with pytest.raises(ValueError, match="read from a store"):
        gx.growth(5, store=":memory:")
    (axes,) = plots.digit_growth({5: found}).axes
    assert list(axes.lines[0].get_ydata()) == [layer.most_digits for layer in found]


@pytest.mark.parametrize(
    ("n", "rules", "named"),
    [(4, gx.Rules(), ""), (4, gx.Rules("win"), f"\n{gx.Rules('win')}")],
    ids=str,
)
def test_heat_maps_of_every_arithmetic_are_alike(n, rules, named):
    exact = gx.first_move(n, rules=rules, store=":memory:")
    certified = gx.first_move(n, gx.Ball(8), rules=rules, store=":memory:")
    (plain,) = plots.first_moves_heatmap(exact).axes
    places = [(upcard, card, p) for upcard, column in exact.items() for card, p in column.items()]
    assert texts(plain) == {(upcard, card): p.decimal(3) for upcard, card, p in places if p}
    assert (plain.images[0].get_array() == exact.table().floats().to_numpy()).all()
    for moves in (certified, gx.first_move(n, "float", rules=rules)):
        (axes,) = plots.first_moves_heatmap(moves).axes
        assert axes.get_title() == f"Optimal first moves, {n} cards{named}"
        assert axes.images[0].get_clim() == (0, 1)
        assert texts(axes) == texts(plain)
        shades = [each.images[0].get_array() for each in (axes, plain)]
        assert abs(shades[0] - shades[1]).max() < 1e-8


def test_heat_maps_ask_where_nothing_is_proved(unproved):
    (axes,) = plots.first_moves_heatmap(unproved).axes
    asked = {(2, card): "?" for card in (1, 2, 3)}
    assert texts(axes) == {(1, 1): "1.000", **asked, (3, 3): "1.000"}


def test_a_game_tree_shows_each_move_with_its_probability_and_joins_information_sets():
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


def test_moves_at_once_are_drawn_one_after_the_other_and_joined():
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
def test_trees_that_have_no_picture_are_refused(game, words):
    with pytest.raises(ValueError, match=words):
        plots.game_tree(gx.solve_game(game))
