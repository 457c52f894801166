"""Leduc poker, on which programs for poker are tried (Southey et al. 2005).

The deck has six cards, J, Q and K twice. There are two rounds of bets, and a public card
between them. The value is a theorem in Coq.
"""

import gops_exact as gx

solved = gx.solve_game(gx.known_games.leduc_poker(), refined=True)
answer = solved.value

# Player one's first move by card: c is check, r is raise. The card's suit, a or b, makes no difference.
cards = {"J": "Ja", "Q": "Qa", "K": "Ka"}
raises = {rank: solved.row[card].get("r", 0) for rank, card in cards.items()}

picture = gx.plots.Picture(figsize=(5, 3.5), layout="constrained")
axes = picture.subplots()
axes.bar(list(raises), [float(chance) for chance in raises.values()])
axes.set(title=f"Leduc poker: value {float(answer):.6f}", xlabel="player one's card")
axes.set(ylabel="probability of a raise", ylim=(0, 1))

if __name__ == "__main__":
    print(answer)
    print(raises)
    picture.savefig("leduc_poker.png")
