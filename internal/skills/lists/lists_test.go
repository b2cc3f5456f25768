package lists_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
	"hob/internal/tools/files"
)

// The prompt of a small model has room for so much.
func TestSkillIsSmall(t *testing.T) {
	s := newWorld(t).Skill
	if len(s.Description) > 60 || len(s.Instructions) > 500 {
		t.Errorf("the description has %d bytes, the instructions %d", len(s.Description), len(s.Instructions))
	}
	sum := 0
	for _, d := range tools.Schema(s.Tools) {
		raw, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		sum += len(raw)
	}
	if sum > 1400 {
		t.Errorf("the tools have %d bytes", sum)
	}
	for message, finds := range map[string]bool{
		"put milk on the shopping list": true, "which groceries do we need?": true, "setz Milch auf die Einkaufsliste": true,
		"добавь молоко в список покупок": true, "把牛奶加到购物清单": true, "what is on my to-do list?": true,
		"what is the weather?": false, "list my files": false,
	} {
		if found := skills.Search([]skills.Skill{s}, message, 0); (len(found) > 0 && found[0].Score >= 0.5) != finds {
			t.Errorf("%s: %v", message, found)
		}
	}
}

func TestPowers(t *testing.T) {
	want := map[string]tools.Capabilities{
		"list_add": tools.Writes, "list_show": tools.Reads | tools.Private,
		"list_tick": tools.Writes | tools.Private, "list_remove": tools.Writes | tools.Private,
	}
	got := map[string]tools.Capabilities{}
	for _, tool := range newWorld(t).Skill.Tools {
		d := tools.DefOf(tool)
		got[d.Name] = d.Capabilities
		if !slices.Equal(d.Scopes, []string{"private"}) || d.Capabilities.Has(tools.Writes) != (d.Level == event.BotAdmin) {
			t.Errorf("%s is for %v of level %s", d.Name, d.Scopes, d.Level)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A person types a line and needs no model.
func TestCommands(t *testing.T) {
	w := newWorld(t)
	commands, lost := tools.NewCommands(w.Skill.Tools)
	if len(lost) > 0 {
		t.Error(lost)
	}
	for line, want := range map[string]string{
		"/list_add shopping milk, 1,5 l cola":   `list_add {"items":["milk","1,5 l cola"],"list":"shopping"}`,
		"/list shopping":                        `list_show {"list":"shopping"}`,
		"/list winter holiday":                  `list_show {"list":"winter holiday"}`,
		"/lists":                                `list_show {}`,
		"/tick shopping milk, oat milk":         `list_tick {"items":["milk","oat milk"],"list":"shopping"}`,
		"/list_tick shopping open=true milk":    `list_tick {"items":["milk"],"list":"shopping","open":true}`,
		"/list_remove \"winter holiday\" skis":  `list_remove {"items":["skis"],"list":"winter holiday"}`,
		"/list_remove shopping ticked=true":     `list_remove {"list":"shopping","ticked":true}`,
		"/list_remove all=true list=shopping  ": `list_remove {"all":true,"list":"shopping"}`,
	} {
		tool, args, err := commands.Parse(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		clean, err := tools.Canonical(args)
		if got := tool.Name() + " " + string(clean); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", line, got, err, want)
		}
	}
}

func TestADay(t *testing.T) {
	w := newWorld(t)
	w.says("there are no lists yet", 0, "list_show", args{})
	w.says("added to shopping: milk, 2 kg Mehl, bread", 1, "list_add", args{"list": "Shopping", "items": []string{"milk", "2 kg Mehl", " bread\n"}})
	w.says("added to packing: skis", 1, "list_add", args{"list": "packing", "items": []string{"skis", "Skis"}})
	w.says("ticked on shopping: bread; 2 open", 1, "list_tick", args{"list": "lists/shopping.md", "items": []string{"bread"}})
	w.says("shopping: 2 open, 1 ticked\n[ ] milk\n[ ] 2 kg Mehl\n[x] bread", 0, "list_show", args{"list": "shopping"})
	w.says("2 lists:\npacking (1 open)\nshopping (2 open)", 0, "list_show", args{})
	w.says("added to shopping: eggs; open again: bread; on it already: milk", 1, "list_add",
		args{"list": "shopping list", "items": []string{"MILK", "Bread", "eggs"}})
	w.says("on it already: milk", 0, "list_add", args{"list": "shopping", "items": []string{"milk"}})
	if diff := cmp.Diff("# shopping\n\n- [ ] milk\n- [ ] 2 kg Mehl\n- [ ] bread\n- [ ] eggs\n", w.Page("shopping.md")); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
	w.says("ticked on shopping: milk, 2 kg Mehl; 2 open", 1, "list_tick", args{"list": "shopping", "items": []string{"mehl", "Milk"}})
	w.says("ticked on shopping: eggs; ticked already: milk; 1 open", 1, "list_tick", args{"list": "shopping", "items": []string{"eggs", "milk"}})
	w.says("ticked already: milk; 1 open", 0, "list_tick", args{"list": "shopping", "items": []string{"milk"}})
	w.says("opened on shopping: milk; 2 open", 1, "list_tick", args{"list": "shopping", "items": []string{"milk"}, "open": true})
	w.says("removed from shopping: 2 kg Mehl, eggs; 2 open", 1, "list_remove", args{"list": "shopping", "ticked": true})
	w.says("nothing is ticked on shopping; 2 open", 0, "list_remove", args{"list": "shopping", "ticked": true})
	w.says("removed from shopping: milk; 1 open", 1, "list_remove", args{"list": "shopping", "items": []string{"[ ] milk"}})
	w.says("removed from shopping: bread; 0 open", 1, "list_remove", args{"list": "shopping", "all": true})
	w.says("shopping is empty already; 0 open", 0, "list_remove", args{"list": "shopping", "all": true})
	w.says("shopping is empty", 0, "list_show", args{"list": "shopping"})
	if diff := cmp.Diff("# shopping\n\n", w.Page("shopping.md")); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
}

func TestData(t *testing.T) {
	w := newWorld(t)
	w.Write("b.md", "- [ ] milk\n- [x] bread\n")
	w.Write("a.md", "\x00")
	for _, c := range []struct {
		in   args
		want string
	}{
		{args{"list": "b"}, `{"list":"b","open":["milk"],"ticked":["bread"]}`},
		{args{}, `{"lists":[{"list":"a","open":0,"ticked":0,"error":"lists/a.md is no text but application/octet-stream of 1 bytes"},{"list":"b","open":1,"ticked":1}]}`},
	} {
		raw, err := json.Marshal(w.Must("list_show", c.in).Data)
		if err != nil || string(raw) != c.want {
			t.Errorf("%v: %s, %v, want %s", c.in, raw, err, c.want)
		}
	}
	w.Write("b.md", strings.Repeat("- x\n", 250))
	if got := w.Must("list_show", args{"list": "b"}); strings.Count(got.Text, "\n") != 201 || !strings.HasSuffix(got.Text, "\nand 50 more; lists/b.md has all") {
		t.Errorf("a long list: %s", got.Text)
	}
}

// What a person means is found; what could be two things, or is none, is an error that names them, and nothing is done.
func TestWhatIsMeant(t *testing.T) {
	w := newWorld(t)
	w.Write("shopping.md", "- [ ] oat milk\n- [ ] soy milk\n- [ ] Milk\n- [ ] 两盒牛奶\n- [ ] Reis\n- [x] rice milk\n- [ ] Ёлка\n- [ ] milk chocolate, 2 bars\n- [x] old bread\n- [ ] new bread\n")
	tick := func(items ...string) args { return args{"list": "shopping", "items": items} }
	for _, c := range []struct{ ref, want string }{
		{"milk", "Milk"}, {"MILK oat", "oat milk"}, {"chocolate", "milk chocolate, 2 bars"}, {"牛奶", "两盒牛奶"}, {"елка", "Ёлка"},
		{"- [ ] Reis", "Reis"}, {"bread", "new bread"}, {"ёлку", "Ёлка"}, {"bars", "milk chocolate, 2 bars"},
	} {
		w.says("ticked on shopping: "+c.want+"; 7 open", 1, "list_tick", tick(c.ref))
		w.undo()
	}
	all := "on it are oat milk, soy milk, Milk, 两盒牛奶, Reis, rice milk, Ёлка, milk chocolate, 2 bars, old bread, new bread"
	w.fails(event.CodeInvalidValue, `"Ei" is not on shopping; nothing was ticked: `+all, "list_tick", tick("Milk", "Ei"))
	w.fails(event.CodeInvalidValue, `"bread" could be old bread, new bread; nothing was removed: name one as it stands there`, "list_remove", tick("bread", "Reis"))
	w.fails(event.CodeInvalidValue, `"a" is not on shopping; "milk soy oat" is not on shopping; nothing was opened: `+all, "list_tick",
		args{"list": "shopping", "items": []string{"a", "milk soy oat"}, "open": true})
	w.says("ticked already: rice milk; 8 open", 0, "list_tick", tick("rice"))
	w.fails(event.CodeFileNotFound, "there is no list shoping: there are shopping", "list_show", args{"list": "shoping"})
	w.fails(event.CodeFileNotFound, "there is no list todo: there are shopping", "list_tick", args{"list": "todo", "items": []string{"x"}})
	w.fails(event.CodeRequiredField, "list: names no list: such as shopping", "list_add", args{"list": "!", "items": []string{"x"}})
	w.fails(event.CodeRequiredField, "items: names nothing: ", "list_add", args{"list": "a", "items": []string{}})
	w.fails(event.CodeRequiredField, "items/1: says nothing: ", "list_add", args{"list": "a", "items": []string{"a", "- [ ] "}})
	w.fails(event.CodeInvalidValue, "items/0: has 501 bytes, and an item has at most 500: ", "list_add", args{"list": "a", "items": []string{strings.Repeat("x", 501)}})
	w.fails(event.CodeInvalidValue, "items: are 101, and 100 is the most of one call: ", "list_add", args{"list": "a", "items": slices.Repeat([]string{"x"}, 101)})
	w.fails(event.CodeRequiredField, "items: names nothing: name items, or set ticked or all", "list_remove", args{"list": "shopping"})
	w.fails(event.CodeInvalidValue, "of items, ticked and all only one can be given: ", "list_remove", args{"list": "shopping", "ticked": true, "all": true})
}

func TestNoListYet(t *testing.T) {
	w := newWorld(t)
	w.fails(event.CodeFileNotFound, "there is no list shopping: list_add begins one", "list_show", args{"list": "shopping"})
	w.Write("shopping.md", "# shopping\n")
	w.fails(event.CodeInvalidValue, `"milk" is not on shopping; nothing was ticked: it is empty`, "list_tick", args{"list": "shopping", "items": []string{"milk"}})
}

// People write what they like, and their lines stay as they are.
func TestPagesOfPeople(t *testing.T) {
	w := newWorld(t)
	page := "\ufeff# Einkauf\r\n\r\nfor Sunday\r\n\r\n* eggs\r\n  the brown ones\r\n- [X] bread\r\n  - [ ] rye\r\n  -  []  wheat\r\n1. cheese\r\n\r\nBring the *blue* bag.\r\n- [ ]\r\n```\r\ntext\r\n```"
	w.Write("Einkauf.md", page)
	list := func(items ...string) args { return args{"list": "einkauf", "items": items} }
	w.says("einkauf: 4 open, 1 ticked\n[ ] eggs / the brown ones\n[ ] rye\n[ ] wheat\n[ ] cheese\n[x] bread", 0, "list_show", args{"list": "einkauf"})
	w.says("opened on einkauf: bread; open already: eggs; 5 open", 1, "list_tick", args{"list": "einkauf", "items": []string{"bread", "eggs"}, "open": true})
	w.says("ticked on einkauf: eggs, rye, wheat, cheese; 1 open", 1, "list_tick", list("eggs", "wheat", "rye", "cheese"))
	w.says("added to einkauf: milk", 1, "list_add", list("milk"))
	want := "\ufeff# Einkauf\r\n\r\nfor Sunday\r\n\r\n* [x] eggs\r\n  the brown ones\r\n- [ ] bread\r\n  - [x] rye\r\n  -  [x]  wheat\r\n1. [x] cheese\r\n\r\nBring the *blue* bag.\r\n- [ ]\r\n- [ ] milk\r\n```\r\ntext\r\n```"
	if diff := cmp.Diff(want, w.Page("Einkauf.md")); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
	w.says("removed from einkauf: eggs, bread; 1 open", 1, "list_remove", list("bread", "eggs"))
	w.undo()
	w.undo()
	w.undo()
	w.undo()
	if diff := cmp.Diff(page, w.Page("Einkauf.md")); diff != "" {
		t.Errorf("taken back (-want +got):\n%s", diff)
	}
	w.says("removed from einkauf: eggs, bread, rye, wheat, cheese; 0 open", 1, "list_remove", args{"list": "einkauf", "all": true})
	want = "\ufeff# Einkauf\r\n\r\nfor Sunday\r\n\r\n\r\nBring the *blue* bag.\r\n- [ ]\r\n```\r\ntext\r\n```"
	if diff := cmp.Diff(want, w.Page("Einkauf.md")); diff != "" {
		t.Errorf("emptied (-want +got):\n%s", diff)
	}
}

// However hostile a text is, it is one item in one line, and found again.
func TestHostileText(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\r\n\r\n c":        "a / b / c",
		"- [ ] x\n- [x] y":      "x / - [x] y",
		"[x] [ ] - x":           "x",
		"# heading":             "# heading",
		"---":                   "---",
		"1. x":                  "1. x",
		"a\x00b\x1b[31mc\u202e": "ab[31mc",
		"\u3000 wide\u00a0x ":   "wide x",
		"\xff\xfe":              "\ufffd\ufffd",
		"🥛":                     "🥛",
	} {
		w := newWorld(t)
		add := func(text string) { w.Must("list_add", args{"list": "x", "items": []string{text}}) }
		add("first")
		add(text)
		add("last")
		if diff := cmp.Diff("# x\n\n- [ ] first\n- [ ] "+want+"\n- [ ] last\n", w.Page("x.md")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		w.says("ticked on x: "+want+"; 2 open", 1, "list_tick", args{"list": "x", "items": []string{text}})
	}
	w := newWorld(t)
	for _, list := range []string{"../../x", "/etc/x", ".hob-tmp-x", "a\x00b", strings.Repeat("長い", 500), ".git"} {
		w.Must("list_add", args{"list": list, "items": []string{"x"}})
	}
	outside, err := filepath.Glob(filepath.Join(w.Dir, "*"))
	if err != nil || len(outside) != 1 {
		t.Errorf("in the workspace are %v, %v", outside, err)
	}
}

// Where an item comes from is known wherever it is shown.
func TestLabels(t *testing.T) {
	w := newWorld(t)
	w.Must("list_add", args{"list": "home", "items": []string{"mine"}})
	w.From(event.Label{Untrusted: true, Source: "web:page.example"}).Must("list_add", args{"list": "web", "items": []string{"theirs", "more"}})
	own := event.Label{Private: true, Source: "file:lists/home.md"}
	if diff := cmp.Diff(own, w.Must("list_show", args{"list": "home"}).Label); diff != "" {
		t.Errorf("an own list (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		tool string
		in   args
	}{
		{"list_show", args{"list": "web"}}, {"list_show", args{}}, {"list_show", args{"list": "none"}},
		{"list_tick", args{"list": "web", "items": []string{"nothing"}}}, {"list_tick", args{"list": "web", "items": []string{"theirs"}}},
		{"list_add", args{"list": "web", "items": []string{"theirs"}}}, {"list_remove", args{"list": "web", "items": []string{"more"}}},
	} {
		if res, _ := w.Call(c.tool, c.in); !res.Label.Untrusted || !res.Label.Private {
			t.Errorf("%s %v has the label %+v", c.tool, c.in, res.Label)
		}
	}
	if res := w.Must("list_add", args{"list": "web", "items": []string{"new"}}); res.Label != (event.Label{}) {
		t.Errorf("adding shows nothing, and has the label %+v", res.Label)
	}
}

func TestReadOnlyWorkspace(t *testing.T) {
	w := newWorld(t, func(c *files.Config) { c.ReadOnly = true })
	w.Write("x.md", "- one\n")
	for tool, in := range map[string]args{
		"list_add": {"list": "x", "items": []string{"two"}}, "list_tick": {"list": "x", "items": []string{"one"}}, "list_remove": {"list": "x", "all": true},
	} {
		w.fails(event.CodeReadOnly, "lists/x.md is in a folder that is open for reading only: ", tool, in)
	}
	w.says("x: 1 open, 0 ticked\n[ ] one", 0, "list_show", args{"list": "x"})
}

// A link that leaves the workspace is not followed.
func TestLinks(t *testing.T) {
	w := newWorld(t)
	if err := os.Symlink(t.TempDir(), filepath.Join(w.Dir, "lists")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Call("list_add", args{"list": "x", "items": []string{"x"}}); err == nil {
		t.Error("it was added")
	}
}

// Of many who write at once, nobody's item is lost.
func TestAddersAtOnce(t *testing.T) {
	w := newWorld(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := w.Call("list_add", args{"list": "x", "items": []string{fmt.Sprint("item ", i)}}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 20 {
		if n := strings.Count(w.Page("x.md"), fmt.Sprintf("- [ ] item %d\n", i)); n != 1 {
			t.Errorf("item %d stands there %d times", i, n)
		}
	}
}
