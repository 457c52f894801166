"""A tester by traces, in the manner of Mobical (Biere, Fazekas, Fleury, Heisinger: CaDiCaL, 2020).

Hypothesis draws sequences of calls (``checked_calls.py``) with kills, full and read-only disks, damaged bytes, other processes and
threads between them; each answer is compared with the oracle. What fails is shrunk to the shortest sequence that
still fails and printed, one call a line; ``--keep FILE`` writes it there. ``--only FILE`` makes the calls of a trace again.
The traces under ``tests/traces/`` are situations that failed once.
"""

import gc
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import case_runner
from checked_calls import DEFAULTS, World, answer_apart, parsed
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)
from in_other_process import Apart

import gops_exact as gx

SEQUENCES = 100
"""Sequences a seed."""

SHRINKING = 20
"""Seconds that Hypothesis shrinks a sequence; then calls and arguments are left out one by one."""

FAST = Path("/dev/shm")  # noqa: S108  # folders of other names are made in it
"""Where files are written in a moment, if there is such a place."""

objectives, ties = st.sampled_from(["points", "win"]), st.sampled_from(["discard", "carryover"])
orders = st.sampled_from(["random", "hidden", "ascending", "descending"])
rule_sets = st.just("points/discard/random") | st.builds(
    "{}/{}/{}".format, objectives, ties, orders
)
"""The usual rules more often, so that games and positions meet in a store."""
kinds = st.sampled_from(["exact", "exact", "float", "float", "ball"])
files = st.sampled_from(["a", "a", "b"])
places = st.sampled_from(["memory", "a", "a", "a", "b"])

steps = st.builds("{}:{}".format, st.sampled_from(["killed", "interrupted"]), st.integers(0, 80))
sizes = st.sampled_from([0, 1, 10, 100, 1000, 4000, 5000, 8000, 10_000, 20_000, 40_000, 80_000])
limits = st.builds("{}:{}".format, st.sampled_from(["cut", "full"]), sizes)
elsewhere = st.one_of(st.sampled_from(["process", "readonly"]), steps, limits)
nearby = st.sampled_from(["nothing", "nothing", "thread"])
anywhere = st.one_of(nearby, nearby, nearby, elsewhere)


@st.composite
def positions(draw):
    """Draw a position of one to three cards, with a prize turned up unless prizes are hidden."""
    size = draw(st.sampled_from([2, 3, 3, 1]))

    def cards(most):
        return draw(st.sets(st.integers(1, most), min_size=size, max_size=size))

    rules = gx.Rules(*draw(rule_sets).split("/"))
    state = {"margin": draw(st.integers(-2, 3))} if rules.winning else {}
    state |= {"pot": draw(st.integers(0, 3))} if rules.ties != "discard" else {}
    position = gx.Position(cards(4), cards(4), cards(3), rules=rules, **state)
    turned = [at for _, at in position.with_upcards()]
    return position if rules.hidden else draw(st.sampled_from(turned))


def upcard_changed(position):
    """The same position with another prize turned up, if there is one."""
    if position.upcard is None:
        return position
    others = [at for _, at in replace(position, upcard=None).with_upcards()]
    return others[others.index(position) - 1]


CHANGED = {
    "upcard": upcard_changed,
    "no upcard": lambda position: replace(position, upcard=None),
    "state": lambda position: replace(
        position,
        margin=position.margin + position.rules.winning,
        pot=position.pot + position.rules.carries,
    ),
    "players": gx.Position.swapped,
    "objective": lambda position: replace(
        position,
        rules=replace(position.rules, objective="points" if position.rules.winning else "win"),
        margin=0,
    ),
    "nothing": lambda position: position,
}
"""What may change between two questions to one solver or server."""


def written(verb, words):
    """Return a call as a line, without what goes without saying."""
    said = (f"{name}={word}" for name, word in words.items() if DEFAULTS.get(name) != str(word))
    return " ".join([verb, *said])


