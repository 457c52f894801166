"""Frames, notebook tables and text show the numbers, in the right places."""

import re

import numpy as np
import pytest
from html_tables import Cells

import gops_exact as gx

pytestmark = pytest.mark.usefixtures("own_store")

TURNED = gx.Position([2, 4], [1, 3], [12, 13], upcard=13)
FIVE, THREE = (gx.first_move(n, store=":memory:") for n in (5, 3))


def shade(attributes) -> float:
    """The opacity of a cell's background."""
    return float(attributes["style"].rpartition(",")[2].strip(" )"))


def test_first_move_frames_of_every_arithmetic_agree():
    exact, table = FIVE.to_frame(), FIVE.table().floats()
    assert exact.index.names == ["upcard", "card"]
    assert (table.index.name, table.columns.name, table.shape) == ("card", "upcard", (5, 5))
    for (upcard, card), (number, rounded) in exact.iterrows():
        assert number == FIVE[upcard][card]
        assert rounded == table.loc[card, upcard] == float(FIVE[upcard][card].to_fraction())
    certified = gx.first_move(5, gx.Ball(20), store=":memory:").to_frame()
    floats = gx.first_move(5, "float").to_frame()
    assert all((frame.index == exact.index).all() for frame in (certified, floats))
    assert list(certified["decimal"]) == [p.decimal(20) for p in map(gx.view, exact["exact"])]
    assert all(abs(floats["float"] - exact["float"]) <= floats["radius"] + 1e-16)
    some = gx.first_move(4, upcards=[4, 2], store=":memory:")
    assert list(some.table().floats().columns) == [4, 2]
    assert list(some.to_frame().index.unique("upcard")) == [4, 2]


def test_html_of_first_moves_shows_and_shades_the_numbers():
    cells = Cells(FIVE._repr_html_())
    assert "several" not in cells.caption
    assert cells.texts()[0] == ["", "1", "2", "3", "4", "5"]
    for card, (_, *row) in enumerate(cells.rows[1:], 1):
        for (attributes, text), number in zip(row, (FIVE[u][card] for u in FIVE), strict=True):
            assert text == (number.decimal(4) if number else "0")
            if number:
                assert attributes["title"] == repr(number)
                assert shade(attributes) == pytest.approx(0.75 * float(number), abs=6e-4)
    assert Cells(gx.first_move(5, "float", jobs=1)._repr_html_()).texts() == cells.texts()


def test_html_marks_strategies_that_are_not_unique_or_not_proved():
    assert "One optimal strategy of several at upcard 2." in Cells(THREE._repr_html_()).caption
    # Player one wins both prizes, whatever the bids.
    position = gx.solve(gx.Position([3, 4], [1, 2], [5, 6], upcard=5))
    assert not position.unique
    assert "not unique" in Cells(position._repr_html_()).caption
    unproved = Cells(gx.first_move(3, "float")._repr_html_())
    assert [row[2] for row in unproved.texts()] == ["2", "?", "?", "?"]
    assert "Nothing is proved at upcard 2" in unproved.caption


def test_latex_escapes_labels_and_titles():
    game = gx.MatrixGame([[3, -1], [1, 2]], rows=["50 % & more_", "C:\\x^2~{y}"], title="a × b − c")
    assert gx.solve_matrix_game(game).emit("latex").splitlines()[:6] == [
        r"a $\times$ b $-$ c: value 7/5 $\approx$ 1.4000 (closed form)",
        "",
        r"\begin{tabular}{ll|r}",
        r"player & strategy & number \\",
        r"\hline",
        r"row & 50 \% \& more\_ & $\frac{1}{5}$ \\",
    ]


def test_solved_matrix_in_latex_and_html_greys_the_bids_that_are_not_played():
    game = gx.MatrixGame([[0, 0, 9], [3, -1, 9], [1, 2, 8]], ["x", "y", "z"], ["a", "b", "c"])
    table = gx.solve_matrix_game(game).matrix()
    lines = [
        line.removesuffix(r" \\").split(" & ") for line in table.latex().splitlines() if "&" in line
    ]
    grey = [[r"\textcolor{gray}{" in text for text in line] for line in lines]
    unplayed = [False, False, False, True, False]
    assert grey == [unplayed, [True] * 5, unplayed, unplayed, unplayed]
    assert lines[2] == ["y", "$3$", "$-1$", r"\textcolor{gray}{$9$}", r"$\frac{1}{5}$"]
    pale = [
        ["opacity" in attributes["style"] for attributes, _ in row]
        for row in Cells(table.html()).rows
    ]
    assert pale == grey


