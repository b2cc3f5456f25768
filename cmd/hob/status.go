package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/surface/http/api"
)

func statusCommand(a *program) *cobra.Command {
	return a.withOwnResult(&cobra.Command{
		Use: "status", Short: "say what hob is doing, and how the model does", Args: cobra.NoArgs,
	}, func(ctx context.Context, _ []string) (result, error) {
		a.LooksOnly = true
		s, err := client.LoadBeside(ctx, a.Loader)
		if err != nil {
			return result{}, err
		}
		known, err := s.Status(ctx)
		if err != nil {
			return result{}, err
		}
		st := statusReport{known, askRunningHob(ctx, s, known.Holder)}
		if st.Now == nil || !askItsModel(ctx, s, &st.StatusReport) {
			s.AskServer(ctx, &st.StatusReport)
		}
		return result{value: st, text: st.text(s.Zone())}, nil
	})
}

// statusReport is what `hob status --json` prints.
type statusReport struct {
	commands.StatusReport
	Now *api.Status `json:"now,omitempty"` // reported by the running hob
}

// askRunningHob returns the status that the running hob reports, or nil if none answers.
func askRunningHob(ctx context.Context, s *app.Environment, running string) *api.Status {
	if running == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, commands.StatusTimeout)
	defer cancel()
	now, err := api.NewClient(s.SocketPath()).Status(ctx)
	if err != nil {
		return nil
	}
	return &now
}

// askItsModel adds the model and server of the running hob to a report. They may differ from those
// of this process's environment. It reports whether the hob has answered.
func askItsModel(ctx context.Context, s *app.Environment, st *commands.StatusReport) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*commands.StatusTimeout) // the other side may wait that long itself
	defer cancel()
	reply, err := api.NewClient(s.SocketPath()).Command(ctx, api.CommandRequest{Name: "status", Chat: "main"})
	var its commands.StatusReport
	if err != nil || json.Unmarshal(reply.Data, &its) != nil {
		return false
	}
	st.Ollama, st.Model = its.Ollama, its.Model
	st.Model.FewTools = 0 < st.Model.Tools && st.Model.Tools < app.UsualTools+3 // the answer leaves this field out
	return true
}

// addNow adds the lines about the running hob.
func (st statusReport) addNow(line func(name, format string, args ...any), zone *time.Location) {
	if st.Now == nil {
		return
	}
	line("since", "%s", formatTime(st.Now.Since, zone))
	if st.Now.Telegram != "" {
		line("telegram", "%s", st.Now.Telegram)
	}
	for _, p := range st.Now.Problems {
		line("problem", "%s", p)
	}
	if q := st.Now.Queue; q.Running+q.Waiting > 0 {
		line("queue", "the model answers %s, and %d more wait", display.Count(q.Running, "request"), q.Waiting)
	}
	for _, c := range st.Now.Held {
		line("held", "%s stands still: hob log %s tells why", c, c)
	}
}

// text renders the report for a person, a line for each fact, with times in zone.
func (st statusReport) text(zone *time.Location) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s %s\n", name, display.Clean(fmt.Sprintf(format, args...)))
	}
	if st.Holder == "" {
		line("hob", "nothing is running on this state")
	} else {
		line("hob", "%s is running", st.Holder)
	}
	st.addNow(line, zone)
	if st.Root {
		line("warning", "%s", app.RootWarning)
	}
	for _, text := range st.Ollama.Describe() {
		line("ollama", "%s", text)
	}
	switch {
	case st.Model.Name != "":
		line("model", "%s", st.Model.Describe())
	case st.Model.Wanted != "":
		line("model", "%s cannot be asked now", st.Model.Wanted)
	default:
		line("model", "%s", "none can be asked now: hob setup helps to get one")
	}
	for _, c := range st.Chats {
		line("chat", "%s", c.Describe(st.Model.Context, st.Holder != ""))
	}
	for _, p := range st.Waiting {
		line("waiting", "%s", p.Describe(zone))
	}
	for _, p := range st.Parked {
		line("parked", "%s; hob retry %d tries it again", p.Describe(zone), p.ID)
	}
	if st.Unreadable > 0 {
		line("journal", "%s cannot be read: `hob doctor` says which", display.Count(st.Unreadable, "event"))
	}
	d := st.Day
	if d.Turns+d.Replies == 0 {
		line("today", "nothing has happened yet")
	} else {
		line("today", "%s, %s of the model (%d of no use), %s mended and %d sent back to it; conversations made shorter: %d",
			display.Count(d.Turns, "turn"), display.Count(d.Replies, "reply"), d.Wasted, display.Count(d.Repaired, "call"), d.Corrected, d.Compacted)
	}
	switch {
	case d.PromptPerSecond > 0:
		line("speed", "the model reads %.0f and writes %.1f tokens a second", d.PromptPerSecond, d.EvalPerSecond)
	case d.EvalPerSecond > 0:
		line("speed", "the model writes %.1f tokens a second", d.EvalPerSecond)
	}
	if s := d.Story; s != nil {
		line("stories", "%s told: to find out what happens %d tokens were read and %d written, to tell it %d and %d", display.Count(s.Turns, "turn"),
			s.Plan.Prompt, s.Plan.Eval, s.Narration.Prompt, s.Narration.Eval)
	}
	for _, e := range st.Errors {
		line("error", "%s %s: %s", e.Time.In(zone).Format("15:04"), e.Chat, e.Text)
	}
	return b.String()
}
