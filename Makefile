# make demo and make test do all set-up; everything lives in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := $(shell find src -name '*.py')
SITE := out/docs

.PHONY: install demo test docs check format lint types imports bench clean

install: $(STAMP)

# Bytecode is compiled once, because writing it may be off; kernels are compiled once, because that takes a minute.
$(VENV)/.packages: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("trapline needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m compileall -q $(VENV)/lib || true
	@touch $@

$(STAMP): $(VENV)/.packages $(SOURCES)
	@$(BIN)/python -m compileall -q src
	@echo "compiling kernels (about a minute, once)"
	@$(BIN)/python -m trapline.live.warm_up
	@$(BIN)/python -m trapline.laboratory.warm_up
	@touch $@

demo: install
	@$(BIN)/trapline demo

# Three workers for two cores, because end-to-end tests mostly wait; a file's tests share its crawls.
# Bytecode is written, because rewriting asserts is half of the time until the first test.
test: install
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

# The site needs no kernels, so it needs no install. A dead link or a missing file fails.
$(VENV)/.docs: $(VENV)/.packages
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

docs: $(VENV)/.docs
	@$(BIN)/python tools/policy_pages.py
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
