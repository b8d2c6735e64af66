# Three commands do everything on a fresh Debian 12, here with the time that they take on two cores:
#   make demo         build, compile the digits network for Vanilla, classify real digits: 6 minutes
#   make test         checks, unit tests, tests of passes, language and import, one test per device and door: 10 minutes
#   make test-full    all tests and clang-tidy, as continuous integration does: 40 minutes
# Each installs the packages that are missing. With an MLIR of your own, use `cmake --preset release`.
BUILD ?= build
# A new build folder compiles the files of a library together: a third of the time from scratch. `make UNITY=OFF`
# compiles each file by itself, so that a change is compiled quickly, as CMake's presets do. A folder keeps its mode.
UNITY ?= ON
JOBS ?= $(shell nproc)
NINJA = cmake --build $(BUILD) --parallel $(JOBS)

.PHONY: all build demo python deb deps-deb test test-full test-long test-real-models bench check format tidy docs site clean deps deps-python deps-test deps-site
.DEFAULT_GOAL := build

deps:
	@utils/install-dependencies.sh build

deps-test:
	@utils/install-dependencies.sh test

deps-python:
	@utils/install-dependencies.sh python

deps-site:
	@utils/install-dependencies.sh site

deps-deb:
	@utils/install-dependencies.sh deb

# What CMake says is of interest only where it fails.
CONFIGURE = cmake -S . -B $(BUILD) -G Ninja > $(BUILD).log 2>&1 -DCMAKE_BUILD_TYPE=Release \
  $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DUMA_UNITY_BUILD=$(UNITY))

$(BUILD)/build.ninja: | deps
	@$(CONFIGURE) -DUMA_BUILD_TESTS=OFF || { cat $(BUILD).log; exit 1; }
	@mv $(BUILD).log $(BUILD)/configure.log

# The tests need libraries that the product does not. Nothing else is compiled again.
$(BUILD)/test/lit.site.cfg.py: | deps-test
	@$(CONFIGURE) -DUMA_BUILD_TESTS=ON || { cat $(BUILD).log; exit 1; }
	@mv $(BUILD).log $(BUILD)/configure.log

build: deps $(BUILD)/build.ninja
	@echo "Building: 4 minutes on two cores from scratch"
	@$(NINJA)

demo: build
	@BUILD=$(BUILD) examples/digits/demo.sh

# The Python module in $(BUILD)/python. Configured again, because it needs packages that the build does not.
python: | deps-python $(BUILD)/build.ninja
	@echo "Building the Python module: 10 minutes on two cores, 2 behind make demo"
	@cmake $(BUILD) >$(BUILD)/python.log 2>&1 || { cat $(BUILD)/python.log; exit 1; }
	@$(NINJA) --target uma-python

# Debian packages in build/packages. Configured again, as for the Python module.
# utils/try-debs.sh installs and removes them in a system of their own.
deb: deps-deb build
	@echo "Building the Python module and the packages: 2 minutes on two cores"
	@cmake $(BUILD) >$(BUILD)/deb.log 2>&1 || { cat $(BUILD)/deb.log; exit 1; }
	@$(NINJA)
	@rm -rf $(BUILD)/packages
	@cd $(BUILD) && cpack --config CPackConfig.cmake >>deb.log 2>&1 || { cat deb.log; exit 1; }
	@rm -rf $(BUILD)/packages/_CPack_Packages
	@ls $(BUILD)/packages/*.deb

build-tests: deps-test $(BUILD)/test/lit.site.cfg.py
	@echo "Building the unit tests and the Python module: a minute on two cores after 'make demo'"
	@$(NINJA)

# Cheap checks first: they tell most mistakes in seconds. docs/testing.md describes the tiers.
test: deps-test check build-tests
	@echo "Checking that generated pages are fresh: 10 seconds"
	@utils/check-docs.sh $(BUILD)
	@echo "Running the quick tests: 6 minutes on two cores"
	@utils/run-tests.py $(BUILD) quick --jobs $(JOBS)

test-full: deps-test check build-tests
	@echo "Checking that generated pages are fresh: 10 seconds"
	@utils/check-docs.sh $(BUILD)
	@echo "Running clang-tidy: 5 minutes on two cores; files that were clean before are not read again"
	@utils/tidy.py $(BUILD)
	@echo "Running all tests: 30 minutes on two cores"
	@utils/run-tests.py $(BUILD) full --jobs $(JOBS)

# 1,000 random graphs and a build per file; docs/testing.md tells about these.
test-long: build-tests
	@echo "Running the long tests: some hours"
	@ctest --test-dir $(BUILD) --output-on-failure --label-regex '^long$$'

# Networks from npm against ONNX Runtime; skipped where npm does not answer.
test-real-models: build-tests
	@echo "Running networks from npm: 5 minutes on two cores"
	@ctest --test-dir $(BUILD) --parallel $(JOBS) --output-on-failure --label-regex '^real-models$$'

# Beside ONNX Runtime; docs/benchmarks.md tells about it. BENCH holds more options, such as BENCH="--models bert --layers".
bench: build-tests
	@echo "Measuring: an hour, on a machine that does nothing else"
	@mkdir -p $(BUILD)/bench
	@bench/run.py --uma $(BUILD)/bin/uma --folder $(BUILD)/bench --npm $(BUILD)/real-models \
	  --json $(BUILD)/bench/report.json --html $(BUILD)/bench/report.html $(BENCH)

check:
	@echo "Checking format and names: 10 seconds"
	@utils/check-format.sh
	@utils/check-names.py

format:
	@utils/check-format.sh --fix

tidy: $(BUILD)/build.ninja
	@echo "Running clang-tidy: 5 minutes on two cores; files that were clean before are not read again"
	@utils/tidy.py $(BUILD)

docs: build
	@echo "Writing the generated pages and the images: a minute"
	@utils/check-docs.sh --fix $(BUILD)
	@utils/draw-images.py $(BUILD) docs/images

# The documentation as a web site in $(BUILD)/site, without a network; needs no build.
site: deps-site
	@echo "Writing the site of the documentation: half a minute"
	@mkdir -p $(BUILD)
	@utils/build-site.py $(BUILD)

clean:
	rm -rf $(BUILD)
