package session

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/skills"
	"hob/internal/tools"
)

// play plays the open turn to its end, on a goroutine of its own: settings may have to be asked of a server.
func (c *chat) play(ctx context.Context, seq int64) error {
	lasting := context.WithoutCancel(ctx) // a turn that is stopped still says so
	kit := c.of.kit(lasting)
	inForce, err := c.cfg.Policy(lasting)
	if err != nil {
		return err
	}
	g := gate{c: c, turn: seq}
	var said event.Said
	err = c.do(lasting, func(context.Context) error {
		cur := c.tr.current()
		c.kit, said, g.denied, g.command = kit, cur.said, maps.Clone(cur.denied), cur.said.Command
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.lives(lasting, seq); err != nil {
		return err
	}
	emit := func(bodies ...event.Body) error { return c.emit(lasting, seq, c.closing(ctx, bodies)) }
	t := agent.Turn{Denied: c.denyTool(ctx, inForce), Enter: c.hold.enter, Away: c.away}
	if said.Command {
		words, err := c.commanded(ctx, seq, said, inForce, &t)
		if err != nil {
			return err
		}
		if t.Stage != nil {
			t.Instead = words
		} else if words != "" {
			return emit(append(notRun(t.History), event.Replied{Text: words}, event.Ended{Reason: event.Done})...)
		}
	} else if err := c.conversed(ctx, seq, said, inForce, &t); err != nil {
		return err
	}
	a := agent.New(c.cfg.Model, g, c.sanitizer(), c.cfg.Blobs, c.cfg.Now)
	_, err = a.Run(ctx, t, emit)
	if away := (*agent.AwayError)(nil); errors.As(err, &away) {
		return c.setAside(lasting, seq)
	}
	return err
}

// conversed makes t a turn that asks the model.
func (c *chat) conversed(ctx context.Context, seq int64, said event.Said, inForce policy.Policy, t *agent.Turn) error {
	lasting := context.WithoutCancel(ctx)
	set := c.cfg.Settings(ctx)
	t.Profile, t.Options, t.Window, t.Budget = set.Profile, set.Options, set.Window, set.Budget
	ch := chooser{policy: inForce, caller: tools.CallerFrom(ctx), meta: c.of.meta, most: set.Profile.MaxTools}
	var meanwhile []string // of a turn that is taken up again: a crash may have come before it was matched
	err := c.do(lasting, func(context.Context) error {
		c.most = ch.most
		for _, s := range c.tr.current().joined {
			meanwhile = append(meanwhile, s.Text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.ready(ctx, seq, ch); err != nil {
		return err
	}
	if drives, err := c.remindOfDriver(ctx, seq, ch); err != nil {
		return err
	} else if !drives {
		for _, words := range []string{said.Text, strings.Join(meanwhile, "\n")} {
			if err := c.match(ctx, seq, words, !said.Label.Untrusted, ch); err != nil {
				return err
			}
		}
	}
	if ch, _, err = c.snapshot(lasting, ch); err != nil {
		return err
	}
	pictures, err := c.told(lasting, t, set.Profile.Keep)
	if err != nil {
		return err
	}
	t.System = system(set.Profile, c.described(ch.kit.there(ch.caller)))
	t.List = func() agent.ToolList { return c.toolList(lasting, ch) }
	d, err := c.driver(ctx, seq)
	if err != nil {
		return err
	}
	c.show(ctx, t.History, pictures, set)
	if d != nil {
		t.Stage, t.Own = c.stage(d, said), ch.callable()
		return nil
	}
	t.Arrived = func(ctx context.Context) ([]llm.Message, error) { return c.arrived(ctx, seq, set, ch) }
	return nil
}

// told puts into a turn what the model is told, and returns the pictures in it.
func (c *chat) told(ctx context.Context, t *agent.Turn, keep llm.Keep) (pictures []pictured, err error) {
	err = c.do(ctx, func(context.Context) error {
		t.History, t.Begin, pictures = c.tr.history(keep)
		t.Usage = c.tr.current().spent
		return nil
	})
	return pictures, err
}

// toolList is what the model may call now.
func (c *chat) toolList(ctx context.Context, ch chooser) agent.ToolList {
	skill := ""
	// A chat that is over journals nothing more: whatever is called then fails.
	_ = c.do(ctx, func(context.Context) error {
		if cur := c.tr.current(); cur != nil {
			skill = cur.driver
		}
		return nil
	})
	ch, open, _ := c.snapshot(ctx, ch)
	return ch.toolList(under(skill, open))
}

// described are skills with what strangers say of them gone over: it stands in the system text, where a token that ends a
// message would end that.
func (c *chat) described(all []skills.Skill) []skills.Skill {
	for i, s := range all {
		if s.Label.Untrusted && c.cfg.Sanitizer != nil {
			all[i].Description, _ = c.cfg.Sanitizer.Said(s.Description, s.Label)
		}
	}
	return all
}

// system is the system text for a model with that profile where there are those skills.
func system(p llm.Profile, there []skills.Skill) string {
	text := System
	if index := skills.Index(there); index != "" {
		text += "\nSkills, for use_skill:\n" + index
	}
	if p.Has(llm.OverCalls) {
		text += "\nWhat you know, or what stands above, you answer directly, without a tool.\n"
	}
	return text
}

// commanded makes t a turn that is one call of a person's, which passes policy, journal and audit like any other, or returns
// what there is to say in its place.
func (c *chat) commanded(ctx context.Context, seq int64, said event.Said, inForce policy.Policy, t *agent.Turn) (words string, err error) {
	lasting := context.WithoutCancel(ctx)
	if _, err := c.told(lasting, t, llm.KeepNone); err != nil {
		return "", err
	}
	ch := chooser{policy: inForce, caller: tools.CallerFrom(ctx)}
	if err := c.commands(ctx, seq, said, ch, t); err != nil {
		return "", err
	}
	if ch, _, err = c.snapshot(lasting, ch); err != nil {
		return "", err
	}
	tool, args, err := ch.command(said.Text)
	if tool == nil { // it may be of a skill that is open and not ready
		if err := c.ready(ctx, seq, ch); err != nil {
			return "", err
		}
		if ch, _, err = c.snapshot(lasting, ch); err != nil {
			return "", err
		}
		tool, args, err = ch.command(said.Text)
	}
	if tool == nil {
		return ch.unknown(said.Text), nil //nolint:nilerr // the person is told
	}
	if err != nil && (inForce.Offered(ch.caller, tool) != nil || ch.kit.kept(ch.caller, tool.Name()) != "") {
		return "/" + tool.Name() + " is not for you here.", nil //nolint:nilerr // nor is how it is used
	}
	if bad := (*tools.Error)(nil); errors.As(err, &bad) {
		return sentence(bad), nil
	} else if err != nil {
		return err.Error(), nil //nolint:nilerr // the person is told
	}
	t.Order = &llm.Call{ID: "command-" + strconv.FormatInt(seq, 10), Name: tool.Name(), Args: args}
	t.Tools = []tools.Tool{tool}
	return "", nil
}

// commands makes t a turn that asks no model. The driver of the chat is asked first what to do.
func (c *chat) commands(ctx context.Context, seq int64, said event.Said, ch chooser, t *agent.Turn) error {
	lasting := context.WithoutCancel(ctx)
	t.Budget = c.cfg.Budget
	if ch, open, err := c.snapshot(lasting, ch); err != nil {
		return err
	} else if !slices.ContainsFunc(open, func(o event.Opened) bool { return o.Lead }) {
		return nil
	} else if err := c.ready(ctx, seq, ch); err != nil {
		return err
	}
	d, err := c.driver(ctx, seq)
	if err != nil || d == nil {
		return err
	}
	if ch, _, err = c.snapshot(lasting, ch); err != nil {
		return err
	}
	t.Stage, t.Own = c.stage(d, said), ch.callable()
	return nil
}

// command reads a line that calls a tool. Whether the caller may is the gate's to say: then it is on record.
func (ch chooser) command(line string) (tools.Tool, json.RawMessage, error) {
	var all []tools.Tool
	for _, p := range ch.kit.placed(ch.caller) {
		all = append(all, p.tool)
	}
	all, _ = tools.Merge(all, ch.kit.all()) // what works elsewhere is refused by its rule
	index, _ := tools.NewCommands(all)
	return index.Parse(line)
}

// unknown says that a line calls nothing that the caller may call.
func (ch chooser) unknown(line string) string {
	index, _ := tools.NewCommands(ch.callable())
	word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "/"), " ")
	bad := index.NotFound(word)
	if bad.Suggestion == "" {
		bad.Suggestion = "/tools lists those that there are"
	}
	return sentence(bad)
}

// callable are the tools that the caller may call, those too that models are not told of.
func (ch chooser) callable() (all []tools.Tool) {
	for _, p := range ch.kit.placed(ch.caller) {
		if p.rule == "" && ch.policy.Offered(ch.caller, p.tool) == nil {
			all = append(all, p.tool)
		}
	}
	return all
}

// notRun are results for the calls at the end of a conversation that nothing can be called for any more.
func notRun(history []llm.Message) (bodies []event.Body) {
	if last := history[len(history)-1]; last.Role == llm.AssistantRole {
		for _, call := range last.Calls {
			bodies = append(bodies, agent.NotRun(call))
		}
	}
	return bodies
}

// sentence is an error as a person reads it.
func sentence(bad *tools.Error) string {
	text := strings.TrimRight(bad.Message, ".")
	if bad.Suggestion == "" {
		return text + "."
	}
	return text + "; " + bad.Suggestion
}
