package notes_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
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
		if sum += len(raw); len(d.Description) > 90 {
			t.Errorf("%s is described in %d bytes", d.Name, len(d.Description))
		}
	}
	if sum > 900 {
		t.Errorf("the tools have %d bytes", sum)
	}
	for _, message := range []string{
		"please make a note that the key is with Ann", "notier dir, dass Ann kommt", "Запиши: ключ у Ани", "记下钥匙在小安那里", "notier dir das",
	} {
		if found := skills.Search([]skills.Skill{s}, message, 0); len(found) != 1 || found[0].Score < 1 {
			t.Errorf("%q finds %v", message, found)
		}
	}
	for _, tool := range s.Tools {
		for _, line := range tools.DefOf(tool).Examples {
			_, line, _ = strings.Cut(line, " ")
			if _, err := tools.ParseCommand(tool, line); err != nil {
				t.Errorf("%s: %q: %v", tool.Name(), line, err)
			}
		}
	}
}

func TestPowers(t *testing.T) {
	want := map[string]tools.Capabilities{
		"note_add": tools.Writes | tools.Persists, "note_find": tools.Reads | tools.Private, "note_remove": tools.Writes | tools.Private,
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

func TestADay(t *testing.T) {
	w := newWorld(t)
	if got := w.find("", ""); got != "there are no notes yet" {
		t.Errorf("at first: %s", got)
	}
	w.add("oat milk", "Shopping")
	w.day = w.day.AddDate(0, 0, 1)
	res := w.add("bread", "shopping")
	w.add("the wifi password is hunter2", "")
	if len(res.Effects) != 1 || res.Effects[0].Kind != "edited" || res.Effects[0].Target != "notes/shopping.md" {
		t.Errorf("the effects are %+v", res.Effects)
	}
	if diff := cmp.Diff("# shopping\n\n- 2026-11-22 oat milk\n- 2026-11-23 bread\n", w.Page("shopping.md")); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
	numbers := regexp.MustCompile(`#\d{4} `)
	for _, c := range []struct{ query, topic, want string }{
		{"", "", "3 notes, the newest first; topics: general (1), shopping (2)\n(general, 2026-11-23) the wifi password is hunter2\n" +
			"(shopping, 2026-11-23) bread\n(shopping, 2026-11-22) oat milk"},
		{"", "shopping", "2 notes in shopping, the newest first:\n(shopping, 2026-11-23) bread\n(shopping, 2026-11-22) oat milk"},
		{"PASSWORD wifi", "", "1 note, the newest first:\n(general, 2026-11-23) the wifi password is hunter2"},
		{"wifi", "shopping", "nothing in the topic shopping, but in others:\n(general, 2026-11-23) the wifi password is hunter2"},
		{"what is the wifi key", "", "no note has all of these words; the nearest are:\n(general, 2026-11-23) the wifi password is hunter2"},
		{"ferry", "", "no note has these words; topics: general (1), shopping (2)"},
		{"", "car", "there is nothing in the topic car; topics: general (1), shopping (2)"},
	} {
		if diff := cmp.Diff(c.want, numbers.ReplaceAllString(w.find(c.query, c.topic), "")); diff != "" {
			t.Errorf("%q in %q (-want +got):\n%s", c.query, c.topic, diff)
		}
	}
	if again := w.add("bread", "notes/shopping.md"); len(again.Effects) > 0 || !strings.HasPrefix(again.Text, "this is noted already: #") {
		t.Errorf("noted twice: %+v", again)
	}
	if got := w.Must("note_remove", map[string]string{"note": "MILK"}); !strings.HasPrefix(got.Text, "removed: #") || len(got.Effects) != 1 {
		t.Errorf("removed: %+v", got)
	}
	if diff := cmp.Diff("# shopping\n\n- 2026-11-23 bread\n", w.Page("shopping.md")); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
}

// Chinese is written without blanks, and a question is more than the words of the note.
func TestOtherScripts(t *testing.T) {
	w := newWorld(t)
	w.add("洗衣机坏了，WiFi密码是hunter2", "家")
	w.add("Ёлка куплена", "Дом")
	w.add("Der SCHLÜSSEL liegt unter dem Topf", "Schlüssel & Co.")
	for query, want := range map[string]string{
		"衣机": "洗衣机", "wifi密码": "洗衣机", "洗衣机": "洗衣机", "елка": "Ёлка", "ЁЛКА": "Ёлка", "schlüssel": "SCHLÜSSEL", "topf unter": "SCHLÜSSEL",
		"ёлку": "Ёлка", "Schlüssels": "SCHLÜSSEL",
	} {
		if got := w.find(query, ""); !strings.HasPrefix(got, "1 note,") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", query, got)
		}
	}
	if got := w.find("洗衣机在哪里", ""); !strings.Contains(got, "the topics") && !strings.Contains(got, "nearest") && !strings.Contains(got, "no note") {
		t.Errorf("a question: %s", got)
	}
	w.Page("schlüssel-co.md")
	w.Page("家.md")
}

// A number means the same note while others come and go; who means two notes is told both.
func TestRemoveTakesOne(t *testing.T) {
	w := newWorld(t)
	for _, text := range []string{"milk", "milk and bread", "bread", "eggs"} {
		w.add(text, "shopping")
	}
	w.add("eggs", "farm")
	number := func(text, topic string) string {
		for line := range strings.Lines(w.find("", topic)) {
			if id, said, ok := strings.Cut(line, " "); ok && strings.HasSuffix(said, ") "+text+"\n") || strings.HasSuffix(said, ") "+text) {
				return id
			}
		}
		t.Fatalf("%s is not in %s", text, topic)
		return ""
	}
	eggs := number("eggs", "shopping")
	before := w.Page("shopping.md")
	said := w.fails("note_remove", map[string]string{"note": "eggs"}, event.CodeInvalidValue)
	if !strings.Contains(said, eggs) || !strings.Contains(said, number("eggs", "farm")) || !strings.HasPrefix(said, "2 notes could be meant; nothing was removed") {
		t.Errorf("two notes: %s", said)
	}
	if said := w.fails("note_remove", map[string]string{"note": "bread and", "topic": "farm"}, event.CodeInvalidValue); !strings.Contains(said, "not in the topic farm") {
		t.Errorf("another topic: %s", said)
	}
	for _, ref := range []string{"cheese", "", "#0000", "9"} {
		w.fails("note_remove", map[string]string{"note": ref}, event.CodeInvalidValue)
	}
	if diff := cmp.Diff(before, w.Page("shopping.md")); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	w.Must("note_remove", map[string]string{"note": "milk"}) // just that, and not that and bread
	w.Must("note_remove", map[string]string{"note": eggs})
	w.Must("note_remove", map[string]string{"note": strings.TrimPrefix(number("bread", "shopping"), "#")})
	if diff := cmp.Diff("# shopping\n\n- 2026-11-22 milk and bread\n", w.Page("shopping.md")); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	whole := strings.Split(w.find("", "farm"), "\n")[1]
	w.Must("note_remove", map[string]string{"note": whole})
	if got := w.find("", "farm"); !strings.HasPrefix(got, "there is nothing in the topic farm") {
		t.Errorf("left: %s", got)
	}
}

// A number alone is that of a note or a word of one, and no digit of its date or of another number.
func TestRemove_Number(t *testing.T) {
	w := newWorld(t)
	w.Must("note_add", map[string]string{"text": "12 eggs"})
	for _, ref := range []string{"1", "2", "20"} {
		w.fails("note_remove", map[string]string{"note": ref}, event.CodeInvalidValue)
	}
	w.Must("note_remove", map[string]string{"note": "12"})
}

// People write what they like, and their lines stay as they are.
func TestPagesOfPeople(t *testing.T) {
	w := newWorld(t)
	page := "\ufeff# House\r\n\r\nThe meter is\r\nin the cellar.\r\n\r\n* key: Ann\r\n  - spare: Bob\r\n\r\n  below the pot\r\n---\r\n1. first\r\n- [x] 2026-01-02 painted"
	w.Write("My House.md", page)
	w.Write("empty.md", "")
	w.Write("binary.md", "\x00\x01")
	w.Write("other.txt", "wifi")
	got := w.find("", "my house")
	for _, want := range []string{"4 notes in my-house", ") The meter is / in the cellar.", ") key: Ann / - spare: Bob / below the pot", ") first", ") [x] 2026-01-02 painted",
		"not read: notes/binary.md is no text"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	w.add("new", "My_House")
	if diff := cmp.Diff(page+"\n- 2026-11-22 new\n", w.Page("My House.md")); diff != "" {
		t.Errorf("after adding (-want +got):\n%s", diff)
	}
	w.Must("note_remove", map[string]string{"note": "spare"})
	want := "\ufeff# House\r\n\r\nThe meter is\r\nin the cellar.\r\n\r\n---\r\n1. first\r\n- [x] 2026-01-02 painted\n- 2026-11-22 new\n"
	if diff := cmp.Diff(want, w.Page("My House.md")); diff != "" {
		t.Errorf("after removing (-want +got):\n%s", diff)
	}
	w.fails("note_add", map[string]string{"text": "x", "topic": "binary"}, event.CodeInvalidFormat)
}

// However hostile a text is, it is one note in one line.
func TestHostileText(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\r\n\r\n c":              "a / b / c",
		"- [ ] x\n- [ ] y":            "- [ ] x / - [ ] y",
		"# heading":                   "# heading",
		"---":                         "---",
		"  \t- x":                     "- x",
		"a\u2028b\u0085c\vd":          "a / b / c / d",
		"a\x00b\x1b[31mc\u202ed":      "ab[31mcd",
		"\u3000 wide\u00a0blank ":     "wide blank",
		"```\ncode\n```":              "``` / code / ```",
		"2026-12-24 dentist":          "2026-12-24 dentist",
		"\xff\xfe":                    "\ufffd\ufffd",
		"👩‍👩‍👧":                       "👩‍👩‍👧",
		"../../etc/passwd <!-- x -->": "../../etc/passwd <!-- x -->",
	} {
		w := newWorld(t)
		w.add("first", "")
		w.add(text, "")
		w.add("last", "")
		if diff := cmp.Diff("# general\n\n- 2026-11-22 first\n- 2026-11-22 "+want+"\n- 2026-11-22 last\n", w.Page("general.md")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if got := w.find("", ""); strings.Count(got, "#") < 3 || !strings.HasPrefix(got, "3 notes") || !strings.Contains(got, ") "+want+"\n") {
			t.Errorf("%q is found as:\n%s", text, got)
		}
	}
	w := newWorld(t)
	w.fails("note_add", map[string]string{"text": strings.Repeat("x", 100_000)}, event.CodeInvalidValue)
	w.fails("note_add", map[string]string{"text": " \n\x00\u202e"}, event.CodeRequiredField)
	for _, topic := range []string{"../../x", "/etc/x", ".hob-tmp-x", "a\x00b", strings.Repeat("長い", 500), "...", ".git"} {
		w.add("x", topic)
	}
	outside, err := filepath.Glob(filepath.Join(w.Dir, "*"))
	if err != nil || len(outside) != 1 {
		t.Errorf("in the workspace are %v, %v", outside, err)
	}
}

// Where a note comes from is known wherever it is found.
func TestLabels(t *testing.T) {
	w := newWorld(t)
	w.add("mine", "home")
	w.from(strange()).add("theirs", "web")
	find := func(query, topic string) event.Label {
		return w.Must("note_find", map[string]string{"query": query, "topic": topic}).Label
	}
	own := event.Label{Private: true, Source: "file:notes/home.md"}
	if diff := cmp.Diff(own, find("mine", "")); diff != "" {
		t.Errorf("an own note (-want +got):\n%s", diff)
	}
	for _, l := range []event.Label{find("theirs", ""), find("", "web"), find("", ""), find("unknown", "")} {
		if !l.Untrusted || !l.Private {
			t.Errorf("a note of a stranger has the label %+v", l)
		}
	}
	if res := w.add("more", "home"); res.Label != (event.Label{}) {
		t.Errorf("writing tells nothing, and has the label %+v", res.Label)
	}
	res, err := w.Call("note_remove", map[string]string{"note": "nothing"})
	if err == nil || !res.Label.Untrusted {
		t.Errorf("what is not there: %+v, %v", res.Label, err)
	}
	if res = w.Must("note_remove", map[string]string{"note": "theirs"}); !res.Label.Untrusted {
		t.Errorf("what was removed has the label %+v", res.Label)
	}
}

// It is undone like any other change.
func TestUndo(t *testing.T) {
	w := newWorld(t)
	w.add("one", "")
	w.add("two", "")
	w.Must("note_remove", map[string]string{"note": "one"})
	all, err := w.Log.Since(t.Context(), 0)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d changes, %v", len(all), err)
	}
	if got := []string{all[0].Tool, all[2].Tool}; !slices.Equal(got, []string{"note_add", "note_remove"}) && !slices.Equal(got, []string{"note_remove", "note_add"}) {
		t.Errorf("they are of %v", got)
	}
	newest := slices.MaxFunc(all, func(a, b event.Change) int { return int(a.ID - b.ID) })
	if _, err := w.Files.Changes().Undo(t.Context(), all, []int64{newest.ID}, changes.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := w.find("one", ""); !strings.HasPrefix(got, "1 note,") {
		t.Errorf("brought back: %s", got)
	}
}

func TestReadOnlyWorkspace(t *testing.T) {
	w := newWorld(t, func(c *files.Config) { c.ReadOnly = true })
	w.Write("general.md", "- one\n")
	w.fails("note_add", map[string]string{"text": "x"}, event.CodeReadOnly)
	w.fails("note_remove", map[string]string{"note": "one"}, event.CodeReadOnly)
	if got := w.find("one", ""); !strings.HasPrefix(got, "1 note,") {
		t.Error(got)
	}
}

// A link that leaves the workspace is not followed.
func TestLinks(t *testing.T) {
	w := newWorld(t)
	out := t.TempDir()
	if err := os.Symlink(out, filepath.Join(w.Dir, "notes")); err != nil {
		t.Fatal(err)
	}
	w.fails("note_add", map[string]string{"text": "x"}, event.CodePermissionDenied)
}

// Of many who write at once, nobody's note is lost.
func TestAddersAtOnce(t *testing.T) {
	w := newWorld(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := w.Call("note_add", map[string]string{"text": fmt.Sprint("note ", i), "topic": fmt.Sprint("t", i%2)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 20 {
		if n := strings.Count(w.Page(fmt.Sprintf("t%d.md", i%2)), fmt.Sprintf(" note %d\n", i)); n != 1 {
			t.Errorf("note %d stands there %d times", i, n)
		}
	}
}
