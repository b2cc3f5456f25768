package replies

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// TestReplies reads the labelled replies and prints, with -v, how many of each shape are read right. A shape alone is
// -run TestReplies/NAME/. It fails where a shape has less than 80 %, where more than 0.2 % of the replies that are prose run
// something or 5 % are asked about, and where a damaged call runs with other arguments in a tool that acts.
func TestReplies(t *testing.T) {
	box, all, err := Read(os.DirFS("../testdata/replies"), "hand.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	shapes := map[string][]Reply{}
	for _, r := range append(all, Generate(all)...) {
		shapes[r.Shape] = append(shapes[r.Shape], r)
	}
	var table []tally
	var sum, prose tally
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		t.Run(shape, func(t *testing.T) {
			tl := tally{shape: shape}
			for _, r := range shapes[shape] {
				read := readReply(box, r)
				how := judge(box, r.Want, read)
				tl.add(how, r.Want.RunOnly && how == wrong && !box.Look(read.ran))
				if r.Want.Class == ClassText {
					prose.add(how, false)
				}
				if how != right && how != asked && tl.n-tl.right-tl.asked <= 3 {
					t.Logf("%s: %.300q ran %v", how, r.Raw, read.ran)
				}
			}
			table = append(table, tl)
			sum.merge(tl)
		})
	}
	slices.SortStableFunc(table, func(a, b tally) int { return cmp.Compare(a.share(), b.share()) })
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-26s %5s %6s %6s %9s %6s %6s %9s %6s\n", "shape", "n", "right", "asked", "needless", "lost", "wrong", "damaged", "%")
	for _, tl := range append(table, sum) {
		fmt.Fprintf(&b, "%-26s %5d %6d %6d %9d %6d %6d %9d %6.1f\n",
			cmp.Or(tl.shape, "all"), tl.n, tl.right, tl.asked, tl.needless, tl.lost, tl.wrong, tl.damaged, tl.share())
	}
	fmt.Fprintf(&b, "prose: %d, run %d, asked %d; damaged, run with other arguments in a tool that acts: %d", prose.n, prose.wrong, prose.needless, sum.damaged)
	t.Log(b.String())
	for _, tl := range table {
		if tl.share() < 80 {
			t.Errorf("of the shape %s only %.1f %% are read right", tl.shape, tl.share())
		}
	}
	if 500*prose.wrong > prose.n || 20*prose.needless > prose.n {
		t.Errorf("of %d replies that are prose %d run something and %d are asked about", prose.n, prose.wrong, prose.needless)
	}
	if sum.damaged > 0 {
		t.Errorf("%d damaged calls run with other arguments in tools that act", sum.damaged)
	}
}

// TestReplies_Others reads the replies that were written without a look at the reader, and prints, with -v, those that are not
// read right. It fails where fewer are right than of each hundred must be, or more are lost or run something else than may.
func TestReplies_Others(t *testing.T) {
	for _, of := range []struct {
		name, dir, file       string
		least, lost, needless int
		wrong                 int
	}{
		{"blind", "", "blind.jsonl", 90, 10, 10, 0},
		{"stranger", "stranger", "replies.jsonl", 98, 0, 1, 1},
		{"frameworks", "", "frameworks.jsonl", 95, 0, 2, 0},
	} {
		t.Run(of.name, func(t *testing.T) {
			box, all, err := Read(os.DirFS(path.Join("../testdata/replies", of.dir)), of.file)
			if err != nil {
				t.Fatal(err)
			}
			var sum tally
			for _, r := range all {
				read := readReply(box, r)
				how := judge(box, r.Want, read)
				sum.add(how, false)
				if how != right {
					t.Logf("%s, %s %s: %q ran %v", r.Shape, r.Want.Class, how, r.Raw, read.ran)
				}
			}
			t.Logf("of %d: right %d, asked %d, needless %d, lost %d, wrong %d", sum.n, sum.right, sum.asked, sum.needless, sum.lost, sum.wrong)
			if sum.wrong > of.wrong || sum.share() < float64(of.least) || sum.lost > of.lost || sum.needless > of.needless {
				t.Errorf("%.1f %% are read right, %d are lost, %d are asked about, %d run something else", sum.share(), sum.lost, sum.needless, sum.wrong)
			}
		})
	}
}

