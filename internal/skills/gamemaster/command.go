package gamemaster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/game/saga"
	"hob/internal/game/show"
	"hob/internal/tools"
)

// Takes reports whether a chat that the skill leads takes the command of that name in place of any other, and whether nobody need
// see who gave it.
func Takes(name string) (takes, discreet bool) {
	_, known := commands()[name]
	return known || isSpoken(name), name == "x"
}

// isSpoken reports whether a command is a plain command of the story with a slash before it, which its parser understands.
func isSpoken(name string) bool {
	return slices.Contains([]string{
		"do", "say", "look", "l", "go", "take", "get", "drop", "open", "close", "talk", "ask", "attack", "use", "give", "inv", "i", "inventory",
		"sheet", "map", "quest", "quests", "recap", "roll", "check", "why", "help", "choices", "party", "time", "wait", "rest",
	}, name)
}

// order is a command of a person's, with what stands after its name.
type order struct {
	camp   *campaign
	caller tools.Caller
	state  *turnState
	args   string
}

// commands are what people can do with the story itself. No model can give them.
func commands() map[string]func(order, context.Context) (driver.Plan, bool, error) {
	return map[string]func(order, context.Context) (driver.Plan, bool, error){
		"undo": order.undo, "rewind": order.undo, "redo": order.redo, "retry": order.retry,
		"branch": order.branch, "save": order.branch, "load": order.load, "switch": order.load, "export": order.export,
		"join": order.join, "leave": order.leave, "mode": order.mode, "next": order.next, "rules": order.rules, "allow": order.allow,
		"lines": order.lines, "veils": order.veils, "x": order.xcard,
		"fair": order.fair, "pause": order.pause, "teller": order.teller,
	}
}

// reply answers with words of this package.
func (o order) reply(key string, args ...string) (driver.Plan, bool, error) {
	return answer(o.camp.say(key, args...)), true, nil
}

// offer answers with a text and what can be done next.
func (o order) offer(ctx context.Context, text string) (driver.Plan, bool, error) {
	return o.camp.offer(ctx, o.caller, answer(text)), true, nil
}

// plainCommand reads the few commands that are given without a slash, too: "undo" and "undo 2" in three languages.
func plainCommand(words string) (name, count string) {
	words = strings.Trim(strings.ToLower(strings.TrimSpace(words)), ".!。！")
	if i := strings.LastIndexByte(words, ' '); i > 0 {
		if _, err := strconv.Atoi(words[i+1:]); err == nil {
			words, count = strings.TrimSpace(words[:i]), words[i+1:]
		}
	}
	switch words {
	case "undo", "отмена", "отмени", "отменить", "撤销", "悔棋":
		return "undo", count
	case "redo", "верни", "重做":
		return "redo", count
	}
	return "", ""
}

// commandOf reads a command: its name in small letters, and what stands after it.
func commandOf(words string) (name, args string) {
	rest := strings.TrimPrefix(strings.TrimSpace(words), "/")
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	return strings.ToLower(rest[:end]), strings.TrimSpace(rest[end:])
}

// command does what a person commands, if it is a command. What is spoken, such as /do, is read on without its mark.
func (m *Master) command(ctx context.Context, caller tools.Caller, words string) (plan driver.Plan, ok bool, err error) {
	name, args := commandOf(words)
	if !strings.HasPrefix(strings.TrimSpace(words), "/") {
		if name, args = plainCommand(words); name == "" {
			return driver.Plan{}, false, nil
		}
	}
	run := commands()[name]
	if run == nil && !isSpoken(name) {
		return driver.Plan{}, false, nil
	}
	err = m.at(ctx, caller.Chat, func(camp *campaign) (err error) {
		if camp.stale(ctx, caller) {
			plan, ok = answer(camp.say("moment_passed")), true
			return nil
		}
		o := order{camp: camp, caller: caller, state: camp.begin(ctx, caller, words), args: args}
		switch {
		case name == "do" || name == "say":
			o.state.words = args
			plan, ok, err = camp.direct(ctx, caller, words)
		case run != nil:
			plan, ok, err = run(o, ctx)
		default:
			o.state.words = strings.TrimPrefix(strings.TrimSpace(words), "/")
			plan, ok, err = camp.direct(ctx, caller, o.state.words)
		}
		return err
	})
	var told *tools.Error
	if err != nil && !errors.As(err, &told) && !errors.Is(err, saga.ErrStale) {
		err = fmt.Errorf("/%s: %w", name, err)
	}
	return plan, ok, err
}