class Calls(RuleBasedStateMachine):
    """A sequence of calls; the shortest that failed is kept."""

    apart, shortest, until = None, None, float("inf")
    asked, kept = Bundle("asked"), Bundle("kept")

    def __init__(self):
        super().__init__()
        self.lines = []
        self.folder = TemporaryDirectory(dir=FAST if FAST.is_dir() else None)
        self.world = World(self.folder.name, self.apart)

    def call(self, verb, **words):
        if time.monotonic() > Calls.until:
            return  # nothing fails any more, which ends the shrinking
        line = written(verb, words)
        self.lines.append(line)
        try:
            self.world.do(line)
        except Exception as error:
            if Calls.shortest is None:
                Calls.until = time.monotonic() + SHRINKING
            if Calls.shortest is None or len(self.lines) <= len(Calls.shortest[0]):
                Calls.shortest = [*self.lines], error
            raise

    def teardown(self):
        self.world.close()
        self.folder.cleanup()

    @initialize(target=kept, n=st.sampled_from([3, 2]), rules=rule_sets, place=files, kind=kinds)
    def begin(self, **more):
        self.call("first_move", **more)
        return more

    @rule(target=kept, n=st.sampled_from([2, 3, 1]), rules=rule_sets, kind=kinds, place=places, under=anywhere,
          by=st.sampled_from(["call", "command"]), read_only=st.sampled_from(["no", "no", "no", "yes"]),
          out=st.sampled_from(["no", "yes"]))  # fmt: skip
    def first_move(self, kind, by, read_only, out, **more):
        out = out if by == "command" else "no"
        read_only = read_only if kind != "float" else "no"
        self.call("first_move", **more, kind=kind, by=by, read_only=read_only, out=out)
        return more | {"kind": kind}

    @rule(n=st.sampled_from([2, 3]), rules=rule_sets, kind=kinds, place=files, under=steps)
    def first_move_broken_off(self, under, **more):
        self.call("first_move", **more, under=under)
        self.call("first_move", **more)

    @rule(earlier=kept, by=st.sampled_from(["call", "command"]), under=nearby)
    def first_move_again(self, earlier, **more):
        self.call("first_move", **earlier | more)

    @rule(earlier=kept, spot=st.integers(0, 50_000),
          how=st.sampled_from(["entry", "entry", "flip", "cut", "gone"]))  # fmt: skip
    def damage(self, earlier, **more):
        if earlier["place"] != "memory":
            self.call("damage", place=earlier["place"], kind=earlier["kind"], **more)

    @rule(target=asked, verb=st.sampled_from(["value", "solve", "serve"]), position=positions(),
          kind=kinds, place=places, by=st.sampled_from(["solver"] * 5 + ["call"]),
          change=st.sampled_from([*CHANGED, *["upcard", "state"] * 2]),
          under=st.sampled_from(["nothing", "thread"]))  # fmt: skip
    def ask(self, verb, kind, change, under, **more):
        question = verb, more | {"kind": "float" if verb == "serve" else kind}
        self.call(question[0], **question[1])
        self.ask_again(question, change, under)
        return question

    @rule(earlier=asked, change=st.sampled_from([*CHANGED, "upcard", "state"]), under=nearby)
    def ask_again(self, earlier, change, under):
        """Ask a question again, of a position in which one thing is another."""
        verb, more = earlier
        position = CHANGED[change](more["position"])
        is_seen = position.upcard is not None or position.rules.hidden
        self.call(verb if is_seen else "value", **more | {"position": position, "under": under})

    @rule(position=positions(), kind=kinds, place=places, under=elsewhere)
    def ask_elsewhere(self, **more):
        self.call("value", **more)

    @rule(action=st.sampled_from(["check", "info", "verify"]), place=files, under=anywhere)
    def look(self, **more):
        self.call("look", **more)

    @rule(verb=st.sampled_from(["leave", "forget"]), place=files)
    def clear(self, verb, place):
        self.call(verb, place=place)


def prepare():
    """Load what all calls need, and start the process that makes calls apart."""
    os.environ |= {"GOPS_EXACT_STORE": ":memory:", "XDG_STATE_HOME": os.devnull}
    world = World(".", None)
    for kind in ("exact", "ball", "float"):
        for rules in ("points/discard/random", "win/carryover/hidden"):
            # What these answer is not judged: it must not be found before the search begins.
            world.answer(*parsed(f"first_move kind={kind} rules={rules} by=command"))
            world.answer(*parsed(f"value kind={kind} position=1.3_1.2_1.3"))
    gc.freeze()  # what lives on is not looked at each time that a server is given up
    return Apart(answer_apart)


def search(number, sequences=SEQUENCES):
    """Draw sequences by a seed: the shortest one that fails and its error, or None."""
    Calls.shortest, Calls.until = None, float("inf")
    chosen = settings(
        max_examples=sequences,
        stateful_step_count=8,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        print_blob=False,
    )
    try:
        run_state_machine_as_test(seed(number)(Calls), settings=chosen)
    except (Exception, BaseExceptionGroup):
        if Calls.shortest is None:
            raise
    return Calls.shortest and without_more(*Calls.shortest)


def without_more(lines, error):
    """Leave out calls and arguments for as long as what is left fails alike: the calls, and the error."""
    for place in reversed(range(len(lines))):
        verb, *words = lines[place].split()
        others = [" ".join([verb, *words[:at], *words[at + 1 :]]) for at in range(len(words))]
        for other in ([], *([other] for other in others)):
            fewer = [*lines[:place], *other, *lines[place + 1 :]]
            try:
                replay(fewer, Calls.apart)
            except Exception as found:  # noqa: BLE001  # of any kind, as long as it is the same
                if (type(found), found.args[:1]) == (type(error), error.args[:1]):
                    return without_more(fewer, found)
    return lines, error


def replay(lines, apart):
    """Make the calls of a trace; raise at the first that is not answered as it should be."""
    with TemporaryDirectory(dir=FAST if FAST.is_dir() else None) as folder:
        world = World(folder, apart)
        try:
            for line in lines:
                if line and not line.startswith("#"):
                    world.do(line)
        finally:
            world.close()


def main():
    parser = case_runner.parser(__doc__, seconds=60)
    parser.add_argument("--keep", type=Path, help="write what fails to this file")
    given = parser.parse_args()
    case_runner.limited()
    apart, begun, number = prepare(), time.monotonic(), int(given.seed)
    Calls.apart = apart
    if given.only:
        replay(Path(given.only).read_text("utf-8").splitlines(), apart)
        return 0
    while time.monotonic() - begun < given.seconds:
        if failed := search(number):
            lines, error = failed
            after = f"{len(lines)} calls after {time.monotonic() - begun:.0f} s"
            print(f"seed {number}: {after}: {error!r:.800}", *lines, sep="\n")
            if given.keep:
                given.keep.parent.mkdir(parents=True, exist_ok=True)
                given.keep.write_text("\n".join([f"# {error.args[0]}", *lines, ""]), "utf-8")
            return 1
        print(f"seed {number}: none of {SEQUENCES} sequences fails", flush=True)
        number += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
