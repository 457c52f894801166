"""Kuhn poker, three ways: one equilibrium, a refined one, and all of them.

Each player antes a chip and is dealt one of the cards J, Q and K. Then they pass (p) or
bet (b) a chip. Player one loses 1/18 on average (Kuhn 1950).
"""

import gops_exact as gx

poker = gx.known_games.kuhn_poker()
solved = gx.solve_game(poker)
answer = solved.value

# An equilibrium may do anything where it is never led. This one is right there, too.
refined = gx.solve_game(poker, refined=True)

# How often is the jack bet, over all equilibria? From never to a third of the time.
ranges = solved.ranges()
bets = {name: moves["b"].probability for name, moves in ranges.row.items()}
least, greatest = bets["J"]

picture = gx.plots.Picture(figsize=(6, 3.5), layout="constrained")
axes = picture.subplots()
for place, ends in enumerate(bets.values()):
    axes.plot([place, place], [float(end) for end in ends], "o-", linewidth=6)
axes.set_xticks(range(len(bets)), list(bets))
axes.set(title="Kuhn poker: how often player one bets, over all equilibria")
axes.set(xlabel="own card and the moves so far", ylabel="probability")

if __name__ == "__main__":
    print(refined)
    print(ranges)
    print(f"the jack is bet with a probability from {least} to {greatest}")
    picture.savefig("kuhn_poker.png")
