# What can be done here? `make` lists it.
PYTHON ?= python3
PORT ?= 8000
# One more than cores: many tests wait, for a server that stops or a page that is painted. With two more it takes as long.
TEST_PROCESSES ?= 3
# Compiled modules are kept, whatever the environment says: else each of the hundreds of servers and commands that the
# tests start compiles all of Farthing anew.
export PYTHONDONTWRITEBYTECODE :=

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev
BEANCOUNT := $(VENV)/beancount/.installed
PROVIDER := tests/providers/node_modules/.installed
# What make quick leaves out: browsers, servers and other processes, PostgreSQL, and passwords, which are slow on purpose.
NOT_QUICK := web proof fuzz upgrade cli demo backup watch first_run test_bench.py test_house_rules.py \
	attachments/test_s3.py attachments/test_s3_faults.py \
	attachments/test_server.py http/test_bad_input.py http/test_stopping.py jobs/test_cost.py jobs/test_process.py \
	sessions/test_sign_in.py storage/test_busy_file.py storage/test_busy_postgres.py storage/test_connections.py \
	storage/test_cut_line.py storage/test_migrations.py storage/test_parallel_writers.py storage/test_pgbouncer.py \
	storage/test_postgres.py http/test_produce.py moving/exports/test_http.py moving/exports/test_memory.py \
	moving/exports/test_totals.py docs providers
WEB := src/farthing/web/built/index.html
# schema.d.ts is written by every check and build; what it is made from counts.
WEB_SOURCES := $(shell find web \( -name node_modules -o -name schema.d.ts \) -prune -o -type f -print) docs/api/openapi.json hatch_build.py

.PHONY: help run demo web test bare test-parts test-programs quick bench holds fairness proof torture cluster cluster-parts fuzz check \
	format openapi screenshots snapshots isolation check-python web-lint web-check web-test dist lock sbom image deb release \
	packages packages-parts

help:
	@echo "make run     start Farthing on http://127.0.0.1:$(PORT) (PORT=8001 for another port); data in .data"
	@echo "make demo    fill a user with two years of a household's books, to look around in"
	@echo "make test    check and all tests; installs what these need"
	@echo "make bare    make test on a fresh Debian with nothing but Python, make and git (as root), exactly what CI runs"
	@echo "make quick   the tests that need no other process, on SQLite only (a minute and a half), for the work in between"
	@echo "make bench   measure it against two floors, with up to a million transactions (15 minutes; KEEP=1 keeps the table)"
	@echo "make fairness what one user's heavy requests do to another user (15 minutes; ATTACKS=reports for some of them)"
	@echo "make proof   the parallel and the durability tests at length: hundreds of kills, thousands of requests"
	@echo "make torture writers on everything, 400 days of recurrences, and servers killed hundreds of times (an hour or two)"
	@echo "make cluster three servers behind HAProxy and PgBouncer on two PostgreSQL nodes, and everything fails in turn (FULL=1 for 20 failovers)"
	@echo "make packages wheel, sdist, service, image, compose files and proxies, installed and run for real (10 minutes)"
	@echo "make dist    wheel and sdist in dist/; make release adds image, SBOM and checksums; make lock renews the locked dependencies"
	@echo "make deb     a Debian package in dist/"
	@echo "make isolation takes the user filter out of every query in turn: would anybody notice? (10 minutes)"
	@echo "make fuzz    odd requests, drawn from the OpenAPI document, to both databases (30 minutes; SECONDS=600 for less)"
	@echo "make web     build the web app (also done by the above)"
	@echo "make check   format, lint, types and import arrows"
	@echo "make format  put the sources into shape"
	@echo "make docs    build the manual into build/site and check its links; make docs-serve shows it on http://127.0.0.1:8001"
	@echo "make openapi write docs/api/openapi.json anew; refuses to take anything out"
	@echo "make screenshots take the pictures of the README and the manual anew"
	@echo "make snapshots take the pictures anew that tests compare pages with"

run demo: export FARTHING_DATA ?= .data
run: $(INSTALLED) $(WEB)
	@$(BIN)/farthing migrate > /dev/null
	@$(BIN)/farthing welcome --port $(PORT)
	@exec $(BIN)/farthing serve --port $(PORT)

# The owner first, if there is none yet: the demo's user should not become it.
demo: $(INSTALLED) $(WEB)
	@$(BIN)/farthing welcome --port $(PORT)
	@$(BIN)/farthing demo --port $(PORT)

# The checks have looked at the house rules already.
test: test-parts $(INSTALLED_DEV) $(WEB)
	@$(IN_PARALLEL) $(CHECKS) web-test
	$(BIN)/pytest -n $(TEST_PROCESSES) --dist worksteal --ignore=tests/test_house_rules.py

