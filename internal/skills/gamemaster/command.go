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
	"hob/internal/game/eventlog"
	"hob/internal/game/parser"
	"hob/internal/game/show"
	"hob/internal/lists"
	"hob/internal/tools"
)

// TakesCommand reports whether a command belongs to the story, in a chat that plays one, and not to hob; and whether
// the surface may hide who sent it. "/undo #41" is always hob's: it takes back change 41 of hob's own list.
func TakesCommand(name, args string) (takes, discreet bool) {
	_, known := commands()[name]
	if name == "undo" && (strings.HasPrefix(args, "#") || strings.HasPrefix(args, "change ") || args == "list" || strings.HasPrefix(args, "list ")) {
		return false, false
	}
	return known || isSpoken(name), name == "x"
}

// isSpoken reports whether a command is only plain words behind a slash, which the parser reads.
func isSpoken(name string) bool {
	return slices.Contains([]string{
		"do", "say", "look", "l", "go", "take", "get", "drop", "open", "close", "talk", "ask", "attack", "use", "give", "inv", "i", "inventory",
		"sheet", "map", "quest", "quests", "recap", "roll", "check", "why", "help", "choices", "party", "time", "wait", "rest",
	}, name)
}

// commands returns the commands with which people change the story itself. No model can call them.
func commands() map[string]func(turn, context.Context) (driver.Plan, bool, error) {
	return map[string]func(turn, context.Context) (driver.Plan, bool, error){
		"undo": turn.undo, "rewind": turn.undo, "redo": turn.redo, "retry": turn.retry,
		"branch": turn.branch, "save": turn.branch, "load": turn.load, "switch": turn.load, "export": turn.export,
		"join": turn.join, "leave": turn.leave, "mode": turn.mode, "next": turn.next, "rules": turn.rules, "allow": turn.allow,
		"x":     turn.xcard,
		"lines": func(tn turn, ctx context.Context) (driver.Plan, bool, error) { return tn.editSafety(ctx, "line_add") },
		"veils": func(tn turn, ctx context.Context) (driver.Plan, bool, error) { return tn.editSafety(ctx, "veil_add") },
		"fair":  turn.fair, "pause": turn.pause, "teller": turn.narratorCommand,
	}
}

// reply answers with one of the texts of this package.
func (tn turn) reply(key string, args ...string) (driver.Plan, bool, error) {
	return answer(tn.say(key, args...)), true, nil
}

// offer answers with a text and the choices that the player now has.
func (tn turn) offer(ctx context.Context, text string) (driver.Plan, bool, error) {
	return tn.withChoices(ctx, answer(text)), true, nil
}

// commandOf splits a command into its name, in lower case, and its arguments.
func commandOf(words string) (name, args string) {
	rest := strings.TrimPrefix(strings.TrimSpace(words), "/")
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	return strings.ToLower(rest[:end]), strings.TrimSpace(rest[end:])
}

// command runs a command, if the words are one. Of a command that is plain words, such as "/do", only the words are
// read.
func (m *Master) command(ctx context.Context, words string) (plan driver.Plan, ok bool, err error) {
	name, args := commandOf(words)
	if !strings.HasPrefix(strings.TrimSpace(words), "/") {
		what, turns := parser.Rewind(words)
		if what == "" {
			return driver.Plan{}, false, nil
		}
		name, args = what, strconv.FormatInt(turns, 10)
	}
	run := commands()[name]
	if run == nil && !isSpoken(name) {
		return driver.Plan{}, false, nil
	}
	err = m.turn(ctx, func(tn turn) (err error) {
		if tn.stale(ctx) {
			plan, ok, err = tn.reply("moment_passed")
			return err
		}
		tn.begin(ctx, words)
		tn.args = args
		switch {
		case name == "do" || name == "say":
			tn.state.words = args
			plan, ok, err = tn.direct(ctx, words)
		case run != nil:
			plan, ok, err = run(tn, ctx)
		default:
			tn.state.words = strings.TrimPrefix(strings.TrimSpace(words), "/")
			plan, ok, err = tn.direct(ctx, tn.state.words)
		}
		return err
	})
	var refused *tools.Error
	if err != nil && !errors.As(err, &refused) && !errors.Is(err, eventlog.ErrStale) {
		err = fmt.Errorf("/%s: %w", name, err)
	}
	return plan, ok, err
}

// author says who moves the head of the log. The request id is the same each time that one turn of the chat is tried.
func (tn turn) author(what string) eventlog.Origin {
	return eventlog.Origin{Request: prefix(tn.caller) + "/" + what, User: tn.caller.User}
}

