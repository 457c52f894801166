"""For the whole suite, doctests included: no store and no state folder but those that tests name, one width of lines."""

import os
from importlib.util import find_spec

from gops_exact.solvers.store import ENVIRONMENT_VARIABLE

os.environ[ENVIRONMENT_VARIABLE] = ":memory:"
os.environ["XDG_STATE_HOME"] = os.devnull
os.environ["COLUMNS"] = "80"

# Its classes extend PettingZoo's: where that is missing, its doctests cannot be collected.
collect_ignore = [] if find_spec("pettingzoo") else ["gops_exact/exchange/environments.py"]
