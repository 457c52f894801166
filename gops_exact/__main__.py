"""The program's entry, for ``python -m gops_exact`` and for the script that pip installs."""

import sys

from gops_exact.program import end_while_loading


def main() -> int:
    """Run the program; a signal ends it in one line, even while it is being loaded."""
    end_while_loading()
    from gops_exact.cli import main as run  # loads all that takes long

    return run()


if __name__ == "__main__":
    sys.exit(main())
