"""A security game: two patrols for five targets, and one attacker.

The attacker knows how often each target is guarded, but not whether it is today. An
attack on a target without a guard costs the defender what the target is worth.
"""

from itertools import combinations

import gops_exact as gx

WORTH = {"airport": 9, "harbour": 7, "station": 5, "bridge": 4, "mill": 1}

pairs = list(combinations(WORTH, 2))
payoff = [[0 if target in pair else -WORTH[target] for target in WORTH] for pair in pairs]
game = gx.MatrixGame(payoff, [" + ".join(pair) for pair in pairs], list(WORTH), "two patrols")
solved = gx.solve_matrix_game(game)
answer = solved.value

# How often each target is guarded: the mill never is, as attacking it gains less than the value.
guarded = {
    target: sum(chance for pair, chance in zip(pairs, solved.row, strict=True) if target in pair)
    for target in WORTH
}

picture = gx.plots.Picture(figsize=(6, 3.5), layout="constrained")
axes = picture.subplots()
axes.bar(list(guarded), [float(chance) for chance in guarded.values()])
axes.set(title="Two patrols for five targets", ylabel="probability of being guarded")

if __name__ == "__main__":
    print(solved)
    print("guarded:", {target: f"{float(chance):.4f}" for target, chance in guarded.items()})
    picture.savefig("security.png")
