package app

import (
	"strings"
	"time"

	"hob/internal/agent"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// maxErrors limits the errors of a status report.
const maxErrors = 3

// minColdLoad separates loaded models from cached ones: if the server loaded longer than this, it
// read the prompt with an empty cache.
const minColdLoad = time.Second

// chatTally counts the events of one chat.
type chatTally struct {
	commands.ChatStatus
	reply      event.Replied
	coldSpeed  float64              // prompt tokens a second with an empty cache
	turn       int64                // the turn that planTokens belongs to
	planTokens commands.StageTokens // of that turn, before its narration
}

// addEvent counts an event of the chat. recent says whether it belongs to the last day.
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
		class := toolcall.Class(b.Class)
		if !agent.IsWithoutModel(b) && class != toolcall.Transport && class != toolcall.Failed { // a failed request has no reply
			st.Day.Replies++
		}
		switch class {
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
			st.Errors = append(st.Errors, commands.StatusError{Time: e.Time, Chat: e.Chat, Text: strings.TrimSpace(display.FirstLine(failureReason(c.reply.Text)))})
		}
	}
}

// addUsage counts the server's measurements of a reply.
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

// addStory counts the tokens of a story by stage. The tokens before a narration count as its plan.
// Without a narration they are dropped.
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
		d.Turns++
	}
	d.Plan.Prompt, d.Plan.Eval, c.planTokens = d.Plan.Prompt+c.planTokens.Prompt, d.Plan.Eval+c.planTokens.Eval, commands.StageTokens{}
	d.Narration.Add(b.Usage)
}

// cachedShare returns the share of a prompt that the server took from its cache. If the server does
// not report it, cachedShare estimates it from the reading time, compared with a prompt that was
// read with an empty cache. It returns -1 if there is no such prompt yet.
func (c *chatTally) cachedShare(u llm.Usage) float64 {
	switch {
	case u.CachedTokens > 0:
		return float64(u.CachedTokens) / float64(u.PromptTokens)
	case c.coldSpeed > 0 && u.PromptEval > 0:
		return max(0, 1-u.PromptEval.Seconds()*c.coldSpeed/float64(u.PromptTokens))
	}
	return -1
}

// failureReason returns the last paragraph of a reply that reports a failure.
func failureReason(reply string) string { return reply[strings.LastIndex("\n\n"+reply, "\n\n"):] }

// speed is tokens over time.
type speed struct {
	tokens int
	took   time.Duration
}

func (s *speed) add(tokens int, took time.Duration) { s.tokens, s.took = s.tokens+tokens, s.took+took }

// perSecond returns 0 without measurements.
func (s speed) perSecond() float64 {
	if s.tokens == 0 || s.took <= 0 {
		return 0
	}
	return float64(s.tokens) / s.took.Seconds()
}
