# Start here: `make run` to play, `make test` to run the tests.
# Each target does its own set-up: `run` installs into .venv what a board needs, `test` adds the rest. Both leave
# everything outside the checkout alone; `make system` installs further parts of the tests with apt and npm.
PYTHON ?= python3
BIN := .venv/bin
RUNS := .venv/.runs
STAMP := .venv/.installed
# Sets of strings have the same order in every run.
export PYTHONHASHSEED ?= 0
# Compiled modules are kept: tests start hundreds of boards, each of which would compile itself anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup run test slow rigs loads deb image image-test image-boot image-frame check bench coverage mutants long \
	fresh-test lock changelog docs tab system pictures catalogues drawings drawings-check boards protocol firmware licences fonts training clean

setup: $(STAMP)

# The packages that a board needs to run, without those of tests and checks.
$(RUNS): requirements-run.lock
	@$(PYTHON) tools/install.py $< "the board"
	@touch $@

$(STAMP): requirements-dev.lock pyproject.toml $(RUNS)
	@$(PYTHON) tools/install.py $< "the tests and checks"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

run: $(RUNS)
	@echo "boardctl: the simulated board is starting"
	@$(BIN)/python -m boardctl run --sim $(ARGS)

# The packages of the maintainers' targets: releases, the site, mutation testing, reading circuit boards.
.venv/.maintain: requirements-maintain.lock $(STAMP)
	$(PYTHON) tools/install.py requirements-maintain.lock "releases, the site, mutation testing and circuit boards"
	touch $@

# The parts of tests that are no Python packages: programs by apt (tests/system-packages.txt), packages
# compiled for real pins, the Pico's emulator and the tab's Python by npm. Tests whose part is missing are skipped.
system: $(STAMP)
	tests/install-system-packages
	@if command -v cc >/dev/null; then \
		$(PYTHON) tools/install.py --each requirements-pi.lock "the drivers' tests on real kernels" || true; \
	else echo "system: no C compiler for the drivers' own packages"; fi
	@$(BIN)/python -m tests.firmware.pico
	@$(BIN)/python -m tools.tab --install

# As many tests at a time as there are cores, at most four; a file's tests stay together, and the
# slow rooms come first (tests/conftest.py).
AT_A_TIME = -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
test: $(STAMP)
	@echo "pytest: the ordinary tests; their files are read first, which takes a few seconds"
	$(BIN)/python -m pytest -m "not long and not slow" $(AT_A_TIME) $(ARGS)

# The slower rest of the ordinary tests, from the same fixed seeds: whole games on several pages,
# kernels, circuit boards, storms of kills. Continuous integration runs both.
slow: $(STAMP)
	$(BIN)/python -m pytest -m "slow and not long" $(AT_A_TIME) $(ARGS)

# The drivers on real kernels, libraries and published formats; part of `make slow`.
rigs: $(STAMP)
	$(BIN)/python -m pytest tests/rigs $(ARGS)

# The page's JavaScript is plain modules; TypeScript and Biome only check them, if node is
# installed.
TSC = npx --yes --package typescript@5.9.3 tsc
BIOME = npx --yes --package @biomejs/biome@2.6.8 biome

check: $(STAMP)
	@echo "check: ruff, mypy --strict, import rules, spelling; then the page's JavaScript"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/reuse lint --quiet || $(BIN)/reuse lint --lines
	@if command -v npx >/dev/null; then \
		echo "npm: TypeScript and Biome, fetched by the first run, check the page's JavaScript"; \
		$(TSC) -p tests/web/tsconfig.json && \
		$(BIOME) lint --config-path=tests/web --error-on-warnings boardctl/web/static packaging/tab; \
	else echo "node is not installed: the page's JavaScript is not checked"; fi

bench: $(STAMP)
	$(PYTHON) tools/install.py requirements-bench.lock "the benchmarks"
	$(BIN)/python -m tools.bench

