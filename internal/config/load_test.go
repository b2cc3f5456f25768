package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/tomlfile"
)

// file writes a configuration and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheExampleIsTheDefaultsWithEveryKey(t *testing.T) {
	raw, err := os.ReadFile("../../config.toml.example")
	if err != nil {
		t.Fatal(err)
	}
	cfg, warnings, problems := parse("example", string(raw))
	if len(warnings) > 0 || len(problems) > 0 {
		t.Fatalf("the example has %v, %v", warnings, problems)
	}
	if diff := cmp.Diff(Default(), cfg); diff != "" {
		t.Errorf("the example changes the defaults (-default +example):\n%s", diff)
	}

	var tree map[string]map[string]any
	if _, err := toml.Decode(string(raw), &tree); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(raw), "\n")
	l := tomlfile.Scan(string(raw))
	for _, k := range keysOf(&cfg) {
		if _, ok := tree[k.table][k.name]; !ok {
			t.Errorf("the example lacks %s", k.path())
			continue
		}
		if above := lines[l.Line(k.table, k.name)-2]; !strings.HasPrefix(above, "# ") {
			t.Errorf("%s has no comment above it, but %q", k.path(), above)
		}
	}
}

func TestAFileIsLaidOverTheDefaults(t *testing.T) {
	path := file(t, `
[ollama]
host = ["gpu.lan", "http://127.0.0.1:11434"]
model = "qwen3:4b"
num_ctx = 16384
keep_alive = "-1"
temperature = 1
shift = false
[workspace]
dir = "~/hob"
[files]
read = ["~/docs/", "~", "/srv/../data"]
write = ["/srv/notes"]
[agent]
max_time = "1h30m"
[fetch]
max_response_size = "1.5MiB"
allow = ["NAS.lan:8123", "[::0001]:80"]
[shell]
read = ["/srv/data/", "/opt/../etc/hosts"]
network = ["PyPI.org:443"]
tier = "T3"
memory = "512MiB"
[telegram]
token_file = "~/.config/hob/token/"
api_base = "http://127.0.0.1:8081/"
max_file = "50MB"
[voice]
command = ["whisper-cli", "{file}"]
model = "whisper:1b"
[api]
listen = "LOCALHOST:8787"
token_file = "/etc/hob/api_token"
hosts = ["Hob.lan:8787"]
[serve]
drain = "1m"
[skills]
trust = ["household"]
off = ["system", "Web"]
[web]
search = "http://127.0.0.1:8888/"
`)
	no := false
	want := Default()
	want.Ollama.Host = []string{"gpu.lan", "http://127.0.0.1:11434"}
	want.Ollama.Model = "qwen3:4b"
	want.Ollama.NumCtx = 16384
	want.Ollama.KeepAlive = -1
	want.Ollama.Temperature = 1
	want.Ollama.Shift = &no
	want.Workspace.Dir = "~/hob"
	want.Files.Read = []string{"~/docs", "~", "/data"}
	want.Files.Write = []string{"/srv/notes"}
	want.Agent.MaxTime = 90 * time.Minute
	want.Fetch.MaxResponseSize = 3 << 19
	want.Fetch.Allow = []string{"nas.lan:8123", "[::1]:80"}
	want.Shell.Read = []string{"/srv/data", "/etc/hosts"}
	want.Shell.Network = []string{"pypi.org:443"}
	want.Shell.Tier = "T3"
	want.Shell.Memory = 512 << 20
	want.Telegram = Telegram{TokenFile: "~/.config/hob/token/", APIBase: "http://127.0.0.1:8081", MaxFile: 50_000_000}
	want.Voice = Voice{Command: []string{"whisper-cli", "{file}"}, Model: "whisper:1b"}
	want.API = API{Listen: "localhost:8787", TokenFile: "/etc/hob/api_token", Hosts: []string{"hob.lan:8787"}}
	want.Serve.Drain = time.Minute
	want.Skills = Skills{Trust: []string{"household"}, Off: []string{"system", "web"}}
	want.Web.Search = "http://127.0.0.1:8888"

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

func TestAMissingFileIsAnEmptyOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.toml")
	cfg, warnings, err := Load(path)
	if err != nil || warnings != nil {
		t.Errorf("Load = %v, %v", warnings, err)
	}
	if diff := cmp.Diff(Default(), cfg); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := Check(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Check = %v, want that the file is not there", err)
	}
	if _, _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("Load of a folder = %v", err)
	}
	if _, _, err := Load(file(t, strings.Repeat("#", maxFile+1))); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("Load of a huge file = %v", err)
	}
}

