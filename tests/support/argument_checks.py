"""Things that most arguments cannot be, and integers of every kind, given to a function."""

import inspect
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
from flint import arb, fmpz
from gmpy2 import mpz

import gops_exact as gx

WRONG = {
    "failing": lambda: map(int, (1, None)),  # on the way
    "complex": lambda: 1j,
    "decimal": lambda: Decimal("NaN"),
    "ball": lambda: arb(1),
    "float": lambda: 2.0,
    "nan": lambda: float("nan"),
    "fraction": lambda: Fraction(1, 2),
    "text": lambda: "7",
    "no text": lambda: "",
    "null": lambda: "a\0b",
    "bytes": lambda: b"\1\2",
    "None": lambda: None,
    "NA": lambda: pd.NA,
    "True": lambda: True,
    "nothing": list,
    "mapping": lambda: {1: 2},
    "set": lambda: {1, 2},
    "rows": lambda: [[1, 2], [3, 4]],
    "ragged": lambda: [[1, 2], [3]],
    "texts": lambda: ["a", "b"],
    "array": lambda: np.array([[1, 2], [3, 4]]),
    "no dimension": lambda: np.array(3),
    "frame": lambda: pd.DataFrame([[1, 2], [3, 4]]),
    "generator": lambda: (card for card in (1, 2)),
    "endless": lambda: iter(int, 1),
    "range": lambda: range(10**30),
    "object": object,
    "function": lambda: lambda *_: 1,
    "rules": gx.Rules,
    "-1": lambda: -1,
    "0": lambda: 0,
    "-10^30": lambda: -(10**30),
    "10^5000": lambda: 10**5000,
    "int8": lambda: np.int8(-1),
}
"""Things that most arguments cannot be, made anew for every call."""


def call(function, arguments):
    result = function(**arguments)
    return "".join(map(str, result)) if inspect.isgenerator(result) else result


UNUSED = {"GopsEnv.reset-options", "GopsParallelEnv.reset-options"}
UNUSED |= {"Rules.arranged-left", "policy-force"}
"""Arguments that are not looked at: by Gymnasium's interface, or in the call that the table has."""


def poorly_refused(function, arguments, name):
    """What an argument is given that raises anything but one clear line; a bare object has to be refused."""
    for kind, make in WRONG.items():
        try:
            call(function, arguments | {name: make()})
            if kind == "object" and f"{function.__qualname__}-{name}" not in UNUSED:
                yield kind, "taken"
        except ValueError as error:
            if "\n" in str(error) or not re.search(r"\bgot\b", str(error)):
                yield kind, str(error)
        except gx.StoreError as error:
            if name not in {"store", "read_only"} or "\n" in str(error):
                yield kind, repr(error)
        except KeyError as error:
            if function.__name__ != "__getitem__":  # for a key that is not there
                yield kind, repr(error)
        except gx.CertificateError:
            if name != "payoff":
                yield kind, "no certificate was asked for"
        except Exception as error:  # noqa: BLE001, whatever it is it should not be
            yield kind, repr(error)


def inside(result):
    """A result and what it holds, as text that tells integers of different kinds apart."""
    held = vars(result) if hasattr(result, "__dict__") else {}
    text = result if isinstance(result, str) else repr((type(result), result, held))
    return re.sub("0x[0-9a-f]+", "", text)


def assert_any_width(function, arguments, name):
    """Assert that an integer of NumPy, FLINT or GMP answers as Python's does."""
    given = arguments[name]
    expected = inside(call(function, arguments))
    for dtype in ("int8", "uint8", "int64", "uint64", "object"):
        array = np.array(given).astype(dtype)
        if array.tolist() == given:
            like = array if array.ndim else array[()]
            assert inside(call(function, arguments | {name: like})) == expected, dtype
    for kind in (fmpz, mpz) if type(given) is int else ():
        assert inside(call(function, arguments | {name: kind(given)})) == expected