// Of no labelled reply more is shown while it is written, letter by letter, than it says in the end.
func TestReplies_Screen(t *testing.T) {
	for dir, file := range map[string]string{"": "frameworks.jsonl", "stranger": "replies.jsonl"} {
		box, all, err := Read(os.DirFS(path.Join("../testdata/replies", dir)), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			offer := offerOf(box, r.Tools)
			seen, atOnce := watched(offer, strings.Split(r.Raw, "")), watched(offer, []string{r.Raw})
			if got := offer.Read(toolcall.Wire{Message: llm.Message{Text: r.Raw}}); !strings.HasPrefix(got.Text, seen) {
				t.Errorf("of %q there was shown %q, but it says %q (%s)", r.Raw, seen, got.Text, got.Class)
			}
			if !strings.HasPrefix(seen, atOnce) && !strings.HasPrefix(atOnce, seen) {
				t.Errorf("of %q there was shown %q in pieces, and %q at once", r.Raw, seen, atOnce)
			}
		}
	}
}

// watched is what a person saw of a reply that came in pieces.
func watched(o *toolcall.Offer, pieces []string) (seen string) {
	s := o.Screen(toolcall.Wire{})
	for _, piece := range pieces {
		more := s.Add(piece)
		if s.Restarted() {
			seen = ""
		}
		seen += more
	}
	return seen
}

