"""Oshi-Zumo with six coins: bid to push a wrestler off the board (Buro 2004).

Both players bid at the same time. The higher bid pushes the wrestler one step, both bids
are spent, and the board has one step on each side.
"""

import gops_exact as gx

game = gx.known_games.oshi_zumo(6, size=1)
solved = gx.solve_game(game)
first = solved.row[game.start]
answer = first[1]  # the probability that the first bid is one coin

picture = gx.plots.Picture(figsize=(6, 3.5), layout="constrained")
axes = picture.subplots()
coins = range(1, 7)
axes.bar(coins, [float(first.get(bid, 0)) for bid in coins])
axes.set(title="Oshi-Zumo: the first bid with six coins", xlabel="bid", ylabel="probability")
axes.set_xticks(coins)

if __name__ == "__main__":
    print(f"value {solved.value}, first bid {first}")
    picture.savefig("oshi_zumo.png")
