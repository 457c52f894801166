"""The command line, beyond what the transcripts show: one answer in several forms, and words to a terminal."""

import csv
import json
import re

import pytest
from oracle_checks import schema
from program import run
from project_paths import ROOT

pytestmark = pytest.mark.usefixtures("own_store")


def printed(words):
    """What a command prints that ends well without a word on stderr."""
    ended = run(words)
    assert (ended.status, ended.err) == (0, ""), words
    return ended.out


@pytest.mark.parametrize(
    ("words", "others"),
    [
        ("-n 3", "first-move --n=3 --emit decimals"),
        ("-n 3 --arithmetic float", "-n 3 --arithmetic float --store :memory:"),
        ("position 2.4_1.3_12.13@13", "position --one 2,4 --two 3,A --prizes Q,K --upcard K"),
        ("position 2.4_1.3_12.13", "position 2.4_1.3_12.13 --upcard 12,13 --emit text"),
        ("position 2.4_1.3_12.13_w", "position --one 4,2 --two 1,3 --prizes 12,13 --objective win"),
    ],
)
def test_equivalent_command_lines_print_the_same(words, others):
    for more in ("", " --emit json"):
        last = "" if "--emit" in others else more
        assert printed(words + last) == printed(others + last)


NUMBERS = {
    "outcomes -n 2": "exact_draw_least",
    "measure -n 2 --policy random": "difference",
    "store info": "longest_bits",
}


@pytest.mark.parametrize("words", NUMBERS)
def test_commands_print_the_same_numbers_as_json_and_as_csv(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed("-n 3 --out three.json")
    lines = list(csv.DictReader(printed(f"{words} --emit csv").splitlines()))
    records = json.loads(printed(f"{words} --emit json"))
    assert schema("records-1").is_valid(records) and NUMBERS[words] in records[0]
    for line, record in zip(lines, records, strict=True):
        assert line == {key: "" if value is None else str(value) for key, value in record.items()}


@pytest.mark.parametrize("words", ["-n 3", "position 2_1_3", "verify", "store info"])
def test_errors_escape_control_characters_of_arguments(words):
    for argument, shown in (("--\x1b[31m\x9b\u202e", r"--\x1b[31m\x9b\u202e"), ("--a\nb", "--a b")):
        status, out, err = run([*words.split(), argument])
        assert (status, out, len(err.splitlines())) == (2, "", 1)
        assert err.removesuffix("\n").isprintable() and shown in err


def test_float_first_moves_announce_their_cost_on_a_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run("-n 5 --arithmetic float --jobs 1 --folder layers", terminal=[2]).err
    taken = r"960 games: \S+ kB of memory, \S+ (kB|bytes) of disk, less than a second on 1 core"
    assert re.fullmatch(taken, told.splitlines()[0])
    assert run("-n 9", terminal=[2]).err.startswith("gops-exact: n must be at most 7")


@pytest.mark.parametrize("command", ["export --emit nfg", "position"])
def test_commands_that_only_read_a_folder_of_float_values_do_not_create_it(command, tmp_path):
    folder = tmp_path / "layers"
    words = [*command.split(), "2.4_1.3_12.13@13", "--arithmetic", "float"]
    assert run([*words, "--folder", str(folder)]).status == 0
    assert not folder.exists()


@pytest.mark.parametrize("command", ["first-move", "measure --policy optimal", "play --no-review"])
def test_commands_take_float_values_from_a_folder_that_cannot_be_written(
    command, tmp_path, monkeypatch
):
    words = ["-n", "3", "--arithmetic", "float", "--folder", str(tmp_path)]
    assert run(words).status == 0
    monkeypatch.setattr("os.access", lambda *_: False)
    assert run([*command.split(), *words], b"3\n2\n").status == 0


def test_verify_refuses_float_first_moves_of_twelve_cards_with_an_empty_store_file():
    file = ROOT / "results" / "float" / "first_moves_n12.csv"
    status, out, err = run(f"verify '{file}' --store :memory:")
    assert (status, out) == (2, "")
    assert re.search(
        "n12.csv: expected .* in the store or can be computed in minutes, got n = 12", err
    )


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_commands_print_to_consoles_in_cp1252_and_ascii(encoding):
    """What is shown can be read, and what is emitted has the same bytes as elsewhere."""
    for words in (
        "-n 3",
        "-n 3 --arithmetic ball",
        "play -n 2 --seed 1 --bids 1,2",
        "verify --help",
    ):
        status, out, err = run(words, encoding=encoding)
        assert (status, err, bool(out)) == (0, "", True)
    for fmt in ("csv", "json", "fractions"):
        assert run(f"-n 3 --emit {fmt}", encoding=encoding) == run(f"-n 3 --emit {fmt}")


@pytest.mark.parametrize(
    "text",
    ["[[1, 0], [0, 2]]", ",left,right\nup,1,0\ndown,0,2\n", 'NFG 1 R "" {"A" "B"} {1 1} 1 -1'],
)
def test_byte_order_mark_on_standard_input_is_left_out(text):
    typed = text.encode("utf-8-sig")
    marked, plain = (run(["solve", "-"], content) for content in (typed, typed[3:]))
    assert plain.status == 0 and marked == plain