def test_solved_matrix_of_more_than_20_bids_shows_only_those_that_are_played():
    solution = gx.solve_matrix_game([[*range(30)], [*range(30, 0, -1)]])
    short, whole = solution.matrix(), solution.matrix(whole=True)
    labels = solution.named(solution.support)[1]
    assert short.heads == (*labels, "mix") and not any(short.faint)
    assert short.notes == (f"not played: 0 other rows, {30 - len(labels)} other columns",)
    assert len(whole.heads) == 31 and len(whole.faint[1]) == 30 - len(labels) and not whole.notes


LABEL, OTHER = "\33[31m<b>x</b>\n\n![y](z)", "[2] *"
HOSTILE = gx.MatrixGame([[3, -1], [1, 2]], [LABEL, OTHER], ["", "\u202e"], title="\33]0;x\7\n# <i>")
WRITTEN = {
    "html": (HOSTILE._repr_html_, r"\x1b[31m&lt;b&gt;x&lt;/b&gt;\n\n![y](z)</th>"),
    "steps": (lambda: str(gx.explain(HOSTILE)), r"rows \x1b[31m<b>x</b>\n\n![y](z), [2] * with"),
    "text": (lambda: str(HOSTILE), r"\x1b[31m<b>x</b>\n\n![y](z) 3.0000 -1.0000"),
    "latex": (
        lambda: HOSTILE.emit("latex").replace("\n\n\\#", "\n#"),
        r"\textbackslash{}x1b{[}31m$<$b$>$x$<$/b$>$\textbackslash{}n\textbackslash{}n!{[}y](z) & $3$",
    ),
    "markdown": (
        lambda: HOSTILE.emit("markdown").replace("\n\\#", "\n#"),
        r"| \\x1b\[31m\<b>x\</b>\\n\\n!\[y](z) | 3.0000 | -1.0000 |",
    ),
}
"""What writes the game, with its heading as it is in text; and a line of it."""


@pytest.mark.parametrize(("write", "line"), WRITTEN.values(), ids=WRITTEN)
def test_control_characters_and_markup_in_labels_are_escaped_when_shown(write, line):
    text = write()
    assert text.replace("\n", "").isprintable() and "\n# " in text
    assert line in re.sub(" +", " ", text)


def test_text_among_the_numbers_of_a_table_is_shown():
    cells = {"a": "none", "b": gx.view("1/3"), "c": gx.view(0.5)}
    table = gx.Listing("", ("key",), [((key,), [cell]) for key, cell in cells.items()])
    lines = ["key decimal exact within", "a none", "b 0.3333 1/3", "c 0.5000 0"]
    for shown in (str(table).splitlines(), map(" ".join, Cells(table.html()).texts())):
        assert [" ".join(line.split()) for line in shown] == lines
    assert "| c | 0.5000 |  | 0 |\n" in table.markdown()


def test_frame_of_long_numbers_is_shown_without_all_their_digits(monkeypatch):
    long = gx.view(3) ** 40_000 / gx.view(2) ** 60_000
    frame = gx.Strategy({1: long, 2: 1 - long}).to_frame()
    monkeypatch.setattr(gx.BigInteger, "_text", property(lambda _: pytest.fail("all digits")))
    for text in (repr(frame), frame._repr_html_(), frame.loc[1:1].to_markdown()):
        assert f"({long.numerator.digits} digits)/" in text and len(text) < 5000
    with pytest.raises(pytest.fail.Exception, match="all digits"):
        str(long)


