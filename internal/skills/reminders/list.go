package reminders

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
)

type listIn struct {
	Lang string `json:"lang,omitempty" jsonschema:"en, de, ru or zh"`
	Only string `json:"only,omitempty" enum:"timers,alarms,next" jsonschema:"timers that run, alarms, or what comes next" quiet:"true"`
	// About are words of what is looked for.
	About string `json:"about,omitempty" quiet:"true"`
}

// inLanguageOf returns a reminder as it is shown in a chat: in the language there, where it is known.
func (k *keeper) inLanguageOf(ctx context.Context, chat event.Chat, r event.Reminder) event.Reminder {
	if k.cfg.Language != nil && chat != "" {
		r.Lang = cmp.Or(k.cfg.Language(ctx, chat), r.Lang)
	}
	return r
}

func (k *keeper) list(ctx context.Context, in listIn) (tools.Result, error) {
	all, err := k.mine(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	if in.About != "" {
		all = slices.DeleteFunc(all, func(r event.Reminder) bool { return !isNamed(r, in.About) })
	}
	switch in.Only {
	case "next":
		all = slices.DeleteFunc(all, func(r event.Reminder) bool { return r.State != event.ReminderOpen || r.Due.IsZero() })
		all = all[:min(len(all), 1)]
	case onlyTimers, onlyAlarms:
		if all = slices.DeleteFunc(all, func(r event.Reminder) bool { return !isOf(r, in.Only) }); len(all) == 0 {
			none := k.which(ctx, in.Only, nil, "")
			none.Data = map[string]any{"reminders": []Reminder{}}
			return none, nil
		}
	}
	caller := tools.CallerFrom(ctx)
	me := k.party(caller)
	people, err := k.cfg.People(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	now, lang := k.cfg.Now(), in.Lang
	data, lines := []Reminder{}, []string(nil)
	res := tools.Result{}
	for _, r := range all {
		if r.Due.IsZero() && r.State == event.ReminderOpen && now.Sub(r.Last) > shownFor {
			continue // it was told, and nobody has said a word for a day
		}
		if r.Lang = cmp.Or(in.Lang, r.Lang); in.Lang == "" {
			r = k.inLanguageOf(ctx, caller.Chat, r)
		}
		line := k.describeState(ownedBy(r, caller.Chat, me, people))
		lang = r.Lang
		if r.State == event.ReminderOpen && r.Sent > 0 && r.Unseen > 0 {
			line += " (" + fate(r.Lang, r.Last.In(now.Location()), k.cfg.Delivered(ctx, r.Chat, r.Seq)) + ")"
		}
		one := dataOf(r)
		one.Line = line
		if data = append(data, one); len(data) > maxShown {
			continue
		}
		lines = append(lines, "- "+line)
		res.Label = res.Label.Join(r.Label)
	}
	if len(data) > maxShown {
		lines = append(lines, wordsOf(lang).Text("more", strconv.Itoa(len(data)-maxShown)))
	}
	if len(lines) == 0 {
		lines = []string{wordsOf(lang).Text("none")}
	}
	res.Text, res.Data = strings.Join(lines, "\n"), map[string]any{"reminders": data}
	return res, nil
}

// ownedBy returns a reminder as it is shown in a chat of somebody: one that is another person's own, or a group's, says whose it is.
func ownedBy(r event.Reminder, chat event.Chat, me event.Party, people []Person) event.Reminder {
	switch {
	case r.For.Name != "" || r.Chat == chat:
	case r.Chat.Shared():
		r.For.Name = wordsOf(r.Lang).Text("group")
	case !r.By.Is(me):
		r.For.Name = cmp.Or(nameOf(people, r.By), r.By.Name)
	}
	return r
}
