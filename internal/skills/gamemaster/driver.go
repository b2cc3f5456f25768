package gamemaster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/game/account"
	"hob/internal/game/eventlog"
	"hob/internal/game/narration"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/show"
	"hob/internal/game/tales"
	"hob/internal/tools"
)

// The bounds of narration.
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
		plan, ok, err = d.m.answerUnbound(ctx, caller, words)
	} else if plan, ok, err = d.tryBound(ctx, caller, words); err != nil {
		plan, ok, err = d.unbindGone(ctx, caller, words, err)
	}
	if ok && err == nil && d.m.isVisual(caller) && len(plan.Calls)+len(plan.Result.Choices)+len(plan.Result.Files) == 0 {
		plan.Result.Choices = d.m.choicesBelow(ctx, plan.Result.Text)
	}
	if text := plan.Result.Text; !strings.HasPrefix(text, fence) {
		plan.Result.Text = asMarkdown(text)
	}
	return plan, ok, err
}

// tryBound is TryDirect in a chat that plays a story.
func (d chatDriver) tryBound(ctx context.Context, caller tools.Caller, words string) (plan driver.Plan, ok bool, err error) {
	offered := isOffered(caller.Pick) // a label may look like a command
	if !offered {
		if plan, ok, err = d.m.command(ctx, words); ok || err != nil {
			return plan, ok, err
		}
	}
	command := !offered && tools.IsCommand(words)
	err = d.m.turn(ctx, func(tn turn) (err error) {
		switch {
		case !command:
			plan, ok, err = tn.direct(ctx, words)
		case !isStoryCommand(words): // it calls a tool, which is a turn of its own if the tool is the game's
			tn.begin(ctx, words)
			tn.state.planned = 1
		}
		return err
	})
	return plan, ok, err
}

// choicesBelow returns choices for an answer that has none of its own, because pressing a choice has removed the
// buttons. An answer to somebody who pressed too late gets none, since the answer before it has them. The answer that
// pauses the story gets none either.
func (m *Master) choicesBelow(ctx context.Context, text string) (all []event.Choice) {
	_ = m.turn(ctx, func(tn turn) error {
		if text != tn.say("moment_passed") && text != tn.say("paused") {
			all = tn.withChoices(ctx, driver.Plan{}).Result.Choices
		}
		return nil
	})
	return all
}

// isStoryCommand reports whether a command belongs to the story, so that a model may have to read it.
func isStoryCommand(words string) bool {
	takes, _ := TakesCommand(commandOf(words))
	return takes
}

// fence surrounds preformatted text.
const fence = "```"

// Context implements [driver.Driver]: the scene, unless the words are out of character.
func (d chatDriver) Context(ctx context.Context, words string) (tail string, err error) {
	caller := tools.CallerFrom(ctx)
	if bound, err := d.m.cfg.Campaigns.Bound(ctx, caller.Chat); err != nil || bound == "" {
		return "", err
	}
	err = d.m.turn(ctx, func(tn turn) (err error) {
		tn.begin(ctx, words)
		s := tn.state
		s.begun = false
		if _, aside := parser.Aside(words); aside && !isOffered(caller.Pick) || s.aside {
			s.aside = true
			tail = outOfCharacter
			return nil
		}
		if s.round == nil && tn.inRound() { // hob was restarted while the round was played
			if err := tn.restoreRound(ctx); err != nil {
				return err
			}
		}
		tail, err = tn.scene(ctx)
		return err
	})
	return tail, err
}

// System implements [driver.Speaker]: the storyteller's text in the language of the story.
func (d chatDriver) System(ctx context.Context) (text string, err error) {
	caller := tools.CallerFrom(ctx)
	if bound, err := d.m.cfg.Campaigns.Bound(ctx, caller.Chat); err != nil || bound == "" {
		return "", err
	}
	err = d.m.at(ctx, caller.Chat, func(camp *campaign) error {
		raw, err := systemFiles.ReadFile("system/" + camp.lang() + ".md")
		if err != nil { // there may be no text: an imported story may be in any language
			raw, err = systemFiles.ReadFile("system/en.md")
		}
		text = string(raw)
		return err
	})
	if gone := (*goneError)(nil); errors.As(err, &gone) { // the turn will report it
		return "", nil
	}
	return text, err
}

