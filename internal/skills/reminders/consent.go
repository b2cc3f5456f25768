package reminders

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/skills/pages"
	"hob/internal/tools"
)

// maxForOthers is how many reminders for other people somebody may have open.
const maxForOthers = 10

// The answers of a person who is asked whether another may remind them.
const (
	answerYes  = "yes"
	answerNo   = "no"
	answerMute = "mute"
)

// consentWords are what the buttons below that question say.
func consentWords() []string { return []string{"agree", "refuse", "mute"} }

// address makes new reminders ones for somebody else, and returns what is said of that. In a group all read them, and they name the
// person. Elsewhere they are told in the person's own chat, once they have agreed to be reminded by who asks; they are asked the
// first time.
func (k *keeper) address(ctx context.Context, all []newReminder, name string, people []Person) (more string, err error) {
	if all[0].Chat.Shared() {
		for i := range all {
			all[i].For = event.Party{Name: strings.TrimPrefix(pages.Tidy(name), "@")}
		}
		return "", nil
	}
	who, err := findPerson(people, name)
	if err != nil || who.Is(all[0].By) {
		return "", err
	}
	for i := range all {
		r := &all[i].Reminder
		r.AskedIn, r.Chat, r.For = r.Chat, who.Chat, who.Party
		if err := k.checkCount(ctx, *r, i); err != nil {
			return "", err
		}
		switch r.State, err = k.openState(ctx, *r); {
		case err != nil:
			return "", err
		case r.State == event.ReminderOpen:
		case k.cfg.Tell == nil:
			return "", tools.Invalid(event.CodeExecutionFailed, "%s has to be asked first, and hob is not running", who.Name).Suggest("start hob serve")
		default:
			more = wordsOf(r.Lang).Text("consent.asking", who.Name)
		}
	}
	return more, nil
}

// openState is the state of a new reminder: open, or waiting until the person whom it is for has agreed.
func (k *keeper) openState(ctx context.Context, r event.Reminder) (event.ReminderState, error) {
	if !r.NeedsConsent() {
		return event.ReminderOpen, nil
	}
	answer, err := k.cfg.Consents.Consent(ctx, r.For, r.By)
	switch {
	case err != nil:
		return r.State, err
	case answer == answerYes:
		return event.ReminderOpen, nil
	case answer != "":
		return r.State, tools.Invalid(event.CodePermissionDenied, "%s does not want to be reminded by you", nameOr(r.For))
	}
	return event.ReminderWaiting, nil
}

// askConsent asks the person whom new reminders are for. They see who asks, and for what.
func (k *keeper) askConsent(ctx context.Context, all []newReminder) error {
	first, label := k.inLanguageOf(ctx, all[0].Chat, all[0].Reminder), event.Label{}
	w := wordsOf(first.Lang)
	var lines []string
	for _, r := range all {
		label = label.Join(r.Label)
		shown := r.Reminder
		shown.Lang = first.Lang
		lines = append(lines, k.at(shown)+": "+markedText(shown))
	}
	return k.cfg.Tell(ctx, first.Chat, event.Noted{
		ID: "consent/" + strconv.FormatInt(first.ID, 10), Text: w.Text("consent.ask", nameIn(w, first.By), strings.Join(lines, "\n")), Label: label, Loud: true,
		Choices: []event.Choice{
			first.Choice(w.Text("consent.yes"), "agree", false), first.Choice(w.Text("consent.no"), "refuse", true), first.Choice(w.Text("consent.mute"), "mute", true),
		},
	})
}

