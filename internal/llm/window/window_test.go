package window

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/llm"
)

func TestBudgets(t *testing.T) {
	type budgets struct{ Room, Trigger, Target, Share, Rounds int }
	for _, c := range []struct {
		size int
		rate Rate
		want budgets
	}{
		{0, 0, budgets{0, 0, 0, 400, 1}},
		{1024, 0, budgets{256, 217, 102, 400, 1}}, // the reply's 768 tokens leave a quarter
		{2048, 0, budgets{1280, 1088, 512, 672, 1}},
		{4096, 0, budgets{3328, 2828, 1331, 1400, 1}},
		{4096, 2, budgets{3328, 2828, 1331, 700, 1}},
		{6144, 0, budgets{5376, 4435, 2150, 2450, 1}},
		{8192, 0, budgets{6656, 5324, 2662, 3500, 2}},
		{16384, 0, budgets{14336, 10752, 5734, 7000, 3}},
		{24576, 0, budgets{22528, 17459, 9574, 10500, 3}},
		{32768, 0, budgets{28672, 22937, 12902, 14000, 4}},
		{131072, 0, budgets{126976, 101580, 57139, 14000, 4}},
		{131072, 0.1, budgets{126976, 101580, 57139, 28000, 4}}, // a rate below a half counts as a half
		{3000, 0, budgets{2232, 1897, 892, 1172, 1}},
	} {
		w := Window{Size: c.size, Reserve: OutputTokens(c.size), Rate: c.rate}
		got := budgets{w.Room(), w.Trigger(), w.Target(), w.Share(), w.Rounds()}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%d at %v (-want +got)\n%s", c.size, c.rate, diff)
		}
	}
}

// A result that comes when the prompt has just not reached Trigger still fits into Room.
func TestShareFitsBehindTrigger(t *testing.T) {
	w := Window{Size: 4096, Reserve: 3000} // 1096 tokens of room, 165 of them behind trigger
	if got, want := w.Share(), 165*7/2; got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	for size := 2048; size <= 1<<17; size += 64 {
		for _, rate := range []Rate{0, 0.5, 1.3, 2} {
			w := Window{Size: size, Reserve: OutputTokens(size), Rate: rate}
			trigger, _ := w.Limits(1060)
			result := w.Count(Tokens(llm.Message{Role: llm.ToolRole, Text: strings.Repeat("x", w.Share())}) - perMessage)
			if w.Share() > minShare && 1060+trigger+result > w.Room() {
				t.Errorf("%d at %v: %d and %d behind it, more than %d", size, rate, 1060+trigger, result, w.Room())
			}
		}
	}
}

func TestRoomIsAtLeastAQuarter(t *testing.T) {
	for _, w := range []Window{{Size: 4096, Reserve: 4000}, {Size: 4096, Reserve: 9000}} {
		if got := w.Room(); got != 1024 {
			t.Errorf("%+v: %d tokens", w, got)
		}
	}
}

func TestOutputTokens(t *testing.T) {
	for size, want := range map[int]int{
		0: 768, 4096: 768, 8191: 768, 8192: 1536, 16383: 1536, 16384: 2048, 32767: 2048, 32768: 4096, 1 << 20: 4096,
	} {
		if got := OutputTokens(size); got != want {
			t.Errorf("of %d: %d, want %d", size, got, want)
		}
	}
}

func TestBudgetsNeverFallAsTheContextGrows(t *testing.T) {
	last := Window{}
	for size := 256; size <= 1<<17; size += 64 {
		w := Window{Size: size, Reserve: 512}
		for name, f := range map[string]func(Window) int{
			"Room": Window.Room, "Trigger": Window.Trigger, "Target": Window.Target, "Share": Window.Share, "Rounds": Window.Rounds,
		} {
			if f(w) < f(last) {
				t.Errorf("%s of %d is %d, after %d", name, size, f(w), f(last))
			}
		}
		if w.Target() > w.Trigger() || w.Trigger() > w.Room() || w.Room() > w.Size {
			t.Errorf("%d: target %d, trigger %d, room %d", size, w.Target(), w.Trigger(), w.Room())
		}
		last = w
	}
}

