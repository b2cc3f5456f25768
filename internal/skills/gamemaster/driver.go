package gamemaster

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/game/narration"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/saga"
	"hob/internal/game/show"
	"hob/internal/game/tales"
	"hob/internal/tools"
)

// How what happened is told.
const (
	usualBatches = 5 // replies with calls that a turn has, if nobody says otherwise (seed 000)
	mostBatches  = 10
	warmth       = 0.8 // temperature of the request in which a turn is told
	tellTokens   = 260 // that the words may have: four sentences, in any script
)

// chatDriver drives a chat while the skill is open: a [driver.Driver] that narrates.
type chatDriver struct{ m *Master }

// TryDirect implements [driver.Driver].
func (d chatDriver) TryDirect(ctx context.Context, words string) (plan driver.Plan, ok bool, err error) {
	caller := tools.CallerFrom(ctx)
	bound, err := d.m.cfg.Campaigns.Bound(ctx, caller.Chat)
	if err != nil {
		return driver.Plan{}, false, err
	}
	if bound == "" {
		plan, ok, err = d.m.unbound(ctx, caller, words)
	} else if plan, ok, err = d.bound(ctx, caller, words); err != nil {
		plan, ok, err = d.lost(ctx, caller, words, err)
	}
	if ok && err == nil && d.m.isVisual(caller) && len(plan.Calls)+len(plan.Result.Choices)+len(plan.Result.Files) == 0 {
		plan.Result.Choices = d.m.choicesBelow(ctx, caller, plan.Result.Text)
	}
	if text := plan.Result.Text; !strings.HasPrefix(text, fence) {
		plan.Result.Text = asMarkdown(text)
	}
	return plan, ok, err
}

// bound is TryDirect in a chat that has a story.
func (d chatDriver) bound(ctx context.Context, caller tools.Caller, words string) (plan driver.Plan, ok bool, err error) {
	offered := isOffered(caller.Pick) // it is what it is, whatever it is called
	if !offered {
		if plan, ok, err = d.m.command(ctx, caller, words); ok || err != nil {
			return plan, ok, err
		}
	}
	command := !offered && tools.IsCommand(words)
	err = d.m.at(ctx, caller.Chat, func(camp *campaign) (err error) {
		switch {
		case !command:
			plan, ok, err = camp.direct(ctx, caller, words)
		case !isStoryCommand(words): // it calls a tool: if that is one of the game's, it is a turn of its own
			camp.begin(ctx, caller, words).planned = 1
		}
		return err
	})
	return plan, ok, err
}

// choicesBelow are the choices below an answer that brings none of its own: a press has taken those away that were there. Where somebody was
// late, the answer to who was faster has them, and a story that was left has none.
func (m *Master) choicesBelow(ctx context.Context, caller tools.Caller, text string) (all []event.Choice) {
	_ = m.at(ctx, caller.Chat, func(camp *campaign) error {
		if text != camp.say("moment_passed") && text != camp.say("paused") {
			all = camp.offer(ctx, caller, driver.Plan{}).Result.Choices
		}
		return nil
	})
	return all
}

// isStoryCommand reports whether a command is one of the story's, which may want a model.
func isStoryCommand(words string) bool {
	name, _ := commandOf(words)
	takes, _ := Takes(name)
	return takes
}

// fence is what stands around letters that are to stand as they are.
const fence = "```"

// Context implements [driver.Driver]: the scene, unless the words are out of character.
func (d chatDriver) Context(ctx context.Context, words string) (tail string, err error) {
	caller := tools.CallerFrom(ctx)
	if bound, err := d.m.cfg.Campaigns.Bound(ctx, caller.Chat); err != nil || bound == "" {
		return "", err
	}
	err = d.m.at(ctx, caller.Chat, func(camp *campaign) (err error) {
		s := camp.begin(ctx, caller, words)
		s.begun = false
		if _, aside := parser.Aside(words); aside && !isOffered(caller.Pick) || s.aside {
			s.aside = true
			tail = outOfCharacter
			return nil
		}
		if s.round == nil && camp.inRound() { // the process has forgotten that one is played
			if err := camp.restoreRound(ctx, caller, s); err != nil {
				return err
			}
		}
		tail, err = camp.scene(ctx, s)
		return err
	})
	return tail, err
}

// Label says where the text of the chat's story comes from: a model reads it with every turn.
func (d chatDriver) Label(ctx context.Context) (event.Label, error) {
	id, err := d.m.cfg.Campaigns.Bound(ctx, tools.CallerFrom(ctx).Chat)
	if err != nil || id == "" {
		return event.Label{}, err
	}
	return d.m.cfg.Campaigns.Label(ctx, id)
}

const outOfCharacter = "[The person speaks out of character: answer them as yourself, briefly. The story stands still: change nothing in it.]"

