# make run    builds hob and starts it with whatever it needs: Ollama, a model
# make test   every test, the real Ollama server included
# make bench  the figures that the project holds itself to
# make lint   golangci-lint
# make build  bin/hob

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
export CGO_ENABLED ?= 0
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

# Without the store: SQLite under the race detector is slow, and its users are tested with the journal in memory.
RACY := ./internal/agent ./internal/egress ./internal/event ./internal/llm ./internal/llm/ollama/... ./internal/llm/profile ./internal/llm/queue \
	./internal/llm/toolcall ./internal/llm/trial ./internal/llm/window ./internal/policy ./internal/schema ./internal/session \
	./internal/surface/... ./internal/tools
FIGURES := 'TestFigures|TestFixedPrompt|TestTheServerReads'

.PHONY: run test bench lint build ollama

build:
	@go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/hob ./cmd/hob

run: build
	@./bin/hob run --source tools/ollama

# The server is built before the tests, because a test has a time limit and a first build takes minutes.
ollama:
	@go run ./internal/llm/ollamatest/buildollama

test: build ollama
	go vet ./...
	go test -timeout 15m ./...
	CGO_ENABLED=1 go test -race -timeout 15m $(RACY)
	@go test -count=1 -run $(FIGURES) -v ./cmd/hob | grep -E '^(figure:|ok|FAIL|---)'

bench: build
	@go test -count=1 -run $(FIGURES) -v ./cmd/hob | grep -E '^(figure:|FAIL)'
	@go test -run '^$$' -bench . -benchmem ./internal/agent ./internal/llm/toolcall ./internal/llm/window ./internal/store ./internal/tools

lint:
	@cd tools/lint && go build -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@./bin/golangci-lint run
