"""Modules that need a package which is missing say how to install it."""

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "package", "message"),
    [
        ("environments", "pettingzoo", "the environments need PettingZoo"),
        ("openspiel_policies", "pyspiel", "policies of OpenSpiel need it"),
    ],
)
def test_the_extra_that_is_missing_is_named(module, package, message, monkeypatch):
    extra = "openspiel" if package == "pyspiel" else package
    monkeypatch.delitem(sys.modules, f"gops_exact.exchange.{module}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError) as missing:
        importlib.import_module(f"gops_exact.exchange.{module}")
    install = f"pip install '.[{extra}]' in a clone of the project"
    assert str(missing.value) == f"{message}: {install}"
