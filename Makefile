# Two commands on a fresh machine: `make reproduce` and `make test`.
SHELL := bash
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
INSTALLED := $(VENV)/installed
# The first run takes the generated sample; DATA=path/to/folder takes real regulations.
DATA ?= $(RULERANK_DATA)
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: reproduce test test-real check experiment compare ablate seeds robustness structure refwalk scaling bench bench-closure clean

reproduce: $(INSTALLED) ## run the whole pipeline; the exported ranker lands in outputs/bundle
	python features/choose_data.py "$(or $(DATA),data/sample)"
	RULERANK_DATA= dvc repro

test: $(INSTALLED) ## the tests that need nothing but the project
	pytest -n 2 --dist loadgroup -m "not real"

test-real: $(INSTALLED) ## the tests on the public data: make test-real DATA=path/to/obliqa
	RULERANK_DATA="$(abspath $(DATA))" pytest -m real

check: $(INSTALLED) ## ruff, mypy --strict, import-linter
	ruff check .
	ruff format --check .
	mypy
	lint-imports

experiment: $(INSTALLED) ## one named experiment: make experiment NAME=full DATA=path/to/folder [GRID=1]
	python experiments/run.py "$(NAME)" --data "$(or $(DATA),data/sample)" $(if $(GRID),--grid)

compare: $(INSTALLED) ## hold tracked results against each other: make compare RUNS="full full:rrf"
	python experiments/compare.py $(RUNS)

ablate: $(INSTALLED) ## what each feature group is worth, retrained; outputs/ablation
	python experiments/ablate.py
	python experiments/ablate.py ranker_without_judgement

seeds: $(INSTALLED) ## the ranker under five seeds; outputs/seeds
	python experiments/seeds.py

robustness: $(INSTALLED) ## what dropped and rewired edges cost; outputs/robustness
	python experiments/robustness.py

structure: $(INSTALLED) ## what following citations is worth, by difficulty; outputs/structure
	python experiments/structure.py

refwalk: $(INSTALLED) ## RefWalk beside the ranker and RRF, with every fusion; outputs/refwalk
	python experiments/refwalk.py

scaling: $(INSTALLED) ## seconds and memory at 1x, 2x and 4x of the pairs; outputs/scaling
	python experiments/scaling.py

bench-closure: $(INSTALLED) ## milliseconds of a closure on the pipeline's graph and on a million nodes
	python experiments/closure_speed.py

bench: $(INSTALLED) ## seconds and peak memory of each stage of the last run
	python experiments/timings.py

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[train,dev]"
	touch $@

clean: ## remove what the pipeline made; the embedding cache stays
	rm -rf outputs data/sample
