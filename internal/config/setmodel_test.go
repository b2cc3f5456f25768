package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSetModelChangesOneValueAndNothingElse(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"no text", "", "[ollama]\nmodel = \"qwen3:4b\"\n"},
		{"no table", "# mine\n[shell]\nenabled = true", "# mine\n[shell]\nenabled = true\n\n[ollama]\nmodel = \"qwen3:4b\"\n"},
		{"a table without it", "[ollama] # where\nhost = \"x\"\n", "[ollama] # where\nmodel = \"qwen3:4b\"\nhost = \"x\"\n"},
		{"a table at the end", "[ollama]", "[ollama]\nmodel = \"qwen3:4b\"\n"},
		{"a value", "[ollama]\n  model  =  'old' # the old one\nnum_ctx=8192\n", "[ollama]\n  model  =  \"qwen3:4b\" # the old one\nnum_ctx=8192\n"},
		{"a value that is no text", "[ollama]\nmodel = 3\n", "[ollama]\nmodel = \"qwen3:4b\"\n"},
		{"another table's model", "[x]\nmodel = \"a\"\n[ollama]\nmodel = \"b\"\n", "[x]\nmodel = \"a\"\n[ollama]\nmodel = \"qwen3:4b\"\n"},
		{"one in a text", "[fetch]\nuser_agent = '''\n[ollama]\nmodel = \"a\"\n'''\n", "[fetch]\nuser_agent = '''\n[ollama]\nmodel = \"a\"\n'''\n\n[ollama]\nmodel = \"qwen3:4b\"\n"},
		{"one behind an escaped quote", "x = \"\"\"\\\"\"\"\n[ollama]\nmodel = 1\n\"\"\"\n[ollama]\nmodel = 2\n", "x = \"\"\"\\\"\"\"\n[ollama]\nmodel = 1\n\"\"\"\n[ollama]\nmodel = \"qwen3:4b\"\n"},
		{"dotted", "ollama.host = \"x\"\n[shell]\n", "ollama.model = \"qwen3:4b\"\nollama.host = \"x\"\n[shell]\n"},
		{"dotted, with it", "ollama.model = \"x\"\n", "ollama.model = \"qwen3:4b\"\n"},
		{"inline", "ollama = { host = \"x\" }\n", "ollama = { model = \"qwen3:4b\", host = \"x\" }\n"},
		{"inline, with it", "ollama = {host=\"x\", model=\"y\"}\n", "ollama = {host=\"x\", model=\"qwen3:4b\"}\n"},
		{"inline, empty", "ollama = {}\n", "ollama = { model = \"qwen3:4b\" }\n"},
		{"quoted", "[\"ollama\"]\n\"model\" = \"y\"\n", "[\"ollama\"]\n\"model\" = \"qwen3:4b\"\n"},
		{"line ends of another system", "[ollama]\r\nhost = \"x\"\r\n", "[ollama]\r\nmodel = \"qwen3:4b\"\r\nhost = \"x\"\r\n"},
		{"a byte order mark", "\ufeffmodel = 1\n[ollama]\nmodel = \"y\"\n", "\ufeffmodel = 1\n[ollama]\nmodel = \"qwen3:4b\"\n"},
		{"already so", "[ollama]\nmodel = \"qwen3:4b\"", "[ollama]\nmodel = \"qwen3:4b\""},
	} {
		path := file(t, c.before)
		if err := (Editor{}).SetModel(path, "qwen3:4b"); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got, _ := os.ReadFile(path); string(got) != c.after {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.after)
		}
	}
}

func TestSetModelOnTheExample(t *testing.T) {
	raw, err := os.ReadFile("../../config.toml.example")
	if err != nil {
		t.Fatal(err)
	}
	path := file(t, string(raw))
	if err := (Editor{}).SetModel(path, "qwen3:4b"); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(path)
	if want := strings.Replace(string(raw), "model = \"\"", "model = \"qwen3:4b\"", 1); string(got) != want {
		t.Errorf("got %s", got)
	}
}

func TestSetModelRefusesWhatItCannotDo(t *testing.T) {
	broken := file(t, "[ollama\n")
	for _, c := range []struct{ path, name, want string }{
		{broken, "qwen3:4b", "mend it first"},
		{file(t, "ollama = 3\n"), "qwen3:4b", "cannot be edited safely"},
		{file(t, "[[ollama]]\n"), "qwen3:4b", "cannot be edited safely"},
		{file(t, ""), "", "must not be empty"},
		{file(t, ""), "x\"\n[shell]", "must be a model's name"},
	} {
		before, _ := os.ReadFile(c.path)
		if err := (Editor{}).SetModel(c.path, c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", before, err, c.want)
		}
		if after, _ := os.ReadFile(c.path); string(after) != string(before) {
			t.Errorf("%q became %q", before, after)
		}
	}
}

func TestSetModelMakesTheFileAndKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "hob", "config.toml")
	if err := (Editor{}).SetModel(path, "a"); err != nil {
		t.Fatal(err)
	}
	if cfg, _, err := Load(path); err != nil || cfg.Ollama.Model != "a" {
		t.Errorf("Load = %q, %v", cfg.Ollama.Model, err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := (Editor{}).SetModel(link, "b"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "new", "hob", ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A folder that cannot be written is one that is a file: even root cannot write into that.
func TestSetModelSaysWhatToDoWhenItMayNot(t *testing.T) {
	path := filepath.Join(file(t, ""), "config.toml")
	if err := (Editor{}).SetModel(path, "a"); err == nil {
		t.Error("SetModel wrote into a file as if it were a folder")
	}
	if os.Geteuid() == 0 {
		return // what follows asks the kernel for a refusal that root never gets
	}
	locked := file(t, "")
	t.Cleanup(func() { os.Chmod(filepath.Dir(locked), 0o700) }) // so that an ordinary user can remove it
	if err := os.Chmod(filepath.Dir(locked), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := (Editor{}).SetModel(locked, "a"); err == nil || !strings.Contains(err.Error(), `put model = "a" into its [ollama] table`) {
		t.Errorf("SetModel = %v", err)
	}
}
