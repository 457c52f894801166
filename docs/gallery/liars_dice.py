"""Liar's dice with one die of five sides each: the first bid by one's own die.

A bid such as 2×3 says that two dice show a three; the highest face counts as any face.
The next player bids higher or calls the bid a lie.
"""

import gops_exact as gx

SIDES = 5

solved = gx.solve_game(gx.known_games.liars_dice(SIDES))
answer = solved.value
dice = [str(die) for die in range(1, SIDES + 1)]
bids = sorted({bid for die in dice for bid in solved.row[die]})

picture = gx.plots.Picture(figsize=(6, 3.5), layout="constrained")
axes = picture.subplots()
shades = [[float(solved.row[die].get(bid, 0)) for bid in bids] for die in dice]
axes.imshow(shades, cmap="Blues", vmin=0, vmax=1)
axes.set_xticks(range(len(bids)), bids)
axes.set_yticks(range(SIDES), dice)
axes.set(title=f"Liar's dice: value {answer}", xlabel="first bid", ylabel="own die")
for row, line in enumerate(shades):
    for column, chance in enumerate(line):
        axes.text(column, row, f"{chance:.2f}", ha="center", va="center", fontsize="small")

if __name__ == "__main__":
    for die in dice:
        print(die, solved.row[die])
    picture.savefig("liars_dice.png")