// moveBy is who moves the head, once for each turn of the chat.
func (o order) moveBy(what string) saga.By {
	return saga.By{Request: prefix(o.caller) + "/" + what, User: o.caller.User}
}

// may reports whether somebody may decide for all: an owner of the chat, or whoever plays alone.
func (o order) may() bool {
	players := o.players()
	alone := len(players) == 0 || len(players) == 1 && players[0] == o.caller.User
	return o.caller.Level >= event.GroupAdmin || o.caller.Scope == "private" || alone
}

// isOutsider reports whether somebody plays nobody here, and may not decide for those who do.
func (o order) isOutsider() bool { return !o.may() && o.camp.actorOf(o.caller.User) == "" }

// players are the users who play a character of the party.
func (o order) players() (all []string) {
	for _, a := range o.camp.party() {
		if a.Owner != "" && !slices.Contains(all, a.Owner) {
			all = append(all, a.Owner)
		}
	}
	return all
}

func (o order) undo(ctx context.Context) (driver.Plan, bool, error) {
	n, ok := o.count()
	if !ok {
		return o.reply("count")
	}
	if !o.may() && !o.hasDone(ctx, partUndo) {
		if !slices.Contains(o.players(), o.caller.User) {
			return o.reply("join_first")
		}
		missing, err := o.vote(ctx, n)
		if err != nil || missing != "" {
			return o.ballot(ctx, n, missing), true, err
		}
	}
	moved, err := o.camp.Undo(ctx, n, o.moveBy("undo"))
	return o.finishMove(ctx, moved, err, "undone", "undo_none")
}

// ballot answers that votes are missing, with a choice to vote for so many turns.
func (o order) ballot(ctx context.Context, n int, missing string) driver.Plan {
	up := event.Choice{Label: "👍 " + o.camp.say("undo"), Text: "/undo", Pick: strconv.FormatInt(o.camp.present(ctx), 10)}
	if n > 1 {
		up.Label, up.Text = fmt.Sprint(up.Label, " ", n), fmt.Sprint(up.Text, " ", n)
	}
	p := o.camp.offer(ctx, o.caller, answer(missing))
	p.Result.Choices = append([]event.Choice{up}, p.Result.Choices...)
	return p
}

func (o order) redo(ctx context.Context) (driver.Plan, bool, error) {
	n, ok := o.count()
	switch {
	case !ok:
		return o.reply("count")
	case o.isOutsider():
		return o.reply("join_first")
	}
	moved, err := o.camp.Redo(ctx, n, o.moveBy("redo"))
	return o.finishMove(ctx, moved, err, "redone", "redo_none")
}

// count reads the number of turns, 1 where none is given.
func (o order) count() (n int, ok bool) {
	if o.args == "" {
		return 1, true
	}
	n, err := strconv.Atoi(o.args)
	return n, err == nil && n > 0
}

// finishMove says by how many turns the head has moved, or that there are none.
func (o order) finishMove(ctx context.Context, m saga.Moved, err error, done, none string) (driver.Plan, bool, error) {
	switch {
	case err != nil:
		return driver.Plan{}, false, err
	case m.Turns == 0:
		return o.reply(none)
	}
	return o.arrive(ctx, done, strconv.Itoa(m.Turns))
}

// arrive says that the head has moved, and where everybody is now.
func (o order) arrive(ctx context.Context, key string, args ...string) (driver.Plan, bool, error) {
	if err := o.camp.restartTimer(ctx, o.caller); err != nil {
		return driver.Plan{}, false, err
	}
	text := o.camp.say(key, args...) + "\n\n" + o.camp.look(o.state.actor)
	p := o.camp.offer(ctx, o.caller, answer(text))
	p.Result.Files = o.camp.redrawnMap(o.caller)
	return p, true, nil
}

func (o order) branch(ctx context.Context) (driver.Plan, bool, error) {
	if o.args == "" {
		var names []string
		for _, b := range o.camp.Branches() {
			names = append(names, b.Name)
		}
		if len(names) == 0 {
			return o.reply("save_how")
		}
		return o.reply("saves", strings.Join(names, ", "))
	}
	o.args = show.Name(o.args)
	_, number := strconv.ParseInt(o.args, 10, 64)
	taken := slices.ContainsFunc(o.camp.Branches(), func(b saga.Branch) bool { return b.Name == o.args && b.Turn != o.camp.Head() })
	if (number == nil || taken || len([]rune(o.args)) > mostName) && !o.hasDone(ctx, "/branch") {
		return o.reply("save_bad", o.args)
	}
	if err := o.camp.Branch(ctx, o.args, o.moveBy("branch")); err != nil {
		return driver.Plan{}, false, err
	}
	return o.reply("saved", o.args)
}