// BenchmarkReplies reads all labelled replies once. It prints the milliseconds of one reply and of a kilobyte.
func BenchmarkReplies(b *testing.B) {
	box, all, err := Read(os.DirFS("../testdata/replies"), "hand.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	all = append(all, Generate(all)...)
	offers := map[string]*toolcall.Offer{}
	for set := range box.Sets {
		offers[set] = offerOf(box, set)
	}
	size := 0
	for _, r := range all {
		size += len(r.Raw)
	}
	for b.Loop() {
		for _, r := range all {
			offers[r.Tools].Read(wireOf(r))
		}
	}
	ms := float64(b.Elapsed().Microseconds()) / 1000 / float64(b.N)
	b.ReportMetric(ms/float64(len(all)), "ms/reply")
	b.ReportMetric(ms/float64(size)*1024, "ms/KB")
}

// BenchmarkProse reads the labelled replies once in which nothing is called.
func BenchmarkProse(b *testing.B) {
	box, all, err := Read(os.DirFS("../testdata/replies"), "hand.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	size := 0
	all = slices.DeleteFunc(all, func(r Reply) bool { return len(r.Want.Calls) > 0 })
	for _, r := range all {
		size += len(r.Raw)
	}
	offer := offerOf(box, all[0].Tools)
	for b.Loop() {
		for _, r := range all {
			offer.Read(wireOf(r))
		}
	}
	ms := float64(b.Elapsed().Microseconds()) / 1000 / float64(b.N)
	b.ReportMetric(ms/float64(len(all)), "ms/reply")
	b.ReportMetric(ms/float64(size)*1024, "ms/KB")
}

// The ways a reply is read, against its label.
const (
	right    = "right"
	asked    = "asked"    // and no person would mind: the tool acts, or the arguments are damaged
	needless = "needless" // asked, where the calls were clear or none was meant
	lost     = "lost"     // shown as text, or a call left out
	wrong    = "wrong"    // something ran that should not have
)

type tally struct {
	shape                           string
	n, right, asked, needless, lost int
	wrong, damaged                  int // damaged: of the wrong ones, damaged arguments in a tool that acts
}

func (tl *tally) add(how string, damaged bool) {
	tl.n++
	switch how {
	case right:
		tl.right++
	case asked:
		tl.asked++
	case needless:
		tl.needless++
	case lost:
		tl.lost++
	case wrong:
		tl.wrong++
	}
	if damaged {
		tl.damaged++
	}
}

func (tl *tally) merge(o tally) {
	tl.n, tl.right, tl.asked, tl.needless = tl.n+o.n, tl.right+o.right, tl.asked+o.asked, tl.needless+o.needless
	tl.lost, tl.wrong, tl.damaged = tl.lost+o.lost, tl.wrong+o.wrong, tl.damaged+o.damaged
}

// share is the share in percent that is right, or asked about where that is as good.
func (tl tally) share() float64 { return 100 * float64(tl.right+tl.asked) / float64(max(tl.n, 1)) }

// outcome is what the reader makes of a reply: what runs, and whether the model is asked again.
type outcome struct {
	ran   []Call
	asked bool
}

// offerOf returns the offer of a set of tools.
func offerOf(box Box, set string) *toolcall.Offer {
	var defs []llm.ToolDefinition
	for _, tool := range box.Set(set) {
		var d struct {
			Function struct {
				Description string
				Parameters  json.RawMessage
			}
		}
		if err := json.Unmarshal(tool.Raw, &d); err != nil {
			panic(err) // testdata, which TestCorpus holds
		}
		defs = append(defs, llm.ToolDefinition{Name: tool.Name, Description: d.Function.Description, Parameters: d.Function.Parameters})
	}
	return toolcall.NewOffer(defs, func(tool string) bool { return !slices.Contains(box.Looks, tool) })
}

func wireOf(r Reply) toolcall.Wire {
	return toolcall.Wire{Message: llm.Message{Role: llm.AssistantRole, Text: r.Raw}, Truncated: r.DoneReason == "length"}
}

func readReply(box Box, r Reply) outcome {
	got := offerOf(box, r.Tools).Read(wireOf(r))
	out := outcome{asked: got.Class != toolcall.Calls && got.Class != toolcall.Text}
	for _, c := range got.Calls {
		if !c.Valid() {
			continue
		}
		call := Call{Name: c.Name}
		if err := json.Unmarshal(c.Args, &call.Arguments); err != nil {
			call.Arguments = map[string]any{"": string(c.Args)} // equals nothing
		}
		out.ran = append(out.ran, call)
	}
	return out
}

// judge holds what became of a reply against its label. What runs out of a reply that leaves doubt must only look.
func judge(box Box, want Label, got outcome) string {
	within := allOf(got.ran, want.Calls)
	switch {
	case want.Class == ClassText:
		switch {
		case len(got.ran) > 0:
			return wrong
		case got.asked:
			return needless
		}
		return right
	case !within:
		return wrong
	case want.Class == ClassAsk:
		switch {
		case !box.Look(got.ran):
			return wrong
		case got.asked, len(got.ran) > 0:
			return right
		}
		return lost
	case len(got.ran) == len(want.Calls):
		return right
	case !got.asked:
		return lost
	case want.RunOnly, !box.Look(want.Calls):
		return asked
	}
	return needless
}

// allOf says whether all calls of some are among those of all, each as often at most.
func allOf(some, all []Call) bool {
	left := slices.Clone(all)
	for _, c := range some {
		i := slices.IndexFunc(left, func(o Call) bool { return reflect.DeepEqual(o, c) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// Each way to read a reply is told from the others.
func TestReplies_Judge(t *testing.T) {
	box := Box{Looks: []string{"look"}}
	look, act := Call{Name: "look"}, Call{Name: "act"}
	other := Call{Name: "act", Arguments: map[string]any{"n": 1.0}}
	for _, c := range []struct {
		class string
		calls []Call
		only  bool
		got   outcome
		how   string
	}{
		{"text", nil, false, outcome{}, right},
		{"text", nil, false, outcome{asked: true}, needless},
		{"text", nil, false, outcome{ran: []Call{look}}, wrong},
		{"call", []Call{act}, false, outcome{ran: []Call{act}}, right},
		{"call", []Call{act}, false, outcome{asked: true}, asked},
		{"call", []Call{act}, false, outcome{}, lost},
		{"call", []Call{act}, false, outcome{ran: []Call{other}}, wrong},
		{"call", []Call{act}, false, outcome{ran: []Call{act, act}}, wrong},
		{"call", []Call{look}, false, outcome{asked: true}, needless},
		{"call", []Call{look}, true, outcome{asked: true}, asked},
		{"call", []Call{look, act}, false, outcome{ran: []Call{look}}, lost},
		{"call", []Call{look, act}, false, outcome{ran: []Call{look}, asked: true}, asked},
		{"ask", nil, false, outcome{asked: true}, right},
		{"ask", nil, false, outcome{}, lost},
		{"ask", nil, false, outcome{ran: []Call{look}}, wrong},
		{"ask", []Call{look}, false, outcome{ran: []Call{look}}, right},
		{"ask", []Call{act}, false, outcome{ran: []Call{act}}, wrong},
	} {
		if how := judge(box, Label{Class: c.class, Calls: c.calls, RunOnly: c.only}, c.got); how != c.how {
			t.Errorf("%s %v, only %v, read as %+v: %s, want %s", c.class, c.calls, c.only, c.got, how, c.how)
		}
	}
}
