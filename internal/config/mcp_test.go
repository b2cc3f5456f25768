package config

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/tomlfile"
)

func TestTheExampleHasEveryKeyOfAServer(t *testing.T) {
	raw, err := os.ReadFile("../../config.toml.example")
	if err != nil {
		t.Fatal(err)
	}
	on := regexp.MustCompile(`(?m)^#(\[mcp\.|[a-z_]+ = )`).ReplaceAllString(string(raw), "$1")
	cfg, warnings, problems := parse("example", on)
	if len(warnings) > 0 || len(problems) > 0 {
		t.Fatalf("the example with its server has %v, %v", warnings, problems)
	}
	want := Default()
	want.MCP = []MCPServer{newServer("example")}
	want.MCP[0].Command = []string{"npx", "-y", "@modelcontextprotocol/server-everything"}
	if diff := cmp.Diff(want, cfg); diff != "" {
		t.Errorf("the example's server differs from the defaults (-default +example):\n%s", diff)
	}
	lines, l := strings.Split(on, "\n"), tomlfile.Scan(on)
	for _, k := range keysOf(&cfg) {
		if k.table != "mcp.example" {
			continue
		}
		line := l.Line(k.at()...)
		if line == 0 {
			t.Errorf("the example lacks %s", k.path())
		} else if above := lines[line-2]; !strings.HasPrefix(above, "# ") {
			t.Errorf("%s has no comment above it, but %q", k.path(), above)
		}
	}
}