// mayDecide reports whether the caller may decide for all players: an owner of the chat may, and so may the only
// player.
func (tn turn) mayDecide() bool {
	players := tn.players()
	alone := len(players) == 0 || len(players) == 1 && players[0] == tn.caller.User
	return tn.caller.Level >= event.GroupAdmin || tn.caller.Scope == "private" || alone
}

// isOutsider reports whether the caller has no character here and may not decide for those who have one.
func (tn turn) isOutsider() bool { return !tn.mayDecide() && tn.actorOf(tn.caller.User) == "" }

// players returns the users who have a character in the party.
func (tn turn) players() (all []string) {
	for _, a := range tn.party() {
		if a.Owner != "" && !slices.Contains(all, a.Owner) {
			all = append(all, a.Owner)
		}
	}
	return all
}

func (tn turn) undo(ctx context.Context) (driver.Plan, bool, error) {
	n, ok := tn.count()
	if !ok {
		return tn.reply("count")
	}
	if !tn.mayDecide() && !tn.hasDone(ctx, partUndo) {
		if !slices.Contains(tn.players(), tn.caller.User) {
			return tn.reply("join_first")
		}
		if missing, err := tn.vote(ctx, n); err != nil || missing != "" {
			return tn.ballot(ctx, n, missing), true, err
		}
	}
	moved, err := tn.Undo(ctx, n, tn.author("undo"))
	return tn.finishMove(ctx, moved, err, "undone", "undo_none")
}

// ballot answers that more players have to agree, and offers a choice with which they can.
func (tn turn) ballot(ctx context.Context, n int, missing string) driver.Plan {
	up := event.Choice{Label: "👍 " + tn.say("undo"), Text: "/undo", Pick: strconv.FormatInt(tn.present(ctx), 10)}
	if n > 1 {
		up.Label, up.Text = fmt.Sprint(up.Label, " ", n), fmt.Sprint(up.Text, " ", n)
	}
	p := tn.withChoices(ctx, answer(missing))
	p.Result.Choices = append([]event.Choice{up}, p.Result.Choices...)
	return p
}

func (tn turn) redo(ctx context.Context) (driver.Plan, bool, error) {
	n, ok := tn.count()
	switch {
	case !ok:
		return tn.reply("count")
	case tn.isOutsider():
		return tn.reply("join_first")
	}
	moved, err := tn.Redo(ctx, n, tn.author("redo"))
	return tn.finishMove(ctx, moved, err, "redone", "redo_none")
}

// count reads how many turns a command is about: 1 if it does not say.
func (tn turn) count() (n int, ok bool) {
	if tn.args == "" {
		return 1, true
	}
	n, err := strconv.Atoi(tn.args)
	return n, err == nil && n > 0
}

// finishMove answers after the head of the log was to be moved by some turns.
func (tn turn) finishMove(ctx context.Context, m eventlog.MoveResult, err error, done, none string) (driver.Plan, bool, error) {
	switch {
	case err != nil:
		return driver.Plan{}, false, err
	case m.Turns == 0:
		return tn.reply(none)
	}
	return tn.answerMoved(ctx, done, strconv.Itoa(m.Turns))
}

// answerMoved answers that the head of the log has moved, and describes where the player is now.
func (tn turn) answerMoved(ctx context.Context, key string, args ...string) (driver.Plan, bool, error) {
	if err := tn.restartTimer(ctx); err != nil {
		return driver.Plan{}, false, err
	}
	text := tn.say(key, args...) + "\n\n" + tn.look(tn.state.actor)
	p := tn.withChoices(ctx, answer(text))
	p.Result.Files = tn.redrawnMap()
	return p, true, nil
}

func (tn turn) branch(ctx context.Context) (driver.Plan, bool, error) {
	if tn.args == "" {
		names := lists.Map(tn.Branches(), func(b eventlog.Branch) string { return b.Name })
		if len(names) == 0 {
			return tn.reply("save_how")
		}
		return tn.reply("saves", strings.Join(names, ", "))
	}
	tn.args = show.Name(tn.args)
	_, number := strconv.ParseInt(tn.args, 10, 64)
	taken := slices.ContainsFunc(tn.Branches(), func(b eventlog.Branch) bool { return b.Name == tn.args && b.Turn != tn.Head() })
	if (number == nil || taken || len([]rune(tn.args)) > mostName) && !tn.hasDone(ctx, "/branch") {
		return tn.reply("save_bad", tn.args)
	}
	if err := tn.Branch(ctx, tn.args, tn.author("branch")); err != nil {
		return driver.Plan{}, false, err
	}
	return tn.reply("saved", tn.args)
}

