# make run    builds hob and starts it, with whatever it needs: Ollama, a model
# make test   every test, the real Ollama server included
# make bench  the figures that the project holds itself to
# make lint   golangci-lint
# make build  bin/hob

export CGO_ENABLED ?= 0
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION)

.PHONY: run test bench lint build ollama

build:
	@go build -trimpath -ldflags '$(LDFLAGS)' -o bin/hob ./cmd/hob

run: build
	@./bin/hob run --source tools/ollama

# The server is built before the tests, because a test has a time limit and a first build takes minutes.
ollama:
	@go run ./internal/llm/ollamatest/buildollama

test: build ollama
	@go vet ./...
	@CGO_ENABLED=1 go test -race ./internal/agent ./internal/tools ./internal/egress ./internal/llm ./internal/llm/ollama ./internal/session
	@go test -timeout 15m ./...
	@HOB=$(CURDIR)/bin/hob go test -count=1 -run TestFigures -v ./cmd/hob | grep -E 'figure:|^(ok|FAIL|---)' 

bench: build
	@HOB=$(CURDIR)/bin/hob go test -count=1 -run TestFigures -v ./cmd/hob -bench
	@go test -run '^$$' -bench . -benchmem ./internal/... 

lint:
	@cd tools/lint && go build -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@./bin/golangci-lint run
