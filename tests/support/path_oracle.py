"""The truth about documents of games of paths: all paths are listed. Shares no code with the package."""

from fractions import Fraction

from oracle_checks import schema


def paths(graph, name=None):
    """Yield every path through a graph as a list of (set, move).

    Raises:
        ValueError: if moves lead back to a set, or if several sets, or none, are such that no move leads to them.
    """
    if name is None:
        (name,) = {*graph} - {after for moves in graph.values() for after in moves.values()}
        if loops(graph):
            raise ValueError
    for move, after in graph[name].items():
        later = paths(graph, after) if after in graph else [[]]
        yield from ([(name, move), *rest] for rest in later)


def loops(graph):
    """True if sets that lead to no set are taken away until none is left, or only loops are."""
    left = {name: {*moves.values()} for name, moves in graph.items()}
    while ends := [name for name, after in left.items() if not after & left.keys()]:
        for name in ends:
            del left[name]
    return bool(left)


def gain(payoffs, one, two):
    """Player one's payoff for a path of each player."""
    return sum(Fraction(payoffs.get(k, {}).get(l, 0)) for _, k in one for _, l in two)


def chances(graph, strategy):
    """[(probability, path)] of a strategy; it has no sets but those that it reaches.

    Raises:
        ValueError: if it is no strategy of the graph.
    """
    drawn, reached = [], set()
    for path in paths(graph):
        chance = Fraction(1)
        for name, move in path:
            if chance:
                reached.add(name)
                mix = strategy.get(name) or (
                    dict.fromkeys(graph[name], 1) if len(graph[name]) == 1 else {}
                )
                if not mix.keys() <= graph[name].keys() or sum(map(Fraction, mix.values())) != 1:
                    raise ValueError
                chance *= Fraction(mix.get(move, 0))
        drawn.append((chance, path))
    if not strategy.keys() <= reached:
        raise ValueError
    return drawn


def is_true_game(document):
    """Whether a document is of a game of paths, and its value and strategies are right."""
    try:
        if not schema("path-game-1").is_valid(document):
            return False
        drawn = [
            chances(graph, document[side])
            for graph, side in zip(document["graphs"], ("row", "column"), strict=True)
        ]
        least = min(
            sum(p * gain(document["payoffs"], one, two) for p, one in drawn[0])
            for _, two in drawn[1]
        )
        most = max(
            sum(p * gain(document["payoffs"], one, two) for p, two in drawn[1])
            for _, one in drawn[0]
        )
    except ValueError:
        return False
    numbers = [
        document["value"],
        *(p for side in ("row", "column") for mix in document[side].values() for p in mix.values()),
    ]
    numbers += [payoff for line in document["payoffs"].values() for payoff in line.values()]
    return least == most == Fraction(document["value"]) and all(
        str(Fraction(x)) == x for x in numbers
    )
