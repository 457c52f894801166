"""Solvers of two-person zero-sum matrix games with rational payoffs, exact and with proofs."""
