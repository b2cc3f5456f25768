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

// player plays one turn, on the turn's goroutine. It reaches the chat's state with [chat.access] and
// [chat.doInTurn] alone.
type player struct {
	c       *chat
	seq     int64      // of the turn
	said    event.Said // the input that began it
	ch      chooser    // see [player.refresh]
	gate    gate
	turn    agent.Turn   // for the agent
	literal bool         // its replies are hob's own, to a chore
	refusal string       // the reply that says that a line which calls a tool has failed, or ""
	parking event.Parked // how it is parked, once its model is away
}

// play plays the open turn to its end, on a goroutine of its own: settings may have to be asked of
// a server.
func (c *chat) play(ctx context.Context, seq int64) error {
	p, err := c.newPlayer(ctx, seq)
	if err != nil {
		return err
	}
	lasting := context.WithoutCancel(ctx) // a turn that is stopped still says so
	if err := p.beginHook(lasting); err != nil {
		return err
	}
	answer, err := p.prepare(ctx)
	if err != nil {
		return err
	}
	emit := func(bodies ...event.Body) error { return p.emit(lasting, p.closeTurn(ctx, p.markReplies(bodies))) }
	if answer != "" {
		return emit(append(giveUpCalls(p.turn), event.Replied{Text: answer}, event.Ended{Reason: event.Done})...)
	}
	_, err = agent.New(c.cfg.Model, p.gate, c.cfg.Sanitizer, c.cfg.Blobs, c.cfg.Now).Run(ctx, p.turn, emit)
	if errors.Is(err, agent.ErrAway) {
		return c.doInTurn(lasting, func(ctx context.Context) error { return c.park(ctx, seq, p.parking) })
	}
	return err
}

// newPlayer returns the player of the open turn, with the tools and the rules that there are now.
func (c *chat) newPlayer(ctx context.Context, seq int64) (*player, error) {
	lasting := context.WithoutCancel(ctx)
	toolset := c.sessions.toolset(lasting)
	inForce, err := c.cfg.Policy(lasting)
	if err != nil {
		return nil, err
	}
	p := &player{c: c, seq: seq, gate: gate{c: c, turn: seq}}
	err = c.access(ctx, func() {
		cur := c.tr.current()
		c.toolset, p.said = toolset, cur.input
		p.gate.denied, p.gate.command = maps.Clone(cur.denied), cur.input.Command
		p.ch = c.newChooser(inForce, tools.CallerFrom(ctx))
	})
	p.turn = agent.Turn{Denied: p.whyDenied(ctx), Enter: c.beginActing, ParkIfAway: p.planParking}
	return p, err
}

// prepare makes the turn ready for the agent, or returns the answer in its place.
func (p *player) prepare(ctx context.Context) (answer string, err error) {
	chore, err := p.planChore(ctx)
	if err == nil {
		err = p.leaveOutOldest(context.WithoutCancel(ctx)) // after a chore was read, which may be about the turn before
	}
	p.literal = chore.answer != "" || chore.tool != nil
	switch {
	case err != nil || chore.answer != "":
		return chore.answer, err
	case chore.tool != nil:
		return "", p.prepareChore(ctx, chore)
	case !p.said.Command:
		return "", p.prepareModelTurn(ctx)
	}
	p.refusal, err = p.prepareCommand(ctx)
	if p.turn.Stage == nil {
		return p.refusal, err
	}
	p.turn.Answer = p.refusal // the driver ends the turn
	return "", err
}

// markReplies marks the replies among bodies as hob's own, or as a refusal.
func (p *player) markReplies(bodies []event.Body) []event.Body {
	for i, b := range bodies {
		if r, ok := b.(event.Replied); ok {
			r.Literal = r.Literal || p.literal
			r.Refused = p.refusal != "" && r.Text == p.refusal
			bodies[i] = r
		}
	}
	return bodies
}

// prepareModelTurn makes the turn one that asks the model.
func (p *player) prepareModelTurn(ctx context.Context) error {
	c, t := p.c, &p.turn
	set := c.cfg.Settings(ctx)
	t.Profile, t.Options, t.Window, t.Budget = set.Profile, set.Options, set.Window, set.Budget
	p.ch.form = listForm{short: set.ShortList, most: set.Profile.MaxTools}
	if err := p.openSkills(ctx); err != nil {
		return err
	}
	pictures, err := p.fillHistory(ctx, set.Profile.Keep)
	if err != nil {
		return err
	}
	if t.System, err = p.ch.voice(ctx); err != nil {
		return err
	}
	if p.ch.speaks = t.System != ""; p.ch.speaks {
		t.History = slices.Clone(t.History)
		for i, m := range t.History {
			if m.Role == llm.UserRole {
				t.History[i].Text = llm.WithoutTime(m.Text)
			}
		}
	} else {
		t.System = systemText(set.Profile, p.cleanDescriptions(p.ch.knownSkills()))
	}
	t.List = func() agent.ToolList { return p.toolList(ctx) }
	if err := p.setStage(ctx); err != nil {
		return err
	}
	p.showPictures(ctx, t.History, pictures, set)
	if t.Stage == nil {
		t.Arrived = func(ctx context.Context) ([]llm.Message, error) { return p.takeJoined(ctx, set) }
	}
	return nil
}

