package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/agent"
	"hob/internal/agent/staged"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/skills"
	"hob/internal/tools"
)

// play plays the open turn to its end, on a goroutine of its own: settings may have to be asked of
// a server.
func (c *chat) play(ctx context.Context, seq int64) error {
	lasting := context.WithoutCancel(ctx) // a turn that is stopped still says so
	toolset := c.sessions.toolset(lasting)
	inForce, err := c.cfg.Policy(lasting)
	if err != nil {
		return err
	}
	g := gate{c: c, turn: seq}
	var said event.Said
	err = c.access(ctx, func() {
		cur := c.tr.current()
		c.toolset, said, g.denied, g.command = toolset, cur.input, maps.Clone(cur.denied), cur.input.Command
	})
	if err != nil {
		return err
	}
	if err := c.beginHook(lasting, seq); err != nil {
		return err
	}
	isChore, refusal := false, ""
	emit := func(bodies ...event.Body) error {
		for i, b := range bodies {
			if r, ok := b.(event.Replied); ok {
				r.Literal = r.Literal || isChore
				r.Refused = refusal != "" && r.Text == refusal
				bodies[i] = r
			}
		}
		return c.emit(lasting, seq, c.closeTurn(ctx, bodies))
	}
	var parking event.Parked
	t := agent.Turn{
		Denied: c.whyDenied(ctx, inForce), Enter: c.beginActing,
		ParkIfAway: func(ctx context.Context, failure *llm.Error, begun bool) (parks bool) {
			parking, parks = c.planParking(ctx, failure, begun)
			return parks
		},
	}
	ch := chooser{policy: inForce, caller: tools.CallerFrom(ctx), meta: c.sessions.meta}
	answer, isChore, err := c.prepareChore(ctx, seq, said, ch, &t, &g)
	if err == nil {
		err = c.leaveOutOldest(lasting, seq) // after a chore was read, which may be about the turn before
	}
	switch {
	case err != nil:
		return err
	case answer != "":
		return emit(append(giveUpCalls(t), event.Replied{Text: answer}, event.Ended{Reason: event.Done})...)
	case isChore:
	case said.Command:
		words, err := c.prepareCommand(ctx, seq, said, ch, &t)
		if err != nil {
			return err
		}
		refusal = words
		if t.Stage != nil {
			t.Answer = words
		} else if words != "" {
			return emit(append(giveUpCalls(t), event.Replied{Text: words}, event.Ended{Reason: event.Done})...)
		}
	default:
		if err := c.prepareModelTurn(ctx, seq, said, ch, &t); err != nil {
			return err
		}
	}
	a := agent.New(c.cfg.Model, g, c.cfg.Sanitizer, c.cfg.Blobs, c.cfg.Now)
	_, err = a.Run(ctx, t, emit)
	if errors.Is(err, agent.ErrAway) {
		return c.doInTurn(lasting, func(ctx context.Context) error { return c.park(ctx, seq, parking) })
	}
	return err
}

// prepareModelTurn makes t a turn that asks the model.
func (c *chat) prepareModelTurn(ctx context.Context, seq int64, said event.Said, ch chooser, t *agent.Turn) error {
	set := c.cfg.Settings(ctx)
	t.Profile, t.Options, t.Window, t.Budget = set.Profile, set.Options, set.Window, set.Budget
	ch.form = listForm{short: set.ShortList, most: set.Profile.MaxTools}
	var joined []string // what came meanwhile, of a turn that is resumed: a crash may have come before it was matched
	err := c.access(ctx, func() {
		c.list = ch.form
		for _, s := range c.tr.current().joined {
			joined = append(joined, s.Text)
		}
	})
	if err != nil {
		return err
	}
	if ch, err = c.beginOpenSkills(ctx, seq, ch); err != nil {
		return err
	}
	if drives, err := c.remindOfDriver(ctx, seq, ch); err != nil {
		return err
	} else if !drives {
		for _, words := range []string{said.Text, strings.Join(joined, "\n")} {
			if err := c.matchSkills(ctx, seq, words, !said.Label.Untrusted, ch); err != nil {
				return err
			}
		}
	}
	if ch, err = c.refresh(ctx, ch); err != nil {
		return err
	}
	pictures, err := c.fillHistory(ctx, t, set.Profile.Keep)
	if err != nil {
		return err
	}
	if t.System, err = c.voice(ctx, ch); err != nil {
		return err
	}
	if ch.speaks = t.System != ""; ch.speaks {
		t.History = slices.Clone(t.History)
		for i, m := range t.History {
			if m.Role == llm.UserRole {
				t.History[i].Text = llm.WithoutTime(m.Text)
			}
		}
	} else {
		t.System = systemText(set.Profile, c.cleanDescriptions(ch.knownSkills()))
	}
	t.List = func() agent.ToolList { return c.toolList(ctx, ch) }
	if err := c.setStage(ctx, seq, said, ch, t); err != nil {
		return err
	}
	c.showPictures(ctx, t.History, pictures, set)
	if t.Stage == nil {
		t.Arrived = func(ctx context.Context) ([]llm.Message, error) { return c.takeJoined(ctx, seq, set, ch) }
	}
	return nil
}

