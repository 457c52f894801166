"""All games of a family at once: a goalkeeper who gets better by t per cent.

When kicker and keeper choose the same side, t per cent fewer kicks score. All games
A + tB are solved together; on each piece of the interval one exact formula holds.
"""

import gops_exact as gx

sides = ("left", "right")
A = gx.MatrixGame([["58.30", "94.97"], ["92.91", "69.92"]], sides, sides, "penalty kicks")
B = [[-1, 0], [0, -1]]
solved = gx.solve_family(A, B, -40, 58)

# With t = 10 the keeper stops ten kicks of a hundred more, if the side is right.
piece = solved.at(10)
answer = piece.value(10)

picture = gx.plots.family(solved)

if __name__ == "__main__":
    print(solved)
    picture.savefig("better_keeper.png")
