"""The ground: arguments, files, documents, progress and pools. It knows nothing of games."""
