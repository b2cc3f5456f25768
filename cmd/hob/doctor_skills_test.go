package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/doctor"
)

// What the doctor finds out about skills, and about servers, which it starts.
func TestDoctor_LooksAfterSkills(t *testing.T) {
	needsWalls(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure(h.server("echo", "doctor", "some", "reads = true\n") +
		h.server("gossip", "doctor", "gossip", fmt.Sprintf("env_files = {TOLD = %q}", h.secret())))
	broken1 := filepath.Join(h.skill("tea", "", "Steep it."), "SKILL.md")
	if err := os.WriteFile(broken1, []byte("no frontmatter"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := h.command("doctor", "--json").Output() // its status is about all that it looks at
	var d doctor.Diagnosis
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	said := ""
	for _, g := range d.Groups {
		for _, c := range g.Checks {
			if g.Name == "skills" {
				said += fmt.Sprintln(c.State, c.Name+":", c.Found)
			}
		}
	}
	for _, want := range []string{
		"ok skills: recall, ", ", echo, gossip\n", "weak a skill: ", "tea", "ok [mcp.echo]: runs, with 4 tools",
		"fail [mcp.gossip]: does not start: ", "my token is [secret]",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	if strings.Contains(string(out), theSecret) {
		t.Error("it tells a secret")
	}
}

// A skill that was written for another agent works without what hob does not know of it: that is one line for all of them, and no list.
func TestDoctor_CountsWarnings(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	for _, name := range []string{"chai", "mate"} {
		h.skill(name, "homepage: https://example.org\nicon: leaf\n", "Steep it.")
	}
	out, _ := h.command("doctor").CombinedOutput() // its status is about all that it looks at
	if n := strings.Count(string(out), "homepage"); n > 0 || !strings.Contains(string(out), "4 about skills that work all the same") {
		t.Errorf("%d fields are named:\n%s", n, out)
	}
	if list := h.good("", "skill", "list"); strings.Count(list, "\n! ") != 4 {
		t.Errorf("the list names others:\n%s", list)
	}
}
