package app

import (
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// maxErrors is how many failures a status tells of.
const maxErrors = 3

// coldLoad is how long loading a model takes at least: a reply whose server spent longer on that read its prompt with an
// empty cache.
const minColdLoad = time.Second

// tally counts what happened in one chat.
type chatTally struct {
	commands.ChatStatus
	reply event.Replied
	coldSpeed  float64              // tokens of prompt a second with an empty cache
	turn  int64                // that is counted just now
	planTokens commands.StageTokens // of it, so far
}

// add counts an event of the chat; recent says whether it belongs to the day.
func (c *chatTally) addEvent(e event.Event, st *statusBuilder, recent bool) {
	if b, ok := e.Body.(event.Generated); ok {
		c.addUsage(b, st, recent)
		if recent {
			c.addStory(e.Turn, b, st)
		}
	}
	switch b := e.Body.(type) {
	case event.Compacted:
		c.Context = b.After
	case event.Trimmed:
		c.Context, c.Cached = 0, -1
	}
	if !recent {
		return
	}
	switch b := e.Body.(type) {
	case event.Generated:
		st.Day.Replies++
		switch toolcall.Class(b.Class) {
		case toolcall.Empty, toolcall.Thinking, toolcall.Truncated, toolcall.Malformed, toolcall.Incomplete:
			st.Day.Wasted++
		}
	case event.Called:
		if len(b.Repairs) > 0 {
			st.Day.Repaired++
		}
	case event.Returned:
		if b.By == "check" {
			st.Day.Corrected++
		}
	case event.Compacted:
		st.Day.Compacted++
	case event.Replied:
		c.reply = b
	case event.Ended:
		st.Day.Turns++
		if b.Reason == event.NoModel || b.Reason == event.Broken {
			st.Errors = append(st.Errors, commands.StatusError{Time: e.Time, Chat: e.Chat, Text: display.FirstLine(failureReason(c.reply.Text))})
		}
	}
}

// generated takes in what the server measured of a reply.
func (c *chatTally) addUsage(b event.Generated, st *statusBuilder, recent bool) {
	u := b.Usage
	if u.PromptTokens == 0 {
		return
	}
	c.Context = u.PromptTokens + u.EvalTokens
	if u.Load > minColdLoad && u.PromptEval > 0 {
		c.coldSpeed = float64(u.PromptTokens) / u.PromptEval.Seconds()
	}
	c.Cached = c.cachedShare(u)
	if !recent {
		return
	}
	if c.Cached >= 0 && u.PromptEval > 0 {
		st.reads.add(int(float64(u.PromptTokens)*(1-c.Cached)), u.PromptEval)
	}
	st.writes.add(u.EvalTokens, u.Eval)
}

// staged counts the tokens of a story by stage: what a turn took before its narration was to find out what happens. A turn without
// one was a chore, or words that came to nothing.
func (c *chatTally) addStory(turn int64, b event.Generated, st *statusBuilder) {
	if turn != c.turn {
		c.turn, c.planTokens = turn, commands.StageTokens{}
	}
	if !b.Narrates() {
		c.planTokens.Add(b.Usage)
		return
	}
	if st.Day.Story == nil {
		st.Day.Story = &commands.StoryStatus{}
	}
	d := st.Day.Story
	if b.Class == event.ClassNarration {
		d.Told++
	}
	d.Plan.Prompt, d.Plan.Eval, c.planTokens = d.Plan.Prompt+c.planTokens.Prompt, d.Plan.Eval+c.planTokens.Eval, commands.StageTokens{}
	d.Narration.Add(b.Usage)
}

// cached is the share of a prompt that the server did not read anew: as it says or, where it does not, by how long it
// took, held against a prompt of which it had read nothing before. It is -1 where there is none yet to hold it against.
func (c *chatTally) cachedShare(u llm.Usage) float64 {
	switch {
	case u.CachedTokens > 0:
		return float64(u.CachedTokens) / float64(u.PromptTokens)
	case c.coldSpeed > 0 && u.PromptEval > 0:
		return max(0, 1-u.PromptEval.Seconds()*c.coldSpeed/float64(u.PromptTokens))
	}
	return -1
}

// reasonOf is why a turn came to nothing, of the reply that says so: its last paragraph.
func failureReason(reply string) string { return reply[strings.LastIndex("\n\n"+reply, "\n\n"):] }

// speed is tokens over time.
type speed struct {
	tokens int
	took   time.Duration
}

func (s *speed) add(tokens int, took time.Duration) { s.tokens, s.took = s.tokens+tokens, s.took+took }

// perSecond is 0 where nothing was measured.
func (s speed) perSecond() float64 {
	if s.tokens == 0 || s.took <= 0 {
		return 0
	}
	return float64(s.tokens) / s.took.Seconds()
}
