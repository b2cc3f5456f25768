# make run    builds hob and starts it with whatever it needs: Ollama, a model
# make test   every test, the real Ollama server included
# make flood  ten thousand messages, a hundred kills, a storm in which the model and Telegram fail, and files swapped under commands
# make bench  the figures that the project holds itself to
# make lint   golangci-lint
# make build  bin/hob
# make install    hob, its units for systemd and its documentation, below PREFIX in DESTDIR; make uninstall takes them away

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
export CGO_ENABLED ?= 0
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

# Without the store: SQLite under the race detector is slow, and its users are tested with the journal in memory.
RACY := ./internal/agent ./internal/egress ./internal/event ./internal/llm ./internal/llm/ollama/... ./internal/llm/profile ./internal/llm/queue \
	./internal/llm/toolcall ./internal/llm/trial ./internal/llm/window ./internal/policy ./internal/receipt ./internal/schema \
	./internal/mcp ./internal/retry ./internal/secret ./internal/session ./internal/skills/... ./internal/untrusted \
	./internal/surface/... ./internal/sandbox/cgroup ./internal/tools/...
# What starts a process for each of its cases starts a whole instrumented hob each time, which also waits a second before it
# ends; what only reads a lot in one goroutine has nothing to race with.
SLOW_RACES := 'TestRunCommand|TestFetch_PagesMadeToHurt|TestJob_Errors|TestJobs_AreOver|TestReadFile_GoesOn|TestFiles_Bounds'
FIGURES := 'TestFigures|TestFixedPrompt|TestTheServerReads'

.PHONY: run test flood bench lint build ollama install uninstall

# What is built small: functions begin at multiples of 8 bytes (of 32, as is usual on amd64, they are 0.3 MB more and no
# faster), and what waits for a person, a disk or a network anyway is not inlined (1.1 MB). What a sort.Slice would do for once
# in a while is no slices.SortFunc, which is compiled for each type anew (10 kB each, 0.2 MB in all).
SMALL := -trimpath -tags nethttpomithttp2 $(foreach p,github.com/... golang.org/... codeberg.org/... gopkg.in/... modernc.org/sqlite \
	modernc.org/sqlite/vtab context crypto/tls crypto/x509/... database/sql encoding/asn1 encoding/csv encoding/gob flag io/... log/... \
	math/big mime/... net net/http/... net/textproto net/url os os/... path/... text/... vendor/... \
	hob/cmd/... hob/internal/...,-gcflags=$(p)=-l) \
	$(foreach p,llm/toolcall schema secret untrusted,-gcflags=hob/internal/$(p)=)
OUT ?= bin/hob
build:
	@go build $(SMALL) -ldflags '-s -w -funcalign=8 -X main.version=$(VERSION)' -o $(OUT) ./cmd/hob

# Packagers set DESTDIR, and PREFIX where it is another; the units name the program where it will be.
DESTDIR ?=
PREFIX ?= /usr
INTO = $(DESTDIR)$(PREFIX)

