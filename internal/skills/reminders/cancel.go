package reminders

import (
	"cmp"
	"context"
	"encoding/json"
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

// bind says how many of what a call cancels that cancels all.
func (k *keeper) bind(ctx context.Context, raw json.RawMessage) (b event.Binding, err error) {
	var in changeIn
	if err := json.Unmarshal(raw, &in); err != nil || in.ID != 0 || in.About != "" || wordOf(in.Change) != cancelAll {
		return b, nil //nolint:nilerr // the tool says what is wrong with its arguments
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
		return tools.Result{Text: k.which(only, nil)}, nil
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
		if err := k.announceCancel(ctx, r); err != nil {
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

// announceCancel says that a reminder was cancelled to whom it was for, and to who asked for it, where that is not who has cancelled it.
func (k *keeper) announceCancel(ctx context.Context, r event.Reminder) error {
	caller := tools.CallerFrom(ctx)
	me := k.party(caller)
	if k.cfg.Tell == nil || r.Due.IsZero() { // nothing of it was to come
		return nil
	}
	people, err := k.cfg.People(ctx)
	if err != nil {
		return err
	}
	chats := map[event.Chat]event.Party{cmp.Or(r.AskedIn, r.Chat): r.By}
	chats[r.Chat] = r.Person()
	for _, chat := range slices.Sorted(maps.Keys(chats)) {
		if chat == caller.Chat || chats[chat].Is(me) {
			continue
		}
		shown := k.inLanguageOf(ctx, chat, r)
		w := wordsOf(shown.Lang)
		err := k.cfg.Tell(ctx, chat, event.Noted{
			ID:   "cancelled/" + strconv.FormatInt(r.ID, 10) + "/" + strconv.FormatInt(k.cfg.Now().UnixMilli(), 10),
			Text: w.Text("cancelled by", cmp.Or(nameOf(people, me), w.Text("somebody"))) + " " + k.describe(shown), Label: r.Label,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