// voice returns the system text of the skill that drives the chat, "" where none does or it has none of its own.
func (c *chat) voice(ctx context.Context, ch chooser) (string, error) {
	for _, o := range ch.openSkills {
		s, ok := ch.toolset.skill(o.Skill)
		if speaker, speaks := s.Driver.(driver.Speaker); ok && o.Lead && speaks {
			return speaker.System(ctx)
		}
	}
	return "", nil
}

// fillHistory gives a turn the conversation of its chat, and returns the pictures in it.
func (c *chat) fillHistory(
	ctx context.Context, t *agent.Turn, keep llm.Keep,
) (pictures []messagePictures, err error) {
	err = c.access(ctx, func() {
		t.History, t.Begin, pictures = c.tr.history(keep)
		t.Usage = c.tr.current().usage
	})
	return pictures, err
}

// setStage gives a turn its stage where the chat has a driver, and the tools that the driver may call.
func (c *chat) setStage(ctx context.Context, seq int64, said event.Said, ch chooser, t *agent.Turn) error {
	d, err := c.driverOfTurn(ctx, seq)
	if err == nil && d != nil {
		t.Stage, t.PlanTools = staged.New(d, cmp.Or(said.Own, said.Text), c.cfg.Sanitizer), ch.callableTools()
	}
	return err
}

// toolList is what the model may call now.
func (c *chat) toolList(ctx context.Context, ch chooser) agent.ToolList {
	// A chat that is over journals nothing more: whatever is called then fails.
	_ = c.access(ctx, func() {
		ch.toolset, ch.openSkills = c.toolset, c.tr.openSkills()
		skill := ""
		if cur := c.tr.current(); cur != nil {
			skill = cur.leadSkill
		}
		ch.openSkills = skillsUnder(skill, ch.openSkills)
	})
	return ch.toolList()
}

// cleanDescriptions sanitizes what strangers wrote as descriptions of skills: it stands in the
// system text, where a token that ends a message would end that text.
func (c *chat) cleanDescriptions(all []skills.Skill) []skills.Skill {
	for i, s := range all {
		if s.Label.Untrusted {
			all[i].Description, _ = c.cfg.Sanitizer.SanitizeMessage(s.Description, s.Label)
		}
	}
	return all
}

// systemText is the system text for a model with that profile where there are those skills.
func systemText(p llm.Profile, there []skills.Skill) string {
	text := System
	if index := skills.Index(there); index != "" {
		text += "\nuse_skill opens more tools:\n" + index
	}
	if p.Has(llm.OverCalls) {
		text += "\nRemember rule 1.\n"
	}
	return text
}

