# Riverboat: `make up` plays, `make test` proves. Every target sets up what it needs.
# LOG=kafka puts the network on a broker of its own; ARGS go to the command line as they stand.

.DEFAULT_GOAL := help
SHELL := /bin/bash
BIN := .venv/bin
LOG ?= embedded
ARGS ?=
NODES ?= 1
DATA ?= data
# Two workers keep two cores busy; more cores, more workers.
WORKERS ?= auto
BENCHES ?=
# COMPILED=1 runs `up` and `bench` on the compiled build: see scripts/compiled.py.
COMPILED ?=
PYTHON := $(BIN)/python $(if $(COMPILED),scripts/compiled.py run python)
RIVERBOAT := $(if $(COMPILED),$(PYTHON) -m services.cli.main,$(BIN)/riverboat)
# What stands on compiled modules; tests that plant bugs into them need the plain ones.
COMPILED_TESTS := tests/wire tests/game tests/rules tests/hands tests/log tests/runtime tests/ledger \
    tests/services/dealer tests/services/session tests/services/showdown tests/services/wallet \
    tests/services/test_network_embedded.py tests/sim/test_simulation.py

.PHONY: help setup up test test-deep test-compiled lint lint-quick bench compiled wheel proto \
    proto-check lock

help: ## what can be made here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## .venv, as requirements-dev.lock says (nothing, where that is done)
	@scripts/setup

up: setup ## the network on this machine: make up [LOG=kafka] [ARGS='--bots 4']
ifeq ($(LOG),kafka)
	@$(BIN)/python -m deploy.kafka run --nodes $(NODES) --data $(DATA)/kafka -- \
	    $(RIVERBOAT) up --data $(DATA) --log kafka://{bootstrap} $(ARGS)
else
	@$(RIVERBOAT) up --data $(DATA) $(ARGS)
endif

test: lint-quick ## the style and every test: under 15 minutes on two cores
	@$(BIN)/pytest -n $(WORKERS) $(ARGS)

test-deep: lint-quick ## all of it again at full depth: hours
	@RIVERBOAT_DEEP=1 $(BIN)/pytest -n $(WORKERS) $(ARGS)

test-compiled: setup ## the tests of what is compiled, on the compiled build
	@$(BIN)/python scripts/compiled.py test -n $(WORKERS) \
	    $(COMPILED_TESTS) $(ARGS)

lint-quick: setup
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/lint-imports > .venv/imports.txt || { cat .venv/imports.txt; exit 1; }

lint: lint-quick ## style, types, layers, protos, generated code, locks
	@$(BIN)/mypy
	@$(BIN)/python scripts/proto.py buf
	@$(BIN)/python scripts/proto.py check
	@scripts/lock check

bench: setup ## the figures of docs/performance.md, measured here
	@$(PYTHON) -m benchmarks $(BENCHES) $(ARGS)

compiled: setup ## build/compiled: the same, with its inner loop as machine code (needs a C compiler)
	@$(BIN)/python scripts/compiled.py update

wheel: setup ## dist/: a wheel of the compiled build
	@$(BIN)/python scripts/compiled.py wheel

proto: setup ## the generated code of protos/
	@$(BIN)/python scripts/proto.py write

proto-check: setup
	@$(BIN)/python scripts/proto.py check

lock: setup ## the two locks, from pyproject.toml
	@scripts/lock