# On a bare Debian, which as root it makes and removes again: exactly what CI runs.
bare:
	@.ci/run

# What tests need beside their virtual environment is installed here, before any of them begins; tests/bring.sh explains
# the words. Without root the tests of what is missing are skipped, but not in CI.
TEST_PROGRAMS := 'chromium|chromium-browser|google-chrome=chromium' 'chromium-headless-shell?' hledger pgbouncer \
	libatomic.so.1=libatomic1 curl openssl ps=procps chattr=e2fsprogs mount
test-parts: test-programs $(BEANCOUNT) $(PROVIDER)
test-programs:
	@tests/bring.sh "make test" $(TEST_PROGRAMS) || { [ $$? = 2 ] && [ -z "$$CI" ] && echo "Until then, their tests are skipped."; }

quick: $(INSTALLED_DEV)
	$(BIN)/pytest -n $(TEST_PROCESSES) --dist worksteal -k "not postgresql and not bucket" $(addprefix --ignore=tests/,$(NOT_QUICK))

web: $(WEB)

bench: $(INSTALLED_DEV)
	$(BIN)/python -m bench $(if $(KEEP),--keep)

holds: $(INSTALLED_DEV)
	$(BIN)/python -m bench.holds $(SIZES)

fairness: $(INSTALLED_DEV)
	$(BIN)/python -m bench.fairness $(if $(ATTACKS),--attacks "$(ATTACKS)")

# Each compares the books with a plain model after anything that Hypothesis thinks of.
MODELS := tests/transactions/test_split_ids.py tests/changes/test_sets.py tests/labels/test_merge.py \
	tests/labels/test_refunds.py tests/budgets tests/search/test_operators.py
proof: $(INSTALLED_DEV)
	FARTHING_PROOF=long $(BIN)/pytest -n $(TEST_PROCESSES) tests/proof tests/storage/test_parallel_writers.py \
		tests/transactions/test_record.py tests/schedule tests/http/test_decoders.py \
		tests/changes/test_undo_property.py $(MODELS) tests/test_bench.py

torture: $(INSTALLED_DEV)
	FARTHING_PROOF=torture $(BIN)/pytest tests/proof/test_torture.py tests/proof/test_firing.py

isolation: $(INSTALLED_DEV)
	FARTHING_ISOLATION=full $(BIN)/pytest -n0 -s tests/sharing/test_isolation.py

# In processes of their own: HAProxy, PgBouncer and etcd from Debian, Patroni from PyPI (deploy/cluster).
cluster: $(INSTALLED_DEV) cluster-parts
	FARTHING_CLUSTER=$(if $(FULL),full,short) $(BIN)/pytest -n0 tests/cluster

# Patroni runs as a user who may not read root's Python: as root, Debian's own is taken.
PATRONI_PYTHON ?= $(if $(filter 0,$(shell id -u)),/usr/bin/python3,$(PYTHON))
cluster-parts: .patroni/.installed
	@tests/bring.sh "make cluster" haproxy pgbouncer etcd=etcd-server

.patroni/.installed:
	@echo "Installing Patroni (once) ..."
	@$(PATRONI_PYTHON) -m venv .patroni
	@.patroni/bin/python -m pip install -qq 'patroni[etcd3]>=4' 'psycopg[binary]>=3.2'
	@touch $@

# With the time of the last commit in it, and nothing else that differs from machine to machine: twice the same bytes.
dist sbom release: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
dist: .build/.installed
	rm -rf dist
	.build/bin/python -m hatchling build -t sdist -d dist
	.build/bin/python -m pip wheel -qq --no-deps --no-build-isolation --no-cache-dir --wheel-dir dist dist/farthing-*.tar.gz

sbom: .build/.installed
	@mkdir -p dist
	.build/bin/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible --output-file dist/farthing.cdx.json deploy/requirements.txt
	$(PYTHON) hatch_build.py sbom

# `make image BASE=…` takes another image with Python as its base. BUILDAH is the program with the options of its storage,
# BUILD are options of the build: make image BUILDAH="buildah --storage-driver vfs" BUILD="--isolation chroot"
# HEALTHCHECK is only in images of this format.
BUILDAH ?= buildah
image: dist
	$(BUILDAH) build --format docker $(if $(BASE),--build-arg BASE=$(BASE)) $(BUILD) -t farthing -f Containerfile .
	$(BUILDAH) push farthing docker-archive:dist/farthing-image.tar:farthing

# For the Debian whose Python has the same version as the one that makes it.
deb: dist
	deploy/deb/build.sh .build/bin/python

# IMAGE=no leaves the image out.
release: dist sbom $(if $(filter no,$(IMAGE)),,image)
	cd dist && sha256sum farthing* > SHA256SUMS && cat SHA256SUMS

