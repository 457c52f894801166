"""The ground floor: arguments, files, documents, progress and pools. No module here imports one on games."""
