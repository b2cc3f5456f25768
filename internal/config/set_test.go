package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// What several writers set at the same time is all in the file, and so is what stood there.
func TestSetByManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte("# mine\n[shell]\n# slow machine\ntimeout = \"9s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{
		"ollama.model": "a:1b", "shell.timeout": "5m", "shell.job_timeout": "2h", "agent.max_steps": "9",
		"telegram.token_file": "/t", "time.zone": "Europe/Berlin", "intents.mode": "off",
	}
	var writers sync.WaitGroup
	for range 3 {
		for key, value := range values {
			writers.Go(func() {
				if err := (Editor{}).Set(path, key, value); err != nil {
					t.Errorf("set %s: %v", key, err)
				}
			})
		}
	}
	writers.Wait()
	text, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range values {
		_, name, _ := strings.Cut(key, ".")
		if n := strings.Count(text, "\n"+name+" = "); n != 1 || !strings.Contains(text, value) {
			t.Errorf("%s stands there %d times", key, n)
		}
	}
	for _, comment := range []string{"# mine\n", "# slow machine\n"} {
		if !strings.Contains(text, comment) {
			t.Errorf("%q is gone", comment)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// An editor that began before another change does not undo it.
func TestReplaceAfterAnotherChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	before, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Editor{}).Set(path, "shell.timeout", "5m"); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s was changed meanwhile by somebody else: nothing is written", path)
	if err := (Editor{}).Replace(path, before, "[shell]\ntimeout = \"9s\"\n"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if text, _ := Read(path); !strings.Contains(text, `"5m"`) {
		t.Error(text)
	}
}
