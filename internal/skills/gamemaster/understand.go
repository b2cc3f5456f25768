package gamemaster

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/game/account"
	"hob/internal/game/eventlog"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/show"
	"hob/internal/game/world"
)

// ask asks which meaning the player has in mind, or says why something cannot be done.
func (tn turn) ask(ctx context.Context, m parser.Meaning) driver.Plan {
	if len(m.Options) == 0 {
		return tn.withChoices(ctx, answer(m.Problem))
	}
	p := answer(m.Problem)
	tn.state.options, tn.state.head, tn.state.unclear = m.Options, tn.present(ctx), tn.state.words
	for i, o := range m.Options {
		p.Result.Choices = append(p.Result.Choices, event.Choice{Label: o.Label, Text: o.Label, Pick: moment(tn.state.head, pickOption+strconv.Itoa(i), tn.state.actor)})
	}
	return p
}

// pickOption begins the number of a choice that is one meaning of unclear words.
const pickOption = "o"

// moment marks a choice with the turn after which it was offered, and with the actor to whom.
func moment(turn int64, n, actor string) string {
	return strconv.FormatInt(turn, 10) + "." + n + "." + actor
}

// isOffered reports whether a pick is a choice of an actor's, and not a command.
func isOffered(pick string) bool { return strings.Count(pick, ".") > 1 }

// isNow reports whether choices of that turn are still valid.
func (camp *campaign) isNow(ctx context.Context, moment string) bool {
	return moment == strconv.FormatInt(camp.present(ctx), 10)
}

// The bounds of calls that plain words make, and that a round makes.
const (
	mostPlanned = parser.MostCalls
	mostOfRound = 40
)

// understand reads a choice, a plain command, or a plan for a round.
func (tn turn) understand(ctx context.Context) (driver.Plan, bool, error) {
	actor := tn.World().Actor(tn.state.actor)
	if calls, ok := tn.pickedCalls(ctx, tn.caller.Pick); ok && len(calls) == 0 {
		return tn.reply("moment_passed")
	} else if ok {
		return tn.runCalls(ctx, calls)
	}
	options := parser.Options{Named: tn.state.named, Earlier: tn.state.earlier, Missed: tn.state.missed, From: tn.state.from, NoModel: !tn.hasNarrator(ctx), Variant: tn.state.answers, Try: tn.tryCalls(ctx)}
	asked := tn.asked(ctx)
	options.Asked = len(asked) > 0
	if options.NoModel && tn.state.last != "" && parser.Again(tn.state.words) {
		tn.state.words = tn.state.last
	} else if options.NoModel && tn.state.last != "" && parser.Corrects(tn.state.words) {
		tn.state.words = tn.state.last + ", " + tn.state.words
	} else if len(asked) > 1 && parser.Agrees(tn.state.words) {
		tn.state.words = tn.state.unclear // "yes" does not say which, so the question comes again
	} else if n := slices.IndexFunc(asked, func(o parser.Option) bool { return o.IsSaid(tn.state.words) }); n >= 0 {
		return tn.runCalls(ctx, tn.state.option(n))
	}
	m, ok := options.Read(tn.World(), tn.m.book, tn.lang(), actor, tn.state.words)
	if command, _ := spokenMoment(tn.state.words); command != "" && options.NoModel {
		ok = ok && m.Problem == "" // "сохранить X" is to keep X, where there is an X
	} else if !ok || m.Partly {
		if near, fits := options.Propose(tn.World(), tn.m.book, tn.lang(), actor, tn.state.words); fits {
			m, ok = near, true
		}
	}
	tn.state.missed = m.Missed
	switch {
	case !ok && tn.inRound() && tn.hasNarrator(ctx):
		return tn.notePlan(ctx, nil)
	case !ok:
		return driver.Plan{}, false, nil
	case m.Problem != "":
		tn.state.answers++
		if m.Whom != "" {
			tn.state.named = append([]string{m.Whom}, tn.state.named...)
		}
		return tn.ask(ctx, m), true, nil
	case m.Pick > 0:
		calls, ok := tn.nthChoice(ctx, m.Pick)
		if !ok {
			return tn.offer(ctx, tn.say("no_choice", strconv.Itoa(m.Pick)))
		}
		return tn.runCalls(ctx, calls)
	case m.Show != "":
		p, err := tn.showing(ctx, m.Show)
		return tn.withChoices(ctx, p), true, err
	case len(m.Calls) == 0:
		return driver.Plan{}, false, nil
	}
	tn.state.replies, tn.state.then = [2]string{m.Before, m.After}, m.Then
	return tn.runCalls(ctx, m.Calls)
}

