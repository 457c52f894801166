"""What the programs that attack share: arguments, cases in forked processes, and the report of what is wrong.

A case is a function of a random number generator and an empty folder, which is also the current one. It is wrong if
it ends in an exception, in a crash, without an end, or as `Wrong`. It depends on the seed, its family and its number
alone: ``--seed N --only FAMILY --case K`` runs one again, with its whole traceback.
"""

import argparse
import faulthandler
import multiprocessing
import os
import resource
import shutil
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

KINDS = {"tracebacks": "tracebacks", "hangs": "hangs", "wrong": "wrong answers"}

LIMIT = 10
"""Seconds of processor time after which a case hangs."""

WAIT = 60
"""Seconds by the clock after which it does: on a busy machine, or for processes it starts, it waits."""

MEMORY = 6 << 30
"""Bytes of address space of a case."""

BATCH = 2000
"""Cases a process does, so that what they leave open does not add up."""


class Wrong(Exception):  # noqa: N818  # no error of the program that attacks
    """An end that is not documented, or another answer than the right one.

    Its first argument says what is wrong in words that all such cases share.
    """


class Hang(BaseException):
    """A case that takes too long; no program can catch it by mistake."""


def parser(doc, seconds=60):
    """The arguments that all programs have."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawTextHelpFormatter)
    made.add_argument("--seconds", type=float, default=seconds, help="for all together")
    made.add_argument("--count", type=int, help="cases a family, instead of a time")
    made.add_argument("--seed", default="0")
    made.add_argument("--only", default="", help="the families, faults or files to take, not all")
    return made


def main(doc, families, prepare=lambda: None):
    """Run the cases of {family: case} as the command line says; whether any was wrong."""
    arguments = parser(doc)
    arguments.add_argument("--case", type=int, help="run this one alone, in this process")
    given = arguments.parse_args()
    wanted = given.only.split(",") if given.only else families
    chosen = {name: families[name] for name in wanted}
    with tempfile.TemporaryDirectory(prefix="attack-") as name:
        os.environ |= {"GOPS_EXACT_STORE": ":memory:", "TMPDIR": name, "XDG_STATE_HOME": os.devnull}
        os.chdir(name)
        prepare()
        if given.case is None:
            tally = Tally(given.seed)
            for family, case in chosen.items():
                seconds = float("inf") if given.count else given.seconds / len(chosen)
                until = time.monotonic() + seconds
                attack(Path(name).resolve(), family, case, tally, given.count, until)
            return tally.close()
        limited()
        run_case(Path(name), given.seed, given.only, chosen[given.only], given.case)
        return False


def attack(root, family, case, tally, count=None, until=float("inf")):
    """Do cases of a family, so many or until some time."""
    done, last = 0, count or 1 << 60
    while done < last and time.monotonic() < until:
        numbers = range(done, min(done + BATCH, last))
        done += forked(root, family, case, numbers, tally, until)


def limited():
    """Bound what a case of this process may take."""
    warnings.simplefilter("error")
    faulthandler.disable()  # a crash is counted, not shown
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def stop(_number, _frame):
        raise Hang

    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, stop)


def run_case(root, seed, family, case, number):
    """Run one case in a folder of its own; raises what it raises."""
    place = root / f"{family.replace(' ', '-')}-{number}"
    place.mkdir()
    os.chdir(place)
    rng = Random(f"{seed} {family} {number}")
    store = rng.choice([":memory:", ":memory:", ":memory:", str(place / "own.sqlite")])
    os.environ |= {"GOPS_EXACT_STORE": store, "HOME": str(place), "XDG_CACHE_HOME": str(place)}
    signal.setitimer(signal.ITIMER_REAL, WAIT)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        case(rng, place)
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


def batch(root, seed, family, case, numbers, until, pipe):
    """Run cases in this process; send the number of each, then that of each fault with the fault."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # a case may name /dev/stdin and its like
        os.dup2(nowhere, stream)
    limited()
    for number in numbers:
        if time.monotonic() > until:
            break
        pipe.send((number, None))
        try:
            run_case(root, seed, family, case, number)
        except KeyboardInterrupt:
            break
        except BaseException as error:  # noqa: BLE001  # all of it is looked for
            pipe.send((number, fault_of(error)))


def forked(root, family, case, numbers, tally, until):
    """Do cases in a forked process; returns how many were begun before it ended or crashed."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    given = root, tally.seed, family, case, numbers, until, theirs
    child = context.Process(target=batch, args=given)
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


class Tally:
    """Counts of cases and faults; each cause is printed once, with the arguments that show it."""

    def __init__(self, seed):
        self.seed = seed
        self.cases, self.causes = Counter(), Counter()

    def fault(self, family, number, kind, cause, line):
        self.causes[family, kind, cause] += 1
        if self.causes[family, kind, cause] == 1:
            again = f"--seed {self.seed} --only '{family}' --case {number}"
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
