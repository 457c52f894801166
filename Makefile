# Everything runs in .venv, which is made on demand; nothing is installed outside it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
# Stands beside the environment while it is being made, so that an interrupted setup is redone.
INCOMPLETE := $(VENV)-incomplete

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup solve test lint docs docs-serve notebooks pictures results results-long bench-peers clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(DEV_STAMP) ## make .venv with everything for development

solve: $(RUN_STAMP) ## print the exact first moves for five cards
	@$(BIN)/python -m gops_exact --n 5 --emit fractions

test: $(DEV_STAMP) ## run the tests and the doctests
	@$(BIN)/python -m pytest -q -n auto

lint: $(DEV_STAMP) ## check style, format and types
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy --strict gops_exact

docs: $(DEV_STAMP) ## build the documentation into site/
	@$(BIN)/python -m sphinx -W -q -d build/doctrees docs site
	@echo 'file://$(CURDIR)/site/index.html'

docs-serve: docs ## build the documentation and serve it
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory site

notebooks: $(DEV_STAMP) ## run the notebooks and keep what they show
	@$(BIN)/python notebooks/run.py

pictures: $(DEV_STAMP) docs ## draw the pictures of the documentation again; needs a Chromium
	@$(BIN)/python docs/make_pictures.py
	@$(BIN)/python docs/make_screenshots.py

results: $(RUN_STAMP) ## make again what takes minutes of results/
	@$(BIN)/python results/make.py

results-long: $(RUN_STAMP) ## make again what takes hours
	@$(BIN)/python results/make.py --long

# One package at a time: some have no wheel for some machines, and the others will do.
bench-peers: $(RUN_STAMP) ## time single games beside other packages' solvers
	@$(BIN)/python benchmarks/peers.py --requirements | while read -r peer; do \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check "$$peer" || echo "not installed: $$peer" >&2; \
	done
	@$(BIN)/python benchmarks/peers.py

clean: ## delete caches and build products; the environment stays
	@rm -rf build dist site docs/commands .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# $(call install,REQUIREMENT): into a new environment, or into the one that stands. The stamps go
# first and come back last: they vouch for the environment only when everything is in it.
define install
@echo 'Installing $(1) into $(VENV) ...' >&2
@if test -e $(INCOMPLETE); then rm -rf $(VENV); fi
@touch $(INCOMPLETE)
@rm -f $(RUN_STAMP) $(DEV_STAMP)
@test -x $(BIN)/python || $(PYTHON) -m venv --clear $(VENV)
@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '$(1)'
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
