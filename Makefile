SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
GO          ?= go
BENCH       ?= .
FUZZTIME    ?= 10s
CASES       ?= 300
KUBERNETES  ?= 1.36
SEED        ?= 1
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
DATA        ?= ../shared/data
LISTS       ?= openb_pod_list_default
POLICIES    ?= DotProd GpuClustering GpuPacking BestFit FGD
SEEDS       ?= 42 43 44 45 46 47 48 49 50 51
OUT         ?= fgd
LOADS       ?= 70 80 90 95
PLATFORMS   ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
CORE        := ./sim/... ./scheduler/...
# Test scripts and golden files are rewritten by the flag that datadriven registers, or by one of the package's own.
REWRITES    := ^[[:space:]]*"github.com/cockroachdb/datadriven"|flag\.Bool\("rewrite"

# A release is built by the version of Go that go.mod names, and by no newer one that may be here.
TOOLCHAIN    = go$(shell awk '$$1 == "go" {print $$2}' go.mod)

.PHONY: help build release release-check test race lint fuzz bench same-bytes conformance conformance-test conformance-directed conformance-goldens conformance-speed conformance-plugins fgd fgd-dynamic golden check

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-19s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

build: ## build bin/berth, one static binary
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/berth ./cmd/berth

release: ## build archives, bills of materials, checksums and a krew manifest for PLATFORMS (all six) in dist
	rm -rf dist
	GOTOOLCHAIN=$(TOOLCHAIN) $(GO) run ./cmd/release -out dist -platforms '$(PLATFORMS)'

release-check: ## check that two releases of the last commit are equal and that go install works, in some minutes
	.ci/release

test: ## run every test
	$(GO) test ./...

race: ## run the tests of the core under the race detector (needs a C compiler)
	$(GO) test -race $(CORE)

lint: ## gofmt, go vet, staticcheck
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .); \
	if [ -n "$$unformatted" ]; then printf 'not formatted by gofmt:\n%s\n' "$$unformatted" >&2; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) -checks inherit,ST1000 ./...

fuzz: ## run every fuzz target for FUZZTIME (10s)
	@$(GO) test -list '^Fuzz' ./... \
	| awk '/^Fuzz/ {targets[n++] = $$1} /^ok/ {for (i = 0; i < n; i++) print $$2, targets[i]; n = 0}' \
	| while read -r package target; do \
		echo "$$package $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package" </dev/null; \
	done

bench: ## run the benchmarks that match BENCH (all)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 1h ./...

same-bytes: ## compare runs, a comparison and reports on amd64 with and without FMA and on arm64 (qemu-user-static)
	.ci/same-bytes

conformance: ## compare CASES (300) generated clusters, from SEED (1) on, with kube-scheduler of KUBERNETES (1.36) itself
	cd conformance && $(GO) run ./cmd/conformance -kubernetes $(KUBERNETES) -cases $(CASES) -seed $(SEED)

conformance-test: ## test the comparison: cases that once differed, goldens, planted mistakes, validity of what is generated
	cd conformance && $(GO) vet ./... && $(GO) test ./... -args -kubernetes $(KUBERNETES)

conformance-directed: ## have kube-scheduler of KUBERNETES decide the cases again that show what changed between releases
	cd conformance && $(GO) test -run TestDirected . -args -kubernetes $(KUBERNETES)

conformance-goldens: ## rewrite what kube-scheduler decides of the cases that berth's own tests replay, in all releases
	cd conformance && $(GO) run ./cmd/conformance -goldens ../cmd/berth/testdata/conformance
	cd conformance && $(GO) run ./cmd/conformance -directed ../cmd/berth/testdata/releases

conformance-speed: ## measure berth beside the core of kube-scheduler on the same objects, for some minutes
	cd conformance && $(GO) run ./cmd/conformance -kubernetes $(KUBERNETES) -speed

conformance-plugins: ## compare CASES (300) generated clusters, from SEED (1) on, with plugins of scheduler-plugins
	cd conformance/schedulerplugins && $(GO) vet ./... && $(GO) test ./... -args -cases $(CASES) -seed $(SEED)

fgd: ## reproduce the FGD paper: LISTS x POLICIES x SEEDS of the data in DATA, tables to OUT
	$(GO) run ./cmd/fgd -data '$(DATA)' -lists '$(LISTS)' -policies '$(POLICIES)' -seeds '$(SEEDS)' -out '$(OUT)'

fgd-dynamic: POLICIES = Default Random DotProd GpuClustering GpuPacking BestFit FGD FGDExact
fgd-dynamic: SEEDS = 1 2 3 4 5 6 7 8 9 10
fgd-dynamic: OUT = fgd-dynamic
fgd-dynamic: ## run POLICIES on workloads of the data in DATA whose pods arrive and complete, at LOADS, with SEEDS; tables to OUT
	$(GO) run ./cmd/fgd dynamic -data '$(DATA)' -loads '$(LOADS)' -policies '$(POLICIES)' -seeds '$(SEEDS)' -out '$(OUT)'

golden: ## rewrite the expected output of all test scripts; read the diff before you commit it
	@packages=$$({ grep -rlE --include='*_test.go' --exclude-dir=conformance '$(REWRITES)' . || true; } \
		| xargs -r -n 1 dirname | sort -u); \
	if [ -n "$$packages" ]; then $(GO) test $$packages -args -rewrite; fi

check: lint test race ## what a merge must pass
