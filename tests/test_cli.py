"""The command line: what it prints, what it refuses and how, what it leaves behind."""

import io
import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from emitted import read_back

import gops_exact as gx
from gops_exact import cli
from gops_exact.commands import COMMANDS, first_move, measure, module_of
from gops_exact.commands.arguments import GROUPS
from gops_exact.commands.completion import parsers
from gops_exact.layers import sweep
from gops_exact.numbers.digits import shorten
from gops_exact.players.measure import measurements
from gops_exact.solutions.formats import FORMATS_OF, emit
from gops_exact.solvers import by_prizes

DATA = Path(__file__).parent / "data"
FULL = Path("/dev/full")


pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture
def unsolvable(monkeypatch):
    """Let any attempt to solve a game fail."""

    def never(*_args, **_kwargs):
        raise AssertionError("a game was about to be solved")

    monkeypatch.setattr(by_prizes, "openings", never)


def program(*words, **options):
    """The program as a user starts it."""
    return subprocess.run(  # the words are the tests' own
        [sys.executable, "-m", "gops_exact", *words],
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=120,
        **options,
    )


def interrupt(*_args, **_kwargs):
    raise KeyboardInterrupt


def test_the_fraction_published_in_2012():
    done = program("--n", "5", "--emit", "fractions")
    published = (DATA / "rhoads_bartholdi_2012_n5_top_entry.txt").read_text().strip()
    assert (done.returncode, done.stderr) == (0, "")
    assert f"\n  1  {published}\n" in done.stdout


@pytest.mark.parametrize("fmt", FORMATS_OF["exact"])
def test_prints_every_format(fmt, capsys):
    assert cli.main(["--n", "4", "--emit", fmt]) == 0
    assert capsys.readouterr().out == "".join(emit(gx.first_move(4), fmt))


def test_decimals_are_the_default(capsys):
    assert cli.main(["--n", "3"]) == 0
    assert capsys.readouterr().out == "".join(emit(gx.first_move(3), "decimals"))


def test_a_command_may_be_named(capsys):
    assert cli.main(["first-move", "--n", "2", "--emit", "csv"]) == 0
    assert read_back("csv", capsys.readouterr().out) == {1: {1: 1, 2: 0}, 2: {1: 0, 2: 1}}


def test_digits(capsys):
    assert cli.main(["--n", "3", "--digits", "2"]) == 0
    assert "0.56" in capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("words", "upcards"),
    [
        (["--upcard", "4"], [4]),
        (["--upcard", "3,A"], [3, 1]),
        (["--upcard", "3", "--upcard=a,2"], [3, 1, 2]),
        (["--upcard", "2,2", "--upcard", "2"], [2]),
    ],
)
def test_upcards(words, upcards, capsys):
    assert cli.main(["--n", "4", "--emit", "json", *words]) == 0
    assert list(read_back("json", capsys.readouterr().out)) == upcards


def test_upcards_by_name(monkeypatch, capsys):
    asked = {}

    def solve(n, _arithmetic, *, upcards, **_options):
        asked[n] = upcards
        return gx.first_move(2)

    monkeypatch.setattr(first_move, "first_move", solve)
    assert cli.main(["--n", "13", "--force", "--upcard", "A,T,j,q,K"]) == 0
    assert asked == {13: [1, 10, 11, 12, 13]}
    assert capsys.readouterr().out.startswith("GOPS, N = 2")