func TestUnknownKeysAreWarningsWithTheNearestKey(t *testing.T) {
	path := file(t, `model = "x"
[fetch]
user_agent = """
[shell]
enabeld = true
"""
timout = "3s"
Timeout = "3s"
allow_remote = true
zebra = 1
[shel]
enabled = true
[zebra]
token_file = "/x"
[telegram]
token = "1:a"
["evil\u001b[2J"]
`)
	want := []string{
		"unknown key model at line 1: did you mean model in [ollama]?",
		"unknown key [fetch] timout at line 7: did you mean timeout?",
		"unknown key [fetch] Timeout at line 8: did you mean timeout?",
		"unknown key [fetch] allow_remote at line 9: did you mean allow_remote in [ollama]?",
		"unknown key [fetch] zebra at line 10",
		"unknown table [shel] at line 11: did you mean [shell]?",
		"unknown table [zebra] at line 13",
		"unknown key [telegram] token at line 16: did you mean token_file?",
		`unknown table ["evil\u001B[2J"] at line 17`,
	}
	_, warnings, err := Load(path)
	// The user agent above is no good one: what an unknown key says has to come along all the same.
	if err == nil || !strings.Contains(err.Error(), "[fetch] user_agent at line 3 must be 1 to 256 printable") {
		t.Errorf("Load = %v", err)
	}
	var got []string
	for _, w := range warnings {
		got = append(got, w.Text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	err = Check(path)
	for _, line := range append(want, "user_agent at line 3") {
		if err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("Check lacks %q:\n%v", line, err)
		}
	}
	if err := Check(file(t, "[shell]\nenabled = false\n")); err != nil {
		t.Errorf("Check of a good file = %v", err)
	}
}

func TestAMistakeIsASentenceWithItsLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[ollama\nhost = 1", "line 1, column 8: expected '.' or ']' to end table name, but got '\\n' instead"},
		{"[shell]\nenabled = yes", `line 2, column 11: expected value but found "yes" instead; the last key was shell.enabled`},
		{"[shell]\nenabled = true\nenabled = true", "line 3, column 1: Key 'shell.enabled' has already been defined; the last key was shell.enabled"},
		{"[shell]\n\nenabled = 1", "[shell] enabled at line 3 must be true or false, not the number 1"},
		{"[shell]\ntimeout = 60", `[shell] timeout at line 2 must be a duration in quotes such as "30s" or "5m", not the number 60`},
		{"[shell]\ntimeout = \"0s\"", `[shell] timeout at line 2 must be longer than nothing, not "0s"`},
		{"[shell]\ntimeout = \"60\"", `[shell] timeout at line 2 must be a duration such as "30s", "5m" or "1h30m", not "60"`},
		{"[shell]\ntier = \"T5\"", `[shell] tier at line 2 must be "", or T1, T2, T3 or T4, not "T5"`},
		{"[shell]\nread = [\"/srv\", \"data\"]", `[shell] read at line 2 must hold absolute paths, not "data"`},
		{"[files]\nread = [\"/srv\", \"data\"]", `[files] read at line 2 must hold absolute paths, or such as begin with "~/", not "data"`},
		{"[files]\nwrite = [\"~me/x\"]", `[files] write at line 2 must hold absolute paths, or such as begin with "~/", not "~me/x"`},
		{"[files]\ncalendars = [\"../x.ics\"]", `[files] calendars at line 2 must hold files in the workspace, absolute paths, or such as begin with "~/", not "../x.ics"`},
		{"[files]\ncalendars = [\"*/x.ics\"]", `[files] calendars at line 2 must hold patterns such as "calendar/*.ics", with a * only in the last part, not "*/x.ics"`},
		{"[files]\ncalendars = [\"[x.ics\"]", `[files] calendars at line 2 must hold patterns such as "calendar/*.ics", with a * only in the last part, not "[x.ics"`},
		{"[files]\nwrite = true", `[files] write at line 2 must be a list of texts, not true`},
		{"[shell]\nread = \"/srv\"", `[shell] read at line 2 must be a list of texts such as ["/srv"], not the text "/srv"`},
		{"[shell]\nnetwork = [\"pypi.org\"]", `[shell] network at line 2 must hold entries of the form "host:port", such as "192.168.1.10:8123", not "pypi.org"`},
		{"[shell]\nprocesses = 2", "[shell] processes at line 2 must be from 8 to 65536, not 2"},
		{"shell = 3", "[shell] at line 1 must be one table, not the number 3"},
		{"[[shell]]", "[shell] at line 1 must be one table, not a list of tables"},
		{"shell.timeout = []", `[shell] timeout at line 1 must be a duration in quotes such as "30s" or "5m", not a list`},
		{"[ollama]\nhost = [\n\"ok\", # yes\n3]", `[ollama] host at line 2 must be an address such as "http://127.0.0.1:11434", or a list of such`},
		{"[ollama]\nnum_ctx = 5", "[ollama] num_ctx at line 2 must be from 1024 to 16777216, or 0 to let hob choose, not 5"},
		{"[ollama]\nthink = false", "[ollama] think at line 2 must be a text in quotes, not false"},
		{"[ollama]\ntemperature = nan", "[ollama] temperature at line 2 must be from 0 to 2, not NaN"},
		{"[ollama]\nkeep_alive = \"-1h\"", `[ollama] keep_alive at line 2 must not be negative, but for "-1", which keeps the model loaded for ever, not "-1h"`},
		{"[ollama]\nmodel = \"a b\"", `[ollama] model at line 2 must be a model's name such as "ministral-3:8b", not "a b"`},
		{"[ollama]\nshift = \"on\"", `[ollama] shift at line 2 must be true or false, or "" for the server's default, not the text "on"`},
		{"[agent]\nmax_steps = 101", "[agent] max_steps at line 2 must be from 1 to 100, not 101"},
		{"[agent]\nmax_time = 1979-05-27", `[agent] max_time at line 2 must be a duration in quotes such as "30s" or "5m", not a date`},
		{"[workspace]\ndir = \"here\"", `[workspace] dir at line 2 must be an absolute path, or one that begins with "~/", not "here"`},
		{"[fetch]\nmax_response_size = \"5 apples\"", `[fetch] max_response_size at line 2 must be a size such as 5000000, "5MB" or "5MiB", not "5 apples"`},
		{"[fetch]\nmax_response_size = -1", "[fetch] max_response_size at line 2 must be more than nothing, not -1"},
		{"[telegram]\ntoken_file = \"token\"", `[telegram] token_file at line 2 must be an absolute path, or one that begins with "~/", not "token"`},
		{"[telegram]\napi_base = \"api.telegram.org\"", `[telegram] api_base at line 2 must be an address such as "https://api.telegram.org", not "api.telegram.org"`},
		{"[telegram]\napi_base = \"https://a.b/?x\"", `[telegram] api_base at line 2 must be an address such as "https://api.telegram.org", not "https://a.b/?x"`},
		{"[telegram]\napi_base = \"https://me:pw@a.b\"", `[telegram] api_base at line 2 must be an address such as "https://api.telegram.org", without a name or a password`},
		{"[voice]\ncommand = [\"\"]", `[voice] command at line 2 must begin with the name of a program`},
		{"[voice]\ncommand = \"whisper\"", `[voice] command at line 2 must be a list of texts such as ["whisper"], not the text "whisper"`},
		{"[api]\nlisten = \"0.0.0.0:80\"", `[api] listen at line 2 must be an address of this machine alone, such as "127.0.0.1:8787", not "0.0.0.0:80"`},
		{"[api]\nlisten = \":8787\"", `[api] listen at line 2 must be an address of this machine alone, such as "127.0.0.1:8787", not ":8787"`},
		{"[api]\nhosts = [\"http://x\"]", `[api] hosts at line 2 must hold names of hosts, such as "hob.lan:8787", not "http://x"`},
		{"[serve]\ndrain = 15", `[serve] drain at line 2 must be a duration in quotes such as "30s" or "5m", not the number 15`},
		{"[fetch]\nallow = [\"nas\"]", `[fetch] allow at line 2 must hold entries of the form "host:port", such as "192.168.1.10:8123", not "nas"`},
		{"[fetch]\nallow = [\"*:80\"]", `[fetch] allow at line 2 must name one host in each entry; "*:80" names none`},
		{"[fetch]\nallow = [\"10.0.0.256:80\"]", `[fetch] allow at line 2 must name one host in each entry; "10.0.0.256:80" names none`},
	} {
		path := file(t, c.text)
		cfg, _, err := Load(path)
		if err == nil || err.Error() != path+": "+c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
		if diff := cmp.Diff(Default(), cfg); diff != "" {
			t.Errorf("%q: a file with a mistake left traces:\n%s", c.text, diff)
		}
		p := (*Problem)(nil)
		if !errors.As(err, &p) || p.Line == 0 {
			t.Errorf("%q: the error tells programs no line: %#v", c.text, p)
		}
	}
	cfg, _, err := Load(file(t, "[shell]\ntimeout = 1\nenabled = 2\n[agent]\nmax_steps = 0\nmax_calls = 7\n"))
	if diff := cmp.Diff(Default(), cfg); diff != "" {
		t.Errorf("a file with mistakes counts in part:\n%s", diff)
	}
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("of three mistakes Load tells\n%v", err)
	}
}

