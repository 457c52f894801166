"""Claims of the literature, judged by computed results."""