WRONG = [
    (["--emit", "csv"], "required: -n/--n"),
    (["--n"], "--n: expected one argument"),
    (["--n", "0"], "--n: expected an integer from 1 to 28, got '0'"),
    (["--n", "-1"], "from 1 to 28, got '-1'"),
    (["--n", "x"], "from 1 to 28, got 'x'"),
    (["--n", "1.5"], "from 1 to 28, got '1.5'"),
    (["--n", "٣"], "from 1 to 28, got '٣'"),
    (["--n", "1_0"], "from 1 to 28, got '1_0'"),
    (["--n", ""], "from 1 to 28, got ''"),
    (["--n", "9" * 5000], "from 1 to 28, got '999"),
    (["--n", "29", "--force"], "from 1 to 28, got '29'"),
    (["--n", "2\n3"], r"got '2\n3'"),
    (
        ["--n", "8"],
        "n must be at most 7 in exact arithmetic unless forced (--force, force=True), got 8: about 200",
    ),
    (["--n", "9"], "got 9: at least 1.2 million games"),
    (
        ["--n", "5", "--emit", "xml"],
        "expected one of fractions, decimals, json, csv, latex, digests",
    ),
    (["--n", "5", "--upcard", "6"], "--upcard: expected cards from 1 to 5, got '6'"),
    (["--n", "5", "--upcard", "K"], "expected cards from 1 to 5, got 'K'"),
    (
        ["--n", "5", "--upcard", "1,0"],
        "a card must be a positive integer of at most 9 digits or one",
    ),
    (["--n", "5", "--upcard", ""], "a card must be a positive integer of at most 9 digits or one"),
    (["--n", "5", "--upcard", "1,,2"], "or one of A, T, J, Q, K, got ''"),
    (["--n", "5", "--prizes", "9999999999,1"], "as 3,1,2, each of at most 9 digits, got '99999999"),
    (["--n", "5", "--out", ""], "--out: expected the name of a file or a folder, got ''"),
    (["--n", "5", "--store="], "--store: expected the name of a file or a folder, got ''"),
    (["--n", "5", "--arithmetic", "float", "--folder="], "--folder: expected the name of a file"),
    (["verify", ""], "expected the name of a file or a folder, got ''"),
    (["--n", "5", "--upcard", "-2"], "got '-2'"),
    (["--n", "5", "--digits", "-1"], "--digits: expected an integer from 0 to 999999999, got '-1'"),
    (["--n", "5", "--digits", "x"], "got 'x'"),
    (
        ["--n", "5", "--prime", "7"],
        "--prime goes with --arithmetic residue, got it with exact",
    ),
    (["--n", "5", "--emit", "residues", "--digits", "3"], "digits do not go with residue, got 3"),
    (
        ["--n", "5", "--arithmetic", "ball", "--emit", "residues"],
        "--emit residues goes with --arithmetic residue, got it with ball",
    ),
    (
        ["--n", "5", "--arithmetic", "ball", "--emit", "csv"],
        "a format of ball numbers must be one of decimals, json, got 'csv'",
    ),
    (
        ["--n", "5", "--arithmetic", "float", "--emit", "latex"],
        "one of decimals, json, csv, got 'latex'",
    ),
    (
        ["--n", "5", "--arithmetic", "real"],
        "expected one of exact, ball, residue, float, got 'real'",
    ),
    (
        ["--n", "5", "--integers", "no"],
        "--integers goes with --arithmetic float, got it with exact",
    ),
    (
        ["--n", "5", "--integers", "yes", "--arithmetic", "float"],
        "integers must be for objective win",
    ),
    (["--n", "5", "--integers", "maybe"], "--integers: expected one of yes, no, got 'maybe'"),
    (["--n", "5", "--folder", "x"], "--folder goes with --arithmetic float, got it with exact"),
    (["--n", "5", "--arithmetic", "float", "--folder", os.devnull], "--folder: expected a folder"),
    (["--n", "5", "--scheduler", "x", "--jobs", "2"], "--scheduler takes no --jobs"),
    (["--n", "5", "--scheduler", "x"], "expected the address of a Dask scheduler, like"),
    (["--n", "5", "--scheduler", "h:1", "--read-only"], "a store that can be written"),
    (
        ["--n", "10", "--emit", "residues"],
        "n must be at most 9 in ball and residue arithmetic unless",
    ),
    (["--n", "5", "--emit", "residues", "--prime", "10"], "prime must be a prime between"),
    (["growth", "--n", "5", "--store", "/nowhere"], "expected a file that is there"),
    (["--n", "5", "--digits", "4", "--emit", "json"], "digits go with decimals, csv, latex, got 4"),
    (["--n", "5", "--jobs", "0"], "--jobs: expected an integer from 1 to 999, got '0'"),
    (["--n", "5", "--colour"], "unrecognized arguments: --colour"),
    (["--n", "5", "6"], "unrecognized arguments: 6"),
    (["--n", "5", "a\nb"], "unrecognized arguments: a b"),
    (["--em", "csv", "--n", "5"], "unrecognized arguments: --em"),
    (["solve"], "expected an option or one of first-move, "),
    (["verify", "--out", "verdicts.csv"], "--out goes with --published"),
    (["--n", "5", "--out", "/nowhere/at/all"], "got '/nowhere/at/all': No such file"),
    (["--n", "5", "--out", os.devnull], f"can be written, got '{os.devnull}': not"),
    (["--n", "5", "--out", "."], "--out: expected a file that can be written, got '.': not"),
    (
        ["position", "--one", "1", "--two", "2", "--prizes", "random"],
        "expected the prizes left, as",
    ),
    (["position", "--one", "1", "--two", "2", "--prizes", "up:3"], "one of random, hidden, "),
    (["position", "--one", "1", "--two", "2", "--prizes", "3", "--pot", "-1"], "from 0 to"),
    (["position", "--one=", "--two=", "--prizes="], "a card must be a positive integer of at"),
    (["position", "--one", "2,,4", "--two", "1,3", "--prizes", "1,2"], "or one of A, T, J"),
    (
        ["position", "--one", "1", "--two", "2", "--prizes", "3", "--margin", "1e3"],
        "--margin: expected an integer from about -10^300 to about 10^300, got '1e3'",
    ),
    (
        ["position", "--one", "1", "--two", "2", "--prizes", "3", "--margin", "5"],
        "--margin goes with --objective win, got it with points",
    ),
    (
        ["measure", "-n", "3", "--emit", "losses", "--against", "random"],
        "--emit losses takes no --against",
    ),
    (["measure", "-n", "3", "--top", "3"], "--top goes with --emit losses, got it with text"),
    (["tournament", "--prizes", "hidden"], "--prizes: expected one of random, got 'hidden'"),
    (["outcomes", "--n", "3", "--objective", "points"], "expected one of win, got 'points'"),
    (["--n", "5", "--arithmetic", "float", "--store", "x"], "takes neither --store nor"),
    (["--n", "5", "--arithmetic", "float", "--read-only"], "takes neither --store nor"),
    (["measure", "--n", "5", "--policy", "best-response"], "'best-response' is an opponent"),
    (["measure", "--n", "5", "--policy", "Matching"], "a policy must be one of random, "),
    (["measure", "--n", "9", "--policy", "optimal"], "at most 7 in exact arithmetic unless forced"),
    (["tournament", "--lengths", "10,0"], "--lengths: expected an integer from 1 to 1000000, got"),
    (["play", "--n", "3", "--transcript", "/nowhere/x"], "--transcript: expected a file that can"),
    (
        ["export", "--emit", "nfg", "--one", "1", "--prizes", "1"],
        "--two: expected the cards of a hand",
    ),
    (["export", "--emit", "nfg", "--n", "3", "--prizes", "up"], "--prizes: expected random, "),
]


