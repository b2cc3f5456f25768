package arch

import (
	"go/ast"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// Package egress is the only place that dials. This file finds other ways out: in the sources of this module by what they
// mention, and in the modules that are linked by what they import. A way out that has to be is in one of two lists, with
// the reason; an entry that is not needed any more fails, too.

// ways are the names by which code gets at the network, or starts a program that could. A name that ends in * is a
// prefix; "*" alone is the whole package. Types are no way out where they stand behind a pointer.
func ways() map[string][]string {
	calls := []string{"Socket", "Connect", "Send*", "SYS_SOCKET", "SYS_CONNECT", "SYS_SEND*", "Syscall*", "RawSyscall*", "AllThreadsSyscall*",
		"ForkExec", "StartProcess", "Exec"}
	return map[string][]string{
		"net": {"Dial*", "Listen", "ListenConfig", "ListenIP", "ListenMulticast*", "ListenPacket", "ListenTCP", "ListenUDP", "ListenUnix*",
			"Lookup*", "Resolver", "DefaultResolver"},
		"net/http":                               {"Get", "Head", "Post*", "Client", "DefaultClient", "Transport", "DefaultTransport", "ListenAndServe*", "ProxyFromEnvironment"},
		"crypto/tls":                             {"Dial*", "Listen"},
		"syscall":                                calls,
		"golang.org/x/sys/unix":                  calls,
		"os":                                     {"StartProcess"},
		"os/exec":                                {"Command*", "Cmd"},
		"github.com/ollama/ollama/api":           {"ClientFromEnvironment"}, // http.DefaultClient is in it
		"github.com/godbus/dbus/v5":              {"Session*", "System*", "Connect*", "Dial*"},
		"codeberg.org/readeck/go-readability/v2": {"FromURL*"},             // http.Client is in it
		"github.com/PuerkitoBio/goquery":         {"NewDocument"},          // http.Get is in it
		module + "/internal/egress":              {"New", "Config"},        // dialers that keep no ledger
		"github.com/arran4/golang-ical":          {"ParseCalendarFromUrl"}, // http.Client is in it
		"github.com/go-telegram-bot-api/telegram-bot-api/v5": {"NewBotAPI*", "GetFileDirectURL", "GetUpdatesChan", "ListenForWebhook*"}, // http.Client is in it
		"github.com/modelcontextprotocol/go-sdk/mcp":         {"CommandTransport", "SSE*", "NewSSE*", "Streamable*", "NewStreamable*"},
		"github.com/modelcontextprotocol/go-sdk/auth":        {"*"}, // http.DefaultClient is in it
		"github.com/modelcontextprotocol/go-sdk/oauthex":     {"*"}, // likewise
		"github.com/go-webauthn/webauthn/metadata":           {"*"}, // gets lists of devices, and asks who has revoked one
		"C":                               {"*"},
		"expvar":                          {"*"},
		"log/syslog":                      {"*"},
		"net/http/cgi":                    {"*"},
		"net/http/fcgi":                   {"*"},
		"net/http/httptest":               {"*"},
		"net/http/httputil":               {"*"},
		"net/http/pprof":                  {"*"},
		"net/rpc":                         {"*"},
		"net/rpc/jsonrpc":                 {"*"},
		"net/smtp":                        {"*"},
		"plugin":                          {"*"},
		"golang.org/x/crypto/ssh":         {"*"},
		"golang.org/x/net/http2":          {"*"},
		"golang.org/x/net/proxy":          {"*"},
		"golang.org/x/net/websocket":      {"*"},
		"github.com/ollama/ollama/server": {"*"},
	}
}

// permit is what a file, or all files of a folder (its name ends in /), may mention, and why.
type permit struct {
	at    string
	names []string // "pkg.Name" with the last part of the package's path, or with a * as in ways
	why   string
}

func permits() []permit {
	return []permit{
		{"internal/egress/egress.go", []string{"net.Dialer", "net.DefaultResolver"}, "this is the dialer"},
		{"internal/egress/bus.go", []string{"net.Dialer"}, "a unix socket in the folder of this user's session: the bus of the desktop"},
		{"internal/egress/canary.go", []string{"net.ListenConfig", "net.Dialer"}, "a canary listens on loopback, and looks whether it lives"},
		{"internal/egress/bait.go", []string{"net.ListenConfig", "syscall.Exec", "http.ProxyFromEnvironment"},
			"hob becomes itself again with a canary for its proxy, and looks whether it would be believed; it asks nobody"},
		{"internal/egress/proxy.go", []string{"http.Transport"}, "through the dialer that it is given"},
		{"internal/egress/offline/", []string{"exec.Command*", "syscall.Exec"}, "it takes the network away"},
		{"internal/arch/busy/", []string{"exec.Command*"}, "it runs go test"},
		{"internal/llm/ollama/ollamafake/", []string{"httptest.*"}, "a server for tests, which hob does not link"},
		{"internal/llm/ollama/host.go", []string{"http.Transport"}, "through the dialer that it is given"},
		{"internal/llm/ollama/ollama.go", []string{"http.Client"}, "over that transport"},
		{"internal/tools/fetch/get.go", []string{"http.Client", "http.Transport"}, "through the dialer that it is given"},
		{"internal/llm/ollamaserver/", []string{"http.Client", "http.Transport", "net.ListenConfig", "exec.Command*"},
			"it builds an Ollama, starts it on loopback, and talks to that one alone"},
		{"internal/sandbox/", []string{"exec.Command*", "exec.Cmd"}, "it starts programs inside walls, and the walls keep them from the network"},
		{"internal/sandbox/inside/", []string{"unix.Socket", "unix.Sendmsg", "unix.RawSyscall*", "unix.SYS_*", "syscall.AllThreadsSyscall", "syscall.ForkExec"},
			"it runs within the walls: the listener for the proxy, and system calls that no package has"},
		{"internal/sandbox/probe/", []string{"unix.Socket", "unix.Connect", "syscall.RawSyscall*", "syscall.Syscall"},
			"it attacks the walls from within, and must fail"},
		{"internal/mcp/remote.go", []string{"mcp.StreamableClientTransport"}, "through the http.Client that its caller gives it"},
		{"internal/skills/system/run.go", []string{"exec.Command*"}, "systemctl and journalctl with arguments of its own, which ask this machine's systemd"},
		{"internal/surface/http/api/client.go", []string{"http.Client", "http.Transport", "net.Dialer"},
			"to the unix socket of the hob that runs, and nowhere else"},
		{"internal/surface/http/socket.go", []string{"net.ListenConfig"}, "the unix socket in the state folder, for this user alone"},
		{"internal/surface/http/tcp.go", []string{"net.ListenTCP"}, "a loopback address where the owner says so; it refuses others"},
		{"internal/surface/web/site.go", []string{"net.ListenTCP"}, "where [page] listen says: plain HTTP on loopback alone"},
		{"internal/surface/cli/editor.go", []string{"exec.Command*"}, "the editor of the person at the terminal, on what they write"},
		{"cmd/hob/setup_service.go", []string{"exec.Command*"}, "systemctl, for the unit that the owner asks for"},
		{"internal/app/transport.go", []string{"http.Transport", "http.Client"}, "through the gate's dialer for one server of the owner's alone"},
	}
}

// wayOut is a mention of something in ways.
type wayOut struct{ name, at string }

// waysOut returns what of ways a file mentions.
func waysOut(s source) []wayOut {
	if s.test {
		return nil
	}
	var found []wayOut
	known := map[string]string{} // the name of an import in this file, and its path
	for _, imp := range s.file.Imports {
		p, _ := strconv.Unquote(imp.Path.Value)
		names, watched := ways()[p]
		if !watched {
			continue
		}
		local := packageName(p)
		if imp.Name != nil {
			local = imp.Name.Name
		}
		if names[0] == "*" || local == "." {
			found = append(found, wayOut{packageName(p) + ".*", s.at(imp)})
		}
		known[local] = p
	}
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:linkname ") {
				found = append(found, wayOut{"linkname.*", s.at(c)})
			}
		}
	}
	return append(found, mentions(s, known)...)
}

