package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hob/internal/display"
	"hob/internal/llm/catalog"
	"hob/internal/model"
)

// TestModelTable holds the table of models in docs/models.md, which is made of the one in
// internal/llm/catalog. -update writes it.
func TestModelTable(t *testing.T) {
	golden(t, filepath.Join("..", "..", "docs", "models.md"), func(page string) string {
		head, rest, found := strings.Cut(page, " -update -->\n")
		_, tail, closed := strings.Cut(rest, "<!-- end of models -->")
		if !found || !closed {
			t.Fatal("docs/models.md has no place for the table")
		}
		var b strings.Builder
		b.WriteString("| model | suits from | download | needs | context | licence | released | languages | good for |\n|---|---|---|---|---|---|---|---|---|\n")
		for _, m := range catalog.Read() {
			name := "`" + m.Name + "`"
			if m.Proposed {
				name = "**" + name + "**"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %dk | %s | %s | %s | %s |\n", name, display.Limit(int64(m.Memory)), display.Bytes(m.Size),
				display.Bytes(int64(m.Needs())), m.Context/1024, m.Licence, m.Released, m.Languages, m.GoodFor)
		}
		return head + " -update -->\n" + b.String() + "<!-- end of models -->" + tail
	})
}

// Texts that know no machine name one model: the one that hob proposes for 16 GiB.
func TestOneModelName(t *testing.T) {
	usual := catalog.Read().Propose(catalog.UsualMemory).Name
	proposal := regexp.MustCompile("(?:hob model (?:pull|use|try)|game eval --model|name such as \\\\?\"|answers, such as \") ?([a-z][\\w./-]*:[\\w.-]+)")
	root, names := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || d.Name() == "spec") {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		ext := filepath.Ext(path)
		if ext != ".go" && ext != ".md" && ext != ".example" && d.Name() != "Makefile" || strings.HasSuffix(path, "_test.go") || d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range proposal.FindAllStringSubmatch(string(text), -1) {
			names++
			if m[1] != usual {
				t.Errorf("%s proposes %s in %q; texts name %s", path, m[1], m[0], usual)
			}
		}
		return err
	})
	if err != nil || names < 5 {
		t.Errorf("%d names were found: %v", names, err)
	}
}

// The help names the model that hob proposes for this machine, and every model of the table.
func TestModelsInHelp(t *testing.T) {
	here, table := model.ProposedHere(t.Context()).Name, catalog.Read()
	for _, args := range [][]string{{"--help"}, {"help", "model"}, {"model", "use", "--help"}, {"help", "model", "pull"}, {"model", "try", "--help"}, {"game", "eval", "--help"}} {
		var out, complaints bytes.Buffer
		if status := run(args, strings.NewReader(""), &out, &complaints); status != 0 {
			t.Fatalf("%q: status %d, %s", args, status, &complaints)
		}
		if text := out.String(); !strings.Contains(text, " "+here) || strings.Contains(text, modelHere+"\n") || strings.Contains(text, modelHere+" ") || strings.Contains(text, "{{") {
			t.Errorf("hob %s does not propose %s:\n%s", strings.Join(args, " "), here, text)
		}
		for _, m := range table {
			if args[len(args)-1] == "pull" && !strings.Contains(out.String(), "\n  "+m.Name+" ") {
				t.Errorf("hob help model pull does not have %s", m.Name)
			}
		}
	}
	var out, complaints bytes.Buffer
	if status := run([]string{"model", "pull"}, strings.NewReader(""), &out, &complaints); status != 2 || complaints.String() != "hob: say which model: hob model pull "+here+"\n" {
		t.Errorf("status %d: %s", status, &complaints)
	}
}

// Each section of the file with the help is that of a command.
func TestHelpSections(t *testing.T) {
	root := rootCommand(newProgram(strings.NewReader(""), io.Discard, io.Discard, func(string) string { return "" }))
	for _, section := range strings.Split("\n"+helpFile, "\n## ")[1:] {
		path, _, _ := strings.Cut(section, "\n")
		c, _, err := root.Find(strings.Fields(path)[1:])
		if err != nil || c.CommandPath() != path {
			t.Errorf("help.md has a section for %s, and there is no such command (%v)", path, err)
		} else if long, examples := helpText(c); long == "" && examples == "" {
			t.Errorf("the section of %s is empty", path)
		}
	}
}

// In help the lines of a paragraph are one, to be wrapped anew, and a table keeps its own.
func TestJoinLines(t *testing.T) {
	const text = "one\ntwo\n\nthree\n  a  b\n  c  d\nfour\nfive"
	if got, want := joinLines(text), "one two\n\nthree\n  a  b\n  c  d\nfour five"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