// Label implements [driver.Driver]. It names the source of the story's text, which a model reads in every turn.
func (d chatDriver) Label(ctx context.Context) (event.Label, error) {
	id, err := d.m.cfg.Campaigns.Bound(ctx, tools.CallerFrom(ctx).Chat)
	if err != nil || id == "" {
		return event.Label{}, err
	}
	return d.m.cfg.Campaigns.Label(ctx, id)
}

const outOfCharacter = "[The person speaks out of character: answer them as yourself, briefly. The story stands still: change nothing in it.]"

// scene returns the scene block with the newest words.
func (tn turn) scene(ctx context.Context) (string, error) {
	past, err := tn.recent(ctx, sceneTurns)
	if err != nil {
		return "", err
	}
	recent, err := tn.wordsOf(ctx, story.LoreReach(tn.World(), int64(len(tn.Path()))), inputOf)
	if err != nil {
		return "", err
	}
	var says []string
	for _, line := range tn.spokenLines() {
		if tn.state.round != nil {
			line.Text = tn.nameOf(line.Actor) + ": " + line.Text
		}
		says = append(says, line.Text)
	}
	void := ""
	voids := func(p eventlog.Part) bool { return strings.HasSuffix(p.Request, partVoid) }
	parts, err := tn.newest(ctx, tn.Head(), func(p eventlog.Part) bool { return p.Table && !voids(p) || isNote(p) })
	if err == nil && len(parts) > 0 && voids(parts[0]) {
		void = "[" + tn.say("took_back") + "]\n"
	}
	scene := story.Scene(tn.World(), story.SceneInput{
		Turn: tn.Turns() + 1, Actor: tn.state.actor, Last: tn.bullets(past), Says: strings.Join(says, " / "), Recent: recent,
		Daypart: tn.daypart(),
	})
	if fence, err := tn.fence(ctx); err != nil {
		return "", err
	} else if fence != nil {
		scene = fence(scene)
	}
	return void + scene + tn.allowlistNote(), nil
}

// daypart returns the time of day in words of the story's language, "" where no clock runs.
func (camp *campaign) daypart() string {
	if _, daypart := story.Date(camp.World().Self()); daypart != "" {
		return camp.say("time_" + daypart)
	}
	return ""
}

// date says what time it is in the story, and of which day.
func (camp *campaign) date() string {
	d, ok := story.Now(camp.World().Self())
	if !ok {
		return camp.say("no_clock")
	}
	return camp.say("date", fmt.Sprintf("%d:%02d", d.Hour, d.Minute), camp.daypart(), show.Day(camp.lang(), d))
}

// bullets returns a short line for each past turn, without secrets: a call may have named a secret by its id.
func (camp *campaign) bullets(past []rules.PastTurn) []story.Bullet {
	list := story.Bullets(camp.m.book, camp.lang(), past, 0)
	for i := range list {
		list[i].Text = show.Veil(camp.World(), list[i].Text)
	}
	return list
}

// sceneTurns is the number of past turns in a scene.
const sceneTurns = 3

