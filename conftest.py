"""For the whole suite, doctests included: no store and no state folder but those that tests name, one width of lines."""

import os
from importlib.util import find_spec

from gops_exact.solvers.store import ENVIRONMENT_VARIABLE

os.environ[ENVIRONMENT_VARIABLE] = ":memory:"
os.environ["XDG_STATE_HOME"] = os.devnull
os.environ["COLUMNS"] = "80"

# Packages that doctests of the exchange need; where one is missing, the file is not collected.
NEEDED = {
    "environments": "pettingzoo",
    "openspiel_games": "pyspiel",
    "openspiel_policies": "pyspiel",
}
collect_ignore = [
    f"gops_exact/exchange/{name}.py" for name, needed in NEEDED.items() if not find_spec(needed)
]
