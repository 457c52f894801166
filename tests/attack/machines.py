"""Scheduler and workers of Dask, as processes that can be killed.

``python tests/attack machines [--lose SECONDS] RESULT…`` makes files of ``results/`` anew on two workers and compares
the bytes; with ``--lose``, a worker, then the client, then the scheduler is killed, one every so many seconds. Floats are made without
a folder.
"""
# a program, too

import argparse
import csv
import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from places import RESULTS
from runs import kill, start, until


class Machines:
    """A scheduler and workers, all on this machine."""

    def __init__(self, folder):
        self.folder, self.log = folder, (folder / "log").open("w")
        self.card, self.workers = folder / "scheduler.json", []
        self.scheduler = self._launch("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        # The file is there before it is written.
        until(lambda: self.card.exists() and self.card.read_text().endswith("}"), "scheduler")
        self.address = json.loads(self.card.read_text())["address"]

    def _launch(self, program, *options):
        command = [sys.executable, "-m", f"distributed.cli.{program}", *options]
        command += ["--scheduler-file", str(self.card), "--no-dashboard"]
        return subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd=self.folder)

    def hire(self, count, memory="0", nanny="--no-nanny"):
        """Have so many workers, of one thread each; with memory, and a nanny, for those that are new."""
        while len(self.workers) < count:
            options = [nanny, "--nthreads", "1", "--memory-limit", memory]
            options += ["--local-directory", str(self.folder)]
            self.workers.append(self._launch("dask_worker", *options))

    def computing(self):
        """List the processes that compute for the workers."""
        from psutil import Process  # comes with distributed

        children = [child for worker in self.workers for child in Process(worker.pid).children()]
        return [child for child in children if "import serve" in " ".join(child.cmdline())]

    def restart(self):
        """Have another scheduler, without workers, at the same address."""
        port = self.address.rpartition(":")[2]
        kill(self.scheduler)
        self.lose()
        self.card.unlink()
        self.scheduler = self._launch("dask_scheduler", "--host", "127.0.0.1", "--port", port)
        until(lambda: self.card.exists() and self.card.read_text().endswith("}"), "scheduler")

    def close(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        self.log.close()

    def lose(self, count=None):
        """Kill so many workers, by default all."""
        for _ in range(len(self.workers) if count is None else count):
            kill(self.workers.pop())


def make(machines, command, folder, lose):
    """Return what a command prints that is run on the workers, with what it has lost on the way."""
    words = [*command.split()[3:], "--scheduler", machines.address]
    if "--arithmetic float" not in command:  # which then has no folder to share
        words += ["--store", str(folder / "store.sqlite")]
    losses = ["worker", "client", "scheduler"] if lose else []
    client = start(*words, "--out", str(folder / "made"))
    while True:
        try:
            code = client.wait(timeout=lose if losses else None)
        except subprocess.TimeoutExpired:
            lost = losses.pop(0)
            print(f"  {lost} lost", flush=True)
            if lost == "worker":
                machines.lose(1)
            elif lost == "client":
                kill(client)
            else:
                machines.restart()
            machines.hire(2)
            if lost == "scheduler":
                print("  " + client.communicate()[1].partition("\n")[0])
            if lost != "worker":
                client = start(*words, "--out", str(folder / "made"))
            continue
        if code:
            raise SystemExit(client.communicate()[1])
        return (folder / "made").read_bytes()


def main():
    """Make each file anew and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lose", type=float)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    with (RESULTS / "manifest.csv").open() as manifest:
        lines = {line["file"]: line for line in csv.DictReader(manifest)}
    differ = 0
    for file in arguments.files:
        with TemporaryDirectory() as name:
            machines = Machines(Path(name))
            try:
                machines.hire(2)
                begun = time.perf_counter()
                made = make(machines, lines[file]["command"], Path(name), arguments.lose)
                seconds = time.perf_counter() - begun
            finally:
                machines.close()
        same = hashlib.sha256(made).hexdigest() == lines[file]["sha256"]
        differ += not same
        print(f"{file}: {seconds:.0f} s, {'same bytes' if same else 'OTHER BYTES'}", flush=True)
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
