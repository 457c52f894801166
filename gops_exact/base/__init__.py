"""Code that all other parts use: arguments, files, documents, progress, pools. It does not know the game."""
