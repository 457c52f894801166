"""Colonel Blotto as paths: 24 coins against 20 for five castles worth 1, 2, 3, 4 and 5.

There are 20,475 ways to spread 24 coins, too many for a quick matrix. But castle by castle
a strategy is a path in a small graph, and the game is solved on this graph.
"""

import gops_exact as gx

COINS, PRIZES = (24, 20), (1, 2, 3, 4, 5)

solved = gx.solve_game(gx.known_games.castles(COINS, PRIZES))
answer = solved.value

# How likely player one spends so many coins at a castle: the moves are named "castle: coins".
chances = {
    move: chance for move, chance in solved.reached[0].items() if not move.startswith("castle")
}
shades = [
    [float(chances.get(f"{castle}: {coins}", 0)) for coins in range(COINS[0] + 1)]
    for castle, _ in enumerate(PRIZES, 1)
]

picture = gx.plots.Picture(figsize=(7, 2.8), layout="constrained")
axes = picture.subplots()
axes.imshow(shades, cmap="Blues", aspect="auto")
axes.set_yticks(range(len(PRIZES)), [str(prize) for prize in PRIZES])
axes.set(title=f"24 coins against 20: value {answer}", xlabel="coins", ylabel="castle worth")

if __name__ == "__main__":
    print(solved)
    picture.savefig("blotto_paths.png")
