"""A fuzzer: python tests/attack fuzz --seconds 600 --seed 1

    argv       argument vectors of the program
    games      random matrix games, by every path
    documents  emitted documents, damaged, given to all that reads them
    solutions  files of matrix games and documents of solved ones, damaged
    stores     stores, damaged
    folders    folders of floats with files missing, damaged or taken from other runs
    journals   journals of layers under way, torn, repeated, reordered or damaged

A case is wrong if it ends in an exception that is not documented, in a crash, without an end, or
with another answer than the right one. Cases run in forked processes, so a crash is only counted.
Each depends on the seed, its family and its number alone: `--seed N --what FAMILY --case K` runs one
again, with its whole traceback.
"""

import argparse
import faulthandler
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from fuzz_argv import Wrong, argv_case, warm_up
from fuzz_damage import folder_case, journal_case, store_case
from fuzz_documents import document_case, make_documents, solution_case
from fuzz_games import game_case

FAMILIES = {
    "argv": (25, argv_case),
    "games": (5, game_case),
    "documents": (12, document_case),
    "solutions": (3, solution_case),
    "stores": (15, store_case),
    "folders": (12, folder_case),
    "journals": (5, journal_case),
}
"""Shares of the time in percent, and the maker of a case."""

SLOW = {"stores": 2, "folders": 2, "journals": 2}
"""How many times fewer cases these families get of a number of cases."""

KINDS = {"tracebacks": "tracebacks", "hangs": "hangs", "wrong": "wrong answers"}

LIMIT = 10
"""Seconds of processor time after which a case hangs."""

WAIT = 60
"""Seconds by the clock after which it does: on a busy machine, or for processes it starts, it waits."""

MEMORY = 6 << 30
"""Bytes of address space of a case."""

BATCH = 2000
"""Cases a process does, so that what they leave open does not add up."""


class Hang(BaseException):
    """A case that takes too long; no program can catch it by mistake."""


def prepare():
    warnings.simplefilter("error")
    faulthandler.disable()  # a crash is counted, not shown
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def stop(_number, _frame):
        raise Hang

    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, stop)


def run_case(root, seed, family, number):
    """Run one case in a folder of its own; raises what it raises."""
    place = root / f"{family}-{number}"
    place.mkdir()
    os.chdir(place)
    rng = Random(f"{seed} {family} {number}")
    store = rng.choice([":memory:", ":memory:", ":memory:", str(place / "own.sqlite")])
    os.environ |= {"GOPS_EXACT_STORE": store, "HOME": str(place), "XDG_CACHE_HOME": str(place)}
    signal.setitimer(signal.ITIMER_REAL, WAIT)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        FAMILIES[family][1](rng, place)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        os.chdir(root)
        shutil.rmtree(place, ignore_errors=True)


def fault_of(error):
    """The kind of a fault, its cause, and one line about it."""
    line = " ".join(" ".join(map(str, [*error.args, *getattr(error, "__notes__", [])])).split())
    if isinstance(error, Wrong):
        return "wrong", str(error.args[0]), line
    frames = traceback.extract_tb(error.__traceback__)
    where = ([each for each in frames if "gops_exact/" in each.filename] or frames)[-1]
    kind = "hangs" if isinstance(error, Hang) else "tracebacks"
    return kind, f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}", line


def batch(root, seed, family, numbers, until, pipe):
    """Run cases in this process; send the number of each, then that of each fault with the fault."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # a case may name /dev/stdin and its like
        os.dup2(nowhere, stream)
    prepare()
    for number in numbers:
        if time.monotonic() > until:
            break
        pipe.send((number, None))
        try:
            run_case(root, seed, family, number)
        except KeyboardInterrupt:
            break
        except BaseException as error:  # noqa: BLE001  # all of it is looked for
            pipe.send((number, fault_of(error)))


class Tally:
    """Counts of cases and faults; each cause is printed once, with the command that shows it."""

    def __init__(self, seed):
        self.seed = seed
        self.cases, self.causes = Counter(), Counter()

    def fault(self, family, number, kind, cause, line):
        self.causes[family, kind, cause] += 1
        if self.causes[family, kind, cause] == 1:
            again = f"--seed {self.seed} --what {family} --case {number}"
            print(f"{kind}: {again}: {cause}: {line[:800]}", flush=True)

    def close(self):
        """Print the counts; whether there was any fault."""
        for (family, kind, cause), count in self.causes.most_common():
            print(f"{count:6} {family} {kind}: {cause}")
        for family, cases in self.cases.items():
            faults = Counter()
            for (of, kind, _), count in self.causes.items():
                faults[kind] += count * (of == family)
            counts = ", ".join(f"{faults[kind]} {name}" for kind, name in KINDS.items())
            print(f"{family}: {cases} cases, {counts}", flush=True)
        return bool(self.causes)


def forked(root, family, numbers, tally, until):
    """Do cases in a forked process; returns how many were begun before it ended or crashed."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=batch, args=(root, tally.seed, family, numbers, until, theirs))
    child.start()
    theirs.close()
    begun, crash = 0, "tracebacks"
    with suppress(EOFError):
        while True:
            if not ours.poll(3 * WAIT):
                child.kill()
                crash = "hangs"
                break
            number, fault = ours.recv()
            if fault is None:
                begun += 1
                tally.cases[family] += 1
            else:
                tally.fault(family, number, *fault)
    child.join()
    if child.exitcode and begun:
        ending = f"process ended: {child.exitcode}"
        tally.fault(family, numbers[begun - 1], crash, ending, "a crash")
    return begun


def fuzz(root, given):
    """Run families for a time or a number of cases; whether there was any fault."""
    tally, total = Tally(given.seed), sum(FAMILIES[family][0] for family in given.what)
    for family in given.what:
        share = given.seconds * FAMILIES[family][0] / total
        until, last = time.monotonic() + share, sys.maxsize
        if given.count:
            until, last = float("inf"), given.count // SLOW.get(family, 1)
        done = 0
        while done < last and time.monotonic() < until:
            done += forked(root, family, range(done, min(done + BATCH, last)), tally, until)
    return tally.close()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60, help="for all families together")
    parser.add_argument("--count", type=int, help="cases a family, instead of a time")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--what", type=lambda text: text.split(","), default=list(FAMILIES))
    parser.add_argument("--case", type=int, help="run this one alone, in this process")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        root = Path(name).resolve()
        os.environ |= {"GOPS_EXACT_STORE": ":memory:", "TMPDIR": name}
        os.chdir(root)
        warm_up()
        make_documents(root / "documents")
        if given.case is None:
            return fuzz(root, given)
        prepare()
        run_case(root, given.seed, given.what[0], given.case)
        return False


if __name__ == "__main__":
    sys.exit(main())
