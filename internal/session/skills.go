package session

import (
	"context"
	"slices"
	"strings"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

// byMessage is the opener of a skill that was opened because a message matches it.
const byMessage = "message"

// maxMatched limits, in bytes, the part of a message that is matched against skills.
const maxMatched = 4 << 10

// openedSkill is a skill that is open in a chat. Whether it has begun is another matter: it has
// once its tools are known in this process, see [skills.Begin].
type openedSkill struct {
	event.Opened
	seq      int64 // Seq of the event that opened it
	inPrompt bool  // the skill's text is in the conversation
}

// openSkills returns the open skills, in the order of opening.
func (tr *transcript) openSkills() []event.Opened {
	all := make([]event.Opened, len(tr.skills))
	for i, o := range tr.skills {
		all[i] = o.Opened
	}
	return all
}

// joinSkills joins the labels of the open skills, whose tools are in the model's list, to a label.
func (tr *transcript) joinSkills(l event.Label) event.Label {
	for _, o := range tr.skills {
		l = l.Join(o.Label)
	}
	return l
}

// findOpenSkill returns the open skill of that name, or nil.
func (tr *transcript) findOpenSkill(name string) *openedSkill {
	if i := slices.IndexFunc(tr.skills, func(o openedSkill) bool { return o.Skill == name }); i >= 0 {
		return &tr.skills[i]
	}
	return nil
}

// foldOpened folds in that a skill is open, or that a turn is about an open one.
func (tr *transcript) foldOpened(seq, turn int64, b event.Opened) {
	skill := b
	skill.Text, skill.Narrows, skill.Only = "", false, nil // these concern only the turn
	o := tr.findOpenSkill(b.Skill)
	switch {
	case o == nil && b.Lead: // a driver starts a new list
		tr.skills = []openedSkill{{skill, seq, true}}
		tr.startDriving(turn, b)
	case o == nil:
		tr.skills = append(tr.skills, openedSkill{skill, seq, true})
	default:
		if b.Lead && b.Tools != nil { // the chat has other tools from now on
			o.Tools = b.Tools
		}
		o.inPrompt = o.inPrompt || !b.Lead || b.Text != "" // the event of a driver always has its text
		o.Label = o.Label.Join(b.Label)
		if !b.Lead && !b.Narrows { // reopened: it is the newest now
			newest := *o
			tr.skills = slices.DeleteFunc(tr.skills, func(o openedSkill) bool { return o.Skill == b.Skill })
			tr.skills = append(tr.skills, newest)
		}
	}
	cur := tr.current()
	if cur != nil { // its tools are in the model's list from now on
		cur.label = cur.label.Join(b.Label)
	}
	if cur == nil || cur.seq != turn || b.Lead && cur.drivingSkill != b.Skill {
		if b.Text != "" {
			tr.pending = append(tr.pending, pendingText{b.Skill, b.Text})
		}
		return
	}
	if b.Narrows && !slices.Contains(cur.narrowedBy, b.Skill) {
		cur.narrowedBy = append(cur.narrowedBy, b.Skill)
		cur.allowedTools = append(cur.allowedTools, b.Only...)
	}
	cur.addText(b.Text)
}

// pendingText is the text of a skill that the model reads with the next input.
type pendingText struct{ skill, text string }

// readPending adds the pending texts to the newest message of the turn.
func (tr *transcript) readPending(cur *turn) {
	for _, p := range tr.pending {
		cur.addText(p.text)
	}
	tr.pending = nil
}

// addText adds a text to the newest message of a person: below the time and above the words, which
// stay last.
func (t *turn) addText(text string) {
	if text == "" {
		return
	}
	inputs := t.inputs()
	newest := inputs[len(inputs)-1]
	said, _ := event.Message(newest)
	words := strings.TrimPrefix(said.Text, newest.Head())
	m := &t.messages[min(t.newestInput, len(t.messages)-1)]
	before, ok := strings.CutSuffix(m.Text, words)
	if !ok { // the message was shortened
		before, words = "", m.Text
	}
	m.Text = before + text + "\n\n" + words
}

// reopenSkills folds in which skills are open after a conversation was shortened. The model has
// lost their texts.
func (tr *transcript) reopenSkills(all []event.Opened) {
	seqs := map[string]int64{}
	for _, o := range tr.skills {
		seqs[o.Skill] = o.seq
	}
	tr.skills = nil
	for _, o := range all {
		tr.skills = append(tr.skills, openedSkill{Opened: o, seq: seqs[o.Skill]})
	}
}

// foldClosed folds in that a skill was closed. Closing a driver also closes all skills opened under
// it.
func (tr *transcript) foldClosed(name string) {
	if o := tr.findOpenSkill(name); o != nil && o.Lead {
		tr.skills, tr.pending = nil, nil
		return
	}
	tr.skills = slices.DeleteFunc(tr.skills, func(o openedSkill) bool { return o.Skill == name })
	tr.pending = slices.DeleteFunc(tr.pending, func(p pendingText) bool { return p.skill == name })
}

// openRequest asks to open a skill in the chat of a caller, for the turn of the caller if there is
// one.
type openRequest struct {
	caller   tools.Caller
	skill    string
	by       string
	words    string         // the words for which the skill is opened
	better   []skills.Skill // better matches of the words, best first
	asResult bool           // the model reads the skill's text as the result of its call
	reminds  bool           // only repeat the text of an open skill; if it was closed meanwhile, do nothing
}

// openSkill opens a skill for a caller and returns its text for the model. Its error is for models
// and people.
func (s *Sessions) openSkill(ctx context.Context, r openRequest) (tools.Result, error) {
	ch, err := s.chooser(tools.WithCaller(ctx, r.caller))
	if err != nil {
		return tools.Result{}, err
	}
	skill, bad := ch.findSkill(r.skill)
	if bad != nil {
		return tools.Result{}, bad
	}
	if skill, err = beginSkill(ctx, skill); err != nil {
		return tools.Result{}, err
	}
	ch.toolset = ch.toolset.withSkill(skill)
	view := ch.viewSkill(ctx, s.cfg.Sanitizer, skill, r.words)
	text := view.text
	if skill.Driver != nil && r.asResult { // a driver's text is shown only while it leads
		text = "[The skill " + skill.Name + " is open: it leads the chat from the next message on. " +
			"Say so in a sentence.]"
	}
	err = s.onChat(ctx, r.caller.Chat, func(ctx context.Context, c *chat) error {
		c.toolset = c.toolset.withSkill(skill)
		return c.recordOpened(ctx, view, r)
	})
	return tools.Result{Text: text, Label: skill.Label}, err
}

// skillView is how opening a skill would look.
type skillView struct {
	skill skills.Skill
	tools []string // tools that enter the list
	only  []string // tools that the turn may call, if the skill narrows it
	text  string   // text for the model

	leftOut bool // newer skills have pushed its tools out of the list
}

// viewSkill returns how opening a skill would look, given the open skills and the better matches
// that are opened after it. It calls tools, which may be slow, so it must not run on the chat's
// goroutine.
func (ch chooser) viewSkill(ctx context.Context, sanitizer Sanitizer, s skills.Skill, words string, better ...skills.Skill) skillView {
	view := skillView{skill: s, tools: ch.chooseTools(ctx, s, words), leftOut: ch.isLeftOut(s.Name)}
	if s.Allowed != nil {
		view.only = append([]string{FindTool, useSkill, agent.Relay}, s.Allowed...)
		for _, t := range s.Tools {
			view.only = append(view.only, t.Name())
		}
	}
	s.Tools = ch.policy.ToolList(ch.caller, s.Tools)
	var listed []string
	for _, t := range ch.withOpened(s.Name, view.tools).withAll(ctx, better, words).toolList().Shown {
		if has(s.Tools, t.Name()) {
			listed = append(listed, t.Name())
		}
	}
	view.text = s.Prompt(listed, !ch.form.short)
	if s.Label.Untrusted { // sanitize what others wrote
		view.text, _ = sanitizer.SanitizeMessage(view.text, s.Label)
	}
	return view
}

// beginSkill returns the skill once it has begun: its tools are known then.
func beginSkill(ctx context.Context, s skills.Skill) (skills.Skill, error) {
	if s.Begin == nil {
		return s, nil
	}
	ready, err := s.Begin(ctx)
	if err != nil {
		return s, tools.Failed("the skill %s cannot be opened: %v", s.Name, err).Retry()
	}
	// Its audience and label stay those of the installed skill, whatever it says once it runs.
	ready.Name, ready.Label = s.Name, s.Label.Join(ready.Label)
	ready.Level, ready.Platforms, ready.Scopes = s.Level, s.Platforms, s.Scopes
	if s.Allowed != nil {
		ready.Allowed = s.Allowed
	}
	if ready.Begin == nil {
		ready.Begin = s.Begin
	}
	ready.Tools = slices.DeleteFunc(slices.Clone(ready.Tools), func(t tools.Tool) bool { return t == nil })
	return ready, nil
}

// recordOpened journals that a skill is open, or that the turn is about it, unless nothing changes.
// It runs on the chat's goroutine.
func (c *chat) recordOpened(ctx context.Context, view skillView, r openRequest) error {
	skill := view.skill
	body := event.Opened{
		Skill: skill.Name, By: r.by, Tools: view.tools, Label: skill.Label, Lead: skill.Driver != nil,
	}
	o, cur := c.tr.findOpenSkill(skill.Name), c.tr.current()
	if r.reminds && o == nil {
		return nil
	}
	known := o != nil && o.inPrompt
	relisted := o != nil && (view.leftOut || body.Lead && !slices.Equal(o.Tools, view.tools))
	if o != nil && !body.Lead {
		body.Tools = o.Tools
	}
	inTurn := cur != nil && cur.seq == r.caller.Turn
	if view.only != nil && inTurn && !slices.Contains(cur.narrowedBy, skill.Name) {
		body.Narrows, body.Only = true, view.only
	}
	if known && !body.Narrows && !relisted {
		return nil
	}
	if !known && (!r.asResult || body.Lead) {
		body.Text = view.text
	}
	_, err := c.append(ctx, r.caller.Turn, body)
	return err
}

// OpenSkill opens a skill in a chat for a person. Its tools enter the model's list at once, and the
// model reads its text with the next message. It does not narrow a running turn.
func (s *Sessions) OpenSkill(ctx context.Context, in SkillRequest) error {
	toolset := s.toolset(ctx) // the skill may be new
	err := s.onChat(ctx, in.Chat, func(_ context.Context, c *chat) error {
		if c.tr.current() == nil {
			c.toolset = toolset
		}
		return nil
	})
	if err != nil {
		return err
	}
	caller := tools.Caller{Chat: in.Chat, User: in.By, Principal: in.Principal}
	_, err = s.openSkill(ctx, openRequest{caller: caller, skill: in.Skill, by: in.By})
	return err
}

// SkillRequest asks to open or close a skill in a chat.
type SkillRequest struct {
	Chat  event.Chat
	Skill string
	By    string // who asks, as the surface names them
	event.Principal
}

// CloseSkill closes a skill in a chat: its tools leave the list.
func (s *Sessions) CloseSkill(ctx context.Context, in SkillRequest) error {
	return s.onChat(ctx, in.Chat, func(ctx context.Context, c *chat) error {
		if c.tr.findOpenSkill(in.Skill) == nil {
			return tools.Missing(event.CodeToolNotFound, "the skill %q is not open here", in.Skill).
				Suggest("hob skill list says which are")
		}
		_, err := c.append(ctx, 0, event.Closed{Skill: in.Skill, By: in.By})
		return err
	})
}

// Skills returns the skills that a person has in a chat, and which of these are open, in the order
// of opening.
func (s *Sessions) Skills(
	ctx context.Context, name event.Chat, of event.Principal,
) (all []skills.Skill, open []event.Opened, err error) {
	open, err = readChat(ctx, s, name, func(c *chat) []event.Opened { return c.tr.openSkills() })
	return s.toolset(ctx).visibleSkills(tools.Caller{Chat: name, Principal: of}), open, err
}
