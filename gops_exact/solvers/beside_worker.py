"""Processes beside a Dask worker, which compute while the worker answers the scheduler."""

from distributed import Worker, WorkerPlugin

from gops_exact.base.pools import Processes

EXECUTOR = "gops_exact"
"""Name of the plugin, and of the executor that it adds to a worker. Tasks are annotated with this name."""


class ProcessesBeside(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """A plugin that adds the executor :data:`EXECUTOR` to each worker: a pool with one process per thread."""

    name = EXECUTOR
    idempotent = True  # if a second client registers the plugin, workers keep their pools

    def setup(self, worker: Worker) -> None:
        worker.executors[EXECUTOR] = Processes(worker.state.nthreads)

    def teardown(self, worker: Worker) -> None:
        """End the processes at once; the worker shuts its executors down after this."""
        worker.executors[EXECUTOR].kill()
