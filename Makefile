# make demo and make test do all set-up; everything lives in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := $(shell find src -name '*.py')
SITE := out/docs
PIP_INSTALL := $(BIN)/python tools/install_packages.py -c constraints.txt
DEMO ?=

.PHONY: install demo test docs check format lint types imports bench clean

install: $(STAMP)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("trapline needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# What a user needs: the demo starts sooner than with all that tests need. Bytecode is written when a
# module is first imported, which is half of pip's work.
$(VENV)/.plain: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP_INSTALL) --no-compile -e .
	@touch $@

# Bytecode is compiled once, because writing it may be off.
$(VENV)/.packages: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP_INSTALL) -e '.[dev]'
	@$(BIN)/python -m compileall -q $(VENV)/lib || true
	@touch $(VENV)/.plain $@

# Kernels are compiled once, because that takes a minute or two; it says how long.
$(STAMP): $(VENV)/.packages $(SOURCES)
	@$(BIN)/python -m compileall -q src
	@$(BIN)/python -m trapline.app.crawl.kernel_progress
	@touch $@

# The demo compiles its own kernels, and says so.
demo: $(VENV)/.plain
	@PYTHONDONTWRITEBYTECODE= $(BIN)/trapline demo $(DEMO)

# Three workers for two cores, because end-to-end tests mostly wait; a file's tests share its crawls.
# Bytecode is written, because rewriting asserts is half of the time until the first test.
test: install
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

# The site needs no kernels, so it needs no install. A dead link or a missing file fails.
$(VENV)/.docs: $(VENV)/.packages
	@$(PIP_INSTALL) -e '.[docs]'
	@touch $@

docs: $(VENV)/.docs
	@$(BIN)/python tools/policy_pages.py
	@$(BIN)/python tools/paper_pages.py
	@$(BIN)/python tools/result_pages.py
	@$(BIN)/zensical build --strict --clean
	@$(BIN)/python tools/check_site.py $(SITE)
	@echo "open $(SITE)/index.html"

format: install
	@$(BIN)/ruff format --check .

lint: install
	@$(BIN)/ruff check .

types: install
	@$(BIN)/mypy

imports: install
	@$(BIN)/lint-imports

check: format lint types imports test

bench: install
	@$(BIN)/python bench/foundations.py
	@$(BIN)/python bench/queueing.py
	@$(BIN)/python bench/ephemeral.py
	@$(BIN)/python bench/polling.py
	@$(BIN)/python bench/search_load.py
	@$(BIN)/python bench/worst_step.py
	@$(BIN)/python bench/robots_memory.py
	@$(BIN)/python bench/crash.py
	@$(BIN)/python bench/speed.py

clean:
	rm -rf $(VENV) out .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
