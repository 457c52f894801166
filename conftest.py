"""For the whole suite, doctests included: no store but those that tests name."""

import os
from importlib.util import find_spec

from gops_exact.solvers.store import ENVIRONMENT_VARIABLE

os.environ[ENVIRONMENT_VARIABLE] = ":memory:"

# Its classes extend PettingZoo's: where that is missing, its doctests cannot be collected.
collect_ignore = [] if find_spec("pettingzoo") else ["gops_exact/exchange/environments.py"]
