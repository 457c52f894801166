"""The truth about documents of game trees: every play is listed and every pure plan tried. Shares no code with the package.

Polynomials in a small number are FLINT's; of two the one with the greater first coefficient that differs is greater.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import chain, product
from math import prod

from flint import fmpq, fmpq_poly
from oracle_checks import schema

SIDES = "row", "column"


def is_true_tree(document):
    """Whether a document is of a game tree, and all that it says of its strategies is true."""
    try:
        if not schema("game-tree-1").is_valid(document):
            return False
        tree = Tree(document)
        stated = [exact(document.get("value") or document[bound]) for bound in ("least", "most")]
        need([tree.worth(player) for player in (0, 1)] == stated)
        if "reached" in document:
            need([tree.numbers("reached", side) for side in SIDES] == tree.shares())
        if "polynomials" in document:
            need(all(map(tree.is_best_plan, (0, 1))))
    except ValueError:
        return False
    return True


def need(condition):
    if not condition:
        raise ValueError


def exact(text):
    need(str(Fraction(text)) == text)
    return Fraction(text)


def moves_at(state, node):
    """Return [(player, information set)] at a node of a tree, and [(moves, next state)]; at chance, a probability."""
    if isinstance(node, str):
        exact(node)
        return [], []
    if "chance" in node:
        table = [([exact(part["probability"])], part["state"]) for part in node["chance"]]
        need(sum(chance for (chance,), _ in table) == 1)
        return [], table
    name = node.get("knows", f"{state}")
    if "player" in node:
        return [(node["player"] - 1, name)], [([move], k) for move, k in node["moves"].items()]
    after, pairs = node["after"], [*product(node["rows"], node["columns"])]
    need(len({*pairs}) == len(pairs) and {*map(len, after)} == {len(node["columns"])})
    names = name if "knows" in node else [name, name]
    return [*enumerate(names)], [*zip(pairs, chain(*after), strict=True)]


class Tree:
    """The plays, the information sets and the strategies of a document.

    Raises:
        ValueError: if it is no game in which players remember what they did, or no strategies and plans of it.
    """

    def __init__(self, document):
        self.document, self.sets, self.plays = document, ({}, {}), []
        self.tables = [moves_at(state, node) for state, node in enumerate(document["nodes"])]
        pairs = zip(document["nodes"], self.tables, strict=True)
        hidden = {"knows" in node for node, (movers, _) in pairs if movers}
        need(len(hidden) <= 1)
        # Something is hidden if two states that can be reached share an information set.
        states = [0]
        for state in states:  # `states` grows in this loop
            after = [k for _, k in self.tables[state][1]] if state < len(self.tables) else []
            states += dict.fromkeys(k for k in after if k not in states)
        sets = [
            mover for state in states if state < len(self.tables) for mover in self.tables[state][0]
        ]
        self.hidden, self.refined = len({*sets}) < len(sets), "polynomials" in document
        self.walk(0, Fraction(1), ([], []), set())
        self.mixes = [self.mixes_of(player) for player in (0, 1)]
        self.plans = [self.plan_of(player) for player in (0, 1)] if self.refined else None

    def walk(self, state, chance, pasts, above):
        """List the plays from a state on: the probability of chance, the payoff, and both players' sets and moves."""
        need(state < len(self.tables) and state not in above)
        movers, table = self.tables[state]
        for k, (player, name) in enumerate(movers):
            moves = {made[k] for made, _ in table}
            past = self.chosen(player, pasts[player])
            known = moves, past if (self.hidden or self.refined) and len(moves) > 1 else []
            need(self.sets[player].setdefault(name, known) == known)
        for made, after in table:
            later = [[*past] for past in pasts]
            for (player, name), move in zip(movers, made, strict=False):
                later[player].append((name, move))
            self.walk(after, chance if movers else chance * made[0], later, {*above, state})
        if not table:
            self.plays.append((chance, exact(self.document["nodes"][state]), pasts))

    def chosen(self, player, past):
        """The sets and moves of a past that had an alternative; the last one is the sequence."""
        return [(name, move) for name, move in past if len(self.sets[player][name][0]) > 1]

    def last(self, player, past):
        return [None, *self.chosen(player, past)][-1]

    def several(self, player):
        """{set with several moves: its moves, the sequence before, its depth}, leading sets first."""
        return {
            name: (sorted(moves), past[-1] if past else None, len(past) + 1)
            for name, (moves, past) in self.sets[player].items()
            if len(moves) > 1
        }

    def numbers(self, member, side):
        return {name: exact(text) for name, text in self.document[member][side].items()}

    def mixes_of(self, player):
        side, own, reached = SIDES[player], self.sets[player], set()
        stated = {name: self.numbers(side, name) for name in self.document[side]}
        for name, mix in stated.items():
            need(name in own and mix.keys() <= own[name][0] and sum(mix.values()) == 1)
        forced = {name: dict.fromkeys(m, 1) for name, (m, _) in own.items() if len(m) == 1}
        mixes = forced | stated
        for _, _, pasts in self.plays:
            for name, move in pasts[player]:
                reached.add(name)
                if not mixes.get(name, {}).get(move):
                    break
        need(reached <= mixes.keys())
        if self.refined:
            need(stated.keys() == own.keys())
        elif self.hidden:
            need(stated.keys() <= reached)
        return mixes

    def weight(self, player, past):
        return prod(self.mixes[player].get(name, {}).get(move, 0) for name, move in past)

    def worth(self, player):
        """What a strategy is worth to player one against the best pure reply."""
        other = {name: moves for name, (moves, _) in self.sets[1 - player].items()}
        gains = [
            (chance * payoff * self.weight(player, pasts[player]), pasts[1 - player])
            for chance, payoff, pasts in self.plays
        ]
        plans = (dict(zip(other, plan, strict=True)) for plan in product(*other.values()))
        return (min, max)[player](
            sum(gain for gain, past in gains if all(plan[name] == move for name, move in past))
            for plan in plans
        )

    def shares(self):
        """{set: probability of reaching it, above 0} of both players."""
        shares = {}, {}
        for chance, _, pasts in self.plays:
            if weight := chance * self.weight(0, pasts[0]) * self.weight(1, pasts[1]):
                for share, past in zip(shares, pasts, strict=True):
                    for name, _ in past:
                        share[name] = share.get(name, 0) + weight
        return [*shares]

    def plan_of(self, player):
        """{sequence: polynomial}, where the strategy is the limit."""
        stated, sets = self.document["polynomials"][SIDES[player]], self.several(player)
        depths = (depth for one in (0, 1) for _, _, depth in self.several(one).values())
        plan, most = {None: fmpq_poly([1])}, 1 + max(depths, default=0)
        need(stated.keys() == sets.keys())
        for name, (moves, before, depth) in sets.items():
            need(
                sorted(stated[name]) == moves and all(len(c) <= most for c in stated[name].values())
            )
            for move, texts in stated[name].items():
                plan[name, move] = fmpq_poly([short(exact(text)) for text in texts])
                need(leading(plan[name, move] - least(depth))[1] >= 0)
                rest = (
                    plan[name, move] - short(self.mixes[player][name].get(move, 0)) * plan[before]
                )
                need(leading(rest)[0] > leading(plan[before])[0])
            need(sum(plan[name, move] for move in moves) == plan[before])
        return plan

    def gains(self, player):
        """{sequence: what the player gains where it is the last one, against the other's polynomials}."""
        gains = defaultdict(fmpq_poly)
        for chance, payoff, pasts in self.plays:
            own, other = (self.last(k, pasts[k]) for k in (player, 1 - player))
            gains[own] += short(chance * payoff * (1, -1)[player]) * self.plans[1 - player][other]
        return gains

    def is_best_plan(self, player):
        """Whether no plan with the least weights gains more; at best one has more at one move of each set only."""
        gains, sets = self.gains(player), self.several(player)

        def worth(plan):
            return sum((gain * plan[sequence] for sequence, gain in gains.items()), fmpq_poly())

        own = worth(self.plans[player])
        for choice in product(*(moves for moves, _, _ in sets.values())):
            plan = {None: fmpq_poly([1])}
            for (name, (moves, before, depth)), chosen in zip(sets.items(), choice, strict=True):
                plan |= {(name, move): least(depth) for move in moves}
                plan[name, chosen] = plan[before] - (len(moves) - 1) * least(depth)
            if leading(worth(plan) - own)[1] > 0:
                return False
        return True

    def wrong_moves(self, player):
        """Moves that a strategy makes, though they are no best reply under the beliefs of the limit.

        A move is worse in the limit if the loss is not small against the probability that the other player's plan, and
        chance, lead to the set.
        """
        gains, arrivals, wrong = self.gains(player), defaultdict(fmpq_poly), []
        for chance, _, pasts in self.plays:
            for name, _ in pasts[player]:
                other = self.last(1 - player, pasts[1 - player])
                arrivals[name] += short(chance) * self.plans[1 - player][other]
        for name, (moves, before, _) in reversed(self.several(player).items()):
            best = gains[name, moves[0]]
            for move in moves:
                best = max(
                    best, gains[name, move], key=lambda gain, best=best: leading(gain - best)[1]
                )
            wrong += [
                (name, move)
                for move in moves
                if self.mixes[player][name].get(move)
                and leading(best - gains[name, move])[0] <= leading(arrivals[name])[0]
            ]
            gains[before] += best
        return wrong

    def is_dominated(self, player):
        """Whether another strategy is never worse, and sometimes better.

        It is if and only if the strategy is no best reply to any plan with positive weights, which are 1 + w with w ≥ 0
        up to a factor. With payoffs from 0 on, the gains p of a best reply at the sets are so, too.
        """
        own, other, payoffs = self.several(player), self.several(1 - player), defaultdict(Fraction)
        lowest = min(payoff * (1, -1)[player] for _, payoff, _ in self.plays)
        weights = {None: 1}
        for chance, payoff, pasts in self.plays:
            pair = tuple(self.last(k, pasts[k]) for k in (player, 1 - player))
            payoffs[pair] += chance * (payoff * (1, -1)[player] - lowest)
        for name, (moves, before, _) in own.items():
            mix = self.mixes[player].get(name, {})
            weights |= {(name, move): weights[before] * mix.get(move, 0) for move in moves}
        replies = [None, *((name, move) for name, (moves, _, _) in other.items() for move in moves)]
        unplayed = [sequence for sequence, weight in weights.items() if not weight]
        columns = {key: k for k, key in enumerate([*replies, *own, *((s,) for s in unplayed)])}
        lines = []

        def equation(right, terms):
            line = [fmpq(0)] * len(columns) + [short(right)]
            for key, factor in terms:
                line[columns[key]] += short(factor)
            lines.append(line)

        for name, (moves, _, _) in own.items():
            for move in moves:
                later = [key for key, (_, before, _) in own.items() if before == (name, move)]
                gains = {reply: payoffs.get(((name, move), reply), 0) for reply in replies}
                terms = [(name, 1), *((key, -1) for key in later)]
                terms += [(reply, -gain) for reply, gain in gains.items()]
                slack = [(((name, move),), -1)] if (name, move) in unplayed else []
                equation(sum(gains.values()), terms + slack)
        for name, (moves, before, _) in other.items():
            terms = [(before, -1), *(((name, move), 1) for move in moves)]
            equation(1 - len(moves), terms)
        return not has_solution(lines)


