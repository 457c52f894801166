"""A folder with stores, layers of floats, solvers and servers, in which calls are made, each checked by the oracle.

A call is one line, a verb and its arguments: ``first_move n=2 rules=win/discard/hidden place=a under=killed:7``.
Arguments that are left out have the values of DEFAULTS. ``place`` is ``memory``, or the name of a store, and of a
folder for floats; calls ``by=solver`` share a solver. ``under`` says what happens meanwhile:

    thread         the call is made in another thread
    process        in another process
    killed:N       in one that is killed after N steps that touch files
    interrupted:N  in one that gets a SIGINT there
    cut:N          in one that is killed when a file grows beyond N bytes
    full:N         in one that finds the disk full there
    readonly       in one that may write no file and no folder

Whatever happens, an answer is the right one, or a refusal of a documented kind in one line where there is reason to
refuse. No write is lost, no output is torn, what only reads writes nothing, and no file is left open or behind.
"""

import gc
import json
import shutil
import sqlite3
import tempfile
from contextlib import chdir, closing, contextmanager, suppress
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import oracle
from in_other_process import Ended, Wrong, in_a_thread
from oracle_checks import as_oracle, is_true
from program import run
from served import Client

import gops_exact as gx
from gops_exact.commands.application import application
from gops_exact.commands.serving import Answers, answer

DEFAULTS = {
    "n": "2",
    "rules": "points/discard/random",
    "kind": "exact",
    "place": "memory",
    "by": "call",
    "under": "nothing",
    "read_only": "no",
    "out": "no",
}

OUT = "out.json"

REFUSALS = (gx.StoreError, ValueError, ArithmeticError, OSError)
"""The exceptions that are documented."""


class Refused(NamedTuple):
    """A refusal: its line, and the exit status of a command that ends with it."""

    line: str
    status: int


def parsed(line):
    """Return the verb of a line, and all its arguments."""
    verb, *words = line.split()
    return verb, DEFAULTS | dict(word.split("=", 1) for word in words)


