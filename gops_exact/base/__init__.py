"""Code that all other packages use: arguments, files, documents, progress, pools. It knows nothing of the game."""
