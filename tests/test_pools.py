"""The order of tasks that wait for each other."""

from gops_exact.pools import InProcess, Order


def test_longest_divided_tasks_come_before_shorter_ones():
    # c and d are divided when slab b is done; d has more parts, and so has more to do itself.
    parts = {"a": ["a1"], "c": ["c1"], "d": ["d1", "d2", "d3"]}
    done, told = [], []

    def work(task):
        if task in parts:
            return parts.pop(task)
        done.append(task)
        return []

    graph = {"a": [], "b": [], "c": ["b"], "d": ["b"]}
    InProcess().follow(Order(graph, lambda *work: told.append(work), lambda _: 60), work)
    assert done == ["b", "d1", "d2", "d3", "d", "a1", "a", "c1", "c"]
    assert [first for first, _ in told] == [0, 60, 70, 80, 90, 120, 150, 180, 210, 240]
