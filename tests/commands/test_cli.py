"""The command line: what it prints, what it refuses and how, what it leaves behind."""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from places import DATA, PACKAGE

import gops_exact as gx
from gops_exact.base.progress import compiling
from gops_exact.commands import COMMANDS, cli, first_move, measure, module_of
from gops_exact.commands.completion import parsers
from gops_exact.commands.options import GROUPS
from gops_exact.extensive import equilibrium
from gops_exact.numbers.digits import shorten
from gops_exact.players.measure import measurements
from gops_exact.solvers.exact import by_prizes
from gops_exact.solvers.floats import sweep
from gops_exact.solvers.formats import emit

FULL = Path("/dev/full")

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture
def unsolvable(monkeypatch):
    """Let any attempt to solve a game fail."""

    def never(*_args, **_kwargs):
        raise AssertionError("a game was about to be solved")

    monkeypatch.setattr(by_prizes.Worker, "do", never)
    monkeypatch.setattr(equilibrium, "_Programme", never)


@pytest.fixture
def run(capsys):
    """Run the program in this process; stdout, after an end as expected without a word on stderr."""

    def running(words, status=0):
        compiling.clear()  # what a terminal in another test was shown
        assert cli.main(shlex.split(words)) == status
        shown = capsys.readouterr()
        assert shown.err == ""
        return shown.out

    return running


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


class Terminal(io.StringIO):
    """Text that says it is a terminal."""

    def isatty(self):
        return True


def test_the_fraction_published_in_2012(run):
    published = (DATA / "rhoads_bartholdi_2012_n5_top_entry.txt").read_text().strip()
    assert f"\n  1  {published}\n" in run("--n 5 --emit fractions")


def test_decimals_are_the_default(run):
    assert run("first-move --n 3") == "".join(emit(gx.first_move(3), "decimals"))
    exact, proved = run("--n 5 --digits 30"), run("--n 5 --arithmetic ball --digits 30")
    assert exact.splitlines()[1:] == proved.splitlines()[1:]


@pytest.mark.parametrize(
    ("words", "upcards"),
    [
        ("--upcard 4", [4]),
        ("--upcard 3,A", [3, 1]),
        ("--upcard 3 --upcard=a,2", [3, 1, 2]),
        ("--upcard 2,2 --upcard 2", [2]),
    ],
)
def test_upcards(words, upcards, run):
    columns = json.loads(run(f"--n 4 --emit json {words}"))["columns"]
    assert [column["upcard"] for column in columns] == upcards


