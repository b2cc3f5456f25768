package arch

import (
	"flag"
	"fmt"
	"go/doc"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hob/internal/golden"
)

var update = flag.Bool("update", false, "write the table of packages in docs/design.md")

// TestPackageTable holds the table of packages in docs/design.md, which is made of the first sentences of their comments. -update
// writes it.
func TestPackageTable(t *testing.T) {
	const begin, end = " -update -->\n", "<!-- end of packages -->"
	about := map[string]string{}
	for _, s := range hob(t) {
		if name, internal := strings.CutPrefix(s.pkg(), "internal/"); internal && !s.test {
			about[name] += s.file.Doc.Text()
		}
	}
	subject, link := regexp.MustCompile(`^(Package|Command) \w+ `), regexp.MustCompile(`\[([\w.]+)\]`)
	rows := "| package | it |\n|---|---|\n"
	for _, name := range slices.Sorted(maps.Keys(about)) {
		sentence := new(doc.Package).Synopsis(about[name])
		what := subject.ReplaceAllString(link.ReplaceAllString(strings.TrimRight(sentence, ".:"), "`$1`"), "")
		if what == "" || what == sentence {
			t.Errorf("%s has no comment that begins with its name", name)
		}
		rows += fmt.Sprintf("| `%s` | %s |\n", name, strings.ReplaceAll(what, "|", `\|`))
	}
	path := filepath.Join("..", "..", "docs", "design.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(page), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("docs/design.md has no place for the table")
	}
	golden.Check(t, *update, path, head+begin+rows+end+tail)
}
