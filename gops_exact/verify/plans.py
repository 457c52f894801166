"""Proofs of what strategies of a game tree guarantee, which information sets they reach, and that they are a
quasi-perfect equilibrium.

An *information set* of a player is a set of states that the player cannot tell apart. A *sequence* of a player is a
pair: an information set with several moves, and one of these moves. Its *depth* counts this move and the player's
earlier moves at information sets with several moves. A *plan* has a weight for every sequence: the product of the
probabilities of the moves that its depth counts. The *sequence form* of a game lists the sequences and information sets
of both players, and the payoffs of all pairs of sequences, one of each player (Koller, Megiddo & von Stengel 1996).

For a number ε > 0, an *ε-plan* is a plan in which every sequence of depth d has at least the weight ε^d. Strategies are
a quasi-perfect equilibrium if they are the limit, as ε goes to 0, of ε-plans that are best replies to each other among
all ε-plans (van Damme 1984; Miltersen & Sørensen 2010). An ε-plan is such a best reply if, at each information set, only
best moves have more than the weight ε^d. A move is best if the player gains most by it when best moves follow.

The weights are polynomials in ε: lists of coefficients, from the power 0 on and all of equal length. The greater of two
lists, as Python compares lists, is the polynomial that is greater for all small ε > 0.

In a *game of paths* each player goes along a path through a graph, without seeing the other player's path, and pairs of
their moves have payoffs.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from gmpy2 import mpq

from gops_exact.base.documents import in_order, parse_exact
from gops_exact.verify.intervals import NotProvedError
from gops_exact.verify.nodes import SIDES, LastMove, Nodes, NodesOf, Strategies, Strategy, mix_at

Polynomial = list[mpq]
"""Coefficients of a polynomial in ε, from the power 0 on."""

Pair = tuple[LastMove, LastMove]
"""The last sequences of player one and of player two; None for a player who has none."""


class InformationSet(NamedTuple):
    """Information set of a player in a :class:`SequenceForm`."""

    moves: frozenset[str]  # the names of the moves
    # {sequence that leads to the set: factor with which the gain of the best move at the set is added to the gain of
    # the sequence}; empty if the set has a single move
    before: Mapping[LastMove, mpq]
    depth: int  # depth of the sequences that end at the set; 0 if the set has a single move


class SequenceForm(NamedTuple):
    """Sequence form of a game in which some players follow a given strategy.

    A player's *last sequence* at a state or an end of the game is the sequence that the player chose last. The form has
    the information sets of the players without a strategy, and the payoff of each pair of last sequences. It also says
    which information sets of the players with a strategy are reached.
    """

    # {name: information set} of player one, then of player two, if the player has no strategy. A set comes after the
    # sets that lead to it.
    sets: tuple[dict[str, InformationSet], dict[str, InformationSet]]
    # {last sequences: sum of player one's payoffs where a play ends with them, weighted with the probabilities of
    # chance and of strategies}
    payoffs: dict[Pair, mpq]
    # {information set that can be reached: the probability of reaching it} of players with a strategy. The numbers are
    # probabilities only if both players have a strategy; else they are only known to be positive.
    reached: tuple[dict[str, mpq], dict[str, mpq]]


def sequence_form(nodes: Nodes, strategies: Strategies, *, all_seen: bool = False) -> SequenceForm:
    """Return the sequence form of a game in which some players follow a strategy.

    A payoff is multiplied by the probabilities of the draws of chance and of the strategies' moves that lead to it from
    the start of the game. If `all_seen` is True, this product begins anew at each information set where a player
    without a strategy has several moves. The product up to the set is stored in ``InformationSet.before``.

    Args:
        nodes: pairs (state, its node), each state before all states that can follow it; the game starts at 0. States
            that the strategies never reach may be missing.
        strategies: player one's strategy, then player two's; None for a player without one.
        all_seen: True if each information set is a single state, so that nothing is hidden. Then at most one player may
            have no strategy, and states that the strategies never reach are left out of the form.

    Raises:
        NotProvedError: if a strategy does not fit the game, if the states of a set have different moves, or if a player
            without a strategy forgets a move of its own.
    """
    form = SequenceForm(({}, {}), defaultdict(mpq), (defaultdict(mpq), defaultdict(mpq)))
    # {state: {last sequences before the state: weight}}
    arrivals = defaultdict[int, dict[Pair, mpq]](lambda: defaultdict(mpq))
    arrivals[0][None, None] = mpq(1)
    for state, node in nodes:
        arrived = arrivals.pop(state, {})
        for pair, weight in arrived.items():
            if node.payoff:
                form.payoffs[pair] += weight * node.payoff
            for chance, after in node.chances:
                arrivals[after][pair] += weight * chance
        if not (arrived and node.moves):
            continue
        total = sum(arrived.values())
        # For each player, (probability, the player's last sequence from then on, None if it stays) of each move
        options: list[list[tuple[mpq, LastMove]]] = []
        for player, (name, moves) in enumerate(zip(node.knows, node.moves, strict=True)):
            strategy, is_choice = strategies[player], len(moves) > 1
            if not moves:
                options.append([(mpq(1), None)])
            elif strategy is not None:
                mix: Mapping[str, mpq] = {}
                if total:
                    mix = mix_at(strategy, name, moves)
                    form.reached[player][name] += total
                options.append([(mix.get(move, mpq(0)), None) for move in moves])
            else:
                before, depth = dict[LastMove, mpq](), 0
                if is_choice and all_seen:
                    before = {pair[player]: weight for pair, weight in arrived.items()}
                    arrived = {(None, None): mpq(1)}
                elif is_choice:
                    before = {pair[player]: mpq(1) for pair in arrived}
                    depth = 1 + max(
                        form.sets[player][last[0]].depth if last else 0 for last in before
                    )
                known = InformationSet(frozenset(moves), before, depth)
                is_new = form.sets[player].setdefault(name, known) == known
                if not is_new or (len(before) > 1 and not all_seen):
                    raise NotProvedError(
                        f"{name!r}: its states have different moves, or its player forgets one"
                    )
                options.append([(mpq(1), (name, move) if is_choice else None) for move in moves])
        for (one, two), weight in arrived.items():
            for (p, row), line in zip(options[0], node.after, strict=True):
                for (q, column), after in zip(options[1], line, strict=True):
                    if p * q or not all_seen:
                        arrivals[after][row or one, column or two] += weight * p * q
    return form


def _gains(
    form: SequenceForm, player: int, plan: Mapping[LastMove, Polynomial]
) -> Mapping[LastMove, Polynomial]:
    """Return {sequence: the player's greatest gain after this sequence of moves, against the other player's plan}."""
    gains = defaultdict[LastMove, Polynomial](lambda: [mpq(0)] * len(plan[None]))

    def add(sequence: LastMove, weight: mpq, gain: Polynomial) -> None:
        pairs = zip(gains[sequence], gain, strict=True)
        gains[sequence] = [known + weight * more for known, more in pairs]

    for pair, payoff in form.payoffs.items():
        add(pair[player], -payoff if player else payoff, plan[pair[1 - player]])
    for name, (moves, before, _) in reversed(form.sets[player].items()):
        for sequence, weight in before.items():
            add(sequence, weight, max(gains[name, move] for move in moves))
    return gains


def best_reply(
    nodes_of: NodesOf, strategies: Strategies, *, all_seen: bool
) -> tuple[mpq, AbstractSet[str]]:
    """Return player one's expected payoff if one player follows a strategy, and the other player the best reply to it.

    Also return the information sets that are in the strategy although they are not reached, whatever the other player
    does. A strategy must not have such sets unless `all_seen` is True. With `all_seen`, the function checks at these
    sets that the probabilities are at least 0 and add up to 1, and returns an empty set.

    Args:
        nodes_of: function that returns the nodes to which strategies lead.
        strategies: player one's strategy, then player two's; one of the two is None, for the player who replies.
        all_seen: True if each information set is a single state, so that nothing is hidden.

    Raises:
        NotProvedError: if the strategy does not fit the game, or if the replying player forgets a move of its own.
    """
    player = strategies.index(None)
    strategy = strategies[1 - player] or {}
    form = sequence_form(nodes_of(strategies), strategies, all_seen=all_seen)
    gain = _gains(form, player, {None: [mpq(1)]})[None][0]
    unreached = strategy.keys() - form.reached[1 - player].keys()
    if all_seen:
        # A set of the other player may have the same name.
        moves = {
            node.knows[1 - player]: node.moves[1 - player]
            for _, node in nodes_of(strategies)
            if node.moves and node.moves[1 - player]
        }
        for name in unreached:
            mix_at(strategy, name, moves.get(name, ()))
        unreached = set()
    return -gain if player else gain, unreached


def reply_on_paths(
    document: Mapping[str, Any], strategies: Strategies
) -> tuple[mpq, AbstractSet[str]]:
    """Compute the best reply to a strategy in a game of paths.

    The best reply is a shortest or a longest path, where the length of a move is player one's gain from this move.

    Args:
        document: the document. Its member ``graphs`` has the graph of each player, {set: {move: next set}}, and
            ``payoffs`` has {move of player one: {move of player two: payoff}}.
        strategies: player one's strategy, then player two's; one of the two is None, for the player who replies.

    Returns:
        Player one's expected payoff if one player plays the strategy and the other the best reply; and the names of the
        sets in the strategy that the strategy does not reach.

    Raises:
        NotProvedError: if the strategy does not fit the player's graph.
        ValueError: if a graph has a set without moves, a cycle, or not exactly one set to which no move leads.
    """
    player = strategies.index(None)
    own, other = document["graphs"][1 - player], document["graphs"][player]
    strategy, order = strategies[1 - player] or {}, in_order(own)
    # The probabilities with which the strategy comes to a set and plays a move; the length of the other player's moves,
    # and of the best path from a set on.
    shares, played, lengths, best = (defaultdict[str, mpq](mpq) for _ in range(4))
    shares[order[0]] = mpq(1)
    for name in order:
        mix = mix_at(strategy, name, tuple(own[name])) if shares[name] else {}
        for move, chance in mix.items():
            played[move] += shares[name] * chance
            shares[own[name][move]] += shares[name] * chance
    for one, line in document["payoffs"].items():
        for two, payoff in line.items():
            move, reply = (one, two) if player else (two, one)
            lengths[reply] += played[move] * parse_exact(payoff)
    for name in reversed(in_order(other)):
        ways = (lengths[move] + best[after] for move, after in other[name].items())
        best[name] = min(ways) if player else max(ways)
    return best[name], {name for name in strategy if name not in own or not shares[name]}


def check_reached(
    stated: Mapping[str, Mapping[str, str]], nodes_of: NodesOf, strategies: Strategies
) -> int:
    """Prove the probabilities with which two strategies reach the information sets of both players.

    Args:
        stated: {"row" or "column": {information set of that player: probability above 0}}.
        nodes_of: function that returns the nodes to which strategies lead.
        strategies: player one's strategy, then player two's.

    Returns:
        The number of information sets that are reached.

    Raises:
        NotProvedError: if a set has another probability, or is missing; or if a strategy does not fit the game.
    """
    shares = sequence_form(nodes_of(strategies), strategies).reached
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
    nodes_of: NodesOf,
    strategies: Sequence[Strategy],
) -> int:
    """Prove that strategies are a quasi-perfect equilibrium, the limit of plans with polynomials as weights.

    Args:
        stated: {"row" or "column": {information set of that player with several moves: {move: coefficients}}}.
        nodes_of: function that returns the nodes to which strategies lead.
        strategies: player one's strategy, then player two's.

    Returns:
        1, the number of claims.

    Raises:
        NotProvedError: if the polynomials are not the weights of plans, if the weight of a sequence of depth d is less
            than ε^d, if the plans are not best replies to each other for all small ε > 0, or if a strategy's
            probabilities are not the limits of the plan's probabilities as ε goes to 0.
    """
    form = sequence_form(nodes_of((None, None)), (None, None))
    powers = 1 + max((known.depth for sets in form.sets for known in sets.values()), default=0)
    plans = []
    for side, sets, strategy in zip(SIDES, form.sets, strategies, strict=True):
        try:
            plans.append(_read_plan(stated[side], sets, powers, strategy))
        except NotProvedError as error:
            raise NotProvedError(f"{side}: {error}") from None
    for player, (side, sets) in enumerate(zip(SIDES, form.sets, strict=True)):
        gains = _gains(form, player, plans[1 - player])
        for name, (moves, before, depth) in sets.items():
            for move in sorted(moves) if before else ():
                is_best = gains[name, move] == max(gains[name, other] for other in moves)
                if not is_best and any(_spare(plans[player][name, move], depth)):
                    raise NotProvedError(
                        f"{side}: {name!r}: {move!r} is no best reply, and has more than the least weight"
                    )
    return 1


def _spare(polynomial: Polynomial, depth: int) -> Polynomial:
    # the part of a weight that exceeds ε^depth, the least weight
    return [c - (k == depth) for k, c in enumerate(polynomial)]


def _read_plan(
    stated: Mapping[str, Mapping[str, Sequence[str]]],
    sets: Mapping[str, InformationSet],
    powers: int,
    strategy: Strategy,
) -> dict[LastMove, Polynomial]:
    """Check the plan that a document states for a player, and return it, {sequence: weight}.

    A *sequence* is an information set with several moves, and one of these moves. Its *depth* d is the number of such
    moves that the player has made with it. Its *weight* is a polynomial in ε, a list of `powers` coefficients: the
    product of the probabilities of these moves.

    Args:
        stated: {information set: {move: coefficients of the weight, from the power 0 on}}.
        sets: {name: information set} of the player.
        powers: the number of coefficients of a weight.
        strategy: the player's strategy, the limit of the plan as ε goes to 0.

    Raises:
        NotProvedError: if `stated` or `strategy` has other information sets or moves than `sets`, if the weight of a
            sequence is less than ε^d, if the weights at a set do not add up to the weight of the sequence that leads to
            the set, or if the strategy is not the limit of the plan.
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
            (last,) = before
            polynomials = [plan[name, move] for move in moves]
            if [*map(sum, zip(*polynomials, strict=True))] != plan[last]:
                raise NotProvedError(
                    f"{name!r}: the weights do not add up to that of the sequence before"
                )
            power, lead = next((k, c) for k, c in enumerate(plan[last]) if c)
            limit = {move: chance for move in moves if (chance := plan[name, move][power] / lead)}
        if strategy[name] != limit:
            raise NotProvedError(f"{name!r}: the strategy is not the limit of the polynomials")
    return plan
