package lists_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// thing is an item of the model.
type thing struct {
	text   string
	ticked bool
}

// Whatever is added, ticked and removed, what is left is what a plain list would hold, each as it was written; and what was
// done is taken back step by step, to the same bytes.
func TestListsAreLists(t *testing.T) {
	outer := newWorld(t)
	rapid.Check(t, func(t *rapid.T) {
		w := *outer
		w.T = t
		if err := os.RemoveAll(filepath.Join(w.Dir, "lists")); err != nil {
			t.Fatal(err)
		}
		text := rapid.StringMatching(`[-*+#>0-9a-cA-Cäё洗衣 \]\[.)/_=]{0,8}[a-c]`)
		var model []thing
		at := func(said string) int {
			for i, one := range model {
				if strings.EqualFold(one.text, said) {
					return i
				}
			}
			return -1
		}
		was := []string{""} // the page before each change
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			before := w.Page("home.md")
			said := text.Draw(t, "text")
			if len(model) > 0 && rapid.Bool().Draw(t, "known") {
				said = rapid.SampledFrom(model).Draw(t, "which").text
			}
			in := args{"list": "home", "items": []string{said}}
			switch tool := rapid.SampledFrom([]string{"list_add", "list_tick", "open", "list_remove", "ticked", "all"}).Draw(t, "tool"); tool {
			case "list_add":
				w.Must(tool, in)
				lines := strings.Split(strings.TrimSpace(w.Page("home.md")), "\n")
				written := strings.TrimPrefix(lines[len(lines)-1], "- [ ] ")
				if i := at(said); i >= 0 {
					model[i].ticked = false
				} else if at(written) < 0 {
					model = append(model, thing{text: written})
				}
			case "ticked", "all":
				res, err := w.Call("list_remove", args{"list": "home", tool: true})
				if err != nil {
					if len(was) > 1 {
						t.Fatalf("%s: %v", tool, err)
					}
					continue // there is no list yet
				}
				var left []thing
				for _, one := range model {
					if tool == "ticked" && !one.ticked {
						left = append(left, one)
					}
				}
				if (len(left) < len(model)) != (len(res.Effects) == 1) {
					t.Fatalf("%s: %+v", tool, res)
				}
				model = left
			default:
				i := at(said)
				if i < 0 {
					continue // who means it in other words is another test's
				}
				if tool == "open" {
					in["open"], tool = true, "list_tick"
				}
				w.Must(tool, in)
				if tool == "list_remove" {
					model = append(model[:i:i], model[i+1:]...)
				} else {
					model[i].ticked = in["open"] == nil
				}
			}
			if after := w.Page("home.md"); after != before {
				was = append(was, before)
			}
			want := "# home\n\n"
			for _, one := range model {
				box := "- [ ] "
				if one.ticked {
					box = "- [x] "
				}
				want += box + one.text + "\n"
			}
			if got := w.Page("home.md"); got != want && (got != "" || len(model) > 0) {
				t.Fatalf("the page is\n%s\nwant\n%s", got, want)
			}
		}
		for i := len(was) - 1; i > 0; i-- {
			w.undo()
			if got := w.Page("home.md"); got != was[i] {
				t.Fatalf("taken back to step %d it is\n%s\nwant\n%s", i, got, was[i])
			}
		}
	})
}

// Of a page that people wrote, whatever is done to its items changes no line but theirs, and undo brings back each byte.
func TestOtherLinesStay(t *testing.T) {
	outer := newWorld(t)
	rapid.Check(t, func(t *rapid.T) {
		w := *outer
		w.T = t
		line := rapid.SampledFrom([]string{
			"# Heading", "", "a paragraph", "- [ ] milk", "* eggs", "  - [x] rye", "  below it", "\tbelow, too", "1. cheese", "- [X]  Milk", "---", "-", "- [ ]", "> quote",
		})
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		page := strings.Join(rapid.SliceOfN(line, 1, 10).Draw(t, "lines"), end) + rapid.SampledFrom([]string{"", end}).Draw(t, "last")
		w.Write("home.md", page)
		items := []string{rapid.SampledFrom([]string{"milk", "eggs", "rye", "cheese", "new"}).Draw(t, "item")}
		tool := rapid.SampledFrom([]string{"list_add", "list_tick", "list_remove"}).Draw(t, "tool")
		res, err := w.Call(tool, args{"list": "home", "items": items})
		after := w.Page("home.md")
		if (err != nil || len(res.Effects) == 0) != (after == page) {
			t.Fatalf("%s: %+v, %v, and the page is %q, was %q", tool, res, err, after, page)
		}
		word := items[0]
		other := func(text string) (lines []string) { // those that are not the item's
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\r\n")
				if line != "" && !strings.Contains(strings.ToLower(line), word) && !strings.Contains(line, "below") {
					lines = append(lines, line)
				}
			}
			return lines
		}
		if a, b := strings.Join(other(page), "\n"), strings.Join(other(after), "\n"); a != b && strings.TrimSpace(page) != "" {
			t.Fatalf("%s %s made of %q the page %q", tool, word, page, after)
		}
		if after != page {
			w.undo()
			if got := w.Page("home.md"); got != page {
				t.Fatalf("taken back it is %q, was %q", got, page)
			}
		}
	})
}
