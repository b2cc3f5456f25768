package reminders

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
)

// cancelAll is the change of all reminders that a person has asked for, in a group of those that they have asked for there.
const cancelAll = "cancel all"

// asked returns the open reminders of a sort that a caller has asked for, "" being any.
func (k *keeper) asked(ctx context.Context, only string) ([]event.Reminder, error) {
	me := k.party(tools.CallerFrom(ctx))
	all, err := k.mine(ctx)
	return slices.DeleteFunc(all, func(r event.Reminder) bool { return !r.By.Is(me) || !isOf(r, only) }), err
}

// bind says how many of what a call changes that cancels all, and of any other which one.
func (k *keeper) bind(ctx context.Context, raw json.RawMessage) (b event.Binding, err error) {
	var in changeIn
	if err := json.Unmarshal(raw, &in); err != nil {
		return b, nil //nolint:nilerr // the tool says what is wrong with its arguments
	}
	if in.ID != 0 {
		return b, nil // the call names it
	}
	if in.About != "" || wordOf(in.Change) != cancelAll {
		if r, answer, err := k.pick(ctx, in); err == nil && answer.Text == "" { // else it changes nothing, and says why
			b.Changes = fmt.Sprintf("#%d %q", r.ID, Title(r))
		}
		return b, nil
	}
	all, err := k.asked(ctx, in.Only)
	n := map[string]int{}
	for _, r := range all {
		n[sort(r)]++
	}
	var parts []string
	for _, of := range []string{onlyReminders, onlyAlarms, onlyTimers} {
		if n[of] == 1 {
			parts = append(parts, "1 "+strings.TrimSuffix(of, "s"))
		} else if n[of] > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n[of], of))
		}
	}
	b.Changes = cmp.Or(strings.Join(parts, ", "), "nothing")
	return b, err
}

func (k *keeper) cancelMine(ctx context.Context, only string) (tools.Result, error) {
	all, err := k.asked(ctx, only)
	if err != nil {
		return tools.Result{}, err
	}
	if len(all) == 0 && only != "" {
		return k.which(ctx, only, nil, cancelAll), nil
	}
	res, lang := tools.Result{}, ""
	for _, r := range all {
		r, err := k.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
			cur.State, cur.Changed = event.ReminderCancelled, k.cfg.Now().UTC()
			return nil
		})
		if err != nil {
			return res, err
		}
		if err := k.announce(ctx, wasCancelled, r); err != nil {
			return res, err
		}
		lang = k.inLanguageOf(ctx, tools.CallerFrom(ctx).Chat, r).Lang
		res.Effects = append(res.Effects, event.Effect{Kind: "reminder", Target: "#" + strconv.FormatInt(r.ID, 10), Detail: "cancelled"})
	}
	k.cfg.Changed()
	if res.Text = wordsOf(lang).Text("cancelled.all", strconv.Itoa(len(res.Effects))); len(res.Effects) == 0 {
		res.Text = wordsOf(lang).Text("none")
	}
	return res, nil
}

// What is announced of a reminder: the key of the words.
const (
	wasCancelled = "cancelled by"
	wasRestored  = "restored by"
	wasMoved     = "moved by"
	wasWithdrawn = "withdrawn by" // the yes to it
)

// announce notifies the person whom a reminder is for, and the person who asked for it, of what the caller did to it. It leaves out
// the caller. Of a move only the first is told, because that person often puts it off.
func (k *keeper) announce(ctx context.Context, what string, r event.Reminder) error {
	caller := tools.CallerFrom(ctx)
	me := k.party(caller)
	if k.cfg.Tell == nil || r.Due.IsZero() { // nothing of it was to come
		return nil
	}
	people, err := k.cfg.People(ctx)
	if err != nil {
		return err
	}
	chats := map[event.Chat]event.Party{}
	if what != wasMoved {
		chats[cmp.Or(r.AskedIn, r.Chat)] = r.By
	}
	chats[r.Chat] = r.Person()
	did, _, _ := strings.Cut(what, " ")
	for _, chat := range slices.Sorted(maps.Keys(chats)) {
		if chat == caller.Chat || chats[chat].Is(me) {
			continue
		}
		shown := k.inLanguageOf(ctx, chat, r)
		w := wordsOf(shown.Lang)
		err := k.cfg.Tell(ctx, chat, event.Noted{
			ID:   did + "/" + strconv.FormatInt(r.ID, 10) + "/" + strconv.FormatInt(k.cfg.Now().UnixMilli(), 10),
			Text: w.Text(what, cmp.Or(nameOf(people, me), w.Text("somebody"))) + " " + k.describe(shown), Label: r.Label,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// AnnounceUndo notifies others of how an undo by the caller of ctx has changed reminders for them or by them. before are the reminders
// that were open before the undo.
func AnnounceUndo(ctx context.Context, cfg Config, before []event.Reminder) error {
	k := &keeper{cfg}
	after, err := cfg.Store.Open(ctx)
	if err != nil {
		return err
	}
	states := map[int64]event.ReminderState{}
	for _, r := range before {
		states[r.ID] = r.State
	}
	for _, r := range after {
		was := states[r.ID]
		delete(states, r.ID)
		switch {
		case r.State == event.ReminderOpen && was != event.ReminderOpen:
			err = errors.Join(err, k.announce(ctx, wasRestored, r))
		case r.State == event.ReminderWaiting && was == event.ReminderOpen:
			err = errors.Join(err, k.announce(ctx, wasWithdrawn, r))
		}
	}
	for _, r := range before {
		if states[r.ID] == event.ReminderOpen { // it is open no more
			err = errors.Join(err, k.announce(ctx, wasCancelled, r))
		}
	}
	return err
}