N = "--n: expected an integer from 1 to 28, got "
CARD = "a card must be an integer of at most 9 digits or one of A, T, J, Q, K, got "
NAME = "expected the name of a file or a folder, got ''"
IN_ORDER = "or the prizes in order, as 3,1,2, each of at most 9 digits, got "
SMALL = "position --one 1 --two 2 --prizes"
WRONG = {
    "--emit csv": "required: -n/--n",
    "--n": "--n: expected one argument",
    **{f"--n '{n}'": f"{N}{n!r}" for n in ("0", "-1", "x", "1.5", "٣", "1_0", "", "29", "2\n3")},
    f"--n {'9' * 5000}": f"{N}'999",
    "--n 8": "n must be at most 7 in exact arithmetic unless forced (--force, force=True), got 8: "
    "about 200",
    "hidden-bids -n 5": "n must be at most 4 with hidden bids and prizes random unless forced (--force, ",
    "hidden-bids -n 6 --prizes all --emit csv": "prizes in every order unless forced (--force, force=True), "
    "got 6: 74 thousand sequences, at least 60.0 h on one core",
    "--n 5 --emit xml": "expected one of fractions, decimals, json, csv, latex, digests",
    "--n 5 --upcard 6": "--upcard: expected cards from 1 to 5, got '6'",
    "--n 5 --upcard ''": CARD,
    "--n 5 --prizes 9999999999,1": "as 3,1,2, each of at most 9 digits, got '99999999",
    "--n 5 --out ''": f"--out: {NAME}",
    "--n 5 --store=": f"--store: {NAME}",
    "--n 5 --arithmetic float --folder=": "--folder: expected the name of a file",
    "verify ''": NAME,
    "--n 5 --digits -1": "--digits: expected an integer from 0 to 999999999, got '-1'",
    "--n 5 --digits 4 --emit json": "digits go with decimals, csv, latex, got 4",
    "--n 5 --prime 7": "--prime goes with --arithmetic residue, got it with exact",
    "--n 5 --emit residues --prime 10": "prime must be a prime between",
    "--n 5 --arithmetic ball --emit csv": "of ball numbers must be one of decimals, json, got 'csv'",
    "--n 5 --arithmetic real": "expected one of exact, ball, residue, float, got 'real'",
    "--n 5 --integers no": "--integers goes with --arithmetic float, got it with exact",
    "--n 5 --integers yes --arithmetic float": "integers must be for objective win",
    "--n 5 --integers maybe": "--integers: expected one of yes, no, got 'maybe'",
    "--n 5 --folder x": "--folder goes with --arithmetic float, got it with exact",
    f"--n 5 --arithmetic float --folder {os.devnull}": "--folder: expected a folder",
    "--n 5 --arithmetic float --store x": "takes neither --store nor",
    "--n 5 --scheduler x --jobs 2": "--scheduler takes no --jobs",
    "--n 5 --scheduler x": "expected the address of a Dask scheduler, like",
    "--n 5 --scheduler h:1 --read-only": "a store that can be written",
    "growth --n 5 --store /nowhere": "expected a file that is there",
    "--n 5 --jobs 0": "--jobs: expected an integer from 1 to 999, got '0'",
    "--n 5 --colour": "unrecognized arguments: --colour",
    "--n 5 6": "unrecognized arguments: 6",
    "--n 5 'a\nb'": "unrecognized arguments: a b",
    "solve": "expected an option or one of first-move, ",
    "exprot": "got 'exprot'; did you mean export?",
    "--n 5 --out /nowhere/at/all": "got '/nowhere/at/all': No such file",
    f"--n 5 --out {os.devnull}": f"can be written, got '{os.devnull}': not",
    "--n 5 --out .": "--out: expected a file that can be written, got '.': not",
    "verify --out verdicts.csv": "--out goes with --published",
    "verify moves.json --up-to 1": "--up-to goes with a store, got it with files",
    "verify moves.json --deck 0,1": "--prizes and --deck go with csv files, which do not name their",
    "position 2_1_3 --jobs 2": "--jobs goes with --arithmetic float, got it with exact",
    "position 2_1_3 --arithmetic ball --jobs 2": "--jobs goes with --arithmetic float, got it with ball",
    f"{SMALL} random": "expected the prizes left, as",
    f"{SMALL} up:3": "one of random, hidden, ",
    f"{SMALL} 3 --pot -1": "from 0 to",
    f"{SMALL} 3 --margin 1e3": "expected an integer from about -10^300 to about 10^300, got '1e3'",
    f"{SMALL} 3 --margin 5": "--margin goes with --objective win, got it with points",
    "position --one= --two= --prizes=": CARD,
    "measure -n 3 --emit losses --against random": "--emit losses takes no --against",
    "measure -n 3 --top 3": "--top goes with --emit losses, got it with text",
    "measure --n 5 --policy best-response": "'best-response' is an opponent",
    "outcomes --n 3 --objective points": "expected one of win, got 'points'",
    "tournament --prizes hidden": "--prizes: expected one of random, got 'hidden'",
    "tournament --lengths 10,0": "--lengths: expected an integer from 1 to 1000000, got",
    "play --n 14 --objective win": "n = 14",
    "play --n 3 --bids 4": "--bids: expected different cards from 1 to 3, got '4'",
    "play --n 3 --policy nobody": "expected one of random, matching",
    "play --n 3 --policy matching --prizes hidden": "needs to see the upcard",
    "play --n 3 --transcript /nowhere/x": "--transcript: expected a file that can",
    "export --emit nfg --n 3 --prizes up": "--prizes: expected random, ",
    "export --emit efg --n 3 --arithmetic float": "--emit efg goes with --arithmetic exact, got float",
    "--n 4 --objective loss": "--objective: expected one of points, win, got 'loss'",
    "--n 4 --prizes sorted": f"{IN_ORDER}'sorted'",
    "--n 4 --prizes 3,1": "prizes in order must be 1, 2, 3, 4 in some order, got 3, 1",
    "--n 4 --prizes hidden --upcard 2": "--upcard does not go with --prizes hidden",
    "--n 4 --prizes descending --upcard 2": "must be 4 with prizes descending, got 2",
    f"{SMALL} 3 --arithmetic float --store here": "neither store nor read_only, got store 'here'",
    f"{SMALL} 3 --arithmetic float --digits 7 --emit json": "or exact or float with --emit text, got "
    "it with float and json",
}


