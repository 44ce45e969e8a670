# What each target does is said in README.md. They work from a clean clone on Debian with Go, git, make and node.
export GOTOOLCHAIN = go1.27.3

GO       ?= go
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -s -w -X main.version=$(VERSION)
# As root Chrome cannot start with its sandbox; that is said here, not decided silently.
SANDBOX  := $(if $(filter 0,$(shell id -u)),--no-sandbox,)
PACKAGES ?= ./...
TESTTIME ?= 15m

.PHONY: build demo test race conformance inspector bench lint docs chromium clean

build: ## one static binary
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o glass ./cmd/glass

demo: chromium build ## the main job on pages that ship in the repository
	GLASS=./glass SANDBOX='$(SANDBOX)' sh examples/demo/demo.sh

test: chromium ## all tests
	$(GO) vet $(PACKAGES)
	$(GO) test -p 2 -timeout $(TESTTIME) $(PACKAGES)

race: chromium
	$(GO) test -race -p 2 -timeout $(TESTTIME) $(PACKAGES)

conformance: ## the public MCP conformance suite (npm packages, in a cache of their own)
	bash scripts/conformance.sh

inspector: chromium ## the MCP Inspector's CLI against glass mcp (npm packages likewise)
	bash scripts/inspector.sh

bench: chromium ## speed of the hot path, and the raw protocol's own in the same run
	$(GO) test -run '^$$' -bench . -benchtime 2s ./browser ./internal/cdp

lint: ## formatting, vet, staticcheck and friends
	sh scripts/lint.sh

docs: ## reference pages and schemas, generated from the operation table
	$(GO) run ./cmd/glass docs docs

chromium: ## Debian's Chromium, where no Chrome or Chromium is there
	sh scripts/chromium.sh

clean:
	rm -f glass