@pytest.mark.usefixtures("unsolvable")
@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_input_is_one_line(words, message, capsys):
    assert cli.main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("gops-exact: ") and message in shown.err
    assert shown.err.endswith("\n") and len(shown.err.splitlines()) == 1


QUICK = {
    "gops-exact": "--n 3",
    "first-move": "--n 3",
    "benchmark": "--n 3 --policy random",
    "completion": "bash",
    "cross-check": "--n 3",
    "explore": "--n 2 --only --out page.html",
    "export": "--emit nfg --n 3 --upcard 2",
    "growth": "--n 3",
    "measure": "--n 3 --policy random --against random",
    "outcomes": "--n 3",
    "patterns": "three.json",
    "position": "--one 2,4 --two 1,3 --prizes 12,13 --upcard 13",
    "play": "--n 2 --seed 1 --bids 1,2",
    "serve": "--n 2 --port 0",
    "store": "info",
    "tournament": "--n 5 --seeds 1 --policy 0203,0205 --lengths 10 --jobs 1",
    "verify": "three.json --jobs 1",
}
"""Arguments with which every command takes no time, in a folder where n = 3 has been solved."""

ODD = ["--", "", " ", "-", "-1", "\0", "a\0b", "\udcff", "٣", "\u202e", "a\nb", "1e5", "NaN", "%s"]
ODD += ["9" * 5000, "x" * 250, "x" * 300, "☃" * 200, "..", "/", "loop", "loop/x", "three.json/x"]
ODD += ["~", "=", "--x", os.devnull]
NAMES_A_FILE = ("FILE", "DIR", "TABLE.csv")


