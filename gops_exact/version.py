"""The version of the installed package, looked up when it is asked for: that takes a while."""


def version() -> str:
    """The version as pip knows it."""
    from importlib import metadata

    return metadata.version("gops-exact")
