"""Two-person zero-sum matrix games over the rationals: solved exactly, and proved."""