func TestSizesAreReadAndShown(t *testing.T) {
	for _, c := range []struct {
		in    any
		want  int64
		shown string
	}{
		{int64(1), 1, "1"}, {"5MB", 5_000_000, `"5MB"`}, {"5 MiB", 5 << 20, `"5MiB"`}, {"1.5kb", 1500, "1500"},
		{"2GiB", 2 << 30, `"2GiB"`}, {"7b", 7, "7"}, {"1000000", 1_000_000, `"1MB"`},
	} {
		got, err := readSize(c.in)
		if err != nil || got != c.want || formatValue(got) != c.shown {
			t.Errorf("%v = %d %v, shown %s; want %d, %s", c.in, got, err, formatValue(got), c.want, c.shown)
		}
	}
	for _, bad := range []any{"", "MB", "1e3", "0x10", "inf", "nan", "0.3b", "1_000", "-5MB", "99999999GiB", true} {
		if got, err := readSize(bad); err == nil {
			t.Errorf("%v is taken for %d", bad, got)
		}
	}
}

func TestWhatShowPrintsIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Default()
		c.Ollama.Model = rapid.StringMatching(`[a-z0-9][a-z0-9:./_-]{0,20}`).Draw(t, "model")
		c.Ollama.NumCtx = rapid.IntRange(1024, 1<<20).Draw(t, "num_ctx")
		c.Ollama.Temperature = rapid.Float64Range(0, 2).Draw(t, "temperature")
		c.Ollama.KeepAlive = time.Duration(rapid.Int64Range(0, 1<<50).Draw(t, "keep_alive"))
		c.Agent.MaxTime = time.Duration(rapid.Int64Range(1, 1<<60).Draw(t, "max_time"))
		c.Workspace.Dir = "/" + strings.ReplaceAll(rapid.String().Draw(t, "dir"), "\x00", "")
		c.Fetch.MaxResponseSize = rapid.Int64Range(1, 1<<53).Draw(t, "size")
		if rapid.Bool().Draw(t, "has shift") {
			shift := rapid.Bool().Draw(t, "shift")
			c.Ollama.Shift = &shift
		}
		got, warnings, problems := parse("shown", Show(c, "/some\nwhere\x1b"))
		if len(warnings)+len(problems) > 0 {
			t.Fatalf("%v %v in\n%s", warnings, problems, Show(c, ""))
		}
		if diff := cmp.Diff(c, got); diff != "" {
			t.Fatalf("(-shown +read):\n%s", diff)
		}
	})
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", "a", "[", "[ollama]\nhost = {", "a = [[[", `x = """`, "\ufeff[shell]", "a.'b'.\"c\" = {d = [1, {e = 2}]}",
		"[shell]\r\nenabled = true # yes\r\n",
		"[mcp.x]\nurl = 1\n[mcp.\"a.b\"]\n[[mcp.y]]", "mcp.x.env = {A = 1}\nmcp = {z = {}}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		_, warnings, problems := parse("fuzz", src)
		lines := strings.Count(src, "\n") + 1
		for _, w := range warnings {
			if w.Line < 0 || w.Line > lines {
				t.Errorf("%v is outside of %q", w, src)
			}
		}
		for _, p := range problems {
			if p.Line < 0 || p.Line > lines {
				t.Errorf("%v is outside of %q", p, src)
			}
		}
	})
}