// Narration implements [driver.Narrator].
func (d chatDriver) Narration(ctx context.Context) (n driver.Narration, ok bool) {
	err := d.m.turn(ctx, func(tn turn) error {
		if tn.state.aside {
			return nil
		}
		n.Batches, ok = tn.batches(), true
		if tn.World().Self().IsBound() { // these have a loop of their own: the model gets each result until it answers with words
			n.Enough, n.Stands = d.isEnough, d.stands
		}
		if !tn.state.begun { // the model has not acted yet
			tn.state.begun = true
			return nil
		}
		if err := tn.finish(ctx); err != nil {
			return err
		}
		t, err := tn.narratedTurn(ctx)
		if err != nil {
			return err
		}
		fence, err := tn.fence(ctx)
		if err != nil {
			return err
		}
		n.Ask = show.VeilForNarrator(tn.World(), t.Ask())
		if fence != nil {
			n.Ask = t.AskFenced(func(facts string) string { return fence(show.VeilForNarrator(tn.World(), facts)) })
		}
		tn.state.asked = true
		n.Temperature, n.Tokens, n.Rewrites, n.Rewrite = warmth, tellTokens, 1, tn.say("rewrite", "{0}")
		if tn.state.recap == "" { // the summary goes before the narration
			world := tn.World()
			n.Shown = func(words string) string { return show.Markup(world, words) }
		}
		return nil
	})
	return n, ok && err == nil
}

// isEnough reports whether the calls of the turn did all that the player's words ask for, as far as code can tell: each
// call succeeded and changed something, none is a check that needs another call after it, and the words name nothing
// else.
func (d chatDriver) isEnough(ctx context.Context) (enough bool) {
	err := d.m.turn(ctx, func(tn turn) error {
		t, err := tn.playedTurn(ctx)
		if err != nil {
			return err
		}
		for _, o := range t.Outcomes {
			if !o.OK() || !o.Changed || o.Call.Tool == "skill_check" && o.Call.Text("act") != "" {
				return nil
			}
		}
		acts := 0
		for _, line := range tn.spokenLines() {
			acts += 1 + countWords(line.Text, joiningWords())
		}
		enough = len(t.Outcomes) > 0 && acts <= len(t.Outcomes)
		return nil
	})
	return enough && err == nil
}

// joiningWords returns the words that join two things which somebody wants to do.
func joiningWords() []string {
	return []string{" and ", " then ", " и ", " потом ", " затем ", "然后", "再", "并"}
}

func countWords(text string, words []string) (n int) {
	for _, w := range words {
		n += strings.Count(strings.ToLower(text), w)
	}
	return n
}

// leastTold is the least [account.Weight] of a narration. Anything shorter only says that there is nothing to call.
const leastTold = 15

// stands reports whether text that a model wrote instead of calls can be told as it is.
func (d chatDriver) stands(ctx context.Context, words string) (holds bool) {
	err := d.m.turn(ctx, func(tn turn) error {
		if tn.state.aside || account.Weight(words) < leastTold {
			return nil
		}
		if _, parts, err := tn.turnsPlayed(ctx); err != nil || len(parts) > 0 { // a narration has to tell of all calls
			return err
		}
		if err := tn.finish(ctx); err != nil {
			return err
		}
		tn.state.asked = true
		holds = true
		return nil
	})
	return holds && err == nil && len(d.Check(ctx, words)) == 0
}

// batches returns the number of replies with calls that a turn may have.
func (camp *campaign) batches() int {
	n := cmp.Or(camp.m.cfg.Batches, int(camp.World().Self().MaxCalls))
	if n <= 0 {
		n = usualBatches
	}
	return min(n, mostBatches)
}