// scene is the scene block with what was just said.
func (camp *campaign) scene(ctx context.Context, s *turnState) (string, error) {
	past, err := camp.recent(ctx, sceneTurns)
	if err != nil {
		return "", err
	}
	recent, err := camp.wordsOf(ctx, story.Reach(camp.World(), int64(len(camp.Path()))), inputOf)
	if err != nil {
		return "", err
	}
	var says []string
	for _, line := range camp.spokenLines(s) {
		if s.round != nil {
			line.Text = camp.nameOf(line.Actor) + ": " + line.Text
		}
		says = append(says, line.Text)
	}
	void := ""
	voids := func(p saga.Part) bool { return strings.HasSuffix(p.Request, partVoid) }
	parts, err := camp.newest(ctx, camp.Head(), func(p saga.Part) bool { return p.Table && !voids(p) || onlyNoted(p) })
	if err == nil && len(parts) > 0 && voids(parts[0]) {
		void = tookBack
	}
	scene := story.Scene(camp.World(), story.Telling{
		Turn: camp.Turns() + 1, Actor: s.actor, Last: camp.bullets(past), Says: strings.Join(says, " / "), Recent: recent,
	})
	if fence, err := camp.fence(ctx); err != nil {
		return "", err
	} else if fence != nil {
		scene = fence(scene)
	}
	return void + scene + camp.allowlistNote(), nil
}

// tookBack stands before a scene after somebody has taken back how the story was told.
const tookBack = "[What was told last is taken back: it did not happen like that. Do not tell it again, do not speak of it.]\n"

// bullets is what happened in turns, in short, without what nobody is to know: a call may have named it by its id.
func (camp *campaign) bullets(past []rules.Past) []story.Bullet {
	list := story.Bullets(camp.m.book, camp.lang(), past, 0)
	for i := range list {
		list[i].Text = show.Veil(camp.World(), list[i].Text)
	}
	return list
}

// sceneTurns is how many turns a scene tells of.
const sceneTurns = 3

// Narration implements [driver.Narrator].
func (d chatDriver) Narration(ctx context.Context) (n driver.Narration, ok bool) {
	caller := tools.CallerFrom(ctx)
	err := d.m.at(ctx, caller.Chat, func(camp *campaign) error {
		s := camp.state(caller.Chat)
		if s.aside {
			return nil
		}
		n.Batches, ok = camp.batches(), true
		if !s.begun { // what is done is still to come
			s.begun = true
			return nil
		}
		if err := camp.finish(ctx, caller); err != nil {
			return err
		}
		t, err := camp.narratedTurn(ctx, caller)
		if err != nil {
			return err
		}
		fence, err := camp.fence(ctx)
		if err != nil {
			return err
		}
		n.Ask = show.Veil(camp.World(), t.Ask(camp.sparkWords()))
		if fence != nil {
			n.Ask = t.AskFenced(camp.sparkWords(), func(facts string) string { return fence(show.Veil(camp.World(), facts)) })
		}
		s.asked = true
		n.Temperature, n.Tokens, n.Rewrites = warmth, tellTokens, 1
		return nil
	})
	return n, ok && err == nil
}

// batches is how many replies with calls a turn may have.
func (camp *campaign) batches() int {
	said := cmp.Or(camp.m.cfg.Batches, int(camp.World().Self().MaxCalls))
	if said <= 0 {
		said = usualBatches
	}
	return min(said, mostBatches)
}

// Check implements [driver.Driver].
func (d chatDriver) Check(ctx context.Context, draft string) (problems []string) {
	caller := tools.CallerFrom(ctx)
	err := d.m.at(ctx, caller.Chat, func(camp *campaign) error {
		s := camp.state(caller.Chat)
		t, err := camp.narratedTurn(ctx, caller)
		if err != nil {
			return err
		}
		for _, f := range t.Check(show.Markup(camp.World(), draft)) { // what marks stand for is told, too
			if s.aside && f.Kind != "secret" && f.Kind != "line" {
				continue
			}
			problems = append(problems, f.Problem)
		}
		if fence, err := camp.fence(ctx); err != nil {
			return err
		} else if fence != nil && len(problems) > 0 {
			problems = []string{"\n" + fence(strings.Join(problems, "; ")) + "\n"}
		}
		return nil
	})
	if err != nil {
		return []string{"it cannot be held against what happened"}
	}
	return problems
}

// Fallback implements [driver.Narrator]: the engine's own words.
func (d chatDriver) Fallback(ctx context.Context) (words string, err error) {
	caller := tools.CallerFrom(ctx)
	err = d.m.at(ctx, caller.Chat, func(camp *campaign) error {
		s := camp.state(caller.Chat)
		_, parts, err := camp.turnsPlayed(ctx, caller, s)
		if err != nil {
			return err
		}
		switch {
		case len(parts) == 0 && (s.planned > 0 || s.turn != caller.Turn):
			return nil // it only looked: what it saw is what there is to say
		case s.aside:
			words = camp.say("aside")
			return nil
		case len(parts) == 0 && !s.asked:
			words = camp.notUnderstood(s.actor)
			return nil
		}
		if err := camp.finish(ctx, caller); err != nil {
			return err
		}
		t, err := camp.narratedTurn(ctx, caller)
		if err != nil {
			return err
		}
		if s, err = camp.resumeState(ctx, caller); err != nil {
			return err
		}
		words = show.Veil(camp.World(), camp.recount(s, t))
		camp.state(caller.Chat).own = strings.TrimSpace(words)
		return nil
	})
	return words, err
}

