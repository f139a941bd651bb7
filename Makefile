# One entry to every task. `make help` lists them.
PYTHON ?= python3
# What is downloaded stays in the checkout too, so that `make clean` takes it away.
export UV_CACHE_DIR ?= $(CURDIR)/.venv/cache
BIN := .venv/bin
RUNTIME := .venv/.runtime-installed
DEVELOP := .venv/.develop-installed

.PHONY: help run check test fix schema train fit bench extension lock clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

run: $(RUNTIME) ## start everything on the embedded PostgreSQL and print the URL
	@$(BIN)/jobtrail up

check: $(DEVELOP) ## format, lint, types and house rules
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/pyright
	@$(BIN)/python -m pytest -q tests/house

# Many tests start a Python of their own, which else would compile all it loads anew. Many wait for a browser or a
# process, so that three at once use two cores.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(DEVELOP) ## every test, on a real PostgreSQL and, where there is one, a real Chromium
	@$(BIN)/python -m pytest -q -n 3 --dist worksteal tests

fix: $(DEVELOP) ## format and mend what the linter can mend
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

schema: $(DEVELOP) ## write schema/schema.sql anew after a migration was added
	@JOBTRAIL_TEST_WRITE_SCHEMA=1 $(BIN)/python -m pytest -q tests/schema/test_reading_copy.py

train: $(DEVELOP) ## train the local model of mail anew (minutes; the same letters give the same file)
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m mailsync.training

fit: $(DEVELOP) ## fit the matcher's numbers anew (minutes; the same mailboxes give the same table)
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/jobtrail match fit --write

bench: $(DEVELOP) ## every benchmark, quick form
	@for part in start pages applications mail queue matching catalog search manners; do $(BIN)/python -m benchmarks.$$part --quick || exit 1; done
	@if [ -d ../shared/data/ats/ashby ]; then $(BIN)/python -m benchmarks.postings ../shared/data/ats/ashby --quick; fi

extension: $(RUNTIME) ## pack the browser extension for the stores, into dist/
	@$(BIN)/python -m extension_api.packing dist

lock: .venv/bin/uv ## choose new versions of every dependency
	@$(BIN)/uv pip compile -q pyproject.toml --universal --generate-hashes --no-header --no-annotate --upgrade -o requirements.lock
	@$(BIN)/uv pip compile -q pyproject.toml --group dev --universal --generate-hashes --no-header --no-annotate --upgrade -c requirements.lock -o requirements-dev.lock

clean: ## forget what was installed into the checkout (your data is elsewhere and stays)
	@rm -rf .venv build dist tests/npm/node_modules tests/npm/store/node_modules

.venv/bin/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Jobtrail needs Python 3.11 or newer; try: make PYTHON=python3.12 run" >&2; exit 1; }
	@mkdir -p .venv && test -w .venv || \
	  { echo "Everything is installed into $(CURDIR), where this user may not write; give it to this user" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing; on Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Preparing .venv (once; the whole installation takes about half a minute) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check "uv==0.13.9"

$(RUNTIME): requirements.lock pyproject.toml | .venv/bin/uv
	@echo "Installing Jobtrail into .venv (once) ..."
	@$(BIN)/uv pip install -q --require-hashes -r requirements.lock
	@$(BIN)/uv pip install -q --no-deps -e .
	@touch $@

$(DEVELOP): requirements-dev.lock $(RUNTIME)
	@echo "Installing what the checks and tests need into .venv (once) ..."
	@$(BIN)/uv pip install -q --require-hashes -r requirements-dev.lock
	@touch $@
