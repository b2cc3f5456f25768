# make run        builds hob, for which Go is enough, and opens its prompt
# make check      while you work, in two minutes: vet, linters, the module's structure, short tests
# make test       what a change needs, and what CI runs: every test, on a real Ollama, too, and short ones under the race detector
# make busy       every test on a machine that is busy, in shards: an interrupted round goes on; ROUND=2 is the next one
# make soak       for a night: another seed, floods, a month, full sizes, and every wall as an ordinary user and as root
# make bench      the figures of time, memory and size, measured alone
# make performance    writes them into docs/performance.md, with how long one waits for a model of real size; it takes a quarter of an hour
# make lint       the linters, the types of the page's scripts, and which files and functions are long
# make build      bin/hob
# make man        bin/man: a manual page for each command, which make install installs, too
# make figures    measures what README.md says of time, memory and size, and writes it there; the machine must be quiet
# make pictures   makes the pictures of README.md from real runs; needs npx, for svg-term-cli
# make test-tools gets what tests of the page use: Chromium from Debian's packages, axe-core and the compiler of TypeScript
#                 from npm; once, into the folder of hob's caches
# make page-test  the page in a real browser: every view, by mouse and by keyboard; make test has the most important of it
# make ollama     builds Ollama from source, once: hob uses it where it finds no other, and so do tests
# make dist       what a release has, in dist: packages, archives, checksums; docs/release.md
# make package-test   tries that in a clean Debian: install, use, upgrade, remove, purge; as root; FULL=1 tries more
# make install    what make build made, its units for systemd and its documentation, below PREFIX in DESTDIR, such as
#                 PREFIX=~/.local; make uninstall takes them away

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
export CGO_ENABLED ?= 0

.PHONY: help run check test busy soak bench performance figures pictures lint build man ollama dist package-test install uninstall test-tools page-test page-lint

help:
	@sed -n '/^$$/q; s/^# //p' Makefile

# tools/dist says with STAMP what is built, so that archives without a repository give the same programs.
OUT ?= bin/hob
build:
	@CGO_ENABLED=0 go build -trimpath -buildvcs=$(if $(STAMP),false,auto) -ldflags '-s -w$(if $(STAMP), -X "main.stamp=$(STAMP)")' -o $(OUT) ./cmd/hob

MAN ?= $(dir $(OUT))man
man: build
	@$(OUT) help --json | (cd tools/man && go run . $(abspath $(MAN)))

dist:
	@tools/dist

package-test:
	@tools/package-test

# Packagers set DESTDIR, and PREFIX where it is another; the units name the program where it will be.
DESTDIR ?=
PREFIX ?= /usr
INTO = $(DESTDIR)$(PREFIX)
# Below the home folder of who installs it is for them alone: what systemd needs root for is left out. Where a package is staged does not count.
OWN = $(if $(HOME),$(filter $(HOME)/% ~/%,$(PREFIX)))

