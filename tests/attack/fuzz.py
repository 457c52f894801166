"""A fuzzer: python tests/attack fuzz --seconds 600 --seed 1

    argv       argument vectors of the program
    games      random matrix games, by every path
    documents  emitted documents, damaged, given to all that reads them
    solutions  files of matrix games and documents of solved ones, damaged

Stores and folders of layers, with damage and more, are what ``python tests/attack traces`` draws.
"""

import sys
from pathlib import Path

import frame
from fuzz_argv import argv_case, warm_up
from fuzz_documents import document_case, make_documents, solution_case
from fuzz_games import game_case

FAMILIES = {
    "argv": argv_case,
    "games": game_case,
    "documents": document_case,
    "solutions": solution_case,
}


def prepare():
    """Compile or load the kernels, and make what is to be damaged."""
    warm_up()
    make_documents(Path("documents"))


if __name__ == "__main__":
    sys.exit(frame.main(__doc__, FAMILIES, prepare))
