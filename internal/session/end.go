package session

import (
	"context"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/receipt"
)

// closeTurn adds the receipt and the notes of the turn hook if bodies end the turn. The person
// reads the receipt below the reply. It waits for the delivery of files until ctx ends.
func (p *player) closeTurn(ctx context.Context, bodies []event.Body) []event.Body {
	c := p.c
	lasting := context.WithoutCancel(ctx)
	last := len(bodies) - 1
	end, ok := bodies[last].(event.Ended)
	if !ok {
		return bodies
	}
	var did receipt.Turn
	var files []handedFile
	own := false
	err := c.access(ctx, func() {
		cur := c.tr.current()
		did, files, own = c.tr.receiptWith(bodies), slices.Clone(cur.files), cur.isCommand()
	})
	if err != nil {
		return bodies // the chat has ended, and nothing more is journaled
	}
	if end.Reason != event.Done {
		bodies = p.translateEnd(bodies)
	}
	if end.Reason == event.NoModel {
		bodies = p.addHelp(lasting, p.hideServer(lasting, bodies))
	}
	bodies = p.addReceipt(lasting, own, p.confirmDelivered(ctx, did, files), bodies)
	if c.cfg.TurnHook == nil {
		return bodies
	}
	notes := notesOf(c.cfg.TurnHook.End(lasting, c.name, end.Reason))
	return slices.Concat(bodies[:last], notes, bodies[last:])
}

// noChore is added to the reply if no model could be asked what typed words mean.
const noChore = `This is none of the chores that hob does without a model: say "help" for those.`

// What is added to a greeting, which is often the first thing that somebody says: where there is no model, and where the one
// that was chosen does not answer.
const (
	getModel  = "To talk about anything else I need a model: `hob setup` helps to get one."
	waitModel = "To talk about anything else I need the model, which does not answer now."
)

// What replaces noChore for words that nobody typed to hob, and for those that were handed to it in a shell but not as words.
const (
	notTyped = "Without a model hob reads only words that are typed to it: nothing that is forwarded or sent along."
	piped    = "Without a model hob reads only words that are typed at its prompt or given to `hob ask`, and no lines from a pipe or a file."
)

// notInGroup replaces noChore for a chore that a group cannot have done.
const notInGroup = "I do not do that in a group: write it to me alone."

// similarTo introduces similar sentences, below noChore.
const similarTo = "Near to it: "

// addHelp adds what hob can do without a model, if the words of the turn could have been a chore,
// or why they could be none. It goes above the last paragraph, which says why no model answered.
func (p *player) addHelp(ctx context.Context, bodies []event.Body) []event.Body {
	words, why, chores := "", "", p.c.cfg.Chores
	err := p.c.access(ctx, func() {
		if cur := p.c.tr.current(); chores.areRead() && !cur.isCommand() && p.c.tr.drivingSkill() == "" {
			words = TypedWords(cur.input)
			if words == "" {
				why = chores.whyNotRead(cur.input, p.c.name)
			}
		}
	})
	if err != nil || words+why == "" || chores.HasModel(ctx) {
		return bodies
	}
	bodies = slices.Clone(bodies)
	help, offers := p.say(why), []event.Choice(nil)
	if words != "" {
		help, offers = p.helpWith(ctx, words)
	}
	for i, b := range bodies {
		if reply, ok := b.(event.Replied); ok {
			at := max(0, strings.LastIndex(reply.Text, "\n\n"))
			reply.Text = strings.TrimLeft(reply.Text[:at]+"\n\n"+help+"\n\n"+strings.TrimLeft(reply.Text[at:], "\n"), "\n")
			reply.Choices = append(slices.Clone(reply.Choices), offers...)
			bodies[i] = reply
		}
	}
	return bodies
}

// whyNotRead returns why the words of an input are read as no chore, or "" if nobody could have meant one.
func (c Chores) whyNotRead(s event.Said, chat event.Chat) string {
	switch {
	case s.Command || s.Pick != "" || len(s.Files) > 0 || chat.Shared():
		return ""
	case s.Label.Untrusted || len(s.Aside)+len(s.Attachments) > 0:
		return notTyped
	case c.Shell != "" && s.Principal.Platform == c.Shell:
		return piped
	}
	return ""
}

