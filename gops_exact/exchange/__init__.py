"""Conversion of games, policies, transcripts and solutions to and from Gambit, OpenSpiel, TextArena and Coq.

>>> from gops_exact import Position, exchange, payoff_matrix
>>> position = Position([2, 4], [1, 3], [12, 13], upcard=13)
>>> game = exchange.bidding_game(position, payoff_matrix(position))
>>> exchange.read_nfg(exchange.write_nfg(game)) == game
True
"""

from gops_exact.exchange.certificates import certificate_to_coq, write_certificate
from gops_exact.exchange.gambit import bidding_game, gambit_profile, profile_strategies
from gops_exact.exchange.openspiel_games import goofspiel, policy_table, tabular_policy
from gops_exact.exchange.transcripts import read_transcript
from gops_exact.exchange.tree_proofs import tree_to_coq
from gops_exact.extensive.efg_files import read_efg, write_efg
from gops_exact.extensive.openspiel_trees import SpielTree
from gops_exact.matrix_game.game_files import read_nfg, write_nfg
from gops_exact.players.grades import Transcript

__all__ = [
    "SpielTree",
    "Transcript",
    "bidding_game",
    "certificate_to_coq",
    "gambit_profile",
    "goofspiel",
    "policy_table",
    "profile_strategies",
    "read_efg",
    "read_nfg",
    "read_transcript",
    "tabular_policy",
    "tree_to_coq",
    "write_certificate",
    "write_efg",
    "write_nfg",
]
__dir__ = __all__.copy
