# Everything runs in .venv, which is made on demand; nothing is installed outside it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
# Stands beside the environment while it is being made, so that an interrupted setup is redone.
INCOMPLETE := $(VENV)-incomplete
LOWEST := $(VENV)-lowest
# pip and uv show what they are at on a terminal, and keep logs short elsewhere.
QUIET := $(shell test -t 2 || echo --quiet)
PIP_INSTALL := -m pip install --disable-pip-version-check $(QUIET)
# Else each of the processes that tests start would compile anew what it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup solve test test-lowest coverage attack lint proofs docs docs-serve notebooks pictures results results-long bench-peers clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(DEV_STAMP) ## make .venv with everything for development

solve: $(RUN_STAMP) ## print the exact first moves for five cards
	@$(BIN)/python -m gops_exact --n 5 --emit fractions

test: $(DEV_STAMP) ## run the tests and the doctests
	@$(BIN)/python -m pytest -q -n auto --dist worksteal

# pip cannot choose the oldest releases, uv can.
test-lowest: ## run the tests with the oldest releases that pyproject.toml admits
	@echo 'Installing the oldest releases into $(LOWEST) ...' >&2
	@test -x $(LOWEST)/bin/uv || { $(PYTHON) -m venv --clear $(LOWEST) && $(LOWEST)/bin/python $(PIP_INSTALL) uv; }
	@$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST) --resolution lowest-direct --upgrade \
	  --editable '.[test]'
	@$(LOWEST)/bin/python -m pytest -q -n auto --dist worksteal

# Numba hides from coverage what it compiles; a test compares the kernels with their plain Python twins, which are measured in
# a process of their own. A few tests of signals and streams fail under coverage, which writes its files when programs
# end: `make test` judges the tests.
coverage: $(DEV_STAMP) ## measure what the tests cover; takes three times as long as they do
	@rm -rf build/coverage
	-@$(BIN)/python -m coverage run -m pytest -q -n auto --dist worksteal
	@$(BIN)/python -m coverage combine --quiet && $(BIN)/python -m coverage report

# make attack SECONDS=3600 SEED=7
SECONDS ?= 600
SEED ?= 0
attack: $(DEV_STAMP) ## make random sequences of calls and check every answer, for SECONDS=600
	@$(BIN)/python tests/attack traces --seconds $(SECONDS) --seed $(SEED) --keep build/failed.txt

lint: $(DEV_STAMP) ## check style, format and types
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy --strict gops_exact
	@$(BIN)/mypy --strict --platform win32 gops_exact

# make proofs CARDS=4; make proofs CARDS=6 EXTRACTED=1
CARDS ?= 5
EXTRACTED ?=
proofs: $(RUN_STAMP) ## prove whole games in Coq, up to CARDS=5; skipped without coqc
	@$(BIN)/python proofs/run.py --cards $(CARDS) $(if $(EXTRACTED),--extracted)

# myst-nb writes a folder beside the site, so that it is in build/, too.
docs: $(DEV_STAMP) ## build the documentation into build/site/
	@$(BIN)/python -m sphinx -W -q -d build/doctrees docs build/site
	@echo 'file://$(CURDIR)/build/site/index.html'

docs-serve: docs ## build the documentation and serve it
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site

notebooks: $(DEV_STAMP) ## run the notebooks and keep what they show
	@$(BIN)/python notebooks/run.py

pictures: $(DEV_STAMP) docs ## draw the pictures of the documentation again; needs a Chromium
	@$(BIN)/python tools/make_pictures.py
	@$(BIN)/python tools/make_screenshots.py

results: $(RUN_STAMP) ## make again what takes minutes of results/
	@$(BIN)/python results/make.py && $(BIN)/python results/describe.py

results-long: $(RUN_STAMP) ## make again what takes hours
	@$(BIN)/python results/make.py --long && $(BIN)/python results/describe.py

# One package at a time: some have no wheel for some machines, and the others will do.
bench-peers: $(RUN_STAMP) ## time single games beside other packages' solvers
	@$(BIN)/python benchmarks/peers.py --requirements | while read -r peer; do \
	  $(BIN)/python $(PIP_INSTALL) "$$peer" || echo "not installed: $$peer" >&2; \
	done
	@$(BIN)/python benchmarks/peers.py

clean: ## delete caches and build products; the environment stays
	@rm -rf build dist docs/commands docs/notebooks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# $(call install,REQUIREMENT): into a new environment, or into the one that stands. The stamps go
# first and come back last: they vouch for the environment only when everything is in it. uv needs a
# third of pip's time; pip installs where uv cannot be had or finds no packages (a mirror that only pip knows).
define install
@if test -e $(INCOMPLETE); then \
  echo 'The last setup was interrupted: starting over.' >&2; \
  rm -rf $(VENV); \
fi
@touch $(INCOMPLETE)
@rm -f $(RUN_STAMP) $(DEV_STAMP)
@echo '1/2 Making the environment $(VENV) ...' >&2
@test -x $(BIN)/python || $(PYTHON) -m venv --clear $(VENV)
@echo '2/2 Installing $(1) (a minute or two in a new environment) ...' >&2
@{ $(BIN)/python $(PIP_INSTALL) uv && $(BIN)/uv pip install $(QUIET) --python $(VENV) --editable '$(1)'; } \
  || $(BIN)/python $(PIP_INSTALL) --editable '$(1)'
endef

$(RUN_STAMP): pyproject.toml
	$(call install,.)
	@touch $(RUN_STAMP)
	@rm $(INCOMPLETE)

# The development environment holds the runtime one: both stamps.
$(DEV_STAMP): pyproject.toml
	$(call install,.[dev])
	@touch $(RUN_STAMP) $(DEV_STAMP)
	@rm $(INCOMPLETE)
