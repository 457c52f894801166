"""Scheduler and workers of Dask, as processes that can be killed."""

import json
import subprocess
import sys

from runs import kill, until


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