def test_frames_and_csv_of_matrix_games_have_their_labels():
    game = gx.MatrixGame([[3, "-1/2", 0], [1, 2, 7]], ["top", "low"], ["a", "b", "c"])
    frame = game.to_frame()
    assert (*frame.index,) == game.rows
    assert (*frame.columns,) == game.columns
    assert frame.loc["top", "b"] == gx.view("-1/2")
    assert gx.MatrixGame(frame) == game
    assert game.emit("csv") == ",a,b,c\ntop,3,-1/2,0\nlow,1,2,7\n"
    payoffs = gx.payoff_matrix("2.4_1.3_12.13@13")
    assert payoffs.to_frame().loc[2, 3] == payoffs[2][3] == -1
    assert payoffs == {2: {1: 25, 3: -1}, 4: {1: 1, 3: 25}}
    assert gx.MatrixGame(payoffs).payoff == np.array(payoffs).tolist() == [[25, -1], [1, 25]]
    with pytest.raises(TypeError, match="does not support item assignment"):
        payoffs[2][3] = 0
    with pytest.raises(KeyError, match="the card must be one of 2, 4, got 1"):
        payoffs[1]


SHOWN = r"""
gx.solve(TURNED)
  value 313/25 ≈ 12.5200
  1 2 0.4800 12/25 | 1 4 0.5200 13/25 | 2 1 0.5200 13/25 | 2 3 0.4800 12/25
  1 & 2 & $\frac{12}{25}$ \\
gx.first_move(3, upcards=[2])[2]
  as {card: number}
  1 0 0 | 2 0.5556 5/9 | 3 0.4444 4/9
  2 & $\frac{5}{9}$ \\
gx.bid_gains(gx.Position.start(3).at(2))
  as {card: number}
  1 -1.0000 -1 | 2 0.0000 0 | 3 0.0000 0
  1 & $-1$ \\
gx.payoff_matrix(TURNED)
  What player one can expect
  2 25.0000 -1.0000 | 4 1.0000 25.0000
  2 & $25$ & $-1$ \\
gx.solve_matrix_game([[3, -1], [1, 2]])
  value 7/5 ≈ 1.4000
  row 1 0.2000 1/5 | row 2 0.8000 4/5 | column 1 0.6000 3/5 | column 2 0.4000 2/5
  row & 1 & $\frac{1}{5}$ \\
gx.optimal_set([[0, 1, 5], [0, 1, 5]])
  the extreme optimal strategies
  row 1 0 1.0000 | row 2 1.0000 0 | column 1 1.0000 | column 2 0 | column 3 0
  row & 2 & $1$ & $0$ \\
gx.outcomes(gx.Position([1, 3], [2, 3], [2, 3], rules=gx.Rules("win"), margin=1))
  value -1/3 ≈ -0.3333
  win least 0.1111 1/9 | win greatest 0.1111 1/9 | draw least 0.4444 4/9 | draw greatest 0.4444 4/9 | loss least 0.4444 4/9 | loss greatest 0.4444 4/9
  win & least & $\frac{1}{9}$ \\
gx.players.expected("upcard+1", "random", gx.Game(3))
  Expected results
  one 1.6667 5/3 | two 2.3333 7/3 | difference -0.6667 -2/3
  one & $\frac{5}{3}$ \\
gx.players.best_response("random", gx.Game(3))
  Best response
  gain 1.3333 4/3
  gain & $\frac{4}{3}$ \\
"""
"""Calls; of what each returns a part of the caption, or how else it prints; its rows; a line in LaTeX."""


@pytest.mark.parametrize(
    ("call", "caption", "rows", "line"),
    re.findall(r"^(\S.*)\n  (.*)\n  (.*)\n  (.*)$", SHOWN, re.MULTILINE),
)
def test_results_are_shown_in_html_latex_and_text(call, caption, rows, line):
    result = eval(call)  # noqa: S307  # one of the above
    cells, latex, rows = Cells(result._repr_html_()), result._repr_latex_(), rows.split(" | ")
    assert [" ".join(row).strip() for row in cells.texts()[1:]] == rows
    assert line in latex.splitlines()
    if caption != "as {card: number}":
        assert caption in cells.caption and caption.replace("≈", r"$\approx$") in latex
        assert set(rows) <= {" ".join(each.split()) for each in str(result).splitlines()}


def test_html_shades_cells_by_their_numbers():
    # Gains are no probabilities: losses are orange, and the greatest is the darkest.
    cells = Cells(gx.bid_gains(gx.Position.start(3).at(2))._repr_html_())
    assert "rgba(255, 127, 14, 0.750)" in cells.rows[1][1][0]["style"]
    cells = Cells(gx.payoff_matrix(TURNED)._repr_html_())
    best, worst = (attributes for attributes, _ in cells.rows[1][1:])
    assert (shade(best), shade(worst)) == (0.75, 0.03)