func TestLimitsLeaveSomethingToWorkWith(t *testing.T) {
	w := Window{Size: 4096, Reserve: 768}
	type limits struct{ trigger, target int }
	for head, want := range map[int]limits{
		-1: {2828, 1331}, 0: {2828, 1331}, 300: {2528, 1031}, 1200: {1628, 542}, 5000: {0, 0},
	} {
		trigger, target := w.Limits(head)
		if got := (limits{trigger, target}); got != want {
			t.Errorf("with a head of %d: %v, want %v", head, got, want)
		}
	}
}

// A conversation that was made shorter needs as long as it has left to become too long again.
func TestTargetIsAtMostHalfOfTrigger(t *testing.T) {
	for size := 1024; size <= 1<<17; size += 64 {
		for _, head := range []int{0, 500, 1060, 3000} {
			w := Window{Size: size, Reserve: OutputTokens(size)}
			if trigger, target := w.Limits(head); target > trigger/2 || target < trigger/3 {
				t.Errorf("%d with a head of %d: target %d of %d", size, head, target, trigger)
			}
		}
	}
}

func TestRecent(t *testing.T) {
	for _, c := range []struct {
		rate       Rate
		head, want int
	}{{0, 1060, 321}, {1, 0, 514}, {2, 1060, 160}, {1, 5000, 0}} {
		if got := (Window{Size: 4096, Reserve: 768, Rate: c.rate}).Recent(c.head); got != c.want {
			t.Errorf("at %v with a head of %d: %d, want %d", c.rate, c.head, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		rate      Rate
		estimated int
		want      int
	}{
		{0, 1000, 1100}, {1, 1000, 1100}, {1.5, 1000, 1650}, {9, 1000, 3300}, {0.1, 1000, 550},
		{Rate(math.NaN()), 1000, 1100}, {1, 0, 0}, {1, -5, 0}, {1, 1, 2},
	} {
		if got := (Window{Rate: c.rate}).Count(c.estimated); got < c.want || got > c.want+1 {
			t.Errorf("%d at %v: %d, want %d", c.estimated, c.rate, got, c.want)
		}
	}
}

func TestLearn(t *testing.T) {
	for _, c := range []struct {
		name               string
		from               Rate
		estimated, counted int
		want               Rate
	}{
		{"the first count is believed", 0, 1000, 1300, 1.3},
		{"later ones move it a part of the way", 1, 1000, 2000, 1.3},
		{"too few estimated", 1.2, 64, 1000, 1.2},
		{"too few counted: the server cut the prompt, say", 1.2, 1000, 64, 1.2},
		{"nothing at all", 0, 0, 0, 0},
		{"at most 3", 0, 100, 100000, 3},
		{"at least a half", 0, 100000, 100, 0.5},
		{"a stored rate out of bounds", 50, 1000, 3000, 3},
		{"a stored rate that is no number", Rate(math.NaN()), 1000, 1300, 1.3},
	} {
		if got := c.from.Learn(c.estimated, c.counted); math.Abs(float64(got-c.want)) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Whatever is seen again and again is learned, from one side and never past it.
func TestLearnConvergesAndNeverOscillates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rate(rapid.Float64Range(0, 4).Draw(t, "from"))
		estimated := rapid.IntRange(65, 100000).Draw(t, "estimated")
		counted := rapid.IntRange(65, 300000).Draw(t, "counted")
		goal := min(max(float64(counted)/float64(estimated), 0.5), 3)
		r = r.Learn(estimated, counted)
		side := math.Signbit(float64(r) - goal)
		for range 40 {
			next := r.Learn(estimated, counted)
			far, near := math.Abs(float64(r)-goal), math.Abs(float64(next)-goal)
			if near > far+1e-9 || near > 1e-9 && math.Signbit(float64(next)-goal) != side {
				t.Fatalf("from %v to %v on the way to %v", r, next, goal)
			}
			r = next
		}
		if math.Abs(float64(r)-goal) > 0.01 {
			t.Fatalf("%v after 40 times %v", r, goal)
		}
	})
}

func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		name string
		req  llm.Request
		want int
	}{
		{"nothing", llm.Request{}, 0},
		{"the system text", llm.Request{System: strings.Repeat("a", 400)}, 8 + 100},
		{"English", says(strings.Repeat("word ", 80)), 8 + 100},
		{"Chinese", says(strings.Repeat("你好世", 100)), 8 + 200},
		{"Japanese and Korean", says(strings.Repeat("かな한", 100)), 8 + 200},
		{"Russian", says(strings.Repeat("слово", 100)), 8 + 200},
		{"accents", says(strings.Repeat("é", 100)), 8 + 40},
		{"emoji", says(strings.Repeat("🦊", 30)), 8 + 20},
		{"bytes that are no text", says(strings.Repeat("\xff", 100)), 8 + 40},
		{"JSON in a result", llm.Request{Messages: []llm.Message{
			{Role: llm.ToolRole, Text: `{"a":"` + strings.Repeat("x", 341) + "\"} "}}}, 8 + 100},
		{"prose in a result", llm.Request{Messages: []llm.Message{{Role: llm.ToolRole, Text: strings.Repeat("[ab]", 100) + "c"}}}, 8 + 101},
		{"thinking", llm.Request{Messages: []llm.Message{{Role: llm.AssistantRole, Thinking: strings.Repeat("a", 400)}}}, 8 + 100},
		{"a picture", llm.Request{Messages: []llm.Message{{Role: llm.UserRole, Images: [][]byte{{1}}}}}, 8 + 1280},
		{"calls", llm.Request{Messages: []llm.Message{{Role: llm.AssistantRole, Calls: []llm.Call{
			{Name: "abcdefg", Args: []byte(`{"aaaaa":12345}`[:14])}, {Name: "abcdefg", Args: []byte(`{"aaaaa":12345}`[:14])},
		}}}}, 8 + 2*(12+6)},
		{"a tool", llm.Request{Tools: []llm.ToolDefinition{
			{Name: "abcdefg", Description: strings.Repeat("d", 14), Parameters: []byte(strings.Repeat("p", 21))}}}, 12 + 12},
		{"the form of the reply", llm.Request{Format: []byte(strings.Repeat("f", 400))}, 0},
	} {
		if got := Estimate(c.req); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func says(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.UserRole, Text: text}}}
}

func TestTokensAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := conversation(t).Messages
		sum := 0
		for _, m := range ms {
			sum += Tokens(m)
		}
		if got := Tokens(ms...); got != sum {
			t.Fatalf("%d together, %d one by one", got, sum)
		}
	})
}

func TestInstruction(t *testing.T) {
	got := Instruction(400)
	for _, want := range []string{"[hob: ", "at most 300 words", "Do not call tools", "Goal", "denied", "values exactly", "out:1", "Done", "Open", "Last error"} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "{{") || !strings.HasSuffix(got, "]") {
		t.Errorf("it is not whole:\n%s", got)
	}
	if got := Instruction(0); !strings.Contains(got, "at most 40 words") {
		t.Errorf("no tokens at all: %s", got)
	}
}

func BenchmarkEstimate(b *testing.B) {
	req := llm.Request{System: strings.Repeat("You are hob. ", 100)}
	for i := range 16 { // 128 KB
		req.Messages = append(req.Messages, llm.Message{Role: llm.UserRole, Text: strings.Repeat("Größe und 大小 und size. ", 4096/28)})
		id := fmt.Sprint(i)
		req.Messages = append(req.Messages,
			llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{{ID: id, Name: "read_file", Args: []byte(`{"path":"main.go"}`)}}},
			llm.Message{Role: llm.ToolRole, CallID: id, Text: strings.Repeat("func main() { run() }\n", 4096/22)})
	}
	n := 0
	for _, m := range req.Messages {
		n += len(m.Text)
	}
	b.SetBytes(int64(n))
	for b.Loop() {
		Estimate(req)
	}
}

func BenchmarkShorten(b *testing.B) {
	h := chain(200, 60)
	b.ReportMetric(float64(Tokens(h.Messages...)), "tokens")
	for b.Loop() {
		h.Shorten(4000, Tokens)
	}
}
