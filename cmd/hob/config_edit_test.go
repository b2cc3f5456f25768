package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// hob config edit writes what has no mistake, and asks about what has one.
func TestConfigEdit(t *testing.T) {
	const good, bad = "# mine\n[shell]\ntimeout = \"5m\"\n", "[shell]\ntimeot = \"5m\"\n"
	for name, c := range map[string]struct {
		writes, meanwhile string // what the editor leaves, and what another writes into the file meanwhile
		shows, answer     string
		want              string
	}{
		"no mistake":         {writes: good, shows: "is changed", want: good},
		"nothing is changed": {writes: "# old\n", shows: "is as it was", want: "# old\n"},
		"a mistake":          {writes: bad, shows: "did you mean timeout", answer: "n", want: "# old\n"},
		"changed meanwhile":  {writes: good, meanwhile: "# other\n", shows: "was changed meanwhile", answer: "n", want: "# other\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			script := "#!/bin/sh\ncat " + path("text") + " >\"$1\"\n"
			if c.meanwhile != "" {
				script += "cat " + path("meanwhile") + " >" + path("config.toml") + "\n"
			}
			for file, text := range map[string]string{"config.toml": "# old\n", "text": c.writes, "meanwhile": c.meanwhile, "editor": script} {
				if err := os.WriteFile(path(file), []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "config", "edit")
			cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + dir, "HOB_CONFIG=" + path("config.toml"), "EDITOR=" + path("editor"), "PATH=" + os.Getenv("PATH")}
			d := startAtTerminal(t, cmd)
			d.until(c.shows)
			if c.answer != "" {
				d.until("Edit it again?")
				d.say(c.answer + "\r")
				d.until("nothing is written")
			}
			if err := cmd.Wait(); (err == nil) != (c.answer == "") {
				t.Error(err)
			}
			if got, err := os.ReadFile(path("config.toml")); string(got) != c.want || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