// runCalls plans calls at once, or notes them in a round. Calls that only look need not wait for
// the round.
func (tn turn) runCalls(ctx context.Context, calls []rules.Call) (driver.Plan, bool, error) {
	if tn.changesWorld(calls) && tn.inRound() {
		return tn.notePlan(ctx, calls)
	}
	if done := tn.rehearseUneventful(ctx, calls); done.calls < len(calls) {
		calls, tn.state.replies[1] = calls[:done.calls], ""
		if tn.state.then = nil; !done.refused {
			tn.state.then = &parser.Meaning{Problem: tn.say("halted")}
		}
	}
	plan := tn.plan(calls)
	if len(calls) > 1 || tn.state.then != nil {
		if err := tn.answerKnown(ctx, &plan, calls); err != nil {
			return plan, true, err
		}
		if len(plan.Calls) == 0 {
			text, asked, err := tn.afterwards(ctx, "", joinPlain)
			if plan = tn.withChoices(ctx, answer(text)); len(asked) > 0 {
				plan.Result.Choices = asked
			}
			return plan, true, err
		}
	}
	plan, err := tn.settle(ctx, plan)
	return plan, true, err
}

// changesWorld reports whether calls do more than look.
func (camp *campaign) changesWorld(calls []rules.Call) bool {
	return slices.ContainsFunc(calls, func(c rules.Call) bool {
		t := camp.m.book.Tool(c.Tool)
		return t == nil || t.Class != rules.Reading
	})
}

// settle returns a plan, or its answer at once if nothing of the story happens: somebody looks at something, or,
// without a narrator, hears known words again.
func (tn turn) settle(ctx context.Context, plan driver.Plan) (driver.Plan, error) {
	acts := func(c driver.PlannedCall) bool { return c.Name != "look" }
	if len(plan.Calls) > 1 && !slices.ContainsFunc(plan.Calls, acts) && !tn.hasNarrator(ctx) {
		return tn.settleLooks(ctx, plan)
	}
	if len(plan.Calls) != 1 || tn.state.then != nil || tn.state.replies != [2]string{} {
		return plan, nil
	}
	call := rules.Call{Tool: plan.Calls[0].Name, Args: plan.Calls[0].Args, Actor: tn.state.actor}
	var text string
	switch {
	case call.Tool == "look":
		text = tn.lookAt(call)
	case call.Tool == "talk" && !tn.hasNarrator(ctx):
		seen, err := tn.play(ctx, call, true)
		if err != nil || len(seen.Outcomes) != 1 || len(seen.Events)+len(seen.Rolls) > 0 {
			return plan, err
		}
		text = account.StopBehind(tn.m.book.Text(tn.lang(), seen.Outcomes[0].Say))
	default:
		return plan, nil
	}
	tn.state.planned = 0
	return tn.withChoices(ctx, answer(text)), nil
}

// settleLooks answers several looks at once, each of them one time.
func (tn turn) settleLooks(ctx context.Context, plan driver.Plan) (driver.Plan, error) {
	var seen []string
	text := ""
	for _, c := range plan.Calls {
		if one := tn.lookAt(rules.Call{Tool: c.Name, Args: c.Args, Actor: tn.state.actor}); !slices.Contains(seen, one) {
			seen, text = append(seen, one), joinPlain(text, one)
		}
	}
	text, asked, err := tn.afterwards(ctx, text, joinPlain)
	tn.state.planned = 0
	p := tn.withChoices(ctx, answer(text))
	if len(asked) > 0 {
		p.Result.Choices = asked
	}
	return p, err
}

