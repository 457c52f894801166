"""Openings of whole games: the recursion, in one process, in many, or on a cluster, over the store.

Processes of one machine exchange slabs through the store alone: a worker reads the slabs that its
task needs and writes what it computed.
"""

from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from gops_exact.game.order_types import counts
from gops_exact.game.rules import Rules, Upcard
from gops_exact.lattice.sweep import Arithmetic, Probability, Slab
from gops_exact.matrix_game.play import Play
from gops_exact.pools import InProcess, Order, Processes, available_cores
from gops_exact.progress import Progress
from gops_exact.solvers.cluster import Cluster
from gops_exact.solvers.cluster_values import Values
from gops_exact.solvers.tasks import Job, Worker
from gops_exact.store.location import StoreLocation
from gops_exact.store.shelf import MEMORY_BYTES

PARALLEL_FROM = 10_000
"""The number of matrix games from which solving takes longer than starting workers."""


def openings(
    n: int,
    upcards: Iterable[Upcard],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Probability],
    location: StoreLocation,
    *,
    jobs: int | None = None,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> dict[Upcard, Play[Probability]]:
    """Return the optimal first moves of the game of n cards, {upcard: opening}.

    Args:
        n: cards a side.
        upcards: the upcards wanted, of those that the rules let come first.
        rules: the rules.
        arithmetic: the number system.
        location: the store.
        jobs: processes; by default all cores from :data:`PARALLEL_FROM` games on. A read-only
            store leaves no way to pass slabs on, so there it is always one.
        cluster: the workers to use instead.
        progress: called with the work done and all the work there is.
    """
    wanted = list(upcards)
    large = counts(n, rules).games >= PARALLEL_FROM
    if jobs is None:
        jobs = available_cores() if large else 1
    # An interrupt ends workers at once, but has to wait for a long product in this process.
    apart = (jobs > 1 or large) and not location.read_only
    if (apart or cluster is not None) and location.path is None:
        with TemporaryDirectory(prefix="gops_exact-") as folder:
            location = StoreLocation(Path(folder) / "store.sqlite")
            return openings(
                n,
                wanted,
                rules,
                arithmetic,
                location,
                jobs=jobs,
                cluster=cluster,
                progress=progress,
            )
    divided = jobs > 1 or cluster is not None
    job = Job(n, rules, arithmetic, MEMORY_BYTES // jobs, divided, location)
    with location.open() or nullcontext() as store:
        worker = Worker(job, store)
        graph = worker.graph(wanted)
        order = Order(graph, progress, worker.weight)
        if cluster is not None:
            cluster.follow(order, Values(cluster, worker, graph), worker.is_small)
        elif not apart or not graph or (len(graph) < jobs and not large):
            InProcess().follow(order, worker.do)
        else:
            Processes(jobs).follow(order, worker.do, worker.is_small)
        found = {upcard: worker.shelf.opening(worker.prizes, upcard) for upcard in wanted}
        return {upcard: opening for upcard, opening in found.items() if opening is not None}