func TestServersAreLaidOverTheDefaults(t *testing.T) {
	path := file(t, `
[mcp.files]
command = ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv"]
description = "files of the house"
keywords = ["Datei", "文件"]
env = {LOG_LEVEL = "debug", MAX_TOKENS = "7", BASE = "https://me@a.b/?q"}
env_files = {API_KEY = "/etc/hob/key"}
sandbox = false
read = ["/srv/", "/opt/../etc/hosts"]
network = ["API.example.org:443"]
workspace = true
reads = true
tools = ["read_file", "Admin.List/all"]
timeout = "90s"
trust = true
level = "group_admin"
[mcp.files.header_files]
[mcp]
home-assistant = {url = "http://nas.lan:8123/mcp/?profile=a", header_files = {authorization = "/etc/hob/ha", X-Api-Key = "/k"}}
`)
	want := Default()
	want.MCP = []MCPServer{{
		Name: "files", Command: []string{"npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv"}, Description: "files of the house",
		Keywords: []string{"datei", "文件"}, Env: map[string]string{"LOG_LEVEL": "debug", "MAX_TOKENS": "7", "BASE": "https://me@a.b/?q"},
		EnvFiles: map[string]string{"API_KEY": "/etc/hob/key"}, Read: []string{"/srv", "/etc/hosts"}, Network: []string{"api.example.org:443"},
		Workspace: true, Reads: true, Tools: []string{"read_file", "Admin.List/all"}, Timeout: 90 * time.Second, Trust: true, Level: "group_admin",
	}, {
		Name: "home-assistant", URL: "http://nas.lan:8123/mcp/?profile=a", Sandbox: true, Timeout: time.Minute, Level: "owner",
		HeaderFiles: map[string]string{"Authorization": "/etc/hob/ha", "X-Api-Key": "/k"},
	}}
	got, warnings, err := Load(path)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("Load = %v, %v", warnings, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	back, warnings, problems := parse("shown", Show(got, path))
	if len(warnings) > 0 || len(problems) > 0 {
		t.Fatalf("what Show prints has %v, %v:\n%s", warnings, problems, Show(got, path))
	}
	if diff := cmp.Diff(got, back); diff != "" {
		t.Errorf("what Show prints is read as something else (-config +read):\n%s", diff)
	}
}

func TestAMistakeInAServerIsASentenceWithItsLine(t *testing.T) {
	const program, address = "[mcp.x]\ncommand = [\"a\"]\n", "[mcp.x]\nurl = \"https://a.b\"\n"
	for _, c := range []struct{ text, want string }{
		{"mcp = 3", "[mcp] at line 1 must be one table, not the number 3"},
		{"\n[[mcp.x]]", "[mcp.x] at line 2 must be one table, not a list of tables"},
		{"[mcp.X]\nzebra = 1", "[mcp.X] at line 1 must be named with 1 to 32 of a-z, 0-9 and single hyphens, such as [mcp.files]"},
		{"[mcp.\"a.b\"]", "[mcp.a.b] at line 1 must be named with 1 to 32 of a-z, 0-9 and single hyphens, such as [mcp.files]"},
		{"[mcp.a--b]", "[mcp.a--b] at line 1 must be named with 1 to 32 of a-z, 0-9 and single hyphens, such as [mcp.files]"},
		{"[mcp.\"a\\u001b\"]", `[mcp."a\u001B"] at line 1 must be named with 1 to 32 of a-z, 0-9 and single hyphens, such as [mcp.files]`},
		{"[mcp.x]\n", `[mcp.x] at line 1 needs a command, such as ["npx", "-y", "some-server"], or a url`},
		{"[mcp.x]\ncommand = \"npx\"", `[mcp.x] command at line 2 must be a list of texts such as ["npx"], not the text "npx"`},
		{program + `url = "https://a.b"`, "[mcp.x] url at line 3 must not stand beside command: a server is a program that hob starts, or an address"},
		{address + `env = {A = "b"}`, "[mcp.x] env at line 3 is for servers that hob starts, and this one has a url: take it out"},
		{address + `sandbox = false`, "[mcp.x] sandbox at line 3 is for servers that hob starts, and this one has a url: take it out"},
		{address + `workspace = true`, "[mcp.x] workspace at line 3 is for servers that hob starts, and this one has a url: take it out"},
		{program + `header_files = {A = "/b"}`,
			"[mcp.x] header_files at line 3 is for servers at a url, and this one is started with a command: name the files in env_files"},
		{"[mcp.x]\nurl = \"a.b\"", `[mcp.x] url at line 2 must be an address such as "https://mcp.example.org/mcp", not "a.b"`},
		{"[mcp.x]\nurl = \"https://me:pw@a.b\"", `[mcp.x] url at line 2 must hold no name and no password: write what the server asks for into a file ` +
			`for you alone, and name that in header_files, such as {Authorization = "/etc/hob/server"}`},
		{"[mcp.x]\nurl = \"https://a.b/?apiKey=s3cret\"",
			"[mcp.x] url at line 2 must hold no secret, and apiKey looks like one: write it into a file for you alone, and name that in header_files"},
		{program + `description = "a\nb"`, "[mcp.x] description at line 3 must be one line of at most 1024 characters"},
		{program + `keywords = [" "]`, `[mcp.x] keywords at line 3 must hold words of at most 64 characters, not " "`},
		{program + `env = "A=b"`, `[mcp.x] env at line 3 must be a table such as {NAME = "text"}, not the text "A=b"`},
		{program + `env = {A = 1}`, `[mcp.x] env at line 3 must hold texts in quotes, and A is the number 1`},
		{program + `env = {1A = "b"}`, `[mcp.x] env at line 3 must name environment variables such as API_BASE, not 1A`},
		{program + "[mcp.x.env]\nGITHUB_TOKEN = \"s3cret\"", "[mcp.x] env at line 3 must hold no secret, and GITHUB_TOKEN looks like one: write it into a file " +
			`for you alone, and name that in env_files, such as {GITHUB_TOKEN = "/etc/hob/github_token"}`},
		{program + `env = {DATABASE = "postgres://me:s3cret@db/x"}`, "[mcp.x] env at line 3 must hold no secret, and DATABASE looks like one: write it into a file " +
			`for you alone, and name that in env_files, such as {DATABASE = "/etc/hob/database"}`},
		{program + "env = {A = \"b\"}\nenv_files = {A = \"/b\"}", "[mcp.x] env_files at line 4 must not name A, which env has too: take one of them out"},
		{program + `env_files = {API_KEY = "s3cret"}`,
			"[mcp.x] env_files at line 3 must give the absolute path of a file for each name, which holds the secret alone; that of API_KEY is none"},
		{address + `header_files = {"A:" = "/b"}`, `[mcp.x] header_files at line 3 must name headers such as Authorization, not "A:"`},
		{address + `header_files = {x-a = "/b", X-A = "/c"}`, `[mcp.x] header_files at line 3 names X-A twice`},
		{program + `tools = ["a b"]`, `[mcp.x] tools at line 3 must hold names of the server's tools, not "a b"`},
		{program + `level = "admin"`, `[mcp.x] level at line 3 must be user, group_admin, group_owner, bot_admin or owner, not "admin"`},
		{program + `network = ["a.b"]`, `[mcp.x] network at line 3 must hold entries of the form "host:port", such as "192.168.1.10:8123", not "a.b"`},
		{"[skills]\noff = [\"a_b\"]", `[skills] off at line 2 must hold names of skills, which are a-z, 0-9 and single hyphens, not "a_b"`},
		{"[web]\nsearch = \"searx.lan\"", `[web] search at line 2 must be an address such as "http://127.0.0.1:8888", not "searx.lan"`},
		{"[web]\nsearch = \"ftp://searx.lan\"", `[web] search at line 2 must be an address such as "http://127.0.0.1:8888", not "ftp://searx.lan"`},
		{manyServers(maxServers + 2), "[mcp.s20] at line 41 is one server too many; there may be 20: take out those that you do not use"},
	} {
		path := file(t, c.text)
		cfg, warnings, err := Load(path)
		if err == nil || err.Error() != path+": "+c.want || len(warnings) > 0 {
			t.Errorf("%q:\n got %v %v\nwant %s", c.text, err, warnings, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: the secret is told: %v", c.text, err)
		}
		if diff := cmp.Diff(Default(), cfg); diff != "" {
			t.Errorf("%q: a file with a mistake left traces:\n%s", c.text, diff)
		}
		p := (*Problem)(nil)
		if !errors.As(err, &p) || p.Line == 0 {
			t.Errorf("%q: the error tells programs no line: %#v", c.text, p)
		}
	}
	if _, _, err := Load(file(t, manyServers(maxServers))); err != nil {
		t.Errorf("%d servers are refused: %v", maxServers, err)
	}
}

func manyServers(n int) string {
	b := &strings.Builder{}
	for i := range n {
		fmt.Fprintf(b, "[mcp.s%02d]\ncommand = [\"a\"]\n", i)
	}
	return b.String()
}

func TestUnknownKeysOfServersAreWarnings(t *testing.T) {
	want := []string{
		"unknown key [mcp] command at line 2: what belongs to a server stands in a table with its name, such as [mcp.files]",
		"unknown key [mcp.x] headers at line 5",
		"unknown key [mcp.x] comand at line 6: did you mean command?",
		"unknown key [mcp.x] hosts at line 7: did you mean hosts in [policy]?",
		"unknown table [mpc] at line 8: did you mean [mcp]?",
		`unknown table ["mcp.x"] at line 9: did you mean [mcp.x]?`,
	}
	_, warnings, err := Load(file(t, `[mcp]
command = ["a"]
[mcp.x]
url = "https://a.b"
headers = {}
comand = []
hosts = []
[mpc.y]
["mcp.x"]
command = ["b"]
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range warnings {
		got = append(got, w.Text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatIsASecret(t *testing.T) {
	for _, name := range []string{"API_KEY", "GITHUB_TOKEN", "apiKey", "X-Auth-Token", "CLIENT_SECRET", "PGPASSWORD", "DB_PASS", "SSH_KEYS", "AWS_SECRET_ACCESS_KEY"} {
		if !secretName(name) {
			t.Errorf("%s is taken for no secret", name)
		}
	}
	for _, name := range []string{"MAX_TOKENS", "KEYBOARD", "LOG_LEVEL", "PATH", "BYPASS_CACHE", "MONKEYS", "TOKENIZER"} {
		if secretName(name) {
			t.Errorf("%s is taken for a secret", name)
		}
	}
}

func TestWhatShowPrintsOfServersIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := func(name, form string) []string {
			return append([]string(nil), rapid.SliceOfN(rapid.StringMatching(form), 0, 3).Draw(t, name)...) // nil, where there are none
		}
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9](-?[a-z0-9]){0,10}`), 1, 4, rapid.ID).Draw(t, "names")
		slices.Sort(names)
		c := Default()
		for _, name := range names {
			s := newServer(name)
			s.Description = rapid.StringMatching(`[a-zäé文"\\ ]{0,20}`).Draw(t, "description")
			s.Keywords, s.Tools = texts("keywords", `[a-z"\\文]{1,9}`), texts("tools", `[A-Za-z0-9_./-]{1,9}`)
			s.Timeout = time.Duration(rapid.Int64Range(1, 1<<60).Draw(t, "timeout"))
			s.Reads, s.Trust = rapid.Bool().Draw(t, "reads"), rapid.Bool().Draw(t, "trust")
			values := rapid.MapOfN(rapid.StringMatching(`[A-D_]{1,4}`), rapid.String().Filter(func(s string) bool {
				return !strings.ContainsRune(s, 0) && !hasPassword(s)
			}), 1, 3).Draw(t, "env")
			if rapid.Bool().Draw(t, "program") {
				s.Command, s.Env, s.Sandbox = []string{"a", rapid.StringMatching(`[^\x00]{0,20}`).Draw(t, "argument")}, values, rapid.Bool().Draw(t, "sandbox")
			} else {
				s.URL, s.HeaderFiles = "https://a.b/", map[string]string{"X-Y": "/z"}
			}
			c.MCP = append(c.MCP, s)
		}
		got, warnings, problems := parse("shown", Show(c, ""))
		if len(warnings)+len(problems) > 0 {
			t.Fatalf("%v %v in\n%s", warnings, problems, Show(c, ""))
		}
		if diff := cmp.Diff(c, got); diff != "" {
			t.Fatalf("(-shown +read):\n%s", diff)
		}
	})
}

// The tables of servers are shown by the name that they share, and written by hand.
func TestServersAreShownAndNotSet(t *testing.T) {
	c := Default()
	c.MCP = []MCPServer{{Name: "papers", Command: []string{"papers"}}, {Name: "tickets", URL: "https://example.org"}}
	got, err := ShowPart(c, "mcp")
	if err != nil || !strings.HasPrefix(got, "[mcp.papers]\n") || !strings.Contains(got, "\n\n[mcp.tickets]\n") || strings.Contains(got, "[ollama]") {
		t.Errorf("%v %s", err, got)
	}
	for _, name := range []string{"mcp", "mcp.papers", "mcp.papers.reads"} {
		if err := (Editor{}).Set(file(t, ""), name, "true"); err == nil || !strings.Contains(err.Error(), "hob config edit") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