install: build
	@install -D -m 755 $(OUT) $(INTO)/bin/hob
	@install -D -m 644 config.toml.example $(INTO)/share/doc/hob/config.toml.example
	@for u in hob:system hob-user:user; do install -d $(INTO)/lib/systemd/$${u#*:}; \
		sed 's|/usr/bin/hob|$(PREFIX)/bin/hob|; s|/usr/share/doc|$(PREFIX)/share/doc|' systemd/$${u%:*}.service >$(INTO)/lib/systemd/$${u#*:}/$${u%:*}.service; \
		chmod 644 $(INTO)/lib/systemd/$${u#*:}/$${u%:*}.service; done
	@install -D -m 644 systemd/hob.sysusers $(INTO)/lib/sysusers.d/hob.conf
	@install -D -m 644 systemd/hob.tmpfiles $(INTO)/lib/tmpfiles.d/hob.conf
	@printf '%s\n' 'hob is installed. What comes next, as root:' \
		'  systemd-sysusers && systemd-tmpfiles --create' \
		'  install -m 600 /dev/stdin /etc/hob/telegram_token     # paste the token of the bot, then Ctrl-D; or leave it out' \
		'  systemctl enable --now hob' \
		'  sudo -u hob hob pair     # lets you in over Telegram'

uninstall:
	@rm -f $(INTO)/bin/hob $(INTO)/lib/systemd/system/hob.service $(INTO)/lib/systemd/user/hob-user.service \
		$(INTO)/lib/sysusers.d/hob.conf $(INTO)/lib/tmpfiles.d/hob.conf $(INTO)/share/doc/hob/config.toml.example
	@rmdir $(INTO)/share/doc/hob 2>/dev/null || true
	@echo 'hob is gone; what it knows is left in /var/lib/hob, its configuration in /etc/hob.'

run: build
	@./bin/hob run --source tools/ollama

# The server is built before the tests, because a test has a time limit and a first build takes minutes.
ollama:
	@go run ./internal/llm/ollamatest/buildollama

# Tests run where there is no network but loopback: what needs more fails. Vetting first downloads what they are built of.
OFFLINE := ./bin/offline --

bin/offline: $(wildcard internal/egress/offline/*.go)
	@go build -o $@ ./internal/egress/offline

# The sandbox's second tier is bwrap's. Where it is not installed its tests get Debian's, unpacked and not installed; where
# that cannot be had they are skipped.
export HOB_TEST_BWRAP = $(if $(wildcard /usr/bin/bwrap),/usr/bin/bwrap,$(wildcard $(CURDIR)/bin/bwrap))

.PHONY: bwrap
bwrap:
	@[ -e /usr/bin/bwrap ] || [ -e bin/bwrap ] || ! command -v apt-get >/dev/null || { mkdir -p bin/bubblewrap && cd bin/bubblewrap && \
		apt-get download -qq bubblewrap >/dev/null 2>&1 && dpkg-deb -x bubblewrap_*.deb . && mv usr/bin/bwrap .. && cd .. && rm -r bubblewrap; } || \
		echo "no bwrap: the tests of the sandbox's second tier are skipped"

test: build ollama bin/offline bwrap
	go vet ./...
	$(OFFLINE) go test -timeout 30m ./...
	CGO_ENABLED=1 $(OFFLINE) go test -race -short -skip $(SLOW_RACES) -timeout 15m $(RACY)
	@$(OFFLINE) go test -count=1 -run $(FIGURES) -v ./cmd/hob | grep -E '^(figure:|ok|FAIL|---)'

# Ten thousand messages and a hundred kills, a storm of 500, 60 and 20 of the model's server, and 100 swaps in each of three places.
# make test has a tenth, a fifth, and a few.
flood: bin/offline
	HOB_TEST_FLOOD=full $(OFFLINE) go test -count=1 -timeout 30m -run 'TestFlood$$|TestStorm$$' -v ./cmd/hob
	HOB_TEST_SWAPS=100 $(OFFLINE) go test -count=1 -timeout 30m -run 'TestApproved_(Runs|Nothing)|RunsWhatWasShown' ./internal/sandbox ./internal/tools/shell

bench: build
	@HOB_TEST_BENCH=1 go test -count=1 -run $(FIGURES)'|TestStopOnTelegram' -v ./cmd/hob | grep -E '^(figure:|FAIL| +[a-z_]+_test.go)'
	@HOB_TEST_BENCH=1 go test -count=1 -run 'TestAMonth|TestFlood|TestFetch_ABomb' ./internal/surface/telegram ./internal/sandbox ./internal/tools/fetch
	@go test -run '^$$' -bench . -benchmem ./internal/agent ./internal/llm/toolcall ./internal/llm/window ./internal/policy ./internal/secret \
		./internal/skills ./internal/store ./internal/tools/... ./internal/untrusted ./internal/game/...
	@go test -run '^$$' -bench 'Sandbox|Output' ./cmd/hob ./internal/sandbox

lint:
	@cd tools/lint && go build -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@./bin/golangci-lint run
