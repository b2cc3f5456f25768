package window

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// chatter is a long chat as the agent has it: before each reply the conversation is made shorter if it has to be.
type chatter struct {
	h         History
	w         Window
	head      int // tokens of system text and tools, by Count
	summaries int
}

func (c *chatter) count(ms ...llm.Message) int { return c.w.Count(Tokens(ms...)) }

// fit makes the conversation shorter if its next prompt would leave too little room, and reports whether it did. The
// server has counted nothing yet, because each turn begins anew and has one reply.
func (c *chatter) fit(summary string) bool {
	if c.head+c.count(c.h.Messages...) <= c.w.Trigger() {
		return false
	}
	trigger, target := c.w.Limits(c.head)
	c.h.Recent = c.w.Recent(c.head)
	short, _ := c.h.Shorten(target, c.count)
	if short.SummaryDue(trigger, target, c.count) && c.head+c.count(c.h.Messages...) <= c.w.Room() && len(c.h.Span()) > 0 {
		c.summaries++
		if told := c.h.WithSummary(summary); c.count(told.Messages...) < c.count(short.Messages...) {
			short = told
		}
	}
	if c.count(short.Messages...) > trigger {
		short, _ = short.Drop(trigger, c.count)
	}
	if c.count(short.Messages...)*20 > c.count(c.h.Messages...)*19 {
		return false
	}
	c.h = short
	return true
}

// A chat of two hundred short questions. It is made shorter rarely, and more rarely by the model itself, there is never
// more than one summary, and the newest turns are there word for word.
func TestLongChat(t *testing.T) {
	for _, c := range []struct {
		size, reserve, head int
		words               int // of a summary: as many as it is asked for, or fewer
		compactions         int // of this many turns one may make the conversation shorter
		summaries           int // likewise, by a summary
		verbatim            int // so many of the newest turns
	}{
		{2048, 400, 700, 150, 3, 3, 1}, // more turns and a summary have no room beside each other
		{4096, 768, 1060, 250, 6, 12, 3},
		{8192, 1536, 1060, 250, 20, 20, 3},
	} {
		t.Run(fmt.Sprint(c.size), func(t *testing.T) {
			s := chatter{w: Window{Size: c.size, Reserve: c.reserve}, head: c.head, h: testHistory(nil, 0, 1)}
			var said []llm.Message
			compactions, last, longest := 0, -9, 0
			for turn := range 200 {
				said = append(said, remark(turn, llm.UserRole))
				s.h.Begin = len(s.h.Messages)
				s.h.Messages = append(s.h.Messages, said[len(said)-1])
				if s.fit(ofWords(turn, c.words)) {
					if compactions++; turn-last < 2 {
						t.Errorf("turn %d: made shorter, and the turn before as well", turn)
					}
					last = turn
				}
				said = append(said, remark(turn, llm.AssistantRole))
				s.h.Messages = append(s.h.Messages, said[len(said)-1])
				longest = max(longest, s.head+s.count(s.h.Messages...))
				newest := min(2*c.verbatim, len(said))
				if diff := cmp.Diff(said[len(said)-newest:], s.h.Messages[max(0, len(s.h.Messages)-newest):]); diff != "" {
					t.Fatalf("turn %d: the newest turns (-want +got)\n%s", turn, diff)
				}
				if n := strings.Count(writeConversation(s.h), summaryTitle); n > 1 || n < min(s.summaries, 1) {
					t.Fatalf("turn %d: %d summaries stand in it:\n%s", turn, n, writeConversation(s.h))
				}
			}
			t.Logf("made shorter %d times, %d of them by a summary; at most %d of %d tokens", compactions, s.summaries, longest, s.w.Room())
			if most := 200 / c.compactions; compactions == 0 || compactions > most {
				t.Errorf("made shorter %d times, at most %d are wanted", compactions, most)
			}
			if most := 200 / c.summaries; s.summaries == 0 || s.summaries > most {
				t.Errorf("%d summaries, at most %d are wanted", s.summaries, most)
			}
			if longest > s.w.Room() {
				t.Errorf("%d tokens, more than %d", longest, s.w.Room())
			}
		})
	}
}