// Check implements [driver.Driver].
func (d chatDriver) Check(ctx context.Context, draft string) (problems []string) {
	err := d.m.turn(ctx, func(tn turn) error {
		t, err := tn.narratedTurn(ctx)
		if err != nil {
			return err
		}
		for _, f := range narration.Check(t, show.Markup(tn.World(), draft)) { // names in place of marks count as told
			if tn.state.aside && f.Kind != "secret" && f.Kind != "line" {
				continue
			}
			problems = append(problems, f.Problem)
		}
		if fence, err := tn.fence(ctx); err != nil {
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

// Fallback implements [driver.Narrator]: the engine's own words, or what completes the model's.
func (d chatDriver) Fallback(ctx context.Context, told string) (words string, err error) {
	err = d.m.turn(ctx, func(tn turn) error {
		_, parts, err := tn.turnsPlayed(ctx)
		if err != nil {
			return err
		}
		switch {
		case len(parts) == 0 && (tn.state.planned > 0 || tn.state.turn != tn.caller.Turn):
			return nil // nothing happened: what the player saw is the answer
		case tn.state.aside:
			words = tn.say("aside")
			return nil
		case len(parts) == 0 && !tn.state.asked:
			words = tn.notUnderstood(tn.state.actor)
			return nil
		}
		if err := tn.finish(ctx); err != nil {
			return err
		}
		t, err := tn.narratedTurn(ctx)
		if err != nil {
			return err
		}
		if told != "" {
			words = tn.completed(t, told, true)
			return nil
		}
		resumed, err := tn.resume(ctx)
		if err != nil {
			return err
		}
		words = show.Veil(tn.World(), resumed.recount(t))
		tn.state.own = strings.TrimSpace(words)
		return nil
	})
	return words, err
}

// completed returns a model's narration with what it left out of the turn, in the engine's words: a goal, a gift or a
// death; or everything that is missing if the narration was cut off.
func (tn turn) completed(t account.Turn, told string, all bool) string {
	if rest := show.Veil(tn.World(), narration.Rest(t, show.Markup(tn.World(), told), all)); rest != "" {
		return strings.TrimSpace(told) + "\n\n" + asMarkdown(rest)
	}
	return told
}

// Finalize implements [driver.Driver].
func (d chatDriver) Finalize(ctx context.Context, words string) (res tools.Result, err error) {
	err = d.m.turn(ctx, func(tn turn) error {
		res.Text = show.Markup(tn.World(), words)
		plain := asMarkdown
		if words != tn.state.own && (tn.state.planned == 0 || tn.state.turn != tn.caller.Turn) || strings.HasPrefix(words, fence) {
			plain = func(text string) string { return text } // a model wrote it, maybe with Markdown
		}
		parts, err := tn.currentParts(ctx)
		if err != nil || tn.state.aside {
			return err
		}
		if model := words != tn.state.own && tn.state.asked && tn.state.turn == tn.caller.Turn; model {
			t, err := tn.narratedTurn(ctx)
			if err != nil {
				return err
			}
			res.Text = tn.completed(t, res.Text, false)
		}
		if len(parts) > 0 {
			if err := tn.logNarration(ctx, res.Text); err != nil {
				return err
			}
		}
		res.Text = plain(res.Text)
		if tn.state.recap != "" {
			res.Text = asMarkdown(tn.state.recap) + "\n\n" + res.Text
		}
		if ending := tales.Ending(tn.World(), tn.lang()); ending != "" && len(parts) > 0 {
			res.Text += "\n\n" + ending
		}
		err = tn.addExtras(ctx, &res)
		tn.state.past = past{} // the turn is over, and this holds a whole world
		return err
	})
	return res, err
}

// logNarration appends the narration of the turn to the log.
func (tn turn) logNarration(ctx context.Context, words string) error {
	if err := tn.finish(ctx); err != nil || !tn.canExtend() {
		return err
	}
	_, err := tn.Extend(ctx, eventlog.Request{ID: prefix(tn.caller) + partTold, User: tn.caller.User, Narration: eventlog.Narration{Text: words}, Open: true})
	return err
}

// addExtras adds what stands below a narration: the engine's line, the next choices, and the map if it has changed.
func (tn turn) addExtras(ctx context.Context, res *tools.Result) error {
	t, err := tn.playedTurn(ctx)
	if err != nil {
		return err
	}
	line := show.EngineLine(show.EngineTurn{
		Before: t.Before, After: t.After, Actor: t.Actor, Rolls: t.Rolls, Outcomes: t.Outcomes, Lang: t.Lang, Plain: !tn.m.isVisual(tn.caller),
	})
	if res.Effects, err = tn.effects(ctx, line); err != nil {
		return err
	}
	res.Text = tn.addLooks(t, res.Text)
	done := slices.ContainsFunc(t.Outcomes, func(o rules.Outcome) bool { return o.OK() })
	switch failed := tn.failures(t, res.Text); {
	case failed == "":
	case !done && tn.state.recap == "" && !tn.hasNarrator(ctx): // the words only say why it cannot be done
		res.Text = asMarkdown(failed)
	default:
		res.Text += "\n\n" + asMarkdown(tn.say("not_done", failed))
	}
	next := tn.nextActor(t.Actor)
	var asked []event.Choice
	if res.Text, asked, err = tn.afterwards(ctx, res.Text, joinParagraphs); err != nil {
		return err
	}
	if res.Choices = asked; len(asked) == 0 {
		res.Choices = tn.choices(ctx, next)
	}
	switch {
	case t.After.Self().Ended && !t.Before.Self().Ended:
		res.Text += "\n\n" + asMarkdown(tn.closing(ctx))
	case next != t.Actor && tn.inParty(next):
		res.Text += "\n\n" + asMarkdown(tn.say("next_up", tn.nameOf(next)))
	}
	if changesMap(t) {
		res.Files = append(res.Files, tn.redrawnMap()...)
	}
	return nil
}

// effects returns what the turn did, in the engine's line, with the numbers that take it back. One turn of the chat may
// be several of the campaign, when another chat played in between.
func (tn turn) effects(ctx context.Context, line string) (all []event.Effect, err error) {
	if line == "" {
		return nil, nil
	}
	turns, _, err := tn.turnsPlayed(ctx)
	if err != nil {
		return nil, err
	}
	for _, turn := range turns {
		number, err := tn.Number(ctx, turn)
		if err != nil {
			return nil, err
		}
		if number != 0 {
			all = append(all, event.Effect{Kind: kind, Target: line, Change: number})
		}
	}
	if len(all) == 0 {
		all = []event.Effect{{Kind: kind, Target: line}}
	}
	return all, nil
}

// mostFailures is the number of failed calls that a reply mentions.
const mostFailures = 3

// failures says why calls of the turn failed, unless the words already do or a later call of the same tool succeeded.
func (camp *campaign) failures(t account.Turn, words string) string {
	var why []string
	for i, o := range t.Outcomes {
		better := func(later rules.Outcome) bool { return later.Call.Tool == o.Call.Tool && later.OK() }
		if o.OK() || o.Automatic || slices.ContainsFunc(t.Outcomes[i:], better) || len(why) == mostFailures {
			continue
		}
		checked := func(before rules.Outcome) bool {
			return before.Call.Tool == "skill_check" && before.Call.Text("act") == o.Call.Tool && before.OK()
		}
		if code := rules.Code(o.Detail()); (code == rules.CheckNeeded || code == rules.CheckSpent) && slices.ContainsFunc(t.Outcomes[:i], checked) {
			continue // the narration tells how the check went
		}
		text := show.Veil(camp.World(), camp.failure(o))
		if !slices.Contains(why, text) && !strings.Contains(words, text) && !strings.Contains(words, asMarkdown(text)) {
			why = append(why, text)
		}
	}
	return strings.Join(why, " ")
}

// failure tells players why a call failed. It shows no arguments and no ids, which players never see.
func (camp *campaign) failure(o rules.Outcome) string {
	text := strings.TrimSpace(camp.text(o.Say))
	switch detail := rules.Code(o.Detail()); {
	case detail == rules.EntityNotFound:
		return camp.say("not_done.missing")
	case detail == rules.NotByCall && slices.Contains([]string{"gate.rest", "gate.time", "gate.wait"}, o.Say.Key):
		return text // players can act on this one
	case detail == rules.ToolNotAllowed, detail == rules.NotByCall:
		return camp.say("not_done.rules")
	case detail == rules.CheckNeeded:
		return camp.say("not_done.check")
	case detail == rules.CheckSpent:
		return camp.say("not_done.spent")
	case detail == rules.OutOfReach:
		return camp.say("not_done.missing")
	case detail == rules.InvalidArgs, strings.Contains(text, "_"):
		return camp.say("not_done.form")
	}
	return text
}

// changesMap reports whether a turn may have changed the map.
func changesMap(t account.Turn) bool {
	for _, c := range eventlog.Changes(t.Events) {
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