// answerConsent keeps what a person answers, for all reminders of who asks: yes and no hold from here on.
func (k *keeper) answerConsent(ctx context.Context, r event.Reminder, word string) (tools.Result, error) {
	caller := tools.CallerFrom(ctx)
	if me := k.party(caller); !r.For.Is(me) || r.For == (event.Party{}) {
		return tools.Result{}, tools.Invalid(event.CodePermissionDenied, "only %s can answer that", nameOr(r.Person()))
	}
	answer := map[string]string{"agree": answerYes, "refuse": answerNo, "mute": answerMute}[word]
	cause := caller.Cause("reminder")
	number, err := k.cfg.Consents.SetConsent(event.WithCause(ctx, cause), r.For, r.By, answer)
	if err != nil {
		return tools.Result{}, err
	}
	cause.Part = number // what follows from the answer is taken back with it
	all, err := k.cfg.Store.Open(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	for _, o := range all {
		if !o.For.Is(r.For) || !o.By.Is(r.By) {
			continue
		}
		o, err = k.cfg.Store.Change(event.WithCause(ctx, cause), o.ID, func(cur *event.Reminder) error {
			switch {
			case answer != answerYes:
				cur.State = event.ReminderRefused
			case cur.State == event.ReminderWaiting:
				if cur.State = event.ReminderOpen; cur.Due.IsZero() { // its time came before the answer
					cur.Due = cur.Planned
				}
			}
			return nil
		})
		if err != nil {
			return tools.Result{}, err
		}
		if o.ID == r.ID {
			r = o
		}
	}
	k.cfg.Changed()
	w := wordsOf(r.Lang)
	said := "consent.refused"
	if answer == answerYes {
		said = "consent.agreed"
	}
	if r.AskedIn != "" && answer != answerMute {
		note := event.Noted{
			ID: "consent/" + strconv.FormatInt(r.ID, 10) + "/" + answer, Text: w.Text(said, nameIn(w, r.For)) + " " + k.describe(r), Label: r.Label,
		}
		if err := k.cfg.Tell(ctx, r.AskedIn, note); err != nil {
			return tools.Result{}, err
		}
	}
	here := wordsOf(k.inLanguageOf(ctx, caller.Chat, r).Lang)
	res := k.result(r, here.Text("consent.kept", nameIn(here, r.By)))
	if number != 0 {
		res.Effects = []event.Effect{{Kind: "reminder", Target: strconv.FormatInt(r.ID, 10), Detail: map[string]string{"agree": "agreed", "refuse": "refused", "mute": "refused for good"}[word], Change: number}}
	}
	return res, nil
}

// IsKnown reports whether a name is that of one person who was let in.
func IsKnown(people []Person, name string) bool {
	_, err := findPerson(people, name)
	return err == nil
}

// findPerson returns the person of that name, or of that first name where only one has it. In Russian the name may be in the dative or, behind для, in the genitive.
func findPerson(people []Person, name string) (Person, error) {
	var found []Person
	name = strings.TrimPrefix(strings.TrimSpace(name), "@")
	for _, p := range people {
		first, _, _ := strings.Cut(p.Name, " ")
		if strings.EqualFold(p.Name, name) || strings.EqualFold(first, name) || strings.EqualFold(russianDative(first), name) || strings.EqualFold(russianGenitive(first), name) {
			found = append(found, p)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	var names []string
	for _, p := range people {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	if len(found) > 1 {
		return Person{}, tools.Invalid(event.CodeInvalidValue, "for: there are several of that name").Suggest("give the whole name: " + strings.Join(names, ", "))
	}
	if len(names) == 0 {
		return Person{}, tools.Missing(event.CodeFileNotFound, "for: nobody else has been let in yet").Suggest("hob pair lets somebody in over Telegram")
	}
	return Person{}, tools.Missing(event.CodeFileNotFound, "for: there is no %s here", name).Suggest("there are " + strings.Join(names, ", "))
}

// russianDative returns the dative of a Russian first name: Диме, Марии, Сергею, Артёму. Another name is returned as it is.
func russianDative(name string) string {
	for _, ending := range [...][2]string{{"ия", "ии"}, {"а", "е"}, {"я", "е"}, {"й", "ю"}, {"ь", "ю"}} {
		if stem, ok := strings.CutSuffix(name, ending[0]); ok {
			return stem + ending[1]
		}
	}
	if last, _ := utf8.DecodeLastRuneInString(name); strings.ContainsRune("бвгджзклмнпрстфхцчшщ", last) {
		return name + "у"
	}
	return name
}

// russianGenitive returns the genitive of a Russian first name: Димы, Ольги, Марии, Сергея, Артёма. Another name is returned as it is.
func russianGenitive(name string) string {
	if stem, ok := strings.CutSuffix(name, "а"); ok {
		if last, _ := utf8.DecodeLastRuneInString(stem); strings.ContainsRune("гкхжчшщ", last) {
			return stem + "и"
		}
	}
	for _, ending := range [...][2]string{{"а", "ы"}, {"я", "и"}, {"й", "я"}, {"ь", "я"}} {
		if stem, ok := strings.CutSuffix(name, ending[0]); ok {
			return stem + ending[1]
		}
	}
	if last, _ := utf8.DecodeLastRuneInString(name); strings.ContainsRune("бвгджзклмнпрстфхцчшщ", last) {
		return name + "а"
	}
	return name
}

// nameIn names a person in the words of a language.
func nameIn(w phrases.Words, p event.Party) string { return cmp.Or(p.Name, w.Text("somebody")) }

func nameOr(p event.Party) string {
	if p.Name != "" {
		return p.Name
	}
	return "somebody"
}