// Finalize implements [driver.Driver].
func (d chatDriver) Finalize(ctx context.Context, words string) (res tools.Result, err error) {
	caller := tools.CallerFrom(ctx)
	err = d.m.at(ctx, caller.Chat, func(camp *campaign) error {
		s := camp.state(caller.Chat)
		res.Text = show.Markup(camp.World(), words)
		plain := asMarkdown
		if words != s.own && (s.planned == 0 || s.turn != caller.Turn) || strings.HasPrefix(words, fence) {
			plain = func(text string) string { return text } // a model's, which may have marks in it
		}
		parts, err := camp.currentParts(ctx, caller)
		if err != nil || s.aside {
			return err
		}
		if len(parts) > 0 {
			if err := camp.logNarration(ctx, caller, res.Text); err != nil {
				return err
			}
		}
		res.Text = plain(res.Text)
		if s.recap != "" {
			res.Text = asMarkdown(s.recap) + "\n\n" + res.Text
		}
		if ending := tales.Ending(camp.World(), camp.lang()); ending != "" && len(parts) > 0 {
			res.Text += "\n\n" + ending
		}
		err = camp.addExtras(ctx, caller, &res)
		s.past = past{} // a world may be large, and the turn is over
		return err
	})
	return res, err
}

// logNarration writes the words in which the turn was told to the log.
func (camp *campaign) logNarration(ctx context.Context, caller tools.Caller, words string) error {
	if err := camp.finish(ctx, caller); err != nil || !camp.canExtend() {
		return err
	}
	_, err := camp.Extend(ctx, saga.Request{ID: prefix(caller) + partTold, User: caller.User, Tell: saga.Tell{Text: words}, Open: true})
	return err
}

// addExtras is what goes with the words of a turn: the engine's line, what can be done next, and the map where it has changed.
func (camp *campaign) addExtras(ctx context.Context, caller tools.Caller, res *tools.Result) error {
	t, err := camp.playedTurn(ctx, caller)
	if err != nil {
		return err
	}
	line := show.EngineLine(show.EngineTurn{
		Before: t.Before, After: t.After, Actor: t.Actor, Rolls: t.Rolls, Outcomes: t.Outcomes, Lang: t.Lang, Plain: !camp.m.isVisual(caller),
	})
	if line != "" {
		res.Effects = []event.Effect{{Kind: kind, Target: line}}
	}
	if failed := camp.failures(t, res.Text); failed != "" {
		res.Text += "\n\n" + asMarkdown(failed)
	}
	next := camp.nextActor(t.Actor)
	res.Choices = camp.choices(ctx, caller, next)
	switch {
	case t.After.Self().Ended && !t.Before.Self().Ended:
		res.Text += "\n\n" + asMarkdown(camp.describeEnd())
	case next != t.Actor && camp.inParty(next):
		res.Text += "\n\n" + asMarkdown(camp.say("next_up", camp.nameOf(next)))
	}
	if changesMap(t) {
		res.Files = append(res.Files, camp.redrawnMap(caller)...)
	}
	return nil
}

// mostFailures is how many calls that came to nothing a reply tells of.
const mostFailures = 3

// failures says why calls of the turn came to nothing, where the words of the turn do not say so and the model has not made up for it:
// a later call of the same tool was applied.
func (camp *campaign) failures(t narration.Turn, words string) string {
	var why []string
	for i, o := range t.Outcomes {
		better := func(later rules.Outcome) bool { return later.Call.Tool == o.Call.Tool && later.OK() }
		if o.OK() || o.Itself || slices.ContainsFunc(t.Outcomes[i:], better) || len(why) == mostFailures {
			continue
		}
		text := show.Veil(camp.World(), camp.failure(o))
		if !slices.Contains(why, text) && !strings.Contains(words, text) && !strings.Contains(words, asMarkdown(text)) {
			why = append(why, text)
		}
	}
	if len(why) == 0 {
		return ""
	}
	return camp.say("not_done", strings.Join(why, " "))
}

// failure says to players why a call came to nothing: not which argument was wrong, and no id, which they have never seen.
func (camp *campaign) failure(o rules.Outcome) string {
	text := strings.TrimSpace(camp.text(o.Say))
	switch detail := rules.Code(o.Detail()); {
	case detail == rules.EntityNotFound:
		return camp.say("not_done.missing")
	case detail == rules.ToolNotAllowed:
		return camp.say("not_done.rules")
	case detail == rules.InvalidArgs, strings.Contains(text, "_"):
		return camp.say("not_done.form")
	}
	return text
}

// changesMap reports whether a turn may have changed what the map shows.
func changesMap(t narration.Turn) bool {
	for _, c := range saga.Changes(t.Events) {
		switch c.Kind.String() {
		case "place", "link":
			return true
		case "actor":
			if c.Field == "" || c.Field == "place" {
				return true
			}
		}
	}
	return false
}