@pytest.fixture
def folder_of_three(own_store, tmp_path, monkeypatch, capsys):  # noqa: ARG001  # the store first
    """Work in a folder of the test's own where n = 3 has been solved, and no server goes on."""
    monkeypatch.setattr("gops_exact.commands.serve.serve", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    Path("loop").symlink_to("loop")
    assert cli.main(["--n", "3", "--emit", "json", "--out", "three.json"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("folder_of_three")
@pytest.mark.parametrize("parser", parsers(), ids=lambda parser: parser.prog)
def test_odd_values_of_every_option(parser, capsys):
    command = parser.prog.split()[-1]
    start = [command.replace("gops-exact", "first-move"), *QUICK[command].split()]
    status, shown = cli.main(start), capsys.readouterr()
    assert (status, shown.err) == (0, "")
    for action in parser._actions:
        option = (action.option_strings or [""])[-1]
        if action.nargs == "A..." or option in ("--help", "--version"):
            continue
        forms = ["{0}={1}", "{0} {1}"] if option and action.nargs is None else ["{0}={1}"]
        for value, form in product(ODD, forms if option else ["{1}"]):
            words = form.format(option, value).split(" ", 1)
            status = cli.main([*start, *words])
            shown = capsys.readouterr()
            assert status in (0, 1, 2), words
            assert len(shown.err.splitlines()) <= 1, words
            if status == 2:
                assert shown.out == "" and shown.err.startswith("gops-exact: "), words
            if words == [f"{option}=--"] and action.metavar not in NAMES_A_FILE:
                assert status == 2, words


@pytest.mark.usefixtures("folder_of_three")
def test_a_file_named_by_two_dashes(capsys):
    assert cli.main(["--n", "2", "--emit", "csv", "--out=--"]) == 0
    assert Path("--").read_text().startswith("upcard,card")
    assert cli.main(["--n", "2", "--out", "--"]) == 2
    assert capsys.readouterr() == ("", "gops-exact: --out: expected one argument\n")
    assert cli.main(["verify", "--", "--"]) == 2
    assert capsys.readouterr().err.startswith("gops-exact: --: ")
    assert cli.main(["verify", "--", "three.json"]) == 0


@pytest.mark.parametrize("words", [["--n", "0"], ["--n", "9"], ["-n"], ["\udcff"]])
def test_wrong_input_from_outside(words):
    done = program(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("python -m gops_exact: ") and len(done.stderr.splitlines()) == 1


def test_version():
    done = program("--version")
    assert (done.returncode, done.stdout) == (0, f"gops-exact {gx.__version__}\n")


def test_out_is_written_whole(tmp_path, capsys):
    target = tmp_path / "moves.json"
    target.write_text("before")
    assert cli.main(["--n", "3", "--emit", "json", "--out", str(target)]) == 0
    assert capsys.readouterr().out == ""
    assert target.read_text() == "".join(emit(gx.first_move(3), "json"))
    assert sorted(tmp_path.glob("*moves*")) == [target]


def test_stdout_by_its_name_is_written_to_not_replaced(tmp_path):
    log = tmp_path / "log"
    log.write_text("before\n")
    with log.open("a") as file:
        done = program("--n", "2", "--emit", "csv", "--out", "/dev/stdout", stdout=file)
    assert (done.returncode, done.stderr) == (0, "")
    assert log.read_text().startswith("before\nupcard,card")
    done = program("--n", "2", "--emit", "csv", "--out", "/dev/stderr")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("upcard,card")


@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_closed_streams(closed):
    done = subprocess.run(  # noqa: S602  # closing streams takes a shell
        f"{sys.executable} -m gops_exact --n 2 --emit csv {closed}",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout.splitlines()[:1]
    assert shown == (["upcard,card,probability,decimal"] if closed == "2>&-" else [])


def test_closed_stdin():
    done = subprocess.run(  # noqa: S602  # closing streams takes a shell
        f"{sys.executable} -m gops_exact play --n 3 --seed 1 <&-",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and "--seed 1" in done.stdout


def test_characters_that_stdout_cannot_encode():
    plain, wide = (
        program("outcomes", "-n", "5", env={**os.environ, "PYTHONIOENCODING": encoding})
        for encoding in ("ascii", "utf-8")
    )
    assert (plain.returncode, plain.stderr) == (0, "")
    assert "…" in wide.stdout and plain.stdout == wide.stdout.replace("…", "?")


def test_csv_has_exact_numbers_in_full_and_tables_have_them_shortened(capsys):
    words = ["outcomes", "-n", "5"]
    assert cli.main([*words, "--emit", "csv"]) == 0
    last = capsys.readouterr().out.splitlines()[-1].split(",")
    least, most = map(Fraction, last[5:])
    assert [f"{float(least):.12f}", f"{float(most):.12f}"] == last[3:5]
    assert cli.main(words) == 0
    shown = capsys.readouterr().out.splitlines()[-1]
    assert f"{float(least):.4f}" in shown and shorten(f"{least}  {most}") in shown
    words = ["measure", "-n", "5", "--policy", "optimal", "--against", "random"]
    assert cli.main([*words, "--emit", "csv"]) == 0
    *_, one, two, difference, decimal = capsys.readouterr().out.splitlines()[-1].split(",")
    assert Fraction(one) - Fraction(two) == Fraction(difference)
    assert f"{float(Fraction(difference)):.12f}" == decimal
    assert cli.main(words) == 0
    cells = capsys.readouterr().out.splitlines()[-1].split("  ")
    assert cells[-2:] == [f"{float(Fraction(difference)):.4f}", shorten(difference)]


def test_a_table_that_is_stopped_shows_what_is_finished(monkeypatch, capsys):
    first, *_ = measurements(gx.Game(3), ["random"], ["random"])

    def stopped(*_args, **_kwargs):
        yield first
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "measurements", stopped)
    assert cli.main(["measure", "-n", "3"]) == 130
    head, line = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["policy", "against"] and line.split()[:2] == ["random", "random"]


class Terminal(io.StringIO):
    """Text that says it is a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("words", "heads"),
    [
        ("-n 7", ["1 2 3 4", "5 6 7"]),
        (
            "measure -n 3 --policy lowest --against random",
            ["policy against one two", "policy against difference exactly"],
        ),
        (
            (
                "tournament -n 5 --seeds 1 --jobs 1 --lengths 10 --policy random,0203,0205,matching "
                "--objective win --ties discard --emit games"
            ),
            ["P2 Random 0203 0205 \\", "P2 matching"],
        ),
        ("outcomes -n 2", ["upcard win least win greatest", "upcard draw least draw greatest"]),
    ],
)
def test_tables_wider_than_the_terminal_go_below_each_other(words, heads, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "40")
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    assert cli.main(words.split()) == 0
    blocks = [block.splitlines() for block in screen.getvalue().split("\n\n")]
    tables = [[line for line in block if " a game, " not in line] for block in blocks]
    tables = [table for table in tables if table and "GOPS" not in table[0]]
    assert all(len(line) <= 40 for table in tables for line in table)
    assert [" ".join(table[0].split()) for table in tables][: len(heads)] == heads
    assert cli.main([*words.split(), "--out", str(tmp_path / "table")]) == 0
    assert max(map(len, (tmp_path / "table").read_text().splitlines())) > 40


def test_a_position(capsys):
    words = ["position", "--one", "2,4", "--two", "1,3", "--prizes", "12,13"]
    assert cli.main([*words, "--upcard", "13"]) == 0
    solution = gx.solve(gx.Position([2, 4], [1, 3], [12, 13], upcard=13))
    assert capsys.readouterr().out == f"{solution}\n"
    assert "1     2   0.4800  12/25" in str(solution)
    assert cli.main(words) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("value 313/25 ≈ 12.5200, over all upcards\n")
    assert str(solution) in shown and shown.count("player  card  decimal  exact") == 2


@pytest.mark.parametrize(
    ("prizes", "order", "upcards"),
    [
        ("2,5,3", "random", [2, 3, 5]),
        ("hidden:2,5,3", "hidden", [None]),
        ("descending:2,5,3", "descending", [5]),
        ("fixed:2,5,3", (2, 5, 3), [2]),
    ],
)
def test_a_position_by_other_rules(prizes, order, upcards, capsys):
    hands = ["--one", "1,2,4", "--two", "2,3,4", "--prizes", prizes]
    rules = ["--objective", "win", "--ties", "carryover", "--margin", "-1", "--pot", "2"]
    assert cli.main(["position", *hands, *rules, "--emit", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    position = gx.Position(
        *([1, 2, 4], [2, 3, 4], [2, 3, 5]),
        rules=gx.Rules("win", "carryover", order),
        margin=-1,
        pot=2,
    )
    assert document["value"] == str(gx.value(position))
    assert [column["upcard"] for column in document["columns"]] == upcards
    for column in document["columns"]:
        solution = gx.solve(position.at(column["upcard"]))
        found = [column[player]["probabilities"] for player in ("one", "two")]
        assert found == [
            {str(card): str(p) for card, p in each.items()}
            for each in (solution.row, solution.column)
        ]


def test_without_words_there_is_a_short_help(capsys):
    assert cli.main([]) == 0
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) < 25
    assert all(f"  {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_groups_and_examples_that_run(name, capsys, monkeypatch):
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    called = "gops-exact" if name == "first-move" else f"gops-exact {name}"
    assert shown.startswith(f"usage: {called} ")
    examples = shown.partition("\nexamples:\n")[2].splitlines()[::2]
    assert examples
    monkeypatch.setattr(module_of(name), "run", lambda _given: 0)
    for example in examples:
        assert example.startswith(f"  {called}")
        assert cli.main([name, *example.split()[called.count(" ") + 1 :]]) == 0


def test_the_help_of_the_program_lists_its_commands():
    done = program("--help", env={**os.environ, "COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: python -m gops_exact [-h] -n N")
    order = [f"\n{title}" for title in ("commands:", *(f"{group}:" for group in GROUPS))]
    places = [done.stdout.index(title) for title in [*order, "\nexamples:"]]
    assert places == sorted(places)
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


def test_floats_take_the_store_in_memory(capsys):
    words = ["--n", "3", "--arithmetic", "float"]
    assert cli.main([*words, "--store", ":memory:"]) == 0
    with_store = capsys.readouterr().out
    assert cli.main(words) == 0
    assert capsys.readouterr().out == with_store
    assert gx.first_move(3, "float", store=":memory:") == gx.first_move(3, "float")


@pytest.mark.parametrize(
    ("answer", "words", "cleared"),
    [
        ("n", [], False),
        ("", [], False),
        (EOFError, [], False),
        ("y", [], True),
        (None, ["--yes"], True),
    ],
)
def test_a_store_is_cleared_when_that_is_meant(answer, words, cleared, monkeypatch, capsys):
    assert cli.main(["--n", "4"]) == 0
    asked = []

    def answered(prompt):
        asked.append(prompt)
        if answer is EOFError:
            raise EOFError
        return answer

    monkeypatch.setattr("builtins.input", answered)
    monkeypatch.setattr("sys.stdin", Terminal())
    assert cli.main(["store", "clear", *words]) == 0
    assert len(asked) == (answer is not None)
    capsys.readouterr()
    assert cli.main(["store", "info"]) == 0
    assert (": 0 entries" in capsys.readouterr().out) == cleared


@pytest.mark.parametrize("typed", ["n\n", "y\n", ""])
def test_without_a_terminal_a_store_is_not_cleared_unasked(typed, monkeypatch, capsys):
    assert cli.main(["--n", "2"]) == 0
    capsys.readouterr()
    assert cli.main(["store", "info"]) == 0
    before = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert cli.main(["store", "clear"]) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and "--yes" in shown.err and len(shown.err.splitlines()) == 1
    assert cli.main(["store", "info"]) == 0
    assert capsys.readouterr().out == before


def test_hidden_prizes_are_measured_with_the_policies_that_can_play(capsys):
    assert cli.main(["measure", "--n", "3", "--prizes", "hidden"]) == 0
    policies = {line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]}
    assert policies == {"random", "highest", "lowest", "optimal"}


def test_what_floats_do_not_prove_is_not_printed(capsys):
    assert cli.main(["--n", "3", "--arithmetic", "float"]) == 0
    shown = capsys.readouterr().out
    assert [line.split()[2] for line in shown.splitlines()[4:7]] == ["?", "?", "?"]
    assert (
        "Every probability shown is exact." in shown and "Nothing is proved at upcard 2:" in shown
    )


def test_an_order_of_prizes_card_by_card_is_exported(capsys):
    words = ["export", "--emit", "nfg", "--n", "4", "--upcard", "4"]
    assert cli.main([*words, "--prizes", "4,1,2,3"]) == 0
    by_card = capsys.readouterr().out
    assert cli.main([*words, "--prizes", "descending"]) == 0
    assert by_card.startswith("NFG 1 R") and by_card != capsys.readouterr().out


def test_out_through_a_link(tmp_path):
    target, link = tmp_path / "moves.csv", tmp_path / "link"
    link.symlink_to(target)
    assert cli.main(["--n", "2", "--emit", "csv", "--out", str(link)]) == 0
    assert link.is_symlink()
    assert target.read_text().startswith("upcard,card")


def test_interrupted(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(first_move, "first_move", interrupt)
    target = tmp_path / "moves.txt"
    target.write_text("before")
    assert cli.main(["--n", "3", "--out", str(target)]) == 130
    again = f"; what is finished is kept, go on with: gops-exact --n 3 --out {target}"
    assert capsys.readouterr().err == f"gops-exact: interrupted{again}\n"
    assert target.read_text() == "before"
    assert list(tmp_path.glob("*moves*")) == [target]


def test_force_starts_a_long_run(monkeypatch):
    monkeypatch.setattr(first_move, "first_move", interrupt)
    assert cli.main(["--n", "8", "--force"]) == 130
    assert cli.main(["--n", "7"]) == 130


def test_a_file_that_is_no_store(tmp_path, capsys):
    path = tmp_path / "notes.txt"
    path.write_text("not a store\n" * 1000)
    assert cli.main(["--n", "3", "--store", str(path)]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("gops-exact: ") and str(path) in shown
    assert len(shown.splitlines()) == 1
    assert path.read_text() == "not a store\n" * 1000


def test_residues_are_the_exact_numbers_modulo_the_prime(capsys):
    assert cli.main(["--n", "4", "--emit", "residues"]) == 0
    document = json.loads(capsys.readouterr().out)
    prime = document["prime"]
    assert (document["arithmetic"], prime) == ("residue", 2**61 - 1)
    moves = gx.first_move(4)
    for column in document["columns"]:
        for card, residue in column["probabilities"].items():
            number = moves[column["upcard"]][int(card)]
            assert residue * int(number.q) % prime == int(number.p)


def test_certified_decimals_are_those_of_the_exact_numbers(capsys):
    assert cli.main(["--n", "5", "--arithmetic", "ball", "--digits", "30"]) == 0
    certified = capsys.readouterr().out.splitlines()
    assert cli.main(["--n", "5", "--digits", "30"]) == 0
    assert certified[1:] == capsys.readouterr().out.splitlines()[1:]


def test_a_published_table_is_compared(capsys, tmp_path):
    five = tmp_path / "five.json"
    assert cli.main(["--n", "5", "--emit", "json", "--out", str(five)]) == 0
    printed = DATA / "rhoads_bartholdi_2012_first_move.csv"
    assert cli.main(["verify", "--published", str(printed), str(five)]) == 0
    assert "25 entries compared, 0 not correctly rounded" in capsys.readouterr().out
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("n,upcard,card,printed_probability\n5,1,1,0.0471\n5,1,2,0.8327\n")
    assert cli.main(["verify", "--published", str(wrong), str(five)]) == 1
    shown = capsys.readouterr().out
    assert "upcard 1, card 1: printed 0.0471, computed 0.046988701, misprint" in shown
    assert "2 entries compared, 1 not" in shown
    # With --out the verdicts are what is asked for.
    verdicts = tmp_path / "verdicts.csv"
    tables = ["--published", str(wrong), "--published", str(printed)]
    assert cli.main(["verify", *tables, str(five), "--out", str(verdicts)]) == 0
    lines = verdicts.read_text().splitlines()
    assert len(lines) == 1 + 2 + 25
    assert lines[1] == "wrong,5,1,1,0.0471,0.046988701493,5E-13,misprint"
    assert lines[-1].startswith("rhoads_bartholdi_2012_first_move,5,5,5,0.8636,0.863594015254,")


def test_a_published_table_is_compared_with_floats(capsys, tmp_path):
    five = tmp_path / "five.csv"
    words = ["--n", "5", "--arithmetic", "float", "--emit", "csv", "--out", str(five)]
    assert cli.main(words) == 0
    printed = DATA / "rhoads_bartholdi_2012_first_move.csv"
    assert cli.main(["verify", "--published", str(printed), str(five)]) == 0
    assert "25 entries compared, 0 not correctly rounded" in capsys.readouterr().out
    # The same file against the exact numbers; then with a line too few.
    store = ["--store", str(tmp_path / "five.sqlite")]
    assert cli.main(["verify", *store, str(five)]) == 0
    assert "5 first moves of n = 5, float, right" in capsys.readouterr().out
    lines = five.read_text().splitlines(keepends=True)
    five.write_text("".join(lines[:-1]))
    assert cli.main(["verify", *store, str(five)]) == 2
    assert "expected 5 fields for every card at every upcard" in capsys.readouterr().err


def test_proved_decimals_are_verified(capsys, tmp_path):
    proved, store = tmp_path / "proved.json", ["--store", str(tmp_path / "five.sqlite")]
    words = ["--n", "5", "--arithmetic", "ball", "--digits", "20", "--emit", "json"]
    assert cli.main([*words, *store, "--out", str(proved)]) == 0
    assert cli.main(["verify", *store, str(proved)]) == 0
    text = proved.read_text()
    proved.write_text(text.replace("0.04698870149337029978", "0.04698870149337029979"))
    assert proved.read_text() != text
    assert cli.main(["verify", *store, str(proved)]) == 1
    assert "card 1 is not correctly rounded" in capsys.readouterr().out


def test_a_false_claim_of_several_strategies_is_refused(capsys, tmp_path):
    four, store = tmp_path / "four.json", ["--store", str(tmp_path / "four.sqlite")]
    assert cli.main(["--n", "4", "--emit", "json", *store, "--out", str(four)]) == 0
    assert cli.main(["verify", *store, str(four)]) == 0
    four.write_text(four.read_text().replace('"unique": true', '"unique": false'))
    assert cli.main(["verify", *store, str(four)]) == 1
    assert "is the only optimal one, but said not to be unique" in capsys.readouterr().out


def test_floats_are_within_their_radii(capsys, tmp_path):
    floats, store = tmp_path / "floats.json", ["--store", str(tmp_path / "six.sqlite")]
    words = ["--n", "6", "--arithmetic", "float"]
    assert cli.main([*words, "--emit", "json", "--out", str(floats)]) == 0
    assert cli.main(["verify", *store, str(floats)]) == 0
    document = json.loads(floats.read_text())
    radii = [radius for column in document["columns"] for radius in column["radii"].values()]
    assert max(radii) < 1e-9
    capsys.readouterr()
    assert cli.main([*words, "--digits", "4"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert cli.main(["--n", "6", "--digits", "4", *store]) == 0
    assert table[1:10] == capsys.readouterr().out.splitlines()[1:10]


def test_floats_say_beforehand_what_they_take(monkeypatch, capsys, tmp_path):
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    words = ["--n", "5", "--arithmetic", "float", "--jobs", "1"]
    assert cli.main([*words, "--folder", str(tmp_path / "layers")]) == 0
    taken = r"960 games: \d+ bytes of memory, \d+ bytes of disk, \S+ s on 1 core"
    assert re.fullmatch(taken, screen.getvalue().splitlines()[0])
    assert capsys.readouterr().out.startswith("GOPS, N = 5")


def test_a_run_is_refused_before_it_says_what_it_takes(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    assert cli.main(["-n", "9", "--store", ":memory:"]) == 2
    assert screen.getvalue().startswith("gops-exact: n must be at most 7")


def test_floats_are_kept_as_integers_or_not(capsys):
    radii = []
    for answer in "yes", "no":
        words = ["--n", "5", "--arithmetic", "float", "--objective", "win", "--integers", answer]
        assert cli.main([*words, "--emit", "csv"]) == 0
        _, *lines = capsys.readouterr().out.splitlines()
        radii.append(max(float(line.split(",")[3]) for line in lines))
    assert radii[1] < 1e-12
    assert radii[0] > 1e-9


def test_exact_against_float(capsys):
    assert cli.main(["cross-check", "--n", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "1 card a side: 5 values",
        "2 cards a side: 60 values",
        "3 cards a side: 210 values",
        "4 cards a side: 50 values",
    ]
    assert cli.main(["cross-check", "--n", "3", "--objective", "win", "--ties", "carryover"]) == 0
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()] == [
        "1 card a side: 46 values",
        "2 cards a side: 36 values",
    ]


def test_a_broken_bound_is_a_failure(capsys, monkeypatch):
    # As if nothing that the sweep rounds were accounted for: brackets are narrower than that.
    monkeypatch.setattr(sweep, "gamma", lambda roundings: 1e-18 * roundings)
    assert cli.main(["cross-check", "--n", "4"]) == 1
    printed = capsys.readouterr()
    assert re.fullmatch(
        r"gops-exact: a value for prizes \([\d, ]+\) is off by \S+, more than its bound \S+\n",
        printed.err,
    )


def test_growth_of_a_solved_game(capsys, tmp_path):
    store = str(tmp_path / "five.sqlite")
    assert cli.main(["--n", "5", "--store", store]) == 0
    capsys.readouterr()
    assert cli.main(["growth", "--n", "5", "--store", store]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "n,cards_a_side,numbers,mean_bits,most_bits,most_digits"
    # 21 stored pairs for each of the ten sets of three prizes; the longest probability of all.
    assert lines[3].startswith("5,3,210,")
    assert lines[5].startswith("5,5,17,") and lines[5].endswith(",1237,373")


def test_out_of_memory(monkeypatch, capsys):
    def exhausted(*_args, **_kwargs):
        raise MemoryError

    monkeypatch.setattr(first_move, "first_move", exhausted)
    assert cli.main(["--n", "3"]) == 1
    assert capsys.readouterr().err == "gops-exact: out of memory\n"


def test_the_reader_of_a_pipe_goes_away():
    # 600 kB, more than a pipe holds.
    with subprocess.Popen(
        [sys.executable, "-m", "gops_exact", "--n", "6", "--emit", "csv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.read(6) == b"upcard"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_a_pipe_without_a_reader(monkeypatch):
    # A short text, buffered, fails no earlier than in the last flush, and must not fail again at
    # exit.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = program("--n", "3", stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", ["--n 3", "", "--help", "position --help", "--version"])
def test_a_full_disk(words, unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with FULL.open("w") as full:
        done = program(*words.split(), stdout=full)
    message = "python -m gops_exact: stdout: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, message)


@pytest.mark.parametrize("columns", ["1", "2"])
@pytest.mark.parametrize("words", ["--help", "-n 3", "position --one 2 --two 1 --prizes 3"])
def test_a_terminal_of_few_columns(words, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    done = program(*words.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("words", [["--n", "3"], [], ["position"], ["verify"]])
def test_control_characters_of_an_argument_are_told_as_escapes(words, capsys):
    assert cli.main([*words, "--\x1b[31m\x07\x9b\u202e"]) == 2
    shown = capsys.readouterr().err
    assert shown.removesuffix("\n").isprintable()
    assert cli.main(["--n", "3", "\x1b[31m\x07"]) == 2
    assert r"unrecognized arguments: \x1b[31m\x07" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="only there is the address space limited")
@pytest.mark.parametrize(
    ("megabytes", "arithmetic", "message"),
    [
        (400, "float", "compiled kernels must have 1000 MB of address space, got 400 MB"),
        (240, "exact", "processes and their threads must have 256 MB of address space, got 240 MB"),
    ],
)
def test_too_little_address_space_is_told_of(megabytes, arithmetic, message):
    code = (
        "import sys; from resource import RLIM_INFINITY, RLIMIT_AS, setrlimit\n"
        "from gops_exact.cli import main\n"
        f"setrlimit(RLIMIT_AS, ({megabytes} * 10**6, RLIM_INFINITY))\n"
        f"sys.exit(main(['--n', '3', '--arithmetic', '{arithmetic}']))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == f"gops-exact: {message} (ulimit -v)\n"