# Branch coverage of the packages that keep score, by the ordinary and slow tests; at least 95 % each.
ROOMS = boardctl/games/* boardctl/table/*,boardctl/record/*,boardctl/storage/* \
	boardctl/console/keypad/* boardctl/drivers/serial_protocol.py
coverage: $(STAMP)
	$(BIN)/python -m coverage run -m pytest $(ARGS)
	$(BIN)/python -m coverage report
	set -f; for room in $(ROOMS); do \
		$(BIN)/python -m coverage report --include="$$room" --format=total || exit; done

# Mutation testing of what keeps score, decides and throttles, as ARGS="--sample 100 --seed 1" if all takes too
# long; docs/long-run.md explains the survivors.
mutants: .venv/.maintain
	for group in score decide throttle connections keys keep; do $(BIN)/python -m tools.mutants $$group $(ARGS); done

# The slow and the long tests, and those by Hypothesis with many more examples, from a new seed, which is printed;
# `make long SEED=n` repeats a run.
SEED ?= new
long: system
	tests/install-system-packages pi-packages.txt
	$(BIN)/python -m pytest -m "long or slow or hypothesis" --slow-pages 1 --seed $(SEED) --report docs/long-run.jsonl $(ARGS)

# The README's two commands on bare Debians, as root and as an ordinary user; the long tests include
# them. Needs root, mmdebstrap and some 5 GB.
fresh-test: $(STAMP)
	tests/install-system-packages
	$(BIN)/python -m pytest -v -s -m long tests/packaging/test_fresh_machine.py --report docs/long-run.jsonl $(ARGS)

# The README's two commands on this machine: idle, beside one busy core, and beside two. The long
# tests include them.
loads: $(STAMP)
	$(BIN)/python -m pytest -v -s -m long tests/packaging/test_loads.py --report docs/long-run.jsonl $(ARGS)

# All files of a release, into dist/; reproducible for a commit.
dist: .venv/.maintain
	rm -rf dist
	$(BIN)/python -m tools.bundle
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build --no-isolation --outdir dist . >/dev/null
	$(BIN)/python packaging/deb/build dist
	rm -rf boardctl/web/static/bundle
	$(MAKE) --silent -C firmware BUILD=../dist/firmware all pico
	mv dist/firmware/boardctl.hex dist/firmware/boardctl.uf2 dist && rm -rf dist/firmware
	$(BIN)/python -W ignore -m cyclonedx_py requirements --output-reproducible --sv 1.6 --pyproject pyproject.toml \
		--output-file dist/boardctl.cdx.json requirements-deb.lock
	cd dist && sha256sum * >SHA256SUMS && cat SHA256SUMS

# Move the fragments of changelog.d into CHANGELOG.md, under the program's version and today's date.
changelog: .venv/.maintain
	$(BIN)/towncrier build --yes --version "$$($(BIN)/python -c 'import boardctl; print(boardctl.__version__)')"

# The Debian package, into dist/; reproducible for a commit.
deb: $(STAMP)
	$(BIN)/python packaging/deb/build dist

# The card image and the signed update, into dist/image/: docs/image.md. Needs root.
image: $(STAMP)
	tests/install-system-packages ../packaging/image/system-packages.txt
	$(BIN)/python packaging/image/build dist/image $(ARGS)

# Two quick proofs with the image that is there (docs/image.md): it starts and plays in an emulated
# machine; the first frame leaves a Raspberry Pi's SPI.
image-boot: $(STAMP)
	$(BIN)/python -m pytest -v -s -m long tests/image/test_boot.py -k boots_without_network $(ARGS)
image-frame: $(STAMP)
	$(BIN)/python -m pytest -v -s -m long tests/image/test_boot.py -k first_frame $(ARGS)

# Tests of the image in emulated machines; `make long` includes them if there is an image.
image-test: image
	$(BIN)/python -m pytest -v -s -m long tests/image --seed $(SEED) --report docs/long-run.jsonl $(ARGS)

# After changing the dependencies in pyproject.toml, update the lock files (needs uv).
UV ?= uv
LOCK = $(UV) pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" --quiet
# These are installed into the same .venv as the tests, and have the same versions.
SAME = $(LOCK) -c requirements-dev.lock
lock:
	$(LOCK) --extra oled --extra lcd --extra drawings --extra camera --extra mqtt --extra club --extra league --extra far --extra voice --extra hearing --group dev -o requirements-dev.lock
	$(SAME) -o requirements-run.lock
	$(SAME) --extra pi --extra rpigpio -o requirements-pi.lock
	$(LOCK) --extra mqtt --no-emit-package setuptools -o requirements-deb.lock
	$(SAME) --group bench -o requirements-bench.lock
	$(SAME) --group release --group docs --group mutants --group board -o requirements-maintain.lock
	$(SAME) --group training -o requirements-training.lock
	cd tests/mqtt/home_assistant && $(UV) pip compile requirements.in --python-version 3.13.5 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" --quiet \
		-o requirements.lock

# Take the pictures and the animation of docs/pictures from the page.
pictures: $(STAMP)
	tests/install-system-packages picture-packages.txt
	$(BIN)/python -m tests.web.take_pictures

# Compile the shipped catalogues from the .po files; a test compares.
catalogues: $(STAMP)
	$(BIN)/pybabel --quiet compile --domain boardctl --directory boardctl/text/locale

# Generate the serial protocol's C constants from the Python ones; a test compares.
protocol: $(STAMP)
	$(BIN)/python firmware/make_protocol_h.py > firmware/protocol.h.new
	mv firmware/protocol.h.new firmware/protocol.h

# The board in a browser's tab, into dist/tab/: static files for any web server (docs/tab.md).
tab: $(STAMP)
	$(BIN)/python -m tools.tab dist/tab

# Build the site of the documents into build/site; a broken link is an error.
docs: .venv/.maintain
	$(BIN)/python -m tools.site build/pages
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

# Build the firmware for Arduino and Pico into firmware/build/, reproducibly.
firmware:
	$(MAKE) -C firmware all pico

# Generate the drawings in hardware/ from the layouts; a test compares.
drawings: $(STAMP)
	set -- $$($(BIN)/boardctl draw layout); all=$$#; \
	for name; do \
		echo "layout $$((done += 1)) of $$all: $$name"; \
		$(BIN)/boardctl draw all --layout $$name --out hardware/$$name || exit; done

# Check or regenerate the circuit boards in hardware/ with KiCad, and read back their copper. Needs
# KiCad (a gigabyte) and a few minutes per board.
BOARDS = $(BIN)/python -m pytest -m "long or not long" tests/drawings/test_circuit_board.py -p no:cacheprovider $(ARGS)
drawings-check: .venv/.maintain
	tests/install-system-packages board-packages.txt
	$(BOARDS)
boards: .venv/.maintain
	tests/install-system-packages board-packages.txt
	BOARDCTL_DRAW=1 $(BOARDS)

# Make the page's fonts anew from their packages.
fonts: $(STAMP)
	$(BIN)/python -m tools.fonts

# Train the networks that read photographs, beside the shipped ones, and compare: an error if those
# are not what the training makes. Needs the photographs.
PHOTOS ?= photos
training: $(STAMP)
	$(PYTHON) tools/install.py requirements-training.lock "the training of the networks"
	mkdir -p .training/weights
	$(BIN)/python -m tools.camera.training --photos $(PHOTOS) --inputs .training --out .training/weights
	$(BIN)/python -m tools.camera.figures boardctl/camera .training/weights --inputs .training

# List the dependencies' licences from installed metadata; a test compares.
licences: system .venv/.maintain
	$(PYTHON) tools/install.py requirements-bench.lock "the benchmarks"
	$(BIN)/python -m tools.licences

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis mutants .coverage