class World:
    """Makes calls in a folder, and raises `Wrong` at the first that is not answered as it should be."""

    def __init__(self, root, apart):
        self.root, self.apart = Path(root).resolve(), apart
        self.solvers, self.servers = {}, {}
        self.finished = set()  # (path, kind, game) of first moves that are kept
        self.damaged = {}  # {path: whether an entry was changed, so that it may not be called sound}

    def close(self):
        """Give up all solvers and servers."""
        self.solvers.clear()
        if self.servers:
            while self.servers:
                self.servers.popitem()[1][0].__exit__()
            gc.collect()  # applications refer to themselves

    def do(self, line):
        """Make the call of a line, and check its answer and all that it left."""
        verb, call = parsed(line)
        with inside(self.root):
            if verb in CHANGES:
                getattr(self, verb)(call)
                return
            before = self.entries(), self.contents()
            try:
                found = self.answered(verb, call)
            except Ended:
                found = None
            self.check_left(verb, call, *before, died=found is None)
            if isinstance(found, Refused):
                self.check_refusal(verb, call, found)
            elif found is not None:
                getattr(self, f"check_{verb}")(call, found)
                if verb == "first_move" and self.path(call) and call["read_only"] == "no":
                    self.check_kept(call)

    def answered(self, verb, call):
        """Return the answer to a call, made as its `under` says."""
        if call["under"] == "nothing":
            return self.answer(verb, call)
        if call["under"] == "thread":
            return in_a_thread(partial(self.answer, verb, call))
        closed = [Path(), *Path().rglob("*")] if call["under"] == "readonly" else []
        for path in closed:
            path.chmod(0o555 if path.is_dir() else 0o444)
        try:
            return self.apart.do(call["under"], self.root, verb, call)
        finally:
            for path in closed:
                path.chmod(0o755 if path.is_dir() else 0o644)

    def answer(self, verb, call):
        """Return the answer to a call, plain data or Refused."""
        try:
            return getattr(self, f"ask_{verb}")(call)
        except REFUSALS as error:
            return Refused(str(error), 2 if isinstance(error, ValueError) else 1)

    def path(self, call):
        """Return the file or folder of a call, None for memory."""
        if call["place"] == "memory":
            return None
        return Path(call["place"] if call["kind"] == "float" else f"{call['place']}.sqlite")

    # Calls

    def solver(self, call):
        """Return a new solver, or the one that such calls share."""
        path, kind, read_only = self.path(call), call["kind"], call["read_only"] == "yes"
        arithmetics = {"exact": gx.Exact(), "ball": gx.Ball(30), "float": gx.Float(path)}
        arithmetic = arithmetics[kind]
        stored = {} if kind == "float" else {"store": path or ":memory:", "read_only": read_only}
        if call["by"] == "call":
            return gx.solver(arithmetic, jobs=1, **stored)
        key = kind, path, read_only
        if key not in self.solvers:
            self.solvers[key] = gx.solver(arithmetic, jobs=1, **stored)
        return self.solvers[key]

    def command(self, call, *words):
        """Return what a command prints or writes; a status other than 0 is a refusal."""
        path, is_float = self.path(call), call["kind"] == "float"
        kept = ["--folder" if is_float else "--store", str(path or ":memory:")]
        more = [] if is_float and path is None else kept
        more += ["--read-only"] * (call["read_only"] == "yes")
        more += ["--out", OUT] * (call["out"] == "yes")
        ended = run([*words, *more])
        if ended.status == 130:
            raise Ended
        if ended.status:
            line = ended.err or ended.out.partition("\n")[0]
            return Refused(line.removesuffix("\n"), ended.status)
        if ended.err:
            raise Wrong("status 0 with words on stderr", ended.err)
        return Path(OUT).read_text() if call["out"] == "yes" else ended.out

    def ask_first_move(self, call):
        if call["by"] == "command":
            options = "--objective", "--ties", "--prizes"
            rules = zip(options, call["rules"].split("/"), strict=True)
            form = "--arithmetic", call["kind"], "--emit", "json"
            return self.command(call, "--n", call["n"], *chain.from_iterable(rules), *form)
        return self.solver(call).first_move(game_of(call)).emit("json")

    def ask_value(self, call):
        return plain(self.solver(call).value(call["position"]))

    def ask_solve(self, call):
        solver = self.solver(call)
        solution, matrix = (ask(call["position"]) for ask in (solver.solve, solver.payoff_matrix))
        sides = [[*map(plain, side.values())] for side in (solution.row, solution.column)]
        return plain(solution.value), sides, [[*map(plain, row)] for row in matrix.to_numpy()]

    def ask_serve(self, call):
        """Ask the server of the game that a position belongs to."""
        position, folder = gx.Position.parse(call["position"]), self.path(call)
        game = gx.Game(3, position.rules)
        if (folder, game) not in self.servers:
            solver = gx.solver(gx.Float(folder), game, jobs=1)
            self.servers[folder, game] = Client(served(solver, folder)), solver
        client, solver = self.servers[folder, game]
        if call["by"] == "solver" and solver.has_open(position):
            status, text = client.get(f"/solve/{position}")
        else:
            status, text = client.get(f"/position/{position}")
        return text if status == 200 else Refused(text.removesuffix("\n"), status)

    def ask_look(self, call):
        words = {"verify": ("verify", "--jobs", "1")}.get(call["action"], ("store", call["action"]))
        return self.command(call, *words)

    # Answers

    def check_first_move(self, call, text):
        document, game = json.loads(text), game_of(call)
        stated = document["n"], document["arithmetic"], gx.Rules(**document["rules"])
        if stated != (game.n, call["kind"], game.rules):
            raise Wrong("first moves of another game", text)
        if [column["upcard"] for column in document["columns"]] != [*game.upcards]:
            raise Wrong("first moves for other upcards", text)
        if not is_right(text):
            raise Wrong("wrong first moves", text)

    def check_kept(self, call):
        """Raise if first moves that were answered are not in their store."""
        path, game, kind = self.path(call), game_of(call), call["kind"]
        if path in self.damaged:
            return
        self.finished.add((path, kind, game))
        if kind != "float":
            rules = f"{game.rules.objective}/{game.rules.ties}"
            keys = [key for key in self.entries()[path] if key.startswith(rules)]
            for upcard in game.upcards:
                first_move = f" opening {game.n} upcard {upcard or 'hidden'} "
                if not any(f" {kind}" in key and first_move in f"{key} " for key in keys):
                    raise Wrong("first moves are not in their store", first_move)

    def check_value(self, call, number):
        agree(number, truth(call["position"])[0])

    def check_solve(self, call, solution):
        right, matrix = truth(call["position"])
        value, sides, payoffs = solution
        agree(value, right)
        for line, entries in zip(payoffs, matrix, strict=True):
            for number, entry in zip(line, entries, strict=True):
                agree(number, entry)
        row, column = ([number for number, _ in side] for side in sides)
        if call["kind"] == "exact" and not oracle.is_optimal(matrix, right, row, column):
            raise Wrong("a strategy is not optimal", row, column)

    def check_serve(self, call, text):
        document = json.loads(text)
        if document.get("position", call["position"]) != call["position"]:
            raise Wrong("the server answers another question", text)
        for part in document.get("columns", [document]):
            value = part["value"]
            number = (value["exact"], 0) if "position" in document else (value, part["radius"])
            right, matrix = truth(call["position"])
            agree(tuple(map(Fraction, number)), right)
            if "payoffs" in part:
                for line in zip(part["payoffs"], part["payoff_radii"], matrix, strict=True):
                    for middle, radius, entry in zip(*line, strict=True):
                        agree((Fraction(middle), Fraction(radius)), entry)

    def check_look(self, call, _text):
        if call["action"] != "info" and self.damaged.get(self.path(call)):
            raise Wrong("a damaged store is called sound or proved")

    def check_refusal(self, verb, call, refused):
        """Raise unless there is reason to refuse a call, in one line, and with the status for that reason."""
        under, path = call["under"].partition(":")[0], self.path(call)
        # A file is empty if the process that was making it was killed.
        missing = path is not None and not (path.exists() and path.stat().st_size)
        writes = verb in ("first_move", "serve")
        known = writes and (path, call["kind"], game_of(call)) in self.finished
        missing = missing and (path.exists() or verb == "look" or call["read_only"] == "yes")
        reasons = (
            path in self.damaged,
            under == "full" and (path is not None or call["out"] == "yes"),
            under == "readonly" and (call["out"] == "yes" or Path(f"{path}-wal").exists()),
            under == "readonly" and writes and (not known or call["kind"] != "float"),
            missing,
        )
        if not any(reasons) or "\n" in refused.line:
            raise Wrong("refused without a reason, or not in one line", refused.line)
        if call["kind"] != "float" and reasons[0] and under != "readonly" and refused.status != 1:
            raise Wrong(f"status {refused.status} for a damaged store", refused.line)

    # What a call leaves

    def entries(self):
        """Return {store: {key: rest of its row}} of all stores that are not damaged."""
        found = {}
        for path in Path().glob("*.sqlite"):
            if path not in self.damaged:
                found[path] = {}
                with closing(sqlite3.connect(path)) as store, suppress(sqlite3.DatabaseError):
                    found[path] = {key: rest for key, *rest in store.execute("SELECT * FROM entry")}
        return found

    def contents(self):
        """Return {file: bytes} of layers and outputs."""
        files = [*Path().glob("*/float-*[ds]"), *Path().glob(OUT)]
        return {file: file.read_bytes() for file in files}

    def check_left(self, verb, call, entries, contents, *, died):
        """Compare the files with those before a call."""
        now, after = self.entries(), self.contents()
        for store, rows in entries.items():
            if not rows.items() <= now.get(store, {}).items():
                raise Wrong("an entry is lost or changed", store)
        writes = verb in ("first_move", "serve") and call["read_only"] == "no"
        if call["under"] == "readonly" or not writes:
            if now != entries:
                raise Wrong("a store is written by what only reads")
            if call["out"] == "no" and after != contents:
                raise Wrong("a file is written by what only reads")
        before, output = (files.get(Path(OUT), b"") for files in (contents, after))
        if output != before and not is_right(output.decode()):
            raise Wrong("an output is torn, wrong or lost", output[:80])
        names = (".gops_exact-*", "*/*.new", "tmp/*")
        for file in [file for name in names for file in Path().glob(name)]:
            if not died or call["under"].startswith("interrupted"):
                raise Wrong("a file is left behind", file.name)
            file.unlink() if file.is_file() else shutil.rmtree(file)
        self.check_closed()

    def check_closed(self):
        """Raise if a file is open that no solver and no server needs."""
        if self.solvers or self.servers:
            return
        for link in Path("/proc/self/fd").iterdir():
            with suppress(OSError):
                if str(file := link.readlink()).startswith(f"{self.root}/"):
                    raise Wrong("a file is left open", file)

    # Changes from outside

    def damage(self, call):
        """Change an entry, a byte of any file or the order of values, cut a file short, or delete one."""
        path, spot, how = self.path(call), int(call["spot"]), call["how"]
        if not path.exists():
            return
        self.finished = {each for each in self.finished if each[0] != path}
        if how == "entry" and path.is_file():
            with closing(sqlite3.connect(path)) as store, store, suppress(sqlite3.DatabaseError):
                rows = store.execute("SELECT rowid, payload FROM entry ORDER BY key").fetchall()
                if rows:
                    row, payload = rows[spot % len(rows)]
                    spoilt = changed(payload, spot)
                    store.execute("UPDATE entry SET payload = ? WHERE rowid = ?", (spoilt, row))
                    self.damaged[path] = True
            return
        self.close()  # a mapped file that is cut ends the process
        wanted = "*.values" if how == "entry" else "*"
        files = sorted(path.glob(wanted)) if path.is_dir() else [path]
        self.damaged.setdefault(path, False)
        for file in files[spot % max(len(files), 1) :][:1]:
            data = file.read_bytes()
            if how == "gone" and file != path:
                file.unlink()
            elif how == "entry":
                file.write_bytes(data[8:] + data[:8])  # each value in the place of another
            elif data:
                file.write_bytes(data[: spot % len(data)] if how == "cut" else changed(data, spot))

    def forget(self, call):
        """Delete a store and a folder, as a user does with what is damaged."""
        self.close()
        paths = Path(call["place"]), Path(f"{call['place']}.sqlite")
        for file in Path().glob(f"{paths[1]}*"):
            file.unlink()
        shutil.rmtree(paths[0], ignore_errors=True)
        self.damaged = {path: how for path, how in self.damaged.items() if path not in paths}
        self.finished = {each for each in self.finished if each[0] not in paths}

    def leave(self, _call):
        """Give up all solvers and servers, which then have no file open."""
        self.close()
        self.check_closed()


