# Every target sets up what it needs: .venv in the project's root, from the hashed lock.
PYTHON ?= python3
BIN := .venv/bin
LOCK := deploy/requirements.lock
DURATION ?= 60
# Tests side by side: they mostly wait for brokers and clocks.
JOBS ?= 4
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: setup demo test test-kafka check bench chaos soak lock audit clean

setup: .venv/.done

.venv/.done: $(LOCK) pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	  "$(PYTHON) is Python " + sys.version.split()[0] + "; give 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r $(LOCK)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

demo: setup
	$(BIN)/live-scoring demo --duration $(DURATION)

test: setup
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

# The integration tests on Apache Kafka in the place of the embedded broker, all or some.
TESTS ?= tests/integration
test-kafka: setup
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --broker kafka $(TESTS)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Rounds of faults on Apache Kafka, `SEED=7 ROUNDS=50 FIRST=0`; half a minute each.
chaos: setup
	$(BIN)/python -m tests.chaos

# One worker under a steady load, `MINUTES=20 RATE=300`; fails if anything grows.
soak: setup
	$(BIN)/python -m tests.soak

# JSON=FILE keeps the figures; ROUNDS=3 RUNS=30000 say how much is measured (10 minutes).
bench: setup .venv-peers/.done
	$(BIN)/python -m tests.benchmarks $(JSON)

# Peers want other versions of our dependencies; what does not install is left out of the table.
.venv-peers/.done: pyproject.toml
	-$(PYTHON) -m venv --clear $(@D) && $(@D)/bin/python -m pip install --quiet 'quixstreams>=3.28,<4' \
	  'bytewax>=0.21,<0.22' 'confluent-kafka>=2.8,<3' --editable . || rm -rf $(@D)
	-npm install --silent --no-audit --no-fund --prefix $(@D) @mastra/evals@1.10.2 @mastra/core@1.71.0
	mkdir -p $(@D) && touch $@

# Writes the locks anew, for every platform and without download addresses: of all that is used here,
# and of it what the image is built with and what runs in it.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate --no-emit-index-url --output-file
lock: setup
	$(COMPILE) $(LOCK) --upgrade --all-extras --group dev pyproject.toml
	$(COMPILE) deploy/requirements-build.lock --upgrade --constraint $(LOCK) --group build
	$(COMPILE) deploy/requirements-run.lock --upgrade --constraint $(LOCK) --extra judge pyproject.toml

# Asks a service for published advisories, which CI cannot.
audit: setup
	$(BIN)/uv tool run 'pip-audit>=2.10,<3' --disable-pip --require-hashes -r deploy/requirements-run.lock

clean:
	rm -rf .venv .venv-peers build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
