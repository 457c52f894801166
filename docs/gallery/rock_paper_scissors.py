"""Rock, paper, scissors against an opponent who has left the scissors at home.

Paper is then better than rock and never loses. But player one gains still more by
scissors a third of the time; the graphical method shows why.
"""

import gops_exact as gx

game = gx.MatrixGame(
    [[0, -1], [1, 0], [-1, 1]],
    rows=["rock", "paper", "scissors"],
    columns=["rock", "paper"],
    title="rock, paper, scissors without player two's scissors",
)
solved = gx.solve_matrix_game(game)
answer = solved.value

# Each line of the picture is the gain of one of player one's choices, over the probability of player two's rock.
picture = gx.plots.envelope(game)

if __name__ == "__main__":
    print(gx.explain(game))
    picture.savefig("rock_paper_scissors.png")
