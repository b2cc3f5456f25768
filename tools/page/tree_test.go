package page

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// chance is what differs each time: times, ports, records, IDs.
var chance = regexp.MustCompile(`\w{3} \d{1,2} \w{3} \d{4}, \d\d:\d\d|\d\d:\d\d|127\.0\.0\.1:\d+|record [0-9a-f]+`)

// pace is how long a call took, which is left out where it was no time.
var pace = regexp.MustCompile(` \d+ ms\b`)

// tree returns the accessibility tree of the page, as screen readers have it: a line for each element, its role, name and state.
func (b *tab) tree() string {
	b.h.t.Helper()
	ctx, cancel := waiting(b.ctx)
	defer cancel()
	all, err := chromedp.Run(ctx, func(ctx context.Context, target *chromedp.Target) ([]*accessibility.Node, error) {
		r, err := cdp.Call(ctx, target, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		return r.Nodes, err
	})
	if err != nil {
		b.fatalf("read the accessibility tree: %v", err)
	}
	byID := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range all {
		byID[n.NodeID] = n
	}
	value := func(v *accessibility.Value) string {
		if v == nil {
			return ""
		}
		var text string
		if json.Unmarshal(v.Value, &text) != nil {
			text = string(v.Value)
		}
		return strings.ReplaceAll(text, "\n", "⏎")
	}
	var out strings.Builder
	var walk func(n *accessibility.Node, depth int, named bool)
	walk = func(n *accessibility.Node, depth int, named bool) {
		role := value(n.Role)
		shown := !n.Ignored && role != "InlineTextBox" && role != "none" && role != "generic" && role != "LineBreak" && role != "ListMarker" &&
			!(role == "form" && value(n.Name) == "") && // some versions of Chromium leave it out
			!(named && role == "StaticText") // the words are the name
		if shown {
			line := strings.Repeat("  ", depth) + role
			if name := value(n.Name); name != "" {
				line += " " + name
			}
			for _, p := range n.Properties {
				switch name := string(p.Name); name {
				case "pressed", "expanded", "live", "busy", "autocomplete", "multiline":
					if v := value(p.Value); v != "false" && v != "none" {
						line += " [" + name + "=" + v + "]"
					}
				}
			}
			out.WriteString(line + "\n")
			depth++
			named = value(n.Name) != ""
		}
		for _, id := range n.ChildIDs {
			if child := byID[id]; child != nil {
				walk(child, depth, named)
			}
		}
	}
	walk(all[0], 0, false)
	return chance.ReplaceAllString(pace.ReplaceAllString(out.String(), ""), "…")
}

// What a screen reader has of a chat with a reply, a call, a receipt and a question.
func TestTheAccessibilityTree(t *testing.T) {
	notShort(t)
	_, b := furnish(t)
	b.resize(360, 800, "light")
	b.open(b.h.url("/"))
	b.live()
	b.shows("#status", "hob asks")
	got, golden := b.tree(), filepath.Join("testdata", "chat.tree")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the tree is\n%s\nand not\n%s\n-update accepts it", got, want)
	}
}
