"""The ten strategies of a classroom tournament, rebuilt from their descriptions.

M. Dror, G. Kendall and A. Rapoport had students write programs for four variants of the game, and
printed the students' descriptions and 32 tables of results (*Elicitation of Strategies in Four
Variants of a Round-robin Tournament: the Case of Goofspiel*, supplementary file, appendices A and B).
The programs themselves are not printed. Each class plays one strategy, numbered 0201 to 0210 as there,
and says in its docstring what the description leaves open and how it was read.

Their *round* is a game here, and their *hand* or *bet* a round. Under *maximising wins* most of them
mean the games won. Numbers such as 46 points are for 13 cards; they follow from the size of the deck
where the description says how.
"""

from gops_exact.players.dror_kendall_rapoport.hands import Strategy0201, Strategy0202, Strategy0206
from gops_exact.players.dror_kendall_rapoport.records import (
    Strategy0204,
    Strategy0205,
    Strategy0208,
)
from gops_exact.players.dror_kendall_rapoport.shifts import (
    Strategy0203,
    Strategy0207,
    Strategy0209,
    Strategy0210,
)

STRATEGIES = (
    Strategy0201,
    Strategy0202,
    Strategy0203,
    Strategy0204,
    Strategy0205,
    Strategy0206,
    Strategy0207,
    Strategy0208,
    Strategy0209,
    Strategy0210,
)