// packageName is what a package of ways is called where its import has no name.
func packageName(importPath string) string {
	base := path.Base(importPath)
	if base == "v2" {
		base = path.Base(path.Dir(importPath))
	}
	return strings.TrimPrefix(base, "go-")
}

// mentions returns the selectors of the imports in known that are ways out.
func mentions(s source, known map[string]string) []wayOut {
	var found []wayOut
	pointedAt := map[ast.Node]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if star, ok := n.(*ast.StarExpr); ok {
			pointedAt[star.X] = true
		}
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || pointedAt[n] {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || known[x.Name] == "" {
			return true
		}
		p := known[x.Name]
		if slices.ContainsFunc(ways()[p], func(name string) bool { return fits(name, sel.Sel.Name) }) {
			found = append(found, wayOut{packageName(p) + "." + sel.Sel.Name, s.at(n)})
		}
		return true
	})
	return found
}

// fits reports whether a pattern of ways or permits is meant by name.
func fits(pattern, name string) bool {
	prefix, open := strings.CutSuffix(pattern, "*")
	return pattern == name || open && strings.HasPrefix(name, prefix)
}

// permitted reports whether one of the permits lets a file mention something, and marks those that do in used.
func permitted(file, name string, all []permit, used map[string]bool) bool {
	ok := false
	for _, p := range all {
		if file != p.at && !(strings.HasSuffix(p.at, "/") && strings.HasPrefix(file, p.at)) {
			continue
		}
		for _, pattern := range p.names {
			if fits(pattern, name) {
				used[p.at+" "+pattern] = true
				ok = true
			}
		}
	}
	return ok
}