# The exact versions of a release, with hashes for every platform; and the versions that development and tests use.
# Neither has the address of an index.
lock: .build/.installed
	$(COMPILE) --generate-hashes --extra postgres --extra s3 pyproject.toml -o deploy/requirements.txt
	$(COMPILE) --extra analysis --extra notify --extra postgres --extra s3 --group dev -c deploy/requirements.txt pyproject.toml -o deploy/constraints.txt
COMPILE = .build/bin/uv pip compile -q --upgrade --universal --python-version 3.11 --no-emit-index-url --no-annotate --no-header

.build/.installed: | $(BIN)/python
	@echo "Installing the tools for releases (once) ..."
	@$(PYTHON) -m venv .build
	@.build/bin/python -m pip install -qq 'hatchling>=1.27' 'uv>=0.8' 'cyclonedx-bom>=7'
	@touch $@

packages: $(INSTALLED_DEV) .build/.installed packages-parts
	FARTHING_PACKAGES=1 $(BIN)/pytest -n0 tests/packages

packages-parts:
	@tests/bring.sh "make packages" nginx=nginx-light caddy curl openssl man=man-db systemd-analyze=systemd \
		buildah podman runc mmdebstrap podman-compose netavark aardvark-dns

fuzz: $(INSTALLED_DEV)
	FARTHING_PROOF=long $(BIN)/pytest -n $(TEST_PROCESSES) tests/moving -k "fuzz or cut_off or megabytes"
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),1800)
	$(BIN)/python -m tests.moving.firefly.fuzz --seconds $$(( $(or $(SECONDS),1800) / 20 ))

check: $(INSTALLED_DEV) $(WEB)
	@$(IN_PARALLEL) $(CHECKS)

# The packages of the web app first: two that run side by side must not both install them.
IN_PARALLEL = $(BIN)/python -c 'import hatch_build; hatch_build.run()' && \
	$(MAKE) --no-print-directory --jobs=$(TEST_PROCESSES)
CHECKS := web-lint web-check check-python

check-python:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest --noconftest tests/test_house_rules.py

web-lint web-check web-test: web-%:
	$(BIN)/python hatch_build.py $*

format: $(INSTALLED_DEV)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python hatch_build.py format

openapi: $(INSTALLED_DEV)
	$(BIN)/python -m tests.http.promises

.PHONY: docs docs-serve
docs: $(INSTALLED_DEV)
	$(BIN)/python -m manual

docs-serve: docs
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site 8001

# Installing builds it, too; this is for whoever changes it, or has pulled a change.
$(WEB): $(WEB_SOURCES) | $(BIN)/python
	@echo "Building the web app ..."
	@$(BIN)/python hatch_build.py

screenshots: $(INSTALLED_DEV) $(WEB)
	$(BIN)/python -m tests.web.screenshots

snapshots: $(INSTALLED_DEV) $(WEB)
	FARTHING_SNAPSHOTS=take $(BIN)/pytest -n0 tests/web/test_snapshots.py

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Farthing needs Python 3.11 or newer and found: $$($(PYTHON) --version 2>&1)." >&2; \
		echo "Install it, or name another one: make run PYTHON=python3.12" >&2; exit 1; }
	@echo "Making the virtual environment (once) ..."
	@$(PYTHON) -m venv $(VENV) || { \
		rm -rf $(VENV); echo "Python's venv module is missing; on Debian: apt install python3-venv" >&2; exit 1; }

# The versions that were tested last: what somebody else releases today must not break what worked yesterday.
LOCKED := -c deploy/constraints.txt

# pip itself first: only newer ones know --group.
$(INSTALLED): pyproject.toml deploy/constraints.txt | $(BIN)/python
	@echo "Installing Farthing (once) ..."
	@$(BIN)/python -m pip install -qq --upgrade pip
	@$(BIN)/python -m pip install -qq $(LOCKED) --editable .
	@touch $@

$(INSTALLED_DEV): pyproject.toml deploy/constraints.txt | $(BIN)/python
	@echo "Installing Farthing and the tools of its developers (once) ..."
	@$(BIN)/python -m pip install -qq --upgrade pip
	@$(BIN)/python -m pip install -qq $(LOCKED) --editable '.[analysis,postgres,s3]' --group dev
	@touch $@ $(INSTALLED)

# Its licence does not fit ours: it stays in an environment of its own, and only the tests run it.
$(BEANCOUNT): | $(INSTALLED_DEV)
	@echo "Installing Beancount (once) ..."
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install -qq 'beancount>=3'
	@touch $@

$(PROVIDER): tests/providers/package-lock.json | $(INSTALLED_DEV)
	@echo "Installing oidc-provider and standardwebhooks (once) ..."
	@$(BIN)/python -c 'import pathlib, hatch_build; hatch_build.install(pathlib.Path("tests/providers"))'
	@touch $@