def short(number):
    """A fraction as FLINT's."""
    number = Fraction(number)
    return fmpq(number.numerator, number.denominator)


def least(depth):
    """The least weight of a sequence of some depth."""
    return fmpq_poly([0] * depth + [1])


def leading(polynomial):
    """The first power with a coefficient, beyond all if there is none, and the coefficient."""
    return next(((k, c) for k, c in enumerate(polynomial.coeffs()) if c), (10**9, fmpq(0)))


def has_solution(lines):
    """Whether equations hold for numbers from 0 on; a line has the factors and the right side. Bland's rule, in fractions."""
    lines = [line if line[-1] >= 0 else [-x for x in line] for line in lines]
    if not lines:
        return True
    basic = [*range(len(lines[0]), len(lines[0]) + len(lines))]
    lines.append([-sum(column, fmpq(0)) for column in zip(*lines, strict=True)])
    while (k := next((k for k, x in enumerate(lines[-1][:-1]) if x < 0), None)) is not None:
        _, _, pivot = min(
            (line[-1] / line[k], variable, i)
            for i, (line, variable) in enumerate(zip(lines, basic, strict=False))
            if line[k] > 0
        )
        basic[pivot], source = k, [x / lines[pivot][k] for x in lines[pivot]]
        lines[pivot] = source
        for i, line in enumerate(lines):
            if i != pivot and (factor := line[k]):
                lines[i] = [x - factor * y for x, y in zip(line, source, strict=True)]
    return lines[-1][-1] == 0