func TestNothingElseDials(t *testing.T) {
	used := map[string]bool{}
	for _, s := range hob(t) {
		for _, w := range waysOut(s) {
			if !permitted(s.path, w.name, permits(), used) {
				t.Errorf("%s: %s: only internal/egress dials, and only internal/sandbox starts programs", w.at, w.name)
			}
		}
		check(t, []source{s}, looseClients)
	}
	for _, p := range permits() {
		for _, pattern := range p.names {
			if !used[p.at+" "+pattern] && !strings.HasPrefix(p.at, "internal/sandbox/") { // those are one family
				t.Errorf("%s does not need its permit for %s any more", p.at, pattern)
			}
		}
	}
}

// looseClients names http.Transport literals that do not say how they dial or that they use no proxy, and http.Client
// literals without a transport: what they leave out, net/http takes from the environment.
func looseClients(s source) []string {
	if s.test || strings.HasPrefix(s.path, "internal/llm/ollamaserver/") {
		return nil
	}
	var bad []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && (selector(call.Args[0]) == "http.Transport" || selector(call.Args[0]) == "http.Client") {
			bad = append(bad, s.at(n)+": new("+selector(call.Args[0])+")")
		}
		lit, ok := n.(*ast.CompositeLit)
		if !ok || lit.Type == nil {
			return true
		}
		fields := map[string]ast.Expr{}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok {
					fields[key.Name] = kv.Value
				}
			}
		}
		switch selector(lit.Type) {
		case "http.Transport":
			if proxy, ok := fields["Proxy"].(*ast.Ident); !ok || proxy.Name != "nil" || fields["DialContext"] == nil {
				bad = append(bad, s.at(n)+": a transport says Proxy: nil, and how it dials")
			}
			if fields["Dial"] != nil || fields["DialTLS"] != nil || fields["DialTLSContext"] != nil {
				bad = append(bad, s.at(n)+": a transport dials by DialContext alone")
			}
		case "http.Client":
			if fields["Transport"] == nil {
				bad = append(bad, s.at(n)+": a client says what its transport is")
			}
		}
		return true
	})
	return bad
}

