package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/skills"
	"hob/internal/tools"
)

// Commands returns the tools that a person may be offered in a chat. Each can be called as a
// command.
func (s *Sessions) Commands(ctx context.Context, name event.Chat, of event.Principal) ([]tools.Tool, error) {
	ch, err := s.chooser(tools.WithCaller(ctx, tools.Caller{Chat: name, Principal: of}))
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(ch.callableTools(), func(t tools.Tool) bool { return ch.isAsleep(t.Name()) })
	return ch.policy.ToolList(ch.caller, all), nil
}

// Callable returns the tools that a person may call in a chat, including those that no list shows.
func (s *Sessions) Callable(ctx context.Context, name event.Chat, of event.Principal) ([]tools.Tool, error) {
	ch, err := s.chooser(tools.WithCaller(ctx, tools.Caller{Chat: name, Principal: of}))
	if err != nil {
		return nil, err
	}
	return ch.callableTools(), nil
}

// isAsleep reports whether a tool belongs to a skill that would drive the chat but does not now:
// the tool can be called, and is not listed.
func (ch chooser) isAsleep(name string) bool {
	return slices.ContainsFunc(ch.toolset.Skills, func(s skills.Skill) bool {
		return s.Driver != nil && has(s.Tools, name) && !ch.isOpen(s.Name)
	})
}

// prepareCommand makes the turn one call of a person, which passes policy, journal and audit like
// any other. If the line is no valid call, it returns the answer instead. A driver of the chat is
// asked first.
func (p *player) prepareCommand(ctx context.Context) (words string, err error) {
	p.turn.Budget = p.c.cfg.Budget
	if _, err := p.fillHistory(ctx, llm.KeepNone); err != nil {
		return "", err
	}
	if drivingSkillOf(p.chooser.openSkills) != "" {
		if err := p.beginOpenSkills(ctx); err != nil {
			return "", err
		}
		if err := p.setStage(ctx); err != nil {
			return "", err
		}
	}
	tool, args, err := p.chooser.parseCommand(p.input.Text)
	if tool == nil { // it may belong to an open skill that has not begun
		if err := p.beginOpenSkills(ctx); err != nil {
			return "", err
		}
		tool, args, err = p.chooser.parseCommand(p.input.Text)
	}
	if tool == nil {
		return p.chooser.unknownCommand(p.input.Text), nil //nolint:nilerr // the person reads it
	}
	if err != nil && !has(p.chooser.callableTools(), tool.Name()) {
		return "/" + tool.Name() + " is not for you here.", nil //nolint:nilerr // how it is used does not matter then
	}
	if bad := (*tools.Error)(nil); errors.As(err, &bad) {
		return bad.Sentence(), nil
	} else if err != nil {
		return err.Error(), nil //nolint:nilerr // the person reads it
	}
	typed := strings.Fields(p.input.Text)
	if hint := cmp.Or(tools.OldNameHint(typed[0], tool.Name()), tools.RenamedHint(tool, typed)); hint != "" {
		if err := p.emit(ctx, notesOf([]string{hint})); err != nil {
			return "", err
		}
	}
	p.turn.Command = []llm.Call{{ID: CommandID(p.seq), Name: tool.Name(), Args: args}}
	p.turn.Translate = func(_ llm.Call, text string) string { return p.translate(p.lang, text, tool.Name()) }
	p.turn.Tools = []tools.Tool{tool}
	return "", nil
}

// CommandID is the ID of the only call of a turn that a person's command line makes.
func CommandID(turn int64) string { return "command-" + strconv.FormatInt(turn, 10) }

// IsDirect reports whether a result belongs to a call that a person made by command, and no model.
func IsDirect(turn int64, r event.Returned) bool {
	return r.ID == CommandID(turn) || r.ID == choreID(turn) || strings.HasPrefix(r.ID, choreID(turn)+"-")
}

// IsRefused reports whether an event says that a command failed: the call did, or there was none.
func IsRefused(e event.Event) bool {
	switch b := e.Body.(type) {
	case event.Returned:
		return IsDirect(e.Turn, b) && !b.OK
	case event.Replied:
		return b.Refused
	}
	return false
}

// parseCommand parses a line that calls a tool. If only the arguments are wrong, it returns the
// tool with the error; if the tool is unknown, the tool is nil. It does not check permission, which
// the gate does, on record.
func (ch chooser) parseCommand(line string) (tools.Tool, json.RawMessage, error) {
	all, _ := tools.Merge(ch.existingTools(), ch.toolset.mergedTools()) // the gate refuses a tool of another place by its rule
	index, _ := tools.NewCommands(all)
	return index.Parse(line)
}

// unknownCommand returns the answer to a line that calls no tool that the caller may call.
func (ch chooser) unknownCommand(line string) string {
	index, _ := tools.NewCommands(ch.callableTools())
	word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "/"), " ")
	bad := index.NotFound(word)
	bad.Suggestion = cmp.Or(bad.Suggestion, "/help lists the commands, /tools the tools")
	return bad.Sentence()
}

// existingTools returns the tools that exist for the caller, permitted or not.
func (ch chooser) existingTools() (all []tools.Tool) {
	for _, p := range ch.toolset.resolveTools(ch.caller) {
		all = append(all, p.tool)
	}
	return all
}

// callableTools returns the tools that the caller may call, including those that no list shows.
func (ch chooser) callableTools() (all []tools.Tool) {
	for _, p := range ch.toolset.resolveTools(ch.caller) {
		if p.rule == "" && ch.policy.CheckOffered(ch.caller, p.tool) == nil {
			all = append(all, p.tool)
		}
	}
	return all
}
