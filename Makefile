# Two commands on a fresh machine: `make reproduce` and `make test`.
SHELL := bash
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
INSTALLED := $(VENV)/installed
# The first run takes the generated sample; DATA=path/to/folder takes real regulations.
DATA ?= $(RULERANK_DATA)
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: reproduce test test-real check bench clean

reproduce: $(INSTALLED) ## run the whole pipeline; the exported ranker lands in outputs/bundle
	python features/choose_data.py "$(or $(DATA),data/sample)"
	RULERANK_DATA= dvc repro

test: $(INSTALLED) ## the tests that need nothing but the project
	pytest -m "not real"

test-real: $(INSTALLED) ## the tests on the public data: make test-real DATA=path/to/obliqa
	RULERANK_DATA="$(abspath $(DATA))" pytest -m real

check: $(INSTALLED) ## ruff, mypy --strict, import-linter
	ruff check .
	ruff format --check .
	mypy
	lint-imports

bench: $(INSTALLED) ## seconds and peak memory of each stage of the last run
	python experiments/timings.py

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[train,dev]"
	touch $@

clean: ## remove what the pipeline made; the embedding cache stays
	rm -rf outputs data/sample
