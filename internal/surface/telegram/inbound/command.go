package inbound

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/markdown"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// ownCommands are the commands of the surface itself, for /help. handleCommand runs them by their names.
func ownCommands() []commands.Command {
	return []commands.Command{
		{Name: "start", Summary: "say hello"},
		{Name: "help", Args: []commands.Arg{{Name: "tool"}}, Summary: "list the commands, or say how a tool is called"},
		{Name: "new", Summary: "begin a new conversation; what was said stays in the log"},
		{Name: "stop", Summary: "stop what is running, at once"},
	}
}

// handleCommand runs the command of a message, if it is one.
func (in *Handler) handleCommand(ctx context.Context, sp speaker, it item, h message) (done bool, err error) {
	c, ok := parseCommand(h.text)
	if !ok || it.up.Message.Text == "" {
		return false, nil
	}
	if c.bot != "" && sp.address.Private() {
		if me, err := in.waitForSelf(ctx); err != nil || !strings.EqualFold(c.bot, me.Username) {
			return err != nil, err
		}
	}
	switch c.name { // no story takes these
	case "start", "pair":
		return true, in.greetKnown(ctx, sp, it, c)
	case "help":
		return true, in.answerCommand(ctx, sp, in.help(ctx, sp, c.args))
	case "new":
		if sp.guest && sp.principal.Level < event.GroupAdmin {
			return true, in.answerCommand(ctx, sp, in.say(ctx, sp, "new.denied"))
		}
		err := in.retry(ctx, "begin a conversation", func() error { return in.cfg.Sessions.Reset(ctx, sp.address.Name()) })
		if err != nil {
			return true, err
		}
		return true, in.answerCommand(ctx, sp, in.say(ctx, sp, "new"))
	case "stop":
		return true, in.stop(ctx, sp)
	}
	if in.cfg.Story != nil {
		takes, discreet := in.cfg.Story.Takes(ctx, sp.address.Name(), c.name, c.args)
		if ctx.Err() != nil { // it is unknown whether the story takes it
			return true, context.Cause(ctx)
		}
		if takes {
			call := commandInput(sp, it, h.label, "/"+c.name+" "+c.args)
			call.Command = false // the story reads it, and may ask a model
			taken, err := in.submit(ctx, sp, call)
			if taken && discreet {
				in.cfg.Cleaner.Delete(sp.address, sp.message) // if hob may delete messages there
			}
			return true, err
		}
	}
	if row, _, known := in.findRow(sp, "/"+c.name); known {
		return true, in.runCommand(ctx, sp, it, row, c)
	}
	return true, in.submitToolCall(ctx, sp, it, h, c)
}

// submitToolCall hands in a call of a tool. In a group the command may be for another bot, unless
// it names this bot or the person has such a tool.
func (in *Handler) submitToolCall(ctx context.Context, sp speaker, it item, h message, c command) error {
	known := false
	if in.cfg.Tool != nil {
		_, known = in.cfg.Tool(ctx, sp.request(""), c.name)
	}
	if !known && !sp.address.Private() && c.bot == "" && !h.named {
		return context.Cause(ctx)
	}
	if in.cfg.Tool == nil {
		return in.answerCommand(ctx, sp, in.noSuchCommand(ctx, sp, c.name))
	}
	if !known && in.nearestCommand(sp, c.name) != "" {
		return in.answerCommand(ctx, sp, in.noSuchCommand(ctx, sp, c.name))
	}
	return in.submitWaiting(ctx, sp, commandInput(sp, it, h.label, "/"+c.name+" "+c.args))
}

// noSuchCommand returns a sentence that the command does not exist, with the most similar one.
func (in *Handler) noSuchCommand(ctx context.Context, sp speaker, name string) string {
	if near := in.nearestCommand(sp, name); near != "" {
		return in.say(ctx, sp, "unknown.near", name, near)
	}
	return in.say(ctx, sp, "unknown", name)
}

// nearestCommand returns the command most similar to a word, or "".
func (in *Handler) nearestCommand(sp speaker, name string) string {
	names := lists.Map(in.commandsOf(sp), func(c commands.Command) string { return c.Name })
	if in.cfg.Nearest == nil {
		return ""
	}
	return in.cfg.Nearest(name, names)
}

// commandsOf returns the commands that a speaker has in their chat.
func (in *Handler) commandsOf(sp speaker) []commands.Command {
	return append(ownCommands(), in.cfg.Commands.For(sp.request(""))...)
}

// commandInput returns a command as an input. label is the label of the message.
func commandInput(sp speaker, it item, label event.Label, line string) session.Input {
	in := session.Input{
		Chat: sp.address.Name(), ID: it.inputID(), From: sp.id(), Text: strings.TrimSpace(line), Principal: sp.principal, Command: true,
	}
	if !sp.address.Private() {
		in.Own = in.Text
		in.Label = label // in private the label may be that of the answered message, which is no part of the call
	}
	return in
}

