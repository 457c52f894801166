"""Positions in floats: layers in a folder, values at hand, digits that are not proved, refusals."""

import pytest
from program import run
from test_conformance import check, reached

import gops_exact as gx

GAMES = [
    gx.Game(4),
    gx.Game(4, gx.Rules("points", "carryover", "hidden")),
    gx.Game(4, gx.Rules("win", "carryover", (2, 4, 1, 3))),
    gx.Game(4, gx.Rules("win", "carryover", (2, 0, 3, 2)), (0, 2, 2, 3)),
]


def noting(left):
    """A progress that notes the work that is left: none from the first where all is only looked up."""
    return lambda done, total: left.append(total - done)


@pytest.fixture(scope="module", params=GAMES, ids=str)
def layers(request, tmp_path_factory):
    """A game, and a folder with all its layers beside those of another."""
    folder = tmp_path_factory.mktemp("layers")
    for game in (request.param, gx.Game(4, deck=(0, 1, 2, 3))):
        gx.first_move(game, gx.Float(folder, keep=True))
    return request.param, folder


def contents(folder):
    return {path: path.read_bytes() for path in folder.iterdir()}


def test_positions_in_a_folder_of_float_values_are_not_solved_again(layers):
    """Of a deck of its own only whole games are read from a folder."""
    game, folder = layers
    files, left = contents(folder), []
    solver = gx.solver(gx.Float(folder), game if game.own_deck else None, progress=noting(left))
    left.clear()  # reading the layers of a whole game counts as work
    for size in (1, 2, 3):
        for position in (reached(game, size), reached(game, size, seed=2).swapped()):
            check(solver, position)
    assert not any(left)
    assert gx.first_move(game, gx.Float(folder)).columns == gx.first_move(game, "float").columns
    assert contents(folder) == files


def test_first_moves_of_one_card_in_floats_name_the_saddle_point_as_their_method():
    (strategy,) = gx.first_move(1, "float").columns.values()
    assert (strategy.method, strategy.proved) == ("saddle point", True)


def test_positions_of_fewer_cards_than_a_folder_of_float_values_has_are_solved_on_demand(tmp_path):
    game = GAMES[0]
    gx.first_move(game, gx.Float(tmp_path))
    assert sorted(path.name for path in tmp_path.glob("*.values")) == [
        "float-4-02.values",
        "float-4-03.values",
    ]
    for size, expected in ((4, False), (3, False), (2, True)):
        left = []
        check(gx.solver(gx.Float(tmp_path), progress=noting(left)), reached(game, size))
        assert any(left) == expected, size


@pytest.mark.usefixtures("modes_bind")
def test_finished_folder_of_float_values_is_read_without_permission_to_write(tmp_path):
    folder = tmp_path / "layers"
    words = f"-n 4 --arithmetic float --objective win --folder '{folder}' --emit csv"
    printed, before = run(words), contents(folder)
    for path in (*before, folder):
        path.chmod(0o555)
    again = run(words)
    folder.chmod(0o755)
    assert again == printed and printed.status == 0
    assert contents(folder) == before


@pytest.mark.parametrize(
    "name",
    [
        "1.3.7.11.13_1.6.7.12.13_1.2.13.13.1000000_w_m-30",
        "5.8.11.12.15_1.2.6.10.15_f13.1.1000000.1000000.2_w_m-49",
        "1.2.3.4.7.9_2.3.6.10.11.14_f1000.2.2.100000.1.2_w_m30",
    ],
)
def test_float_position_with_no_undecided_position_below_is_solved(name):
    """The larger prizes decide, so that of some number of cards no position is left to solve."""
    position = gx.Position.parse(name)
    least, greatest = gx.value(position, "float").bounds()
    assert least <= gx.value(position, store=":memory:").value <= greatest


def test_command_play_reads_finished_layers_of_float_values_and_adds_none(tmp_path):
    words = f"-n 4 --arithmetic float --folder '{tmp_path / 'layers'}'"
    assert run(f"{words} --emit csv").status == 0
    layers = sorted((tmp_path / "layers").iterdir())
    assert run(f"play {words} --seed 1 --bids 1,2,3,4").status == 0
    assert sorted((tmp_path / "layers").iterdir()) == layers  # not those of fewer cards, either
    last = layers[-1]
    last.write_bytes(last.read_bytes()[:-1])
    ended = run(f"play {words} --seed 1 --bids 1,2,3,4")
    assert ended.status == 1 and str(last) in ended.err
