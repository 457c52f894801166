"""Proofs of which information sets strategies reach, and that strategies are a quasi-perfect equilibrium.

A *sequence* of a player is an information set with several moves, and one of these moves. Its *depth* is the number of
such moves that the player has made with it. A *plan* has a weight for every sequence: the product of the probabilities
of its move and of the player's earlier moves. Strategies are a quasi-perfect equilibrium if they are the limit of plans
that are best replies to each other among the plans in which every sequence of depth d has at least the weight ε^d, as ε
goes to 0 (van Damme 1984; Miltersen & Sørensen 2010). The weights are polynomials in ε. Of two polynomials the one with
the greater coefficient at the first power where they differ is greater for all small ε > 0. So polynomials are lists of
coefficients, from the power 0 on and of equal length, and Python's order of lists is that of the polynomials.

A plan is a best reply among those plans if it gives more than the least weight only to moves that are best at their
information set, where the player goes on with best moves.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gmpy2 import mpq

from gops_exact.base.documents import parse_exact
from gops_exact.verify.intervals import NotProvedError
from gops_exact.verify.nodes import SIDES, LastMove, Nodes, Strategy, mix_at

Polynomial = list[mpq]
"""Coefficients of a polynomial in ε, from the power 0 on."""

Pair = tuple[LastMove, LastMove]
"""The last sequences of player one and of player two; None for a player who has none."""


class InformationSet(NamedTuple):
    """Information set of a player."""

    moves: frozenset[str]
    before: LastMove  # the sequence that leads to the set; None too if the set has a single move
    depth: int  # depth of the sequences that end at the set; 0 if the set has a single move


def check_reached(
    stated: Mapping[str, Mapping[str, str]],
    nodes: Nodes,
    strategies: Sequence[Strategy],
) -> int:
    """Prove the probabilities with which two strategies reach the information sets of both players.

    Args:
        stated: {"row" or "column": {information set of that player: probability above 0}}.
        nodes: the states, which begin with 0. Nodes that the strategies do not reach may be missing.
        strategies: player one's strategy, then player two's.

    Returns:
        The number of information sets that are reached.

    Raises:
        NotProvedError: if a set has another probability, or is missing.
    """
    shares = defaultdict[str, mpq](mpq), defaultdict[str, mpq](mpq)
    arrivals = defaultdict[int, mpq](mpq, {0: mpq(1)})
    for state, node in nodes:
        weight = arrivals.pop(state, mpq(0))
        for chance, after in node.chances:
            arrivals[after] += weight * chance
        if not (weight and node.moves):
            continue
        mixes = []
        for player, (moves, name) in enumerate(zip(node.moves, node.knows, strict=True)):
            chances = [mpq(1)]
            if moves:
                shares[player][name] += weight
                mix = mix_at(strategies[player], name, moves)
                chances = [mix.get(move, mpq(0)) for move in moves]
            mixes.append(chances)
        for p, line in zip(mixes[0], node.after, strict=True):
            for q, after in zip(mixes[1], line, strict=True):
                arrivals[after] += weight * p * q
    for side, own in zip(SIDES, shares, strict=True):
        claims = {name: parse_exact(share) for name, share in stated[side].items()}
        for name in sorted(claims.keys() | own.keys()):
            share, claim = own.get(name, mpq(0)), claims.get(name, mpq(0))
            if share != claim:
                raise NotProvedError(
                    f"{side}: {name!r} is reached with the probability {share}, not {claim}"
                )
    return sum(map(len, shares))


def check_polynomials(
    stated: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]],
    nodes: Nodes,
    strategies: Sequence[Strategy],
) -> int:
    """Prove that strategies are a quasi-perfect equilibrium, the limit of plans with polynomials as weights.

    Args:
        stated: {"row" or "column": {information set of that player with several moves: {move: coefficients}}}.
        nodes: the states, which begin with 0.
        strategies: player one's strategy, then player two's.

    Returns:
        1, the number of claims.

    Raises:
        NotProvedError: if the plans are not best replies to each other for all small ε, or if their limits are not the
            strategies.
    """
    both_sets, payoffs = _sequence_form(nodes)
    powers = 1 + max((known.depth for sets in both_sets for known in sets.values()), default=0)
    plans = []
    for side, sets, strategy in zip(SIDES, both_sets, strategies, strict=True):
        try:
            plans.append(_read_plan(stated[side], sets, powers, strategy))
        except NotProvedError as error:
            raise NotProvedError(f"{side}: {error}") from None
    for player, (side, sets) in enumerate(zip(SIDES, both_sets, strict=True)):
        # For each sequence the player's expected gain: at first at the ends of the game where the sequence is the last
        # one, then also after the best moves at the sets that it leads to.
        gains = defaultdict[LastMove, Polynomial](lambda: [mpq(0)] * powers)
        for pair, payoff in payoffs.items():
            gain = -payoff if player else payoff
            _add(gains, pair[player], [gain * c for c in plans[1 - player][pair[1 - player]]])
        for name, (moves, before, depth) in reversed(sets.items()):
            if len(moves) == 1:
                continue
            best = max(gains[name, move] for move in moves)
            for move in sorted(moves):
                if gains[name, move] != best and any(_spare(plans[player][name, move], depth)):
                    raise NotProvedError(
                        f"{side}: {name!r}: {move!r} is no best reply, and has more than the least weight"
                    )
            _add(gains, before, best)
    return 1


def _add(sums: defaultdict[LastMove, Polynomial], key: LastMove, polynomial: Polynomial) -> None:
    sums[key] = [a + b for a, b in zip(sums[key], polynomial, strict=True)]


def _spare(polynomial: Polynomial, depth: int) -> Polynomial:
    """Return a polynomial less ε^depth."""
    return [c - (k == depth) for k, c in enumerate(polynomial)]


def _sequence_form(
    nodes: Nodes,
) -> tuple[tuple[dict[str, InformationSet], ...], dict[Pair, mpq]]:
    """Return the information sets of both players, and player one's payoffs by pairs of sequences.

    Returns:
        {name: information set} of player one, then of player two, each set after those that lead to it; and {last
        sequences: sum of the payoffs where a play ends with them, weighted with the probabilities of chance}.

    Raises:
        NotProvedError: if the states of a set have different moves, or if its player forgets a move.
    """
    both_sets: tuple[dict[str, InformationSet], ...] = {}, {}
    payoffs = defaultdict[Pair, mpq](mpq)
    # {state: {last sequences before the state: probability that chance makes its draws on the way}}
    arrivals = defaultdict[int, defaultdict[Pair, mpq]](lambda: defaultdict(mpq))
    arrivals[0][None, None] = mpq(1)
    for state, node in nodes:
        for pair, weight in arrivals.pop(state).items():
            if node.payoff:
                payoffs[pair] += weight * node.payoff
            for chance, after in node.chances:
                arrivals[after][pair] += weight * chance
            if node.moves:
                rows, columns = (
                    _sequences_at(both_sets[player], node.knows[player], moves, pair[player])
                    for player, moves in enumerate(node.moves)
                )
                for row, line in zip(rows, node.after, strict=True):
                    for column, after in zip(columns, line, strict=True):
                        arrivals[after][row, column] += weight
    return both_sets, payoffs


def _sequences_at(
    sets: dict[str, InformationSet], name: str, moves: Sequence[str], before: LastMove
) -> list[LastMove]:
    """Return a player's last sequence after each move at an information set; add the set if it is new.

    Args:
        sets: {name: information set} of the player.
        name: the name of the set.
        moves: the player's moves there; none if the player does not move.
        before: the player's last sequence before the set.
    """
    if not moves:
        return [before]
    known = InformationSet(frozenset(moves), None, 0)
    if len(moves) > 1:
        depth = 1 + (sets[before[0]].depth if before else 0)
        known = InformationSet(known.moves, before, depth)
    if sets.setdefault(name, known) != known:
        raise NotProvedError(
            f"{name!r}: its states have different moves, or its player forgets one"
        )
    return [(name, move) for move in moves] if len(moves) > 1 else [before]


def _read_plan(
    stated: Mapping[str, Mapping[str, Sequence[str]]],
    sets: Mapping[str, InformationSet],
    powers: int,
    strategy: Strategy,
) -> dict[LastMove, Polynomial]:
    """Return a player's plan, after a proof that it is one with the least weights and that the strategy is its limit.

    Args:
        stated: {information set with several moves: {move: coefficients}}.
        sets: {name: information set} of the player.
        powers: greatest number of coefficients, and their number in the result.
        strategy: the player's strategy.

    Raises:
        NotProvedError: if it is no such plan, or if the strategy is not its limit.
    """
    several = {name for name, known in sets.items() if len(known.moves) > 1}
    for parts, names, what in (
        (stated, several, "polynomials for the information sets with several moves"),
        (strategy, sets.keys(), "probabilities for the information sets of the player"),
    ):
        if parts.keys() != names:
            raise NotProvedError(f"{min(parts.keys() ^ names)!r}: expected {what}, and no others")
    plan: dict[LastMove, Polynomial] = {None: [mpq(1)] + [mpq(0)] * (powers - 1)}
    for name, (moves, before, depth) in sets.items():
        limit = dict.fromkeys(moves, mpq(1))
        if len(moves) > 1:
            if stated[name].keys() != moves:
                moves_named = ", ".join(map(repr, sorted(moves)))
                raise NotProvedError(f"{name!r}: expected polynomials of the moves {moves_named}")
            for move, texts in stated[name].items():
                if len(texts) > powers:
                    raise NotProvedError(f"{name!r}: {move!r} has more than {powers} coefficients")
                polynomial = [*map(parse_exact, texts), *[mpq(0)] * (powers - len(texts))]
                if _spare(polynomial, depth) < [mpq(0)] * powers:
                    raise NotProvedError(
                        f"{name!r}: {move!r} has less than ε^{depth}, the least weight"
                    )
                plan[name, move] = polynomial
            polynomials = [plan[name, move] for move in moves]
            if [*map(sum, zip(*polynomials, strict=True))] != plan[before]:
                raise NotProvedError(
                    f"{name!r}: the weights do not add up to that of the sequence before"
                )
            power, lead = next((k, c) for k, c in enumerate(plan[before]) if c)
            limit = {move: chance for move in moves if (chance := plan[name, move][power] / lead)}
        if strategy[name] != limit:
            raise NotProvedError(f"{name!r}: the strategy is not the limit of the polynomials")
    return plan