// remark is about 60 tokens long.
func remark(turn int, by llm.Role) llm.Message {
	text := fmt.Sprintf("Remark %d by the %s. ", turn, by)
	for len(text) < 230 {
		text += fmt.Sprintf("Thing %d has %d parts. ", len(text), turn)
	}
	return llm.Message{Role: by, Text: text[:min(len(text), 240)]}
}

// ofWords is a summary of so many words. Three of them are about four tokens.
func ofWords(turn, n int) string {
	words := strings.Fields(fmt.Sprintf("Goal: learn about things up to %d. Facts:", turn))
	for i := len(words); i < n; i++ {
		words = append(words, []string{"the", "part", "of", "thing", "counted"}[i%5])
	}
	return strings.Join(words, " ")
}

// A summary is worth its time where there is little room left, and what takes it is told in short already.
func TestSummaryDue(t *testing.T) {
	list := writeList(earlierHead, []string{strings.Repeat("word ", 80)}, handleHint) // 119 tokens
	note := summaryNote(strings.Repeat("word ", 80), nil)                             // 131 tokens
	words := llm.Message{Role: llm.UserRole, Text: strings.Repeat("word ", 80)}
	for _, c := range []struct {
		name            string
		ms              []llm.Message
		trigger, target int
		want            bool
	}{
		{"it fits", []llm.Message{note, list, words}, 1000, 400, false},
		{"it is too long", []llm.Message{words, words, words}, 300, 150, true},
		{"lists and the former summary are most of it", []llm.Message{note, list, words}, 480, 240, true},
		{"what was said is most of it", []llm.Message{list, words, words}, 480, 240, false},
		{"what opened the turn is no list of ours", []llm.Message{note, words, list}, 480, 240, false},
	} {
		h := testHistory(c.ms, len(c.ms)-1, 1)
		if got := h.SummaryDue(c.trigger, c.target, Tokens); got != c.want {
			t.Errorf("%s: %v, with %d tokens", c.name, got, Tokens(c.ms...))
		}
	}
}

// A little too long is no reason for a little less: at least 15 % go, where that can be.
func TestShorterByEnough(t *testing.T) {
	h := chain(20, 60)
	now := Tokens(h.Messages...)
	for name, do := range map[string]func(int, func(...llm.Message) int) (History, bool){"shorten": h.Shorten, "drop": h.Drop} {
		short, fits := do(now-1, Tokens)
		if got := Tokens(short.Messages...); !fits || got > now*85/100 || got < now*70/100 {
			t.Errorf("%s: %d tokens became %d; fits: %v", name, now, got, fits)
		}
	}
	lines := testHistory([]llm.Message{
		writeList(earlierHead, strings.Split(strings.Repeat("asked: word\n", 99)+"asked: word", "\n"), handleHint), {Role: llm.UserRole, Text: "Hello."},
	}, 1, 1)
	now = Tokens(lines.Messages...)
	dropped, fits := lines.Drop(now-1, Tokens)
	if got := Tokens(dropped.Messages...); !fits || got > now*85/100 || got < now*80/100 {
		t.Errorf("lines: %d tokens became %d; fits: %v", now, got, fits)
	}
}

// What was summed up in the open turn is summed up with what came since: one summary stands there.
func TestSummaryOfATurnThatHasOne(t *testing.T) {
	h := chain(0, 0)
	for i := range 6 {
		h.Messages = append(h.Messages, h.stepRound(i, strings.Repeat("x", 600))...)
		if i == 2 || i == 5 {
			h = h.WithSummary(fmt.Sprintf("as of step %d", i))
		}
	}
	want := append([]llm.Message{h.Messages[0], summaryNote("as of step 5", nil)}, h.stepRound(5, strings.Repeat("x", 600))...)
	if diff := cmp.Diff(want, h.Messages); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