// lookAt describes what a look is at, or the place.
func (tn turn) lookAt(call rules.Call) string {
	for _, id := range idsIn(call) {
		if closer, ok := show.Closer(tn.World(), tn.lang(), tn.state.actor, id); ok {
			return closer
		}
	}
	return show.Look(tn.World(), tn.m.book, tn.lang(), tn.state.actor)
}

// answerKnown takes questions out of a plan of several commands if their answers were heard before. No narrator tells
// these again, and they are no turn: the answers stand beside what is told.
func (tn turn) answerKnown(ctx context.Context, p *driver.Plan, calls []rules.Call) error {
	asks := func(c rules.Call) bool { return c.Tool == "talk" }
	if tn.hasNarrator(ctx) || !slices.ContainsFunc(calls, asks) {
		return nil
	}
	seen, err := tn.tryOut(ctx, calls)
	if err != nil {
		return err
	}
	p.Calls = slices.Clone(p.Calls)[:0]
	for i, c := range calls[:min(len(calls), mostPlanned)] {
		known := asks(c) && i < len(seen.Outcomes) && i < len(seen.Spans) && seen.Outcomes[i].OK() && seen.Spans[i].Events+seen.Spans[i].Rolls == 0
		if !known {
			p.Calls = append(p.Calls, driver.PlannedCall{Name: c.Tool, Args: c.Args})
			continue
		}
		reply := &tn.state.replies[min(len(p.Calls), 1)]
		*reply = strings.TrimSpace(*reply + "\n" + account.StopBehind(tn.m.book.Text(tn.lang(), seen.Outcomes[i].Say)))
	}
	tn.state.planned = len(p.Calls)
	return nil
}

// mostEarlier is how many ids are remembered as named before the last commands.
const mostEarlier = 8

// plan returns a plan of calls.
func (tn turn) plan(calls []rules.Call) driver.Plan {
	var p driver.Plan
	most := mostPlanned
	if tn.state.round != nil {
		most = mostOfRound
	}
	for _, c := range calls[:min(len(calls), most)] {
		p.Calls = append(p.Calls, driver.PlannedCall{Name: c.Tool, Args: c.Args})
	}
	earlier := slices.Concat(tn.state.named, tn.state.earlier)
	tn.state.earlier = earlier[:min(len(earlier), mostEarlier)]
	tn.state.planned, tn.state.named, tn.state.looked = len(p.Calls), nil, nil
	for _, c := range calls {
		if c.Tool == "look" {
			tn.state.looked = append(tn.state.looked, idsIn(c)...)
		}
	}
	for _, c := range slices.Backward(calls) {
		tn.state.named = append(tn.state.named, idsIn(c)...)
	}
	steps := slices.DeleteFunc(slices.Clone(calls), func(c rules.Call) bool { return c.Tool != "move_player" })
	if a := tn.World().Actor(tn.state.actor); a != nil && len(steps) > 0 {
		tn.state.from = a.Place
		if n := len(steps); n > 1 {
			tn.state.from = steps[n-2].Text("target_location_id") // "back" undoes only the last step
		}
	}
	return p
}

// idsIn returns the ids of the people and things that a call is about, people first.
func idsIn(c rules.Call) (ids []string) {
	for _, name := range []string{"npc_id", "target_id", "object_id"} {
		if id := c.Text(name); id != "" && id != c.Actor {
			ids = append(ids, id)
		}
	}
	return ids
}

// showing answers with what a player asked to see, and adds the picture of a map.
func (tn turn) showing(ctx context.Context, what parser.Show) (driver.Plan, error) {
	text, err := tn.view(ctx, what)
	p := answer(text)
	if what == parser.ShowMap {
		p.Result.Files = tn.mapFiles()
	}
	return p, err
}

