"""Serve a game in floats with proved error bounds, to this machine only: a page to explore and play it in a
browser, and answers to scripts, which can ask about any position by its name, as in
/position/2.4_1.3_12.13@13. Other machines cannot connect, so they cannot make this machine compute.
To give the page to other people, write a file with `explore`, which needs no server.

Requests are answered by :mod:`.application`, positions are solved by :mod:`.serving`.
"""

import sys
from dataclasses import replace
from socket import IPPROTO_TCP, TCP_NODELAY, create_server

from gops_exact.base.machine import available_cores
from gops_exact.base.progress import COMPILE_SECONDS, compiling, note, progress_bar
from gops_exact.commands.options import (
    Options,
    Parser,
    on_cores,
    optional,
    writable_folder,
)
from gops_exact.commands.serving import MOST_CARDS, OWN_MEGABYTES, Answers
from gops_exact.show.explorer import EVERY_RULES, served_page
from gops_exact.show.tablebase import answer
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.cost import check_cost, estimate_cost, size
from gops_exact.solvers.floats.by_layers import MEMORY_BYTES, ByLayers, has_layers
from gops_exact.solvers.floats.kernels import always_compile

EXAMPLES = {
    "-n 9": "nine cards at http://127.0.0.1:8013/",
    "-n 13 --folder floats": "a full suit: computed once, in 80 seconds on two cores; 1.3 GB",
}

PORT, ADDRESS = 8013, "127.0.0.1"

COMPILING = f"kernels are compiled, once, about {COMPILE_SECONDS} s"


def add_arguments(parser: Parser) -> None:
    parser.share("-n --n", between=(1, MOST_CARDS))
    parser.add_rules(deck=True)
    port = "the port of 127.0.0.1 to listen on; 0 for any free one"
    parser.add("output", "--port", "PORT", port, PORT, between=(0, 65535))
    parser.share("--folder")
    memory = "megabytes that the server and the processes in which it solves positions may take"
    least = OWN_MEGABYTES + 100
    parser.add("running", "--memory", "MB", memory, 2000, between=(least, 10**9))
    seconds = "seconds that a position may take whose values are not there"
    parser.add("running", "--seconds", "S", seconds, 60, between=(1, 10**6))
    parser.share("--force")


def run(options: Options) -> None:
    with optional("serve", "serve"):
        from gops_exact.commands.application import application, serve, starting

    game, folder = options.game, options.folder
    in_memory = 0 if folder else estimate_cost(game, Float()).kept
    free = 10**6 * (options.memory - OWN_MEGABYTES) - in_memory
    if free < 0:
        raise ValueError(f"--memory: expected {size(in_memory)} more, got {options.memory} MB")
    try:
        listener = create_server((ADDRESS, options.port))  # reachable from this machine only
    except OSError as error:
        raise ValueError(
            f"--port: expected a free port, got {options.port}: {error.strerror}"
        ) from error
    with listener:
        # An answer is sent in two parts. Without this option, the second part would be sent only after the client has
        # confirmed the first part, which takes 40 ms.
        listener.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        address = f"http://{ADDRESS}:{listener.getsockname()[1]}/"
        share, compiles, bar = 0.0, False, progress_bar()

        def progress(done: int, total: int) -> None:
            nonlocal share
            share = done / total
            if bar is not None:
                bar(done, total)

        def tell_compiling(goes_on: bool) -> None:
            nonlocal compiles
            if goes_on and not compiles and bar is None:  # a bar says so itself
                note(f"{game}: {COMPILING}")
            compiles = goes_on

        compiling.append(tell_compiling)
        app = starting(game, lambda: (COMPILING if compiles else "values are made", share))

        def prepare() -> None:
            always_compile()
            shown = f"{address} shows how far it is"
            if has_layers(folder, game):
                note(f"{game}: from {folder}; {shown}")
                solver = ByLayers(Float(folder), progress=progress)
            else:
                writable_folder(folder)
                kind = Float(folder, memory_bytes=None if folder else MEMORY_BYTES)
                estimate = check_cost(game, replace(kind, keep=True), force=options.force)
                time = on_cores(estimate.seconds, available_cores())
                where = folder or "memory"
                note(f"{game}: {size(estimate.kept)} of values in {where}, {time}; {shown}")
                solver = ByLayers(kind, game, progress=progress, force=options.force)
            solver.open_layers(game)
            answer("solve", game.start, solver)  # compiles the kernels
            answers = Answers(solver, folder, free, options.seconds)
            others = {
                rules: answers.cost(replace(game, rules=rules).start)
                for rules in EVERY_RULES
                if rules != game.rules
            }
            app.router.routes = application(answers.answer, served_page(game, others)).routes
            if not sys.stderr.isatty():  # a log should say when the server is ready
                print(f"{game}: ready at {address}", file=sys.stderr)
            print(f"{address} (Ctrl-C ends it)", flush=True)

        serve(app, listener, prepare)
