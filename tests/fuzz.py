"""A fuzzer: python tests/fuzz.py --seconds 600 --seed 1

    argv       argument vectors of the program
    api        calls of the public functions
    documents  emitted documents, damaged, given to what reads them
    stores     stores, damaged
    folders    folders of floats with files missing, damaged or taken from other runs
    journals   journals of layers under way, torn, repeated, reordered or damaged

A case is wrong if it ends in an exception that is not documented, in a crash, without an end, or
with another answer than the right one. Cases run in forked processes, so a crash is only counted.
Each depends on the seed, its family and its number alone: `--seed N --what FAMILY --case K` runs one
again, with its whole traceback.
"""

import argparse
import json
import os
import resource
import select
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

from fuzz_calls import Wrong, api_case, argv_case, warm_up
from fuzz_damage import PRISTINE, document_case, folder_case, journal_case, store_case

LIMIT = 10
"""Seconds after which a case hangs."""

MEMORY = 6 << 30
"""Bytes of address space of a case."""

BATCH = 2000
"""Cases a process does, so that what they leave open does not add up."""

SHARES = {"argv": 30, "api": 20, "documents": 15, "stores": 15, "folders": 15, "journals": 5}
"""Shares of the time, in percent."""


class Hang(BaseException):
    """A case that takes too long; no program can catch it by mistake."""


FAMILIES = {
    "argv": (argv_case, ("documents",)),
    "api": (api_case, ()),
    "documents": (document_case, ("documents",)),
    "stores": (store_case, ("documents", "stores")),
    "folders": (folder_case, ("folders",)),
    "journals": (journal_case, ("folders",)),
}
"""What makes a case of each family, and what it damages."""


# Running cases.


def run_case(root, seed, family, number):
    """Run one case in a folder of its own; raises what it raises."""
    place = root / f"{family}-{number}"
    place.mkdir()
    os.chdir(place)
    rng = Random(f"{seed} {family} {number}")
    store = rng.choice([":memory:", ":memory:", ":memory:", str(place / "own.sqlite")])
    os.environ |= {"GOPS_EXACT_STORE": store, "HOME": str(place), "XDG_CACHE_HOME": str(place)}
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        FAMILIES[family][0](rng, place)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.chdir(root)
        shutil.rmtree(place, ignore_errors=True)


def prepare():
    """Make this process one that runs cases."""
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def stop(_number, _frame):
        raise Hang

    signal.signal(signal.SIGALRM, stop)


def fault_of(error):
    """What kind of fault it is, and one line about it."""
    notes = " ".join(
        " ".join(map(str, [*error.args[1:], *getattr(error, "__notes__", [])])).split()
    )
    if isinstance(error, Wrong):
        return "wrong", str(error.args[0]), notes
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "gops_exact/" in frame.filename] or frames
    where = f"{Path(own[-1].filename).name}:{own[-1].lineno} {own[-1].name}"
    kind = "hangs" if isinstance(error, Hang) else "tracebacks"
    cause = f"{type(error).__name__} at {where}"
    return kind, cause, " ".join(f"{str(error)[:200]} {notes}".split())


def batch(root, seed, family, numbers, report):
    """Run cases in this process and report each as a line of JSON: its number, then its fault."""
    prepare()
    for number in numbers:
        report(number, None)
        try:
            run_case(root, seed, family, number)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  # all of it is what a fuzzer looks for
            report(number, fault_of(error))


class Tally:
    """Counts of cases and faults; each cause is printed once, with the command that shows it."""

    def __init__(self, seed):
        self.seed = seed
        self.cases, self.faults, self.causes = Counter(), Counter(), Counter()

    def fault(self, family, number, kind, cause, line):
        self.faults[family, kind] += 1
        self.causes[family, kind, cause] += 1
        if self.causes[family, kind, cause] == 1:
            again = f"--seed {self.seed} --what {family} --case {number}"
            print(f"{kind}: {again}: {cause}: {line}", flush=True)

    def close(self):
        """Print the counts; whether there was any fault."""
        for (family, kind, cause), count in self.causes.most_common():
            print(f"{count:6} {family} {kind}: {cause}")
        for family, cases in self.cases.items():
            kinds = {"tracebacks": "tracebacks", "hangs": "hangs", "wrong": "wrong answers"}
            counts = ", ".join(
                f"{self.faults[family, kind]} {name}" for kind, name in kinds.items()
            )
            print(f"{family}: {cases} cases, {counts}")
        return bool(self.faults)


def forked(root, seed, family, numbers, tally, until):
    """Do cases in a forked process; returns how many were begun before it ended or crashed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):  # a case may name /dev/stdin and its like
            os.dup2(nowhere, stream)
        with os.fdopen(writer, "w") as pipe, suppress(BrokenPipeError, KeyboardInterrupt):

            def report(number, fault):
                pipe.write(json.dumps([number, fault]) + "\n")
                pipe.flush()

            due = (number for number in numbers if time.monotonic() < until)
            batch(root, seed, family, due, report)
        os._exit(0)
    os.close(writer)
    begun, stuck, rest = 0, False, b""
    while True:
        if not select.select([reader], [], [], 3 * LIMIT)[0]:
            stuck = True
            os.kill(child, signal.SIGKILL)
        data = os.read(reader, 1 << 16)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for number, fault in map(json.loads, lines):
            begun += fault is None
            tally.cases[family] += fault is None
            if fault is not None:
                tally.fault(family, number, *fault)
    os.close(reader)
    _, status = os.waitpid(child, 0)
    if status and begun:
        ending = "hangs" if stuck else "tracebacks"
        tally.fault(family, numbers[begun - 1], ending, f"process ended: {status}", "a crash")
    return begun


def fuzz(root, given):
    """Run families for a time or a number of cases; whether there was any fault."""
    tally, total = Tally(given.seed), sum(SHARES[family] for family in given.what)
    for family in given.what:
        share = given.seconds * SHARES[family] / total
        until, last = time.monotonic() + share, sys.maxsize
        if given.count:
            until, last = float("inf"), given.count
        done = 0
        while done < last and time.monotonic() < until:
            numbers = range(done, min(done + BATCH, last))
            done += forked(root, given.seed, family, numbers, tally, until)
    return tally.close()


def main():
    """Read the command line and run; the exit status."""
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
        os.environ["GOPS_EXACT_STORE"] = ":memory:"
        os.chdir(root)
        warm_up()
        needed = dict.fromkeys(each for family in given.what for each in FAMILIES[family][1])
        for each in needed:
            PRISTINE[each](root / each)
        if given.case is None:
            status = fuzz(root, given)
        else:
            prepare()
            run_case(root, given.seed, given.what[0], given.case)
            status = 0
        os.chdir("/")
    return status


if __name__ == "__main__":
    sys.exit(main())