// helpWith returns help for words that are no chore: similar sentences, and offers for the things
// that the words name.
func (p *player) helpWith(ctx context.Context, words string) (help string, offers []event.Choice) {
	chores := p.c.cfg.Chores
	permits := func(sentence string) bool {
		return chores.Permits == nil || chores.Permits(ctx, sentence)
	}
	if r := chores.Sentences.Loosely(words); r.Kind == greeting {
		advice := getModel
		if chores.ChoseModel {
			advice = waitModel
		}
		return r.Answer + "\n" + p.say(advice), nil // it lists what one can ask for
	}
	if p.c.name.Shared() && !permits(words) {
		return p.say(notInGroup), nil
	}
	help = p.say(noChore)
	if chores.Suggest == nil {
		return help, nil
	}
	similar, all := chores.Suggest(p.lang, words)
	similar = slices.DeleteFunc(similar, func(sentence string) bool { return !permits(sentence) })
	all = slices.DeleteFunc(all, func(o intents.Offer) bool { return !permits(o.Sentence) })
	if len(similar) > 0 {
		help += "  \n" + p.say(similarTo+strings.Join(similar, "; "))
	}
	for i, o := range all {
		offers = append(offers, event.Choice{Label: o.Label, Text: o.Sentence, Beside: i > 0, Trusted: true})
	}
	return help, offers
}

// modelAway replaces the details of the model's server for people who cannot change them.
const modelAway = "The model is away now."

// hideServer removes details of the model's server from a reply, if no model is available and the
// reader cannot change that.
func (p *player) hideServer(ctx context.Context, bodies []event.Body) []event.Body {
	var of event.Principal
	err := p.c.access(ctx, func() { of = p.c.tr.current().input.Principal })
	if has := p.c.cfg.Chores.HasModel; err != nil || mayMend(of) || has == nil || has(ctx) {
		return bodies
	}
	bodies = slices.Clone(bodies)
	for i, b := range bodies {
		if reply, ok := b.(event.Replied); ok {
			reply.Text = p.say(modelAway)
			bodies[i] = reply
		}
	}
	return bodies
}

// receiptWith returns the receipt of the open turn including bodies, which end it.
func (tr *transcript) receiptWith(bodies []event.Body) receipt.Turn {
	cur := tr.current()
	did := cur.receipt
	for _, b := range bodies {
		if !tr.isReported(cur, b) {
			did = did.Add(b)
		}
	}
	return did
}

// addReceipt adds to the reply what the turn did, from the reports of its tools and the state of
// the world. The reply to a person's own call that did nothing says so already.
func (p *player) addReceipt(ctx context.Context, own bool, did receipt.Turn, bodies []event.Body) []event.Body {
	if own && len(did.Effects()) == 0 {
		return bodies
	}
	bodies = slices.Clone(bodies)
	for i, b := range bodies {
		reply, ok := b.(event.Replied)
		if !ok {
			continue
		}
		if line := did.Line(p.receiptLanguage(), func(e event.Effect) string { return p.c.cfg.Differs(ctx, e) }); line != "" {
			reply.Text, reply.Receipt = strings.TrimSpace(reply.Text+"\n\n"+line), line
			bodies[i] = reply
		}
	}
	return bodies
}

// isReported reports whether the reply itself already says what a body reports, so that the receipt
// must not repeat it. The reply to a person's own reminder call does.
func (tr *transcript) isReported(cur *turn, b event.Body) bool {
	if tr.isReportedByDriver(cur, b) {
		return true
	}
	r, ok := b.(event.Returned)
	isOther := func(e event.Effect) bool { return e.Kind != "reminder" || e.Failed }
	return ok && r.OK && cur.isCommand() && len(r.Effects) > 0 && !slices.ContainsFunc(r.Effects, isOther)
}

// isReportedByDriver reports whether a body is a failed call in the driver's world. The driver
// mentions it, so the receipt does not.
func (tr *transcript) isReportedByDriver(cur *turn, b event.Body) bool {
	r, ok := b.(event.Returned)
	return ok && cur.drivingSkill != "" && !r.OK && len(r.Effects) == 0 && r.By != "gate" &&
		tr.toolReplays != nil && tr.toolReplays(r.Tool)
}