install:
	@[ -x $(OUT) ] || { echo 'there is no $(OUT) to install yet: run make build first, as yourself' >&2; exit 1; }
	@install -D -m 755 $(OUT) $(INTO)/bin/hob
	@install -D -m 644 config.toml.example $(INTO)/share/doc/hob/config.toml.example
	@for u in $(if $(OWN),,hob:system) hob-user:user; do install -d $(INTO)/lib/systemd/$${u#*:}; \
		sed 's|/usr/bin/hob|$(PREFIX)/bin/hob|; s|/usr/share/doc|$(PREFIX)/share/doc|' systemd/$${u%:*}.service >$(INTO)/lib/systemd/$${u#*:}/$${u%:*}.service; \
		chmod 644 $(INTO)/lib/systemd/$${u#*:}/$${u%:*}.service; done
	@install -d $(INTO)/share/bash-completion/completions $(INTO)/share/zsh/site-functions $(INTO)/share/fish/vendor_completions.d
	@$(OUT) completion bash >$(INTO)/share/bash-completion/completions/hob
	@$(OUT) completion zsh >$(INTO)/share/zsh/site-functions/_hob
	@$(OUT) completion fish >$(INTO)/share/fish/vendor_completions.d/hob.fish
	@if [ -d $(MAN) ]; then install -d $(INTO)/share/man/man1 && install -m 644 $(MAN)/*.1 $(INTO)/share/man/man1; fi
	@$(if $(OWN),,install -D -m 644 systemd/hob.sysusers $(INTO)/lib/sysusers.d/hob.conf)
	@$(if $(OWN),,install -D -m 644 systemd/hob.tmpfiles $(INTO)/lib/tmpfiles.d/hob.conf)
	@case '$(OWN)' in ?*) printf '%s\n' 'hob is installed for you alone. What comes next:' \
		'  hob version     # if that is not found, put $(INTO)/bin on your PATH, or log out and in again' \
		'  hob setup       # asks about the model, the phone and a service of yours';; \
	*) printf '%s\n' 'hob is installed. What comes next, as root:' \
		'  systemd-sysusers && systemd-tmpfiles --create' \
		'  install -m 600 /dev/stdin /etc/hob/telegram_token     # paste the token of the bot, then Ctrl-D; or leave it out' \
		'  systemctl enable --now hob' \
		'  sudo -u hob hob pair     # lets you in over Telegram';; esac

uninstall:
	@rm -f $(INTO)/share/bash-completion/completions/hob $(INTO)/share/zsh/site-functions/_hob $(INTO)/share/fish/vendor_completions.d/hob.fish
	@rm -f $(INTO)/bin/hob $(INTO)/lib/systemd/system/hob.service $(INTO)/lib/systemd/user/hob-user.service \
		$(INTO)/lib/sysusers.d/hob.conf $(INTO)/lib/tmpfiles.d/hob.conf $(INTO)/share/doc/hob/config.toml.example \
		$(INTO)/share/man/man1/hob.1 $(INTO)/share/man/man1/hob-*.1
	@rmdir $(INTO)/share/doc/hob 2>/dev/null || true
	@case '$(OWN)' in ?*) echo 'hob is gone; what it knows is left in ~/.local/state/hob, its configuration in ~/.config/hob.';; \
	*) echo 'hob is gone; what it knows is left in /var/lib/hob, its configuration in /etc/hob.';; esac

run:
	@echo 'make run builds hob, which takes a minute or two the first time, and opens its prompt; it needs no model, and builds no Ollama'
	@$(MAKE) --no-print-directory build
	@$(OUT) run --source tools/ollama

# The server is built before the tests, because a test has a time limit and a first build takes minutes.
ollama:
	@go run ./internal/llm/ollamaserver/buildtool

# Tests run where there is no network but loopback: what needs more fails. Vetting first downloads what they are built of.
OFFLINE := ./bin/offline --

bin/offline: $(wildcard internal/egress/offline/*.go)
	@go build -o $@ ./internal/egress/offline

# For what never ends: nothing else depends on it.
LIMIT := -timeout 2h

# What go test -json prints, as a person wants it.
bin/report: $(wildcard internal/arch/report/*.go)
	@go build -o $@ ./internal/arch/report

bin/busy-shards: $(wildcard internal/arch/busy/*.go)
	@go build -o $@ ./internal/arch/busy

bin/golangci-lint: tools/lint/go.mod tools/lint/go.sum
	@cd tools/lint && go build -o ../../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

# The sandbox's second tier is bwrap's. Where it is not installed its tests get Debian's, unpacked and not installed; where
# that cannot be had they are skipped.
export HOB_TEST_BWRAP = $(if $(wildcard /usr/bin/bwrap),/usr/bin/bwrap,$(wildcard $(CURDIR)/bin/bwrap))

.PHONY: bwrap
bwrap:
	@[ -e /usr/bin/bwrap ] || [ -e bin/bwrap ] || ! command -v apt-get >/dev/null || { mkdir -p bin/bubblewrap && cd bin/bubblewrap && \
		apt-get download -qq bubblewrap >/dev/null 2>&1 && dpkg-deb -x bubblewrap_*.deb . && mv usr/bin/bwrap .. && cd .. && rm -r bubblewrap; } || \
		echo "no bwrap: the tests of the sandbox's second tier are skipped"

# The page is tested in Debian's Chromium, which is unpacked and not installed, by a module of its own. Where it cannot be had,
# make test goes on without, and make page-test fails in CI.
test-tools:
	@tools/page/get

.PHONY: page-tools
page-tools:
	@tools/page/get || echo "SKIPPED: what of the page needs these tools is not tested"

PAGE_TESTS := cd tools/page && go vet . && $(CURDIR)/$(OFFLINE) go test -json -count=1 $(LIMIT)

page-test: build bin/offline bin/report
	@$(PAGE_TESTS) . | $(CURDIR)/bin/report

# Chance is drawn from the same seed each time, but for make soak, which says from which.
check test busy: export RAPID_SEED ?= 1
SEED := $(or $(SEED),$(shell od -An -N4 -tu4 /dev/urandom | tr -d ' '))

check: bin/report bin/golangci-lint
	go vet ./...
	@./bin/golangci-lint run
	@go test -json -short ./... | ./bin/report

test: build man ollama bin/offline bin/report bwrap page-tools
	go vet ./... && cd tools/package && go vet ./...
	@echo "short tests under the race detector, of the packages that have goroutines or locks:"
	@CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 $(OFFLINE) go test -json -race -short $(LIMIT) $$(grep -rlE --include='*.go' --exclude='*_test.go' \
		'^\s*go (func|[a-z])|\.Go\(|sync\.(RW)?Mutex|"sync/atomic"' internal | xargs -n1 dirname | sort -u | sed 's|^|./|') | ./bin/report
	@echo "the page in a browser, the most important of it:"; ( $(PAGE_TESTS) -short . | $(CURDIR)/bin/report ) || [ "$${HOB_TEST_PAGE:-}" = tell ]
	@echo "all tests:"; $(OFFLINE) go test -json $(LIMIT) ./... | ./bin/report
	@echo "of what makes packages:"; cd tools/package && ../../$(OFFLINE) go test -json ./... | ../../bin/report

# Each shard runs beside a loop on every core, and one of them stands still for a minute: STOP chooses which, by number.
busy: build ollama bin/offline bin/report bin/busy-shards bwrap
	@./bin/busy-shards -round $(or $(ROUND),1) -stop '$(STOP)'

soak: build ollama bin/offline bin/report bwrap
	@echo "the seed is $(SEED): make soak SEED=$(SEED) draws it again"
	@HOB_TEST_FULL=1 HOB_TEST_SEED=$(SEED) RAPID_SEED=$(SEED) $(OFFLINE) go test -json -count=1 -timeout 12h ./... | ./bin/report

# The figures, in parts of some minutes each. HOB_TEST_PEER is the command of another agent, which is measured in turns with hob, and
# HOB_TEST_PEER_NAME its name and commit: docs/performance.md has an example.
PART_model := HOB_TEST_FULL=1 go test -json -count=1 $(LIMIT) -run 'TheFloors|TheFirstToken' ./cmd/hob
PART_turns := go test -json -count=1 -run 'Figures|FixedPrompt|TheServerReads|StopOnTelegram' ./cmd/hob
PART_floods := HOB_TEST_FULL=1 go test -json -count=1 -run 'TestFlood|TestFetch_ABomb' ./internal/sandbox ./internal/tools/fetch; \
	HOB_TEST_FULL=1 go test -json -count=1 -run TestAMonth ./internal/surface/telegram; \
	(cd tools/page && go test -json -count=1 -run Figures .)
PART_parts := go test -json -run '^$$' -bench . -benchmem ./internal/agent ./internal/agent/grounding ./internal/llm/toolcall ./internal/llm/window ./internal/memory \
	./internal/policy ./internal/secret ./internal/skills ./internal/store ./internal/tools/... ./internal/untrusted; \
	go test -json -run '^$$' -bench 'Sandbox|Output' ./cmd/hob ./internal/sandbox
PART_game := go test -json -run '^$$' -bench . -benchmem ./internal/game/...

bench: build ollama page-tools bin/report
	@{ $(foreach p,turns floods parts game,$(PART_$(p));) } | ./bin/report

# make performance PARTS=turns measures that part alone; the page is written from the newest figures of all parts.
ALL_PARTS := model turns floods parts game
PARTS := $(ALL_PARTS)
FIGURES := $(ALL_PARTS:%=bin/figures/%.json)
performance: build ollama page-tools bin/report
	@mkdir -p bin/figures
	@$(foreach p,$(PARTS),echo 'figures of $(p):'; { $(PART_$(p)); } | tee bin/figures/$(p).json | ./bin/report;)
	@if ls $(FIGURES) >/dev/null; then cat $(FIGURES) | ./bin/report -figures docs/performance.md >/dev/null; else echo "docs/performance.md is written once each part is measured"; fi

figures: build ollama
	@go test -count=1 -json -run 'Figures|FixedPrompt|TheServerReads' ./cmd/hob | go run ./internal/arch/report -figures README.md

pictures:
	@mkdir -p docs/pictures && HOB_PICTURES=$(CURDIR)/docs/pictures go test -count=1 -run TestPictures ./cmd/hob
	@cd docs/pictures && for c in chore story; do npx -y svg-term-cli@2.1.1 --in $$c.cast --out $$c.svg --window && rm $$c.cast; done

lint: bin/golangci-lint page-lint
	@./bin/golangci-lint run
	@go run ./internal/arch/sizes

# The types of the page's scripts, which nothing compiles, are those of their comments.
page-lint:
	@tsc=$$(tools/page/get -dir)/typescript-5.9.3/lib/tsc.js; if command -v node >/dev/null && { [ -e $$tsc ] || tools/page/get || [ -e $$tsc ]; }; \
		then node $$tsc -p tools/page; else echo "SKIPPED: the types of the page's scripts are not checked: there is no TypeScript"; fi