// answerCommand answers a command. In a group the answer is a reply.
func (in *Handler) answerCommand(ctx context.Context, sp speaker, text string) error {
	return in.sendAnswer(ctx, sp, chat.Answer{Text: text})
}

func (in *Handler) sendAnswer(ctx context.Context, sp speaker, a chat.Answer) error {
	reply := sp.message
	if sp.address.Private() {
		reply = 0
	}
	in.answer(ctx, sp, reply, a)
	return context.Cause(ctx)
}

// greetKnown answers /start of a known person. A code may give them another level.
func (in *Handler) greetKnown(ctx context.Context, sp speaker, it item, c command) error {
	if code, ok := event.CleanCode(c.args); ok && sp.address.Private() {
		if right, err := in.redeem(ctx, sp, it, code); right || err != nil {
			return err
		}
		return in.answerCommand(ctx, sp, in.say(ctx, sp, "code.bad"))
	}
	return in.answerCommand(ctx, sp, in.say(ctx, sp, "hello", sp.name(), in.say(ctx, sp, "where.help")))
}

// help lists the commands that a speaker has in their chat, or shows how to call a tool.
func (in *Handler) help(ctx context.Context, sp speaker, name string) string {
	lang := in.language(ctx, sp)
	w := chat.Words(lang)
	if name = strings.TrimPrefix(name, "/"); name != "" && in.cfg.Tool != nil {
		if usage, known := in.cfg.Tool(ctx, sp.request(""), name); known {
			return markdown.Fenced("/" + usage)
		}
		return w.Text("unknown.tool", markdown.Escape(chat.OneLine(name, 60)))
	}
	var b strings.Builder
	b.WriteString(w.Text("help") + "\n")
	for _, c := range in.commandsOf(sp) {
		fmt.Fprintf(&b, "\n- %s: %s", strings.TrimSpace("/"+c.Name+" "+c.Usage()), in.translate(lang, c.Summary))
	}
	if in.cfg.Tool != nil {
		b.WriteString("\n\n" + w.Text("help.tools"))
	}
	return b.String()
}

// runCommand runs a command. A command that acts is recorded as begun first, so that it is not run
// again after an interruption.
func (in *Handler) runCommand(ctx context.Context, sp speaker, it item, row commands.Command, c command) error {
	switch {
	case row.Acts && it.State == event.UpdateBegun:
		return in.answerCommand(ctx, sp, in.say(ctx, sp, "cut.short", row.Name))
	case row.Acts:
		if err := in.setState(ctx, it, event.UpdateBegun); err != nil {
			return err
		}
	}
	return in.runRow(ctx, sp, row, c)
}

// runRow runs a command of hob's own, and sends its answer.
func (in *Handler) runRow(ctx context.Context, sp speaker, row commands.Command, c command) error {
	if row.Private && !sp.address.Private() {
		return in.answerCommand(ctx, sp, in.say(ctx, sp, "private", row.Name))
	}
	a, err := in.cfg.Commands.Run(ctx, c.name, in.request(ctx, sp, c.args))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		a = commands.Answer{Text: in.sentence(ctx, sp, err)}
	}
	in.cfg.Sender.Wake(sp.address.Name()) // the command may have handed in an input
	if strings.TrimSpace(a.Text) == "" {
		a.Text = in.say(ctx, sp, "done")
	}
	g := guard{least: row.Level()}
	if row.Own {
		g.whose = sp.id()
	}
	return in.sendAnswer(ctx, sp, in.offer(sp.address, a, g))
}

// stop stops the running turn of the chat. It tries once, because later it could stop another turn.
func (in *Handler) stop(ctx context.Context, sp speaker) error {
	ran, err := in.cfg.Sessions.Stop(ctx, sp.address.Name())
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return in.answerCommand(ctx, sp, in.say(ctx, sp, "stop.failed", in.sentence(ctx, sp, err)))
	case ran: // the end of the turn is sent within a second
		return nil
	}
	return in.answerCommand(ctx, sp, in.say(ctx, sp, "stop.nothing"))
}

// handleStopPress stops the running turn after a press of stop below a draft. Telegram does not say
// who pressed, which is certain only in a private chat.
func (in *Handler) handleStopPress(ctx context.Context, s *client.Stopped) error {
	if s.Chat.Type != "private" || s.Chat.ID <= 0 {
		return nil
	}
	_, known, err := in.lookUpPerson(ctx, s.Chat.ID)
	if err != nil {
		return err
	}
	if !known {
		in.strangers.Add(1)
		return nil
	}
	if _, err := in.cfg.Sessions.Stop(ctx, chat.Address{Chat: s.Chat.ID}.Name()); err != nil && ctx.Err() == nil {
		in.cfg.Log.Warn("turn not stopped", "chat", s.Chat.ID, "err", err)
	}
	return context.Cause(ctx)
}
