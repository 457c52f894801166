"""Penalty kicks: which side to choose, and what if a percentage were different.

The payoffs are percentages of goals, by the sides of kicker and keeper (Palacios-Huerta
2003, *Professionals play minimax*, Review of Economic Studies 70).
"""

import gops_exact as gx

sides = ("left", "right")
goals = gx.MatrixGame([["58.30", "94.97"], ["92.91", "69.92"]], sides, sides, "penalty kicks")
solved = gx.solve_matrix_game(goals)
answer = solved.row["left"]  # 38.54 %; professionals kicked to the left in 39.98 % of the cases

# What if one of the percentages were another number? For each of them the table says how fast the value changes, and in
# which interval both players go on mixing both sides.
what_if = solved.sensitivity()

picture = gx.plots.payoffs_heatmap(solved)

if __name__ == "__main__":
    print(solved)
    print(what_if)
    picture.savefig("penalty_kicks.png")
