"""The commands beside solving. Each module has a DESCRIPTION, `add_arguments` and `run`."""
