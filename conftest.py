"""For the whole suite, doctests included: no store but those that tests name."""

import os

from gops_exact.store.disk import ENVIRONMENT_VARIABLE

os.environ[ENVIRONMENT_VARIABLE] = ":memory:"
