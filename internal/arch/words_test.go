package arch

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

// retired are names that hob had for things which have a common one. No package, file, type, function, method or field of the
// program is called so again.
func retired() map[string]string {
	return map[string]string{
		"Aim": "resource", "AimsOf": "resources of", "Aims": "resources", "Ear": "options", "Extent": "turn hook", "Kit": "toolset", "Powers": "capabilities",
		"Saga": "event log", "Shelf": "loader or blob store", "Sieve": "sanitizer", "Sift": "sanitize", "Spent": "usage",
		"Standing": "principal", "Told": "sent, listed or shown", "Trial": "evaluation", "Withheld": "denied", "acquaintance": "seen user",
		"ail": "fail", "audition": "evaluation", "brokenTurn": "lost turn", "calm": "idle", "chore": "cleanup", "crew": "instance", "desk": "commands",
		"giveUp": "finish", "heard": "received", "hear": "receive", "heldButton": "callback", "ladder": "recovery", "lane": "worker",
		"led": "driven", "letter": "request", "mayWait": "may delay write", "modelBack": "wait over", "mover": "history command", "rulebook": "policy source", "said": "message or input",
		"seat": "turn state", "stays": "permanent", "sureness": "confidence", "tailed": "with context", "teller": "sender or narrator",
		"tellers": "senders", "telling": "chat sender", "tidying": "cleanup", "tooLong": "limit", "trouble": "failure", "unheard": "emit error",
		"useless": "unusable", "waitingForModel": "parked for model", "wayOut": "egress", "wish": "request",
	}
}

func TestNames(t *testing.T) { check(t, hob(t), retiredNames) }

// retiredNames names what is declared in a file by a retired word.
func retiredNames(s source) []string {
	if s.test {
		return nil
	}
	words := map[string]string{}
	for old, instead := range retired() {
		words[strings.ToLower(old)] = instead
	}
	var bad []string
	judge := func(what, name string, at string) {
		if instead, old := words[strings.ToLower(name)]; old && name != "Said" { // the journal's name for what somebody has said
			bad = append(bad, fmt.Sprintf("%s: %s %s: hob says %s", at, what, name, instead))
		}
	}
	judge("package", path.Base(s.pkg()), s.path)
	judge("file", strings.TrimSuffix(path.Base(s.path), ".go"), s.path)
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			judge("type", n.Name.Name, s.at(n))
		case *ast.FuncDecl:
			judge("function", n.Name.Name, s.at(n))
		case *ast.StructType:
			for _, f := range n.Fields.List {
				for _, name := range f.Names {
					judge("field", name.Name, s.at(name))
				}
			}
		case *ast.InterfaceType:
			for _, f := range n.Methods.List {
				for _, name := range f.Names {
					judge("method", name.Name, s.at(name))
				}
			}
		}
		return true
	})
	return bad
}

// The rule finds each kind of name.
func TestNames_FindsThem(t *testing.T) {
	sources := parse(t, fstest.MapFS{"internal/llm/lane.go": {Data: []byte("package llm\ntype Kit struct{ wish int }\nfunc (k Kit) tell() {}\ntype x interface{ Hear() }\n")}})
	got := retiredNames(sources[0])
	if len(got) != 4 {
		t.Errorf("found %q", got)
	}
	if all := slices.Collect(maps.Keys(retired())); len(all) < 40 {
		t.Errorf("%d words", len(all))
	}
}

func TestDocNames(t *testing.T) { check(t, hob(t), docNames) }

// docNames names declarations whose comment begins with another name: that of a function or a type of the program begins with its
// own, maybe behind an article, and no other begins with a name that is not its own.
func docNames(s source) []string {
	var bad []string
	judge := func(doc *ast.CommentGroup, strict bool, names ...*ast.Ident) {
		text := doc.Text()
		if text == "" || !strict && !unicode.IsLower(rune(text[0])) {
			return
		}
		word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(text, "A "), "An "), " ")
		if word = strings.TrimRight(word, ",:"); !slices.ContainsFunc(names, func(name *ast.Ident) bool { return name.Name == word }) {
			bad = append(bad, fmt.Sprintf("%s: the comment of %s begins with %s", s.at(names[0]), names[0].Name, word))
		}
	}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if !s.test || !strings.HasPrefix(d.Name.Name, "Test") {
				judge(d.Doc, !s.test, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				doc := d.Doc
				if d.Lparen.IsValid() {
					doc = nil
				}
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					judge(cmp.Or(spec.Doc, doc), !s.test, spec.Name)
				case *ast.ValueSpec:
					judge(cmp.Or(spec.Doc, doc), false, spec.Names...)
				}
			}
		}
	}
	return bad
}
