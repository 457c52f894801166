"""``python -m gops_exact``."""

import sys

from gops_exact.cli import main

if __name__ == "__main__":
    sys.exit(main())