def answer_apart(root, verb, call):
    """Return the answer to a call in a process that has made no other one."""
    with inside(root):
        return World(root, None).answer(verb, call)


@contextmanager
def inside(root):
    """Work in a folder, which also takes temporary files."""
    before, tempfile.tempdir = tempfile.tempdir, str(root / "tmp")
    (root / "tmp").mkdir(exist_ok=True)
    try:
        with chdir(root):
            yield
    finally:
        tempfile.tempdir = before


CHANGES = ("damage", "forget", "leave")
"""Verbs that are no calls of the program."""


def changed(data, spot):
    """Return bytes with one byte changed; to do so again changes nothing back."""
    place = spot % len(data)
    return data[:place] + bytes([(data[place] + 1 + spot % 7) % 256]) + data[place + 1 :]


def served(solver, folder):
    """Return the server's application over a solver in floats; it solves in this process."""
    answers = Answers(solver, folder, 10**9, 60)

    async def reply(kind, position):
        if kind == "solve":
            return await answers.answer(kind, position)
        return answer(kind, position, solver)

    return application(reply, "page")


# The truth


def game_of(call):
    return gx.Game(int(call["n"]), gx.Rules(*call["rules"].split("/")))


is_right = lru_cache(1 << 12)(is_true)


def plain(number):
    """Return a number as a Fraction and its radius."""
    match number:
        case gx.ProvedDecimal():
            return Fraction(str(number)), Fraction(1, 2 * 10**number.digits)
        case gx.BoundedFloat():
            return Fraction(number.value), Fraction(number.radius)
    return number.to_fraction(), 0


def agree(number, right):
    """Raise unless a number is the right one, to within its radius."""
    middle, radius = number
    if abs(middle - right) > radius:
        raise Wrong("a wrong number", *map(str, number), str(right))


@cache
def truth(name):
    """Return the value of a position, and the matrix of its payoffs, None before a prize is turned up."""
    position = gx.Position.parse(name)
    rules = position.rules
    state = as_oracle(rules) | {"margin": position.margin, "pot": position.pot}
    hands = position.one, position.two, position.prizes
    if position.upcard is None and not rules.hidden:
        return oracle.position_value(*hands, **state), None
    return oracle.position_solution(*hands, position.upcard, **state)