// openSkills begins the skills that are open, and opens those that the inputs of the turn are about.
func (p *player) openSkills(ctx context.Context) error {
	var joined []string // of a turn that is resumed: a crash may have come before they were matched
	err := p.c.access(ctx, func() {
		p.c.list = p.ch.form
		for _, s := range p.c.tr.current().joined {
			joined = append(joined, s.Text)
		}
	})
	if err != nil {
		return err
	}
	if err := p.beginOpenSkills(ctx); err != nil {
		return err
	}
	if drives, err := p.remindOfDriver(ctx); err != nil {
		return err
	} else if !drives {
		for _, words := range []string{p.said.Text, strings.Join(joined, "\n")} {
			if err := p.matchSkills(ctx, words, !p.said.Label.Untrusted); err != nil {
				return err
			}
		}
	}
	return p.refresh(ctx)
}

// voice returns the system text of the skill that drives the chat, "" where none does or it has none of its own.
func (ch chooser) voice(ctx context.Context) (string, error) {
	s, _ := ch.toolset.skill(leadOf(ch.openSkills))
	if speaker, ok := s.Driver.(driver.Speaker); ok {
		return speaker.System(ctx)
	}
	return "", nil
}

// fillHistory gives the turn the conversation of its chat, and returns the pictures in it.
func (p *player) fillHistory(ctx context.Context, keep llm.Keep) (pictures []messagePictures, err error) {
	err = p.c.access(ctx, func() {
		p.turn.History, p.turn.Begin, pictures = p.c.tr.history(keep)
		p.turn.Usage = p.c.tr.current().usage
	})
	return pictures, err
}

// setStage gives the turn its stage where the chat has a driver, and the tools that the driver may call.
func (p *player) setStage(ctx context.Context) error {
	d, err := p.driverOfTurn(ctx)
	if err == nil && d != nil {
		p.turn.Stage = staged.New(d, cmp.Or(p.said.Own, p.said.Text), p.c.cfg.Sanitizer)
		p.turn.PlanTools = p.ch.callableTools()
	}
	return err
}

// toolList is what the model may call now.
func (p *player) toolList(ctx context.Context) agent.ToolList {
	ch := p.ch
	// A chat that is over journals nothing more: whatever is called then fails.
	_ = p.c.access(ctx, func() {
		skill := ""
		if cur := p.c.tr.current(); cur != nil {
			skill = cur.leadSkill
		}
		ch.toolset, ch.openSkills = p.c.toolset, skillsUnder(skill, p.c.tr.openSkills())
	})
	return ch.toolList()
}

// cleanDescriptions sanitizes what strangers wrote as descriptions of skills: it stands in the
// system text, where a token that ends a message would end that text.
func (p *player) cleanDescriptions(all []skills.Skill) []skills.Skill {
	for i, s := range all {
		if s.Label.Untrusted {
			all[i].Description, _ = p.c.cfg.Sanitizer.SanitizeMessage(s.Description, s.Label)
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

// prepareCommand makes the turn one call of a person, which passes policy, journal and audit like any
// other, or returns the answer that stands in its place. The driver of the chat, if it has one, is
// asked first what to do.
func (p *player) prepareCommand(ctx context.Context) (words string, err error) {
	p.turn.Budget = p.c.cfg.Budget
	if _, err := p.fillHistory(ctx, llm.KeepNone); err != nil {
		return "", err
	}
	if leadOf(p.ch.openSkills) != "" {
		if err := p.beginOpenSkills(ctx); err != nil {
			return "", err
		}
		if err := p.setStage(ctx); err != nil {
			return "", err
		}
	}
	tool, args, err := p.ch.parseCommand(p.said.Text)
	if tool == nil { // it may be of a skill that is open and has not begun
		if err := p.beginOpenSkills(ctx); err != nil {
			return "", err
		}
		tool, args, err = p.ch.parseCommand(p.said.Text)
	}
	if tool == nil {
		return p.ch.unknownCommand(p.said.Text), nil //nolint:nilerr // the person reads it
	}
	if err != nil && !has(p.ch.callableTools(), tool.Name()) {
		return "/" + tool.Name() + " is not for you here.", nil //nolint:nilerr // nor is how it is used
	}
	if bad := (*tools.Error)(nil); errors.As(err, &bad) {
		return bad.Sentence(), nil
	} else if err != nil {
		return err.Error(), nil //nolint:nilerr // the person reads it
	}
	typed := strings.Fields(p.said.Text)
	if hint := cmp.Or(tools.OldNameHint(typed[0], tool.Name()), tools.RenamedHint(tool, typed)); hint != "" {
		if err := p.emit(ctx, notesOf([]string{hint})); err != nil {
			return "", err
		}
	}
	p.turn.Command = &llm.Call{ID: commandID(p.seq), Name: tool.Name(), Args: args}
	p.turn.Tools = []tools.Tool{tool}
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

// parseCommand reads a line that calls a tool. With an error it returns the tool whose arguments it
// cannot read, or nil where there is none of that name. Whether the caller may call it is for the gate
// to say: then it is on record.
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