// prepareCommand makes t a turn that is one call of a person, which passes policy, journal and
// audit like any other, or returns the answer that stands in its place. The driver of the chat, if
// it has one, is asked first what to do.
func (c *chat) prepareCommand(
	ctx context.Context, seq int64, said event.Said, ch chooser, t *agent.Turn,
) (words string, err error) {
	t.Budget = c.cfg.Budget
	if _, err := c.fillHistory(ctx, t, llm.KeepNone); err != nil {
		return "", err
	}
	if ch, err = c.refresh(ctx, ch); err != nil {
		return "", err
	}
	if slices.ContainsFunc(ch.openSkills, func(o event.Opened) bool { return o.Lead }) {
		if ch, err = c.beginOpenSkills(ctx, seq, ch); err != nil {
			return "", err
		}
		if err := c.setStage(ctx, seq, said, ch, t); err != nil {
			return "", err
		}
	}
	tool, args, err := ch.parseCommand(said.Text)
	if tool == nil { // it may be of a skill that is open and has not begun
		if ch, err = c.beginOpenSkills(ctx, seq, ch); err != nil {
			return "", err
		}
		tool, args, err = ch.parseCommand(said.Text)
	}
	if tool == nil {
		return ch.unknownCommand(said.Text), nil //nolint:nilerr // the person reads it
	}
	isOffered := ch.policy.CheckOffered(ch.caller, tool) == nil && ch.toolset.keptByRule(ch.caller, tool.Name()) == ""
	if err != nil && !isOffered {
		return "/" + tool.Name() + " is not for you here.", nil //nolint:nilerr // nor is how it is used
	}
	if bad := (*tools.Error)(nil); errors.As(err, &bad) {
		return bad.Sentence(), nil
	} else if err != nil {
		return err.Error(), nil //nolint:nilerr // the person reads it
	}
	typed := strings.Fields(said.Text)
	if hint := cmp.Or(tools.OldNameHint(typed[0], tool.Name()), tools.RenamedHint(tool, typed)); hint != "" {
		if err := c.emit(ctx, seq, notesOf([]string{hint})); err != nil {
			return "", err
		}
	}
	t.Command = &llm.Call{ID: commandID(seq), Name: tool.Name(), Args: args}
	t.Tools = []tools.Tool{tool}
	return "", nil
}

// commandID is the ID of the one call of a turn that a person's line calls.
func commandID(turn int64) string { return "command-" + strconv.FormatInt(turn, 10) }

// IsDirect reports whether a result is that of a call which a person made in so many words, and no model.
func IsDirect(turn int64, r event.Returned) bool {
	return r.ID == commandID(turn) || r.ID == choreID(turn)
}

// IsRefused reports whether an event says that a line which calls a tool has failed: the call did, or there is none.
func IsRefused(e event.Event) bool {
	switch b := e.Body.(type) {
	case event.Returned:
		return b.ID == commandID(e.Turn) && !b.OK
	case event.Replied:
		return b.Refused
	}
	return false
}

// parseCommand reads a line that calls a tool. Whether the caller may call it is for the gate to
// say: then it is on record.
func (ch chooser) parseCommand(line string) (tools.Tool, json.RawMessage, error) {
	all, _ := tools.Merge(ch.existingTools(), ch.toolset.mergedTools()) // what works elsewhere is refused by its rule
	index, _ := tools.NewCommands(all)
	return index.Parse(line)
}

// unknownCommand says that a line calls nothing that the caller may call.
func (ch chooser) unknownCommand(line string) string {
	index, _ := tools.NewCommands(ch.callableTools())
	word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "/"), " ")
	bad := index.NotFound(word)
	if bad.Suggestion == "" {
		bad.Suggestion = "/tools lists those that there are"
	}
	return bad.Sentence()
}

// existingTools returns the tools that exist where the caller is, whether or not they may call them.
func (ch chooser) existingTools() (all []tools.Tool) {
	for _, p := range ch.toolset.resolveTools(ch.caller) {
		all = append(all, p.tool)
	}
	return all
}

// callableTools returns the tools that the caller may call, also those that no model's list has.
func (ch chooser) callableTools() (all []tools.Tool) {
	for _, p := range ch.toolset.resolveTools(ch.caller) {
		if p.rule == "" && ch.policy.CheckOffered(ch.caller, p.tool) == nil {
			all = append(all, p.tool)
		}
	}
	return all
}

// giveUpCalls returns the results of the calls that wait at the end of a conversation, none of
// which was run.
func giveUpCalls(t agent.Turn) (bodies []event.Body) {
	for _, call := range t.WaitingCalls() {
		bodies = append(bodies, agent.NotRun(call))
	}
	return bodies
}