// view returns the text of what a player asked to see.
func (tn turn) view(ctx context.Context, what parser.Show) (string, error) {
	w, lang := tn.World(), tn.lang()
	switch what {
	case parser.ShowInventory:
		return show.Inventory(w, lang, tn.state.actor), nil
	case parser.ShowSheet:
		return show.Sheet(w, lang, tn.state.actor), nil
	case parser.ShowMap:
		if a := w.Actor(tn.state.actor); a != nil && w.Place(a.Place).IsPage() {
			return tn.say("map_pages"), nil
		}
		if tn.m.isVisual(tn.caller) {
			return tn.say("map"), nil
		}
		return fence + "\n" + strings.TrimRight(show.Map(w, lang, tn.state.actor, mapWidth), "\n") + "\n" + fence, nil
	case parser.ShowChoices:
		return show.Hints(w, lang, tn.state.actor), nil
	case parser.ShowQuests:
		return show.Quests(w, lang), nil
	case parser.ShowRecap:
		return tn.recap(ctx, recapTurns)
	case parser.ShowWhy:
		return tn.explainTurn(ctx)
	case parser.ShowHelp:
		return show.Help(lang, tn.hasNarrator(ctx)), nil
	case parser.ShowParty:
		return show.Party(w, lang), nil
	case parser.ShowTime:
		return tn.date(), nil
	}
	if len(tn.party()) == 0 {
		return tn.say("join_first"), nil
	}
	return show.Look(w, tn.m.book, lang, tn.state.actor), nil
}

const (
	mapWidth   = 78 // columns of a map in letters
	recapTurns = 12
)

// recap summarizes the last turns.
func (camp *campaign) recap(ctx context.Context, n int) (string, error) {
	turns, err := camp.pastTurns(ctx, n)
	if err != nil {
		return "", err
	}
	return show.Veil(camp.World(), show.Recap(camp.lang(), account.Recap(turns))), nil
}

// explainTurn explains the calls of the last turn of the story.
func (camp *campaign) explainTurn(ctx context.Context) (string, error) {
	parts, err := camp.newest(ctx, camp.Head(), func(p eventlog.Part) bool { return p.Table || isNote(p) })
	if err != nil {
		return "", err
	}
	if len(parts) == 0 {
		return camp.say("nothing_yet"), nil
	}
	t, err := camp.pastTurn(ctx, parts)
	if err != nil {
		return "", err
	}
	happened := show.Veil(camp.World(), strings.Join(t.Facts(), "\n"))
	return strings.TrimSpace(happened + "\n" + show.Why(camp.World(), camp.m.book, camp.lang(), parts)), nil
}

// readPlain reads the words of an actor, without what was said before.
func (camp *campaign) readPlain(actor, words string) (parser.Meaning, bool) {
	return parser.Read(camp.World(), camp.m.book, camp.lang(), camp.World().Actor(actor), words)
}

// hint says what a player can say without a model.
func (camp *campaign) hint(actor string) string {
	return parser.Hint(camp.World(), camp.m.book, camp.lang(), camp.World().Actor(actor))
}

// choices returns the choices of a player. A surface with buttons gets a row of fixed ones below.
func (tn turn) choices(ctx context.Context, actor string) (all []event.Choice) {
	now, actor := tn.present(ctx), tn.chooserFor(ctx, actor)
	for i, c := range tn.engineChoices(actor) {
		all = append(all, event.Choice{Label: c.Label, Text: c.Label, Pick: moment(now, strconv.Itoa(i), actor)})
	}
	if plans, err := tn.plans(ctx, ""); err == nil && len(plans) > 0 && tn.inRound() { // only in this round
		all = append(all, event.Choice{Label: "▶ " + tn.say("go_on"), Text: "/next", Pick: strconv.FormatInt(now, 10)})
	}
	if !tn.m.isVisual(tn.caller) {
		return all
	}
	return append(all, event.Choice{Label: "🎒", Text: "/inv", Trusted: true}, event.Choice{Label: "🗺", Text: "/map", Beside: true, Trusted: true},
		event.Choice{Label: "↩", Text: "/undo", Pick: strconv.FormatInt(now, 10), Beside: true}, event.Choice{Label: "⋯", Text: "/help", Beside: true, Trusted: true})
}

