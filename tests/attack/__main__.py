"""Programs that attack the package.

    python tests/attack PROGRAM [OPTIONS]

PROGRAM is one of cases, faults, planted and traces, each with its own ``--help``.
"""

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = "cases", "faults", "planted", "traces"
if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in PROGRAMS:
        sys.exit(f"expected one of {', '.join(PROGRAMS)}, got {sys.argv[1:2]}")
    sys.path.insert(1, str(HERE.parent / "support"))
    if sys.argv[1] == "planted":
        sys.argv[1:2] = ["faults", "--planted"]
    program = str(HERE / f"{sys.argv[1]}.py")
    sys.argv[:2] = [program]
    runpy.run_path(program, run_name="__main__")