@pytest.mark.usefixtures("unsolvable")
@pytest.mark.parametrize("words", WRONG)
def test_wrong_input_is_one_line(words, capsys):
    assert cli.main(shlex.split(words)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("gops-exact: ") and WRONG[words] in shown.err
    assert shown.err.endswith("\n") and len(shown.err.splitlines()) == 1


QUICK = {
    "gops-exact": "--n 3",
    "first-move": "--n 3",
    "completion": "bash",
    "cross-check": "--n 3",
    "explore": "--n 2 --only --out page.html",
    "export": "--emit nfg --n 3 --upcard 2",
    "growth": "--n 3",
    "measure": "--n 3 --policy random --against random",
    "hidden-bids": "--n 3",
    "matrix": "game.csv",
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
    monkeypatch.setattr(
        "gops_exact.commands.application.serve", lambda _app, _opened, prepare: prepare()
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    Path("loop").symlink_to("loop")
    Path("game.csv").write_text("3,-1\n1,2\n")
    assert cli.main(["--n", "3", "--emit", "json", "--out", "three.json"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("folder_of_three")
@pytest.mark.parametrize("parser", parsers(), ids=lambda parser: parser.prog)
def test_odd_values_of_every_option(parser, capsys):
    command = parser.prog.split()[-1]
    start = [command.replace("gops-exact", "first-move"), *QUICK[command].split()]
    status, shown = cli.main(start), capsys.readouterr()
    log = 2 if command == "serve" else 0  # lines of a run that is not refused
    assert (status, len(shown.err.splitlines())) == (0, log)
    for action in parser._actions:
        option = (action.option_strings or [""])[-1]
        if action.nargs == "A..." or option in ("--help", "--version"):
            continue
        cases = [[f"{option}={value}" if option else value] for value in ODD]
        if option and action.nargs is None:  # what is an option of its own, or nothing
            cases += [[option, value] for value in ODD if value[:1] in ("", "-")]
        for words in cases:
            status = cli.main([*start, *words])
            shown = capsys.readouterr()
            assert status in (0, 1, 2), words
            assert len(shown.err.splitlines()) <= (1 if status else max(1, log)), words
            if status == 2:
                assert shown.out == "" and shown.err.startswith("gops-exact: "), words
            if words == [f"{option}=--"] and action.metavar not in NAMES_A_FILE:
                assert status == 2, words


def test_wrong_input_from_outside():
    done = program("\udcff")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("python -m gops_exact: ") and len(done.stderr.splitlines()) == 1


def test_out_is_written_whole(tmp_path, run):
    target = tmp_path / "moves.json"
    target.write_text("before")
    assert run(f"--n 3 --emit json --out '{target}'") == ""
    assert target.read_text() == "".join(emit(gx.first_move(3), "json"))
    assert sorted(tmp_path.glob("*moves*")) == [target]


def test_a_stream_by_its_name_is_written_to_not_replaced(tmp_path, monkeypatch, capsys):
    log = tmp_path / "log"
    log.write_text("before\n")
    with log.open("a") as file, monkeypatch.context() as patched:
        patched.setattr("sys.stdout", file)
        assert cli.main(["--n", "2", "--emit", "csv", "--out", "/dev/stdout"]) == 0
    assert log.read_text().startswith("before\nupcard,card")
    assert cli.main(["--n", "2", "--emit", "csv", "--out", "/dev/stderr"]) == 0
    assert capsys.readouterr().err.startswith("upcard,card")


@pytest.mark.parametrize(
    ("words", "closed", "status", "shown"),
    [
        ("--n 2 --emit csv", ">&-", 0, ""),
        ("--n 2 --emit csv", "2>&-", 0, "upcard,card,probability,decimal"),
        ("play --n 2 --seed 1", "<&-", 1, "GOPS, N = 2"),
    ],
)
def test_closed_streams(words, closed, status, shown):
    shell = ["sh", "-c", f'"$0" -m gops_exact {words} {closed}', sys.executable]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, "")
    assert done.stdout.startswith(shown) and bool(done.stdout) == bool(shown)


def test_characters_that_stdout_cannot_encode(monkeypatch, run):
    words = "position --one 2,4 --two 1,3 --prizes 12,13"
    wide, plain = run(words), io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", plain)
    assert cli.main(words.split()) == 0
    assert "≈" in wide and plain.buffer.getvalue().decode() == wide.replace("≈", "?")


def test_csv_has_exact_numbers_in_full_and_tables_have_them_shortened(run):
    last = run("outcomes -n 4 --ties carryover --emit csv").splitlines()[-1].split(",")
    least, most = map(Fraction, last[5:])
    assert [f"{float(least):.12f}", f"{float(most):.12f}"] == last[3:5]
    shown = run("outcomes -n 4 --ties carryover").splitlines()[-1]
    assert f"{float(least):.4f}" in shown and shorten(f"{least}  {most}") in shown
    words = "measure -n 4 --ties carryover --policy optimal --against random"
    last = run(f"{words} --emit csv").splitlines()[-1]
    *_, one, two, difference, decimal = last.split(",")
    assert Fraction(one) - Fraction(two) == Fraction(difference)
    assert f"{float(Fraction(difference)):.12f}" == decimal
    cells = run(words).splitlines()[-1].split("  ")
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


@pytest.mark.parametrize(
    ("words", "heads"),
    [
        ("-n 5", ["1 2 3 4", "5"]),
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


def test_a_position(run):
    words = "position --one 2,4 --two 1,3 --prizes 12,13"
    solution = gx.solve(gx.Position([2, 4], [1, 3], [12, 13], upcard=13))
    assert run(f"{words} --upcard 13") == f"{solution}\n"
    assert "1     2   0.4800  12/25" in str(solution)
    shown = run(words)
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
def test_a_position_by_other_rules(prizes, order, upcards, run):
    hands = f"--one 1,2,4 --two 2,3,4 --prizes {prizes}"
    rules = "--objective win --ties carryover --margin -1 --pot 2"
    document = json.loads(run(f"position {hands} {rules} --emit json"))
    rules = gx.Rules("win", "carryover", order)
    position = gx.Position([1, 2, 4], [2, 3, 4], [2, 3, 5], rules=rules, margin=-1, pot=2)
    assert document["value"] == str(gx.value(position))
    assert [column["upcard"] for column in document["columns"]] == upcards
    for column in document["columns"]:
        solution = gx.solve(position.at(column["upcard"]))
        for player, each in (("one", solution.row), ("two", solution.column)):
            shares = {str(card): str(p) for card, p in each.items()}
            assert column[player]["probabilities"] == shares


def test_without_words_there_is_a_short_help(run):
    shown = run("")
    assert len(shown.splitlines()) < 8 + len(COMMANDS)  # a screen
    assert all(f"  {name} " in shown for name in COMMANDS)


@pytest.fixture
def helped(capsys):
    """Ask for a help or the version; stdout."""

    def asking(*words):
        with pytest.raises(SystemExit) as ended:
            cli.main(list(words))
        shown = capsys.readouterr()
        assert (ended.value.code, shown.err) == (0, "")
        return shown.out

    return asking


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_groups_and_examples_that_run(name, helped, monkeypatch):
    shown = helped(name, "--help")
    called = "gops-exact" if name == "first-move" else f"gops-exact {name}"
    assert shown.startswith(f"usage: {called} ")
    examples = shown.partition("\nexamples:\n")[2].splitlines()[::2]
    assert examples
    monkeypatch.setattr(module_of(name), "run", lambda _given: 0)
    for example in examples:
        assert example.startswith(f"  {called}")
        assert cli.main([name, *example.split()[called.count(" ") + 1 :]]) == 0


def test_the_help_of_the_program_lists_its_commands_and_it_has_a_version(helped, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert helped("--version") == f"gops-exact {gx.__version__}\n"
    shown = helped("--help")
    assert shown.startswith("usage: gops-exact [-h] -n N")
    order = [f"\n{title}" for title in ("commands:", *(f"{group}:" for group in GROUPS))]
    places = [shown.index(title) for title in [*order, "\nexamples:"]]
    assert places == sorted(places)
    assert all(f"  {name} " in shown for name in COMMANDS)


def test_floats_take_the_store_in_memory(run):
    words = "--n 3 --arithmetic float"
    assert run(f"{words} --store :memory:") == run(words)
    assert gx.first_move(3, "float", store=":memory:") == gx.first_move(3, "float")


@pytest.mark.parametrize(
    ("answer", "words", "cleared"),
    [
        ("n", "", False),
        ("", "", False),
        (EOFError, "", False),
        ("y", "", True),
        (None, "--yes", True),
    ],
)
def test_a_store_is_cleared_when_that_is_meant(answer, words, cleared, monkeypatch, run):
    run("--n 3")
    asked = []

    def answered(prompt):
        asked.append(prompt)
        if answer is EOFError:
            raise EOFError
        return answer

    monkeypatch.setattr("builtins.input", answered)
    monkeypatch.setattr("sys.stdin", Terminal())
    run(f"store clear {words}")
    assert len(asked) == (answer is not None)
    assert (": 0 entries" in run("store info")) == cleared


def test_the_contents_of_a_store_as_records_are_those_of_its_tables(run, capsys):
    for words in ("--n 4", "--n 3 --emit residues", "--n 3 --objective win --prizes 2,1,3"):
        run(words)
    kept = json.loads(run("store info --emit json"))
    count, nbytes = (sum(each[name] for each in kept) for name in ("count", "bytes"))
    first, *lines = (" ".join(line.split()) for line in run("store info").splitlines())
    assert f": {count:,} entries, {nbytes:,} bytes" in first
    assert len([line for line in lines if line.startswith(("opening", "value"))]) == len(kept)
    assert len(run("store info --emit csv").splitlines()) == len(kept) + 1
    assert cli.main(["store", "check", "--emit", "json"]) == 2
    assert "--emit json goes with info, got it with check" in capsys.readouterr().err


@pytest.mark.parametrize("typed", ["n\n", "y\n", ""])
def test_without_a_terminal_a_store_is_not_cleared_unasked(typed, monkeypatch, run, capsys):
    run("--n 2")
    before = run("store info")
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert cli.main(["store", "clear"]) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and "--yes" in shown.err and len(shown.err.splitlines()) == 1
    assert run("store info") == before


def test_hidden_prizes_are_measured_with_the_policies_that_can_play(run):
    lines = run("measure --n 3 --prizes hidden").splitlines()[1:]
    assert {line.split()[0] for line in lines} == {"random", "highest", "lowest", "optimal"}


def test_what_floats_do_not_prove_is_not_printed(run):
    shown = run("--n 3 --arithmetic float")
    assert [line.split()[2] for line in shown.splitlines()[4:7]] == ["?", "?", "?"]
    assert (
        "Every probability shown is exact." in shown and "Nothing is proved at upcard 2:" in shown
    )


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (KeyboardInterrupt, 130, "interrupted; what is finished is kept, go on with: gops-exact "),
        (MemoryError, 1, "out of memory"),
    ],
)
def test_a_run_that_ends_early_says_why(error, status, message, tmp_path, monkeypatch, capsys):
    def ending(*_args, **_kwargs):
        raise error

    monkeypatch.setattr(first_move, "solver", ending)
    target = tmp_path / "moves.txt"
    target.write_text("before")
    words = ["--n", "3", "--out", str(target)]
    assert cli.main(words) == status
    shown = capsys.readouterr().err
    assert shown.startswith(f"gops-exact: {message}") and len(shown.splitlines()) == 1
    assert (shlex.join(words) in shown) == (status == 130)
    assert target.read_text() == "before"
    assert list(tmp_path.glob("*moves*")) == [target]


@pytest.mark.usefixtures("unsolvable")
def test_force_starts_a_long_run():
    for words in (["--n", "8", "--force"], ["--n", "7"]):
        with pytest.raises(AssertionError, match="about to be solved"):
            cli.main(words)


def test_a_published_table_is_compared(run, tmp_path):
    five, wrong, verdicts = (tmp_path / name for name in ("five.json", "wrong.csv", "verdicts.csv"))
    run(f"--n 5 --emit json --out '{five}'")
    printed = DATA / "rhoads_bartholdi_2012_first_move.csv"
    shown = run(f"verify --published '{printed}' '{five}'")
    assert "25 entries compared, 0 not correctly rounded" in shown
    wrong.write_text("n,upcard,card,printed_probability\n5,1,1,0.0471\n5,1,2,0.8327\n")
    shown = run(f"verify --published '{wrong}' '{five}'", 1)
    assert "upcard 1, card 1: printed 0.0471, computed 0.046988701, misprint" in shown
    assert "2 entries compared, 1 not" in shown
    # With --out the verdicts are what is asked for.
    run(f"verify --published '{wrong}' --published '{printed}' '{five}' --out '{verdicts}'")
    lines = verdicts.read_text().splitlines()
    assert len(lines) == 1 + 2 + 25
    assert lines[1] == "wrong,5,1,1,0.0471,0.046988701493,5E-13,misprint"
    assert lines[-1].startswith("rhoads_bartholdi_2012_first_move,5,5,5,0.8636,0.863594015254,")


def test_whatever_is_refuted_ends_with_1(run, tmp_path, capsys):
    """Also beside a comparison with a printed table, whose own verdict --out turns into a file."""
    three, printed, right, wrong, verdicts = (
        tmp_path / name
        for name in ("three.json", "printed.csv", "right.json", "wrong.json", "out.csv")
    )
    run(f"--n 3 --emit json --out {three}")
    solved = gx.solve_matrix_game([[3, -1], [1, 2]]).emit("json")
    right.write_text(solved)
    wrong.write_text(solved.replace('"7/5"', '"6/5"'))
    for number, agrees in (("0.556", True), ("0.7", False)):
        printed.write_text(f"n,upcard,card,printed_probability\n3,2,2,{number}\n")
        for solution, refuted in ((right, False), (wrong, True)):
            words = f"verify {three} {solution} --published {printed}"
            shown = run(words, int(refuted or not agrees))
            assert ("matrix game, wrong" in shown) == refuted
            assert f"1 entries compared, {1 - agrees} not" in shown
            run(f"{words} --out {verdicts}", int(refuted))
    for option in ("--store :memory:", "--jobs 2"):
        for words in (f"{three} --published {printed}", f"{right}"):
            assert cli.main(shlex.split(f"verify {words} {option}")) == 2
            assert "goes with first moves to be proved" in capsys.readouterr().err


def test_floats_say_beforehand_what_they_take(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stderr", screen := Terminal())
    words = [
        "--n",
        "5",
        "--arithmetic",
        "float",
        "--jobs",
        "1",
        "--folder",
        str(tmp_path / "layers"),
    ]
    assert cli.main(words) == 0
    taken = r"960 games: \d+ bytes of memory, \d+ bytes of disk, \S+ s on 1 core"
    assert re.fullmatch(taken, screen.getvalue().splitlines()[0])


def test_a_run_is_refused_before_it_says_what_it_takes(monkeypatch):
    monkeypatch.setattr("sys.stderr", screen := Terminal())
    assert cli.main(["-n", "9", "--store", ":memory:"]) == 2
    assert screen.getvalue().startswith("gops-exact: n must be at most 7")


def test_floats_are_kept_as_integers_or_not(run):
    radii = []
    for answer in "yes", "no":
        words = f"--n 5 --arithmetic float --objective win --integers {answer} --emit csv"
        radii.append(max(float(line.split(",")[3]) for line in run(words).splitlines()[1:]))
    assert radii[1] < 1e-12
    assert radii[0] > 1e-9


def test_exact_against_float(run):
    def checked(words):
        return [line.split(",")[0] for line in run(f"cross-check {words}").splitlines()]

    assert checked("--n 5") == [
        "1 card a side: 5 values",
        "2 cards a side: 60 values",
        "3 cards a side: 210 values",
        "4 cards a side: 50 values",
    ]
    assert checked("--n 3 --objective win --ties carryover") == [
        "1 card a side: 46 values",
        "2 cards a side: 36 values",
    ]


def test_a_broken_bound_is_a_failure(capsys, monkeypatch):
    # As if nothing that the sweep rounds were accounted for: brackets are narrower than that.
    monkeypatch.setattr(sweep, "gamma", lambda roundings: 1e-18 * roundings)
    assert cli.main(["cross-check", "--n", "4"]) == 1
    message = r"gops-exact: a value for prizes \([\d, ]+\) is off by \S+, more than its bound \S+\n"
    assert re.fullmatch(message, capsys.readouterr().err)


def test_growth_of_a_solved_game(run):
    run("--n 5")
    lines = run("growth --n 5").splitlines()
    assert lines[0] == "n,cards_a_side,numbers,mean_bits,most_bits,most_digits"
    # 21 stored pairs for each of the ten sets of three prizes; the longest probability of all.
    assert lines[3].startswith("5,3,210,")
    assert lines[5].startswith("5,5,17,") and lines[5].endswith(",1237,373")


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
@pytest.mark.parametrize(("words", "unbuffered"), [("--n 3", ""), ("", "1"), ("--help", "")])
def test_a_full_disk(words, unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with FULL.open("w") as full:
        done = program(*words.split(), stdout=full)
    message = "python -m gops_exact: stdout: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, message)


@pytest.mark.parametrize("columns", ["1", "2"])
def test_a_terminal_of_few_columns(columns, monkeypatch, helped, run):
    monkeypatch.setenv("COLUMNS", columns)
    assert helped("--help") and run("-n 3") and run("position --one 2 --two 1 --prizes 3")


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
        "from gops_exact.commands.cli import main\n"
        f"setrlimit(RLIMIT_AS, ({megabytes} * 10**6, RLIM_INFINITY))\n"
        f"sys.exit(main(['--n', '3', '--arithmetic', '{arithmetic}']))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == f"gops-exact: {message} (ulimit -v)\n"


NUMBERS = {
    "growth -n 3": "most_digits",
    "outcomes -n 2": "exact_draw_least",
    "outcomes -n 2 --arithmetic float": "lacking",
    "measure -n 2 --policy random": "difference",
    "tournament -n 5 --seeds 2 --lengths 10 --policy random,matching": "two_standard_errors",
    "patterns three.json": "verdict",
}


@pytest.mark.usefixtures("folder_of_three")
@pytest.mark.parametrize("words", NUMBERS)
def test_json_has_the_fields_of_csv(words, capsys):
    shown = {}
    for fmt in ("csv", "json"):
        assert cli.main([*words.split(), "--emit", fmt]) == 0
        shown[fmt] = capsys.readouterr().out
    lines = list(csv.DictReader(shown["csv"].splitlines()))
    records = json.loads(shown["json"])
    schema = PACKAGE / "base/schemas/records-1.json"
    pytest.importorskip("jsonschema").validate(records, json.loads(schema.read_text()))
    assert records and NUMBERS[words] in records[0]
    for line, record in zip(lines, records, strict=True):
        as_csv = {head: "" if field is None else str(field) for head, field in record.items()}
        assert {*as_csv} == {*line}
        assert all(as_csv[head] == line[head] for head in line)


def test_the_end_of_a_name_says_the_format(own_store, tmp_path):  # noqa: ARG001
    begins = {"json": "{", "csv": "upcard,", "tex": "% GOPS", "txt": "GOPS", "other": "GOPS"}
    for end, beginning in begins.items():
        file = tmp_path / f"two.{end}"
        assert cli.main(["-n", "2", "--out", str(file)]) == 0
        assert file.read_text().startswith(beginning)
        assert cli.main(["-n", "2", "--emit", "fractions", "--out", str(file)]) == 0
        assert "exact" in file.read_text()
    assert cli.main(["growth", "-n", "2", "--out", str(tmp_path / "growth.json")]) == 0
    assert json.loads((tmp_path / "growth.json").read_text())[0]["n"] == 2


def test_two_names_of_the_format_for_people(own_store, capsys):  # noqa: ARG001
    shown = []
    for words in ("-n 2", "position 2.4_1.3_12.13@13"):
        for fmt in ("text", "decimals"):
            assert cli.main([*words.split(), "--emit", fmt]) == 0
            shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] and shown[2] == shown[3]


def test_a_position_at_several_upcards(own_store, capsys):  # noqa: ARG001
    words = "position 1.2.3_1.2.3_4.12.13 --upcard K,Q --emit json"
    assert cli.main(words.split()) == 0
    assert [each["upcard"] for each in json.loads(capsys.readouterr().out)["columns"]] == [13, 12]
