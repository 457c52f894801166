"""What the programs that attack share: arguments, and single cases, each in a forked process.

A case is a function of a random number generator and an empty folder, which is also the current one. It is wrong if
it ends in an exception, in a crash or without an end. It depends on the seed, its family and its number alone:
``--seed N --only FAMILY --case K`` runs one again, in the program's own process, with its whole traceback.
"""

import argparse
import faulthandler
import os
import resource
import shutil
import tempfile
import time
import warnings
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

from in_other_process import Wrong, in_a_process

__all__ = ["Wrong", "attack", "limited", "main", "parser"]


def parser(doc, seconds=60):
    """The arguments that all programs have."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawTextHelpFormatter)
    made.add_argument("--seconds", type=float, default=seconds, help="for all together")
    made.add_argument("--seed", default="0")
    made.add_argument("--only", default="", help="the families, faults or files to take, not all")
    return made


def main(doc, families, prepare):
    """Run the cases of {family: case} as the command line says; whether any was wrong."""
    arguments = parser(doc)
    arguments.add_argument("--count", type=int, help="cases a family, instead of a time")
    arguments.add_argument("--case", type=int, help="run this one alone, in this process")
    given = arguments.parse_args()
    chosen = given.only.split(",") if given.only else [*families]
    with tempfile.TemporaryDirectory(prefix="attack-") as name:
        os.environ |= {"TMPDIR": name, "XDG_STATE_HOME": os.devnull}
        os.chdir(name)
        prepare()
        if given.case is not None:
            run_case(Path(name), given.seed, given.only, families[given.only], given.case)
            return False
        causes = Counter()
        for family in chosen:
            until = time.monotonic() + given.seconds / len(chosen)
            case = families[family]
            causes += attack(Path(name), family, case, given.seed, given.count, until)
        return bool(causes)


def attack(root, family, case, seed, count=None, until=0):
    """Do so many cases of a family, or those until some time: how often each fault occurs.

    The first case of each fault is printed, with the arguments that show it.
    """
    number, causes = 0, Counter()
    while number < count if count else time.monotonic() < until:
        try:
            in_a_process(partial(run_case, root, seed, family, case, number))
        except Wrong as error:
            cause, *more = map(str, error.args)
            causes[cause] += 1
            if causes[cause] == 1:
                again = f"--seed {seed} --only '{family}' --case {number}"
                print(f"{again}: {cause}", *(text[-2000:] for text in more), sep="\n", flush=True)
        number += 1
    for cause, times in causes.most_common():
        print(f"{times:6} {family}: {cause}")
    print(f"{family}: {number} cases, {causes.total()} wrong", flush=True)
    return causes


def limited():
    """Bound the address space of this process to six gigabytes, so that a fault that takes all memory is found."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, hard))


def run_case(root, seed, family, case, number):
    """Run one case in a folder of its own; raises what it raises."""
    limited()
    warnings.simplefilter("error")
    faulthandler.disable()  # a crash is counted, not shown
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # a case may name /dev/stdin and its like
        os.dup2(nowhere, stream)
    place = root / f"{family.replace(' ', '-')}-{number}"
    place.mkdir()
    os.chdir(place)
    rng = Random(f"{seed} {family} {number}")
    store = rng.choice([":memory:", ":memory:", ":memory:", str(place / "own.sqlite")])
    os.environ |= {"GOPS_EXACT_STORE": store, "HOME": str(place), "XDG_CACHE_HOME": str(place)}
    try:
        case(rng, place)
    finally:
        os.chdir(root)
        shutil.rmtree(place, ignore_errors=True)