func (tn turn) load(ctx context.Context) (driver.Plan, bool, error) {
	if tn.args == "" {
		return tn.branch(ctx)
	}
	if !tn.mayDecide() { // it could undo everything
		return tn.reply("owner_only")
	}
	called := func(b eventlog.Branch) bool { return b.Name == tn.args }
	known := slices.ContainsFunc(tn.Branches(), called)
	if !known { // /save has cleaned the name
		tn.args = show.Name(tn.args)
		known = slices.ContainsFunc(tn.Branches(), called)
	}
	turn, bad := strconv.ParseInt(tn.args, 10, 64)
	if !known && (bad != nil || turn < 0 || turn > tn.Turns()) {
		return tn.reply("load_none", tn.args) //nolint:nilerr // the person is told
	}
	if _, err := tn.Switch(ctx, tn.args, tn.author("switch")); err != nil {
		return driver.Plan{}, false, err
	}
	return tn.answerMoved(ctx, "loaded", tn.args)
}

func (tn turn) export(context.Context) (driver.Plan, bool, error) {
	if !tn.mayDecide() { // the file holds all secrets and the seed of the dice
		return tn.reply("owner_only")
	}
	if !tn.m.isVisual(tn.caller) {
		return tn.reply("export_how", tn.id)
	}
	p := answer(tn.say("exported"))
	p.Result.Files = tn.m.filesFor(tn.caller, tn.file("story.jsonl", "application/jsonl"))
	return p, true, nil
}

func (tn turn) fair(context.Context) (driver.Plan, bool, error) {
	if tn.World().Self().Ended {
		return tn.reply("fair_end", tn.Commitment(), tn.Reveal())
	}
	return tn.reply("fair", tn.Commitment())
}

func (tn turn) rules(context.Context) (driver.Plan, bool, error) {
	return tn.reply("rules", tn.describeMode())
}

func (tn turn) pause(ctx context.Context) (driver.Plan, bool, error) {
	if tn.m.cfg.Close == nil {
		return tn.reply("pause_not")
	}
	if err := tn.m.cfg.Close(ctx, tn.caller); err != nil {
		return driver.Plan{}, false, err
	}
	return tn.reply("paused")
}

// next plays the round with the plans that there are. A character without a plan does nothing.
func (tn turn) next(ctx context.Context) (driver.Plan, bool, error) {
	if on := tn.onTurn(); on != "" || tn.hasDone(ctx, "/own") {
		return tn.pass(ctx, on)
	}
	all, err := tn.plans(ctx, "")
	if err != nil {
		return driver.Plan{}, false, err
	}
	if len(all) == 0 || !tn.inRound() {
		return tn.reply("no_round")
	}
	if tn.isOutsider() && !strings.HasPrefix(tn.caller.RequestID, dueInput) { // a round whose time is up is played even if who began it has left
		return tn.reply("join_first")
	}
	tn.state.recap = strings.TrimSpace(tn.state.recap + "\n\n" + tn.timeUp(all))
	return tn.playRound(ctx, all)
}

// retry undoes the last turn and plays its words again. The dice fall as before, so only the reading of the words and
// the narration can differ.
func (tn turn) retry(ctx context.Context) (driver.Plan, bool, error) {
	turn, err := tn.turnToRetry(ctx)
	if err != nil {
		return driver.Plan{}, false, err
	}
	parts, err := tn.Parts(ctx, turn)
	if err != nil {
		return driver.Plan{}, false, err
	}
	switch {
	case len(parts) == 0 || parts[0].Input == "":
		return tn.reply("retry_none")
	case !tn.mayDecide():
		return tn.reply("owner_only")
	}
	if whose := tn.actorOf(parts[0].User); whose != tn.state.actor { // else this character would do what another player said
		return tn.reply("retry_other", tn.nameOf(whose))
	}
	if _, err := tn.Switch(ctx, strconv.FormatInt(parts[0].Parent, 10), tn.author("retry")); err != nil {
		return driver.Plan{}, false, err
	}
	tn.state.words = parts[0].Input
	for line := range strings.Lines(parts[0].Input) { // in a round, the plans of the others are in the turns before this one
		if own, ok := strings.CutPrefix(line, tn.nameOf(tn.state.actor)+": "); ok && tn.inRound() {
			tn.state.words = strings.TrimSpace(own)
		}
	}
	return tn.direct(ctx, tn.state.words)
}

func sentence(err error) string { return strings.TrimSpace(err.Error()) }