// foreign are the modules' packages that are linked into hob and could dial or start programs, for they import net,
// net/http, crypto/tls or os/exec, and why they do not.
func foreign() map[string]string {
	return map[string]string{
		"github.com/ollama/ollama/api":                       "the client of Ollama's API: it is always given an http.Client",
		"github.com/ollama/ollama/envconfig":                 "reads addresses",
		"github.com/spf13/pflag":                             "reads addresses",
		"github.com/arran4/golang-ical":                      "ParseCalendarFromUrl gets a calendar: it is among the ways out",
		"github.com/PuerkitoBio/goquery":                     "NewDocument gets a page: it is among the ways out",
		"codeberg.org/readeck/go-readability/v2":             "FromURL gets a page: it is among the ways out",
		"github.com/google/uuid":                             "lists network interfaces for a kind of ID that is not used",
		"golang.org/x/crypto/ssh":                            "formats keys for Ollama's sign-in; its client is not called",
		"modernc.org/libc":                                   "C's library for SQLite, which opens no socket",
		"github.com/mailru/easyjson/buffer":                  "has a net.Buffers",
		"github.com/godbus/dbus/v5":                          "hob hands it the connection; its own ways to a bus are in ways",
		"github.com/coreos/go-systemd/v22/daemon":            "writes to the socket of whoever started it",
		"github.com/go-telegram-bot-api/telegram-bot-api/v5": "the client of Telegram's API: what gets a connection by itself is among the ways out",

		"github.com/modelcontextprotocol/go-sdk/mcp":           "over HTTP it is always given an http.Client; what starts programs, and listens, is among the ways out",
		"github.com/modelcontextprotocol/go-sdk/auth":          "signs in for a transport that is given a handler for that; none is",
		"github.com/modelcontextprotocol/go-sdk/oauthex":       "likewise; it looks for a proxy in the environment when the program starts, and asks nobody",
		"github.com/modelcontextprotocol/go-sdk/internal/util": "reads addresses",
		"charm.land/bubbletea/v2":                              "opens the person's own editor, which is among the ways out",
		"github.com/charmbracelet/colorprofile":                "asks tmux for its colours where a program does not say which it uses; hob's prompt does",

		"github.com/go-webauthn/webauthn/webauthn": "reads requests: hob hands it bytes alone",
		"github.com/go-webauthn/webauthn/protocol": "likewise",
		"github.com/go-webauthn/webauthn/metadata": "gets a list of devices for a provider that is given to the library; none is, and it is among the ways out",
		"github.com/go-webauthn/x/revoke":          "asks whether a certificate in that list was revoked",
		"github.com/go-viper/mapstructure/v2":      "reads addresses",
		"github.com/google/go-tpm/tpmutil":         "opens the TPM of the machine where it is asked to; hob only reads what one has signed",

		"golang.org/x/net/netutil": "wraps a listener of the page",

		"golang.org/x/oauth2":          "of the same sign-in, which is not used",
		"golang.org/x/oauth2/internal": "likewise",
	}
}

// banned are packages of the standard library that must not be linked, whoever imports them.
func banned() []string {
	return []string{"expvar", "log/syslog", "net/http/cgi", "net/http/fcgi", "net/http/httptest", "net/http/pprof", "net/rpc", "net/rpc/jsonrpc", "net/smtp", "plugin"}
}

func TestWhatIsLinkedDoesNotDial(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}} {{.Standard}} {{join .Imports \" \"}}", "./cmd/hob")
	list.Dir = filepath.Join("..", "..")
	list.Stderr = t.Output()
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	could := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		name, standard, imports := f[0], f[1] == "true", f[2:]
		if slices.Contains(banned(), name) {
			t.Errorf("%s is linked", name)
		}
		if standard || strings.HasPrefix(name, module+"/") {
			continue
		}
		for _, imp := range []string{"net", "net/http", "crypto/tls", "os/exec"} {
			if slices.Contains(imports, imp) {
				could[name] = true
				if foreign()[name] == "" {
					t.Errorf("%s is linked and imports %s: what does it dial?", name, imp)
				}
			}
		}
	}
	if len(could) == 0 {
		t.Error("go list tells of nothing: this proves nothing")
	}
	for _, name := range slices.Sorted(maps.Keys(foreign())) {
		if !could[name] {
			t.Errorf("%s is not linked any more, or does not import net any more: take it from the list", name)
		}
	}
}