// chooserFor returns the actor whose choices everybody sees: the given one, or in a round one who has no plan yet.
func (camp *campaign) chooserFor(ctx context.Context, actor string) string {
	if camp.inRound() {
		if all, err := camp.plans(ctx, ""); err == nil {
			if ids, _ := camp.missingPlans(all); len(ids) > 0 && !slices.Contains(ids, actor) {
				return ids[0]
			}
		}
	}
	if !camp.inParty(actor) {
		return camp.World().Self().Active
	}
	return actor
}

// engineChoices returns the engine's choices for an actor.
func (camp *campaign) engineChoices(actor string) []story.Choice {
	return story.Choices(camp.World(), camp.m.book, camp.lang(), camp.World().Actor(actor))
}

// stale reports whether a choice was pressed too late, when the story had gone on.
func (tn turn) stale(ctx context.Context) bool {
	if moment, _, _ := strings.Cut(tn.caller.Pick, "."); moment == "" || tn.isNow(ctx, moment) {
		return false
	}
	if tn.caller.Turn == 0 || tn.state.turn == tn.caller.Turn {
		return tn.caller.Turn == 0
	}
	for _, what := range []string{partIntent, partUndo} { // its turn may have begun before a crash
		if begun, err := tn.isLogged(ctx, prefix(tn.caller)+what); err == nil && begun {
			return false
		}
	}
	return true
}

// pickedCalls returns the calls of the choice that was pressed, none if it is not offered any more.
func (tn turn) pickedCalls(ctx context.Context, pick string) ([]rules.Call, bool) {
	part := strings.SplitN(pick, ".", 3)
	if len(part) < 3 {
		return nil, false
	}
	number, option := strings.CutPrefix(part[1], pickOption)
	n, err := strconv.Atoi(number)
	switch {
	case err != nil || part[2] != tn.state.actor:
		return nil, false // it was offered to somebody else, so its label is read as words
	case option && (n < 0 || n >= len(tn.state.options) || tn.state.head != tn.present(ctx)):
		return nil, true
	case option:
		return tn.state.option(n), true
	}
	return tn.engineChoice(n + 1)
}

// asked returns the meanings that the actor was just asked to choose from.
func (tn turn) asked(ctx context.Context) []parser.Option {
	s := tn.state
	if len(s.options) == 0 || s.head != tn.present(ctx) || s.last != s.unclear || s.options[0].Calls[0].Actor != s.actor {
		return nil
	}
	return s.options
}

// option returns the calls of one meaning of unclear words, and adds its label to the words.
func (s *turnState) option(n int) []rules.Call {
	s.words = s.unclear + " (" + s.options[n].Label + ")"
	return s.options[n].Calls
}

// nthChoice returns the calls of the nth choice, from 1.
func (tn turn) nthChoice(ctx context.Context, n int) ([]rules.Call, bool) {
	if options := tn.asked(ctx); len(options) > 0 {
		if n < 1 || n > len(options) {
			return nil, false
		}
		return tn.state.option(n - 1), true
	}
	return tn.engineChoice(n)
}

// engineChoice returns the calls of the nth of the engine's choices, from 1.
func (tn turn) engineChoice(n int) ([]rules.Call, bool) {
	list := tn.engineChoices(tn.state.actor)
	if n < 1 || n > len(list) {
		return nil, false
	}
	c := list[n-1]
	tn.state.words = c.Label
	return []rules.Call{{Tool: c.Tool, Args: c.Args.Bytes(), Actor: tn.state.actor}}, true
}

// describeEnd says that the story has ended, and how.
func (camp *campaign) describeEnd() string {
	self := camp.World().Self()
	key := "over"
	switch self.EndedReason {
	case "goal":
		key = "over_won"
	case "quest_failed", "party_dead":
		key = "over_lost"
	}
	return camp.say(key, rules.NameOrID(self.Title, camp.id))
}

// inParty reports whether an actor is of the party.
func (camp *campaign) inParty(id string) bool {
	return slices.ContainsFunc(camp.party(), func(a *world.Actor) bool { return a.ID == id })
}

// party returns the characters of the party, in their order.
func (camp *campaign) party() []*world.Actor { return camp.World().Party() }
