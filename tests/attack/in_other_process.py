"""Work in another thread, or in another process that is killed, interrupted, or finds its disk full or closed."""

import multiprocessing
import os
import pickle
import resource
import select
import signal
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path

from file_permissions import bound_by_modes

STEPS = {"execute", "write", "replace", "unlink", "fsync", "mkdir", "open", "flush", "truncate"}
"""Names of the functions of C that touch files."""

PLANNED = {"killed": -signal.SIGKILL, "cut": -signal.SIGXFSZ, "interrupted": 130}
"""How a process ends by what it meets."""


class Ended(Exception):  # noqa: N818  # no fault
    """A process was killed or interrupted, as planned."""


class Wrong(Exception):  # noqa: N818  # no error of the program that attacks
    """An end that is not documented, or another answer than the right one.

    Its first argument says what is wrong in words that all such cases share.
    """


def in_a_thread(work):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


class Apart:
    """A process that has no file open and forks others for work, so that nothing of this one is in their way.

    Args:
        work: a function of what `do` is given; it runs in a new process each time.
    """

    def __init__(self, work):
        context = multiprocessing.get_context("fork")
        self._pipe, theirs = context.Pipe()
        ends = self._pipe, theirs, work
        self._process = context.Process(target=_forking, args=ends, daemon=True)
        self._process.start()
        theirs.close()

    def do(self, under, *given):
        """Return what the work returns in a process that meets what `under` says; see `in_a_process`."""
        self._pipe.send((under, given))
        answer, error = self._pipe.recv()
        if error is not None:
            raise error
        return answer

    def close(self):
        self._process.terminate()
        self._process.join()
        self._pipe.close()


def _forking(other_end, pipe, work):
    other_end.close()  # so that the end of the process that asks is noticed
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt of the tester closes the pipe
    with suppress(EOFError):
        while True:
            under, given = pipe.recv()
            try:
                told = in_a_process(partial(work, *given), under), None
            except (Ended, Wrong) as error:
                told = None, error
            pipe.send(told)


def in_a_process(work, under="process"):
    """Return what `work` returns in a forked process, which meets what `under` says.

    Raises:
        Ended: if it was killed or interrupted, as planned.
        Wrong: if it ended otherwise, with the cause and the traceback.
    """
    under, _, number = under.partition(":")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status, told = 1, b""
        try:
            plan(under, int(number or 0))
            with bound_by_modes() if under == "readonly" else nullcontext():
                told = pickle.dumps((work(), None))
            sys.setprofile(None)
            status = 0
        except (KeyboardInterrupt, Ended):
            status = 130
        except BaseException as error:  # noqa: BLE001  # raised by the parent
            told = pickle.dumps((None, (cause_of(error), traceback.format_exc())))
        finally:
            with suppress(OSError), os.fdopen(writing, "wb") as pipe:
                pipe.write(told)
            os._exit(status)
    os.close(writing)
    told = b""
    while ready := select.select([reading], [], [], 60)[0]:  # seconds by the clock
        if not (part := os.read(reading, 1 << 16)):
            break
        told += part
    os.close(reading)
    if not ready:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if not ready:
        raise Wrong("no end")
    if status == PLANNED.get(under):
        raise Ended
    if not told:
        raise Wrong(f"process ended: {status}")
    answer, fault = pickle.loads(told)  # noqa: S301  # of our own process
    if fault is not None:
        raise Wrong(*fault)
    return answer


def cause_of(error):
    """Return what is wrong in words that all such faults share: those of `Wrong`, or the type of an error and its line."""
    if isinstance(error, Wrong):
        return error.args[0]
    frames = traceback.extract_tb(error.__traceback__)
    where = ([frame for frame in frames if "gops_exact/" in frame.filename] or frames)[-1]
    return f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}"


def plan(under, number):
    """Prepare this process for what it is to meet."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if under in ("full", "cut"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN if under == "full" else signal.SIG_DFL)
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (number, hard))
    if under in ("killed", "interrupted"):
        at_step(number, signal.SIGKILL if under == "killed" else signal.SIGINT)


def at_step(number, sent):
    """Send this process a signal before its next but `number` step that touches a file."""

    def watch(_frame, event, function):
        nonlocal number
        if event == "c_call" and function.__name__ in STEPS:
            number -= 1
            if number < 0:
                sys.setprofile(None)
                os.kill(os.getpid(), sent)

    threading.setprofile(watch)
    sys.setprofile(watch)