func (o order) load(ctx context.Context) (driver.Plan, bool, error) {
	if o.args == "" {
		return o.branch(ctx)
	}
	if !o.may() { // it is an undo of as many turns as anybody likes
		return o.reply("owner_only")
	}
	called := func(b saga.Branch) bool { return b.Name == o.args }
	known := slices.ContainsFunc(o.camp.Branches(), called)
	if !known { // as /save has it
		o.args = show.Name(o.args)
		known = slices.ContainsFunc(o.camp.Branches(), called)
	}
	turn, bad := strconv.ParseInt(o.args, 10, 64)
	if !known && (bad != nil || turn < 0 || turn > o.camp.Turns()) {
		return o.reply("load_none", o.args) //nolint:nilerr // the person is told
	}
	if _, err := o.camp.Switch(ctx, o.args, o.moveBy("switch")); err != nil {
		return driver.Plan{}, false, err
	}
	return o.arrive(ctx, "loaded", o.args)
}

func (o order) export(context.Context) (driver.Plan, bool, error) {
	if !o.may() { // all that is hidden is in it, and the seed of the dice
		return o.reply("owner_only")
	}
	if !o.camp.m.isVisual(o.caller) {
		return o.reply("export_how", o.camp.id)
	}
	p := answer(o.camp.say("exported"))
	p.Result.Files = o.camp.m.filesFor(o.caller, o.camp.file("story.jsonl", "application/jsonl"))
	return p, true, nil
}

func (o order) fair(context.Context) (driver.Plan, bool, error) {
	if o.camp.World().Self().Ended {
		return o.reply("fair_end", o.camp.Commitment(), o.camp.Reveal())
	}
	return o.reply("fair", o.camp.Commitment())
}

func (o order) rules(context.Context) (driver.Plan, bool, error) {
	return o.reply("rules", o.camp.describeMode())
}

func (o order) pause(ctx context.Context) (driver.Plan, bool, error) {
	if o.camp.m.cfg.Close == nil {
		return o.reply("pause_not")
	}
	if err := o.camp.m.cfg.Close(ctx, o.caller); err != nil {
		return driver.Plan{}, false, err
	}
	return o.reply("paused")
}

// next plays the round with what was said so far. Who said nothing holds.
func (o order) next(ctx context.Context) (driver.Plan, bool, error) {
	if on := o.camp.onTurn(); on != "" || o.hasDone(ctx, "/own") {
		return o.pass(ctx, on)
	}
	all, err := o.camp.plans(ctx, "")
	if err != nil {
		return driver.Plan{}, false, err
	}
	if len(all) == 0 || !o.camp.inRound() {
		return o.reply("no_round")
	}
	if o.isOutsider() && !strings.HasPrefix(o.caller.RequestID, dueInput) { // whose plan was the first may have left since
		return o.reply("join_first")
	}
	o.state.recap = strings.TrimSpace(o.state.recap + "\n\n" + o.camp.timeUp(o.caller, all))
	return o.camp.playRound(ctx, o.state, all)
}

// retry takes the last turn back and plays its words once more. The dice fall as they did: what differs is how it is understood and
// hasNarrator.
func (o order) retry(ctx context.Context) (driver.Plan, bool, error) {
	turn, err := o.turnToRetry(ctx)
	if err != nil {
		return driver.Plan{}, false, err
	}
	parts, err := o.camp.Parts(ctx, turn)
	if err != nil {
		return driver.Plan{}, false, err
	}
	switch {
	case len(parts) == 0 || parts[0].Input == "":
		return o.reply("retry_none")
	case !o.may():
		return o.reply("owner_only")
	}
	if whose := o.camp.actorOf(parts[0].User); whose != o.state.actor { // what another said would be done by this one
		return o.reply("retry_other", o.camp.nameOf(whose))
	}
	if _, err := o.camp.Switch(ctx, strconv.FormatInt(parts[0].Parent, 10), o.moveBy("retry")); err != nil {
		return driver.Plan{}, false, err
	}
	o.state.words = parts[0].Input
	for line := range strings.Lines(parts[0].Input) { // of a round: what the others want stands in the turns before it
		if own, ok := strings.CutPrefix(line, o.camp.nameOf(o.state.actor)+": "); ok && o.camp.inRound() {
			o.state.words = strings.TrimSpace(own)
		}
	}
	return o.camp.direct(ctx, o.caller, o.state.words)
}

func sentence(err error) string { return strings.TrimSpace(err.Error()) }