// The rule is proven on small sources that break it.
func TestWaysOutAreFound(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"dial", `import "net"; var _, _ = net.Dial("tcp", "x:1")`, "net.Dial"},
		{"dial UDP", `import "net"; var _, _ = net.DialUDP("udp", nil, nil)`, "net.DialUDP"},
		{"a dialer", `import "net"; func f() { var d net.Dialer; d.Dial("tcp", "x:1") }`, "net.Dialer"},
		{"a dialer made", `import "net"; var d = new(net.Dialer)`, "net.Dialer"},
		{"a dialer of another name", `import other "net"; var d other.Dialer`, "net.Dialer"},
		{"all of a package", `import . "net"; var d Dialer`, "net.*"},
		{"listen", `import "net"; var _, _ = net.Listen("tcp", ":1")`, "net.Listen"},
		{"look up", `import "net"; var _, _ = net.LookupHost("x")`, "net.LookupHost"},
		{"TLS", `import "crypto/tls"; var _, _ = tls.Dial("tcp", "x:1", nil)`, "tls.Dial"},
		{"get", `import "net/http"; var _, _ = http.Get("http://x")`, "http.Get"},
		{"post a form", `import "net/http"; var _, _ = http.PostForm("http://x", nil)`, "http.PostForm"},
		{"default client", `import "net/http"; var c = http.DefaultClient`, "http.DefaultClient"},
		{"a client", `import "net/http"; var c = &http.Client{}`, "http.Client"},
		{"a zero client", `import "net/http"; var c http.Client`, "http.Client"},
		{"a client elsewhere", `import "net/http"; func f(c *http.Client) {}`, ""},
		{"a request", `import "net/http"; var m = http.MethodGet`, ""},
		{"an address", `import "net"; var a net.Addr; var e *net.OpError`, ""},
		{"a socket", `import "syscall"; var _, _ = syscall.Socket(2, 1, 0)`, "syscall.Socket"},
		{"a raw call", `import "syscall"; func f() { syscall.RawSyscall(41, 2, 1, 0) }`, "syscall.RawSyscall"},
		{"another raw call", `import "golang.org/x/sys/unix"; var n = unix.SYS_CONNECT`, "unix.SYS_CONNECT"},
		{"a program", `import "os/exec"; var c = exec.Command("curl")`, "exec.Command"},
		{"a program, by hand", `import "os/exec"; var c = exec.Cmd{Path: "/usr/bin/curl"}`, "exec.Cmd"},
		{"a program, more so", `import "os"; func f() { os.StartProcess("/usr/bin/curl", nil, nil) }`, "os.StartProcess"},
		{"mail", `import _ "net/smtp"`, "smtp.*"},
		{"C", `import "C"`, "C.*"},
		{"somebody else's", "import _ \"unsafe\"\n\n//go:linkname dial net.Dial\nfunc dial()", "linkname.*"},
		{"Ollama's own client", `import "github.com/ollama/ollama/api"; var _, _ = api.ClientFromEnvironment()`, "api.ClientFromEnvironment"},
		{"a calendar by its reader", `import ics "github.com/arran4/golang-ical"; var _, _ = ics.ParseCalendarFromUrl("http://x")`, "golang-ical.ParseCalendarFromUrl"},
		{"a page by a reader of pages", `import "codeberg.org/readeck/go-readability/v2"; var _, _ = readability.FromURL("http://x", 0)`, "readability.FromURL"},
		{"a dialer without a ledger", `import "hob/internal/egress"; var _, _ = egress.New(egress.Config{})`, "egress.New egress.Config"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, w := range waysOut(parse(t, fstest.MapFS{"internal/tools/a.go": {Data: []byte("package tools\n" + c.text + "\n")}})[0]) {
				got = append(got, w.name)
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("found %q, want %q", text, c.want)
			}
		})
	}
}

func TestLooseClientsAreFound(t *testing.T) {
	const head = "package tools\nimport \"net/http\"\n"
	for text, want := range map[string]string{
		`var _ = &http.Transport{Proxy: nil, DialContext: d.DialContext}`:              "",
		`var _ = &http.Transport{DialContext: d.DialContext}`:                          "says Proxy: nil",
		`var _ = &http.Transport{Proxy: nil}`:                                          "says Proxy: nil",
		`var _ = &http.Transport{Proxy: http.ProxyURL(u), DialContext: d.DialContext}`: "says Proxy: nil",
		`var _ = &http.Transport{Proxy: nil, DialContext: d.DialContext, DialTLS: x}`:  "DialContext alone",
		`var _ = &http.Client{Transport: t}`:                                           "",
		`var _ = &http.Client{}`:                                                       "what its transport is",
		`var _ = new(http.Client)`:                                                     "new(http.Client)",
		`var _ = new(http.Transport)`:                                                  "new(http.Transport)",
	} {
		got := strings.Join(looseClients(parse(t, fstest.MapFS{"internal/tools/a.go": {Data: []byte(head + text)}})[0]), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: found %q, want %q", text, got, want)
		}
	}
}
