package reminders

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/skills/pages"
	"hob/internal/tools"
	"hob/internal/when"
)

// A reminder may be counted from an appointment of a calendar: half an hour before the parents' evening. It is looked for when the reminder is made, and the
// time is kept: calendars are only read, and nobody says when one of them changes. The answer says so.

// Appointment is what is in a calendar at a time.
type Appointment struct {
	Title      string // a stranger's words
	Start, End time.Time
	AllDay     bool // Start and End are midnights then
}

// Appointments are what is in the calendars that somebody may read.
type Appointments struct {
	All   []Appointment
	Label event.Label
	Notes []string // what could not be read, for people
}

// maxAhead is how far ahead an appointment is looked for.
const maxAhead = 366 // days

// fromCalendar is the source of a title in the label of a reminder.
const fromCalendar = "calendar"

// whichError says that words name several appointments.
type whichError struct {
	error
	some   []Appointment
	label  event.Label
	anchor when.Anchor
}

// Unwrap returns what the caller reads.
func (e *whichError) Unwrap() error { return e.error }

// HasAppointment reports whether the calendars of the caller of ctx have what words of time such as "an hour before the dentist" are counted from.
func HasAppointment(ctx context.Context, cfg Config, at, lang string) bool {
	k := &keeper{cfg}
	a, ok := when.ReadAnchor(at, lang)
	has, err := k.appointments(ctx, a.Lang)
	return ok && err == nil && len(k.named(has.All, a)) > 0
}

// appointments returns what is in the calendars from today on. They are the household's: who calls where others read along has none.
func (k *keeper) appointments(ctx context.Context, lang string) (Appointments, error) {
	if k.cfg.Appointments == nil || !slices.Contains(tools.PrivateScopes(), tools.CallerFrom(ctx).Scope) {
		return Appointments{}, tools.Invalid(event.CodeInvalidValue, "%s", wordsOf(lang).Text("event.private")).Suggest(wordsOf(lang).Text("event.say"))
	}
	now := k.cfg.Now()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	return k.cfg.Appointments(ctx, today, today.AddDate(0, 0, maxAhead), lang)
}

// countedFrom is a time that is counted from an appointment.
type countedFrom struct {
	Appointment
	label event.Label // of the calendars
}

// withoutStop returns words without the marks that end a sentence.
func withoutStop(words string) string { return strings.TrimRight(words, " .!?。！？") }

// anchorOf returns the time of a reminder that is counted from an appointment, and what is asked for with its time and its text apart. Words in which Read finds
// another time before it say none.
func (k *keeper) anchorOf(in oneIn, lang string, now time.Time) (when.Anchor, oneIn, bool) {
	if in.At != "" || in.Repeat != "" {
		a, ok := when.ReadAnchor(withoutStop(in.At), lang)
		return a, in, ok && in.Repeat == ""
	}
	words := withoutStop(withoutSelf(in.Text))
	if a, ok := when.ReadAnchor(words, lang); ok { // a day behind it is that of the appointment
		in.At, in.Text = words, ""
		return a, in, true
	}
	if _, err := when.ReadAll(words, lang, now); err == nil {
		return when.Anchor{}, in, false
	}
	for i := range words {
		if i > 0 && words[i-1] != ' ' {
			continue
		}
		if a, ok := when.ReadAnchor(words[i:], lang); ok {
			in.At, in.Text = words[i:], strings.TrimSpace(words[:i])
			return a, in, true
		}
	}
	return when.Anchor{}, in, false
}

// readAnchored reads the time that is counted from the appointment that words name. Of several times of one it is the next; chosen says which is
// meant where several have the words: from when a counts, as RFC 3339. Where it is not said of what the reminder is, that may stand behind the words that name it.
func (k *keeper) readAnchored(ctx context.Context, a when.Anchor, chosen string, into *reading) error {
	w := wordsOf(a.Lang)
	has, err := k.appointments(ctx, a.Lang)
	into.from.label = has.Label
	if err != nil {
		return err
	}
	some := k.next(has.All, a)
	if strings.TrimSpace(into.Rest) == "" && len(some) == 0 {
		for short, rest := range a.Shorter() {
			if _, err := when.Read(rest, a.Lang, k.cfg.Now()); err == nil {
				continue // it says on which day
			}
			if some = k.next(has.All, short); len(some) > 0 {
				into.Rest = rest
				break
			}
		}
	}
	if from, err := time.Parse(time.RFC3339, chosen); err == nil {
		some = slices.DeleteFunc(some, func(e Appointment) bool { return !a.Base(e.Start, e.End).Equal(from) })
	}
	switch {
	case len(some) == 0:
		none := tools.Missing(event.CodeFileNotFound, "%s", w.Text("event.none", display.OneLine(a.Event))).Suggest(w.Text("event.say"))
		if len(has.Notes) > 0 {
			none.Suggestion += "; " + has.Notes[0]
		}
		return none
	case !isOneTime(a, some):
		which := tools.Invalid(event.CodeInvalidValue, "%s", w.Text("event.several", strconv.Itoa(len(some)), display.OneLine(a.Event)))
		return &whichError{which.Suggest(w.Text("event.say")), some, has.Label, a}
	}
	of, now := some[0], k.cfg.Now()
	at, ok := a.At(of.Start, of.End, of.AllDay)
	switch {
	case !ok:
		return tools.Invalid(event.CodeInvalidValue, "%s", w.Text("event.all day", of.Title, k.dayOf(of, a.Lang))).Suggest(w.Text("event.say"))
	case !at.After(now):
		past := w.Text("event.past", of.Title, k.dayOf(of, a.Lang), when.Describe(when.Reading{Start: at}, a.Lang, now))
		return tools.Invalid(event.CodeInvalidValue, "%s", past).Suggest(w.Text("event.say"))
	}
	into.Start, into.from.Appointment = at, of
	return nil
}

// isOneTime reports whether a time is the same, whichever of some appointments it is counted from.
func isOneTime(a when.Anchor, some []Appointment) bool {
	first, _ := a.At(some[0].Start, some[0].End, some[0].AllDay)
	return !slices.ContainsFunc(some, func(e Appointment) bool {
		at, _ := a.At(e.Start, e.End, e.AllDay)
		return !at.Equal(first)
	})
}

// next returns the appointments that words name, one of each title: its next, or where all of today that have the words are over the last of these.
func (k *keeper) next(all []Appointment, a when.Anchor) []Appointment {
	coming := slices.DeleteFunc(slices.Clone(all), func(e Appointment) bool { return !a.Base(e.Start, e.End).After(k.cfg.Now()) })
	if some := k.named(coming, a); len(some) > 0 {
		return oneOfEach(some)
	}
	over := k.named(all, a)
	slices.Reverse(over)
	return oneOfEach(over)
}

// oneOfEach returns the first one of each title.
func oneOfEach(all []Appointment) (some []Appointment) {
	for _, e := range all {
		if !slices.ContainsFunc(some, func(o Appointment) bool { return pages.Fold(o.Title) == pages.Fold(e.Title) }) {
			some = append(some, e)
		}
	}
	return some
}

// named returns the appointments that words name: those that are called so, or else those whose title has each of the words, or each that says which one it
// is, or all but a day on which it is.
func (k *keeper) named(all []Appointment, a when.Anchor) []Appointment {
	words := nameWords(a.Event)
	telling := slices.DeleteFunc(slices.Clone(words), isSmallWord)
	ways := []func(Appointment) bool{
		func(e Appointment) bool { return slices.Equal(nameWords(e.Title), words) },
		func(e Appointment) bool {
			return slices.Equal(slices.DeleteFunc(nameWords(e.Title), isSmallWord), telling) && len(telling) > 0
		},
		func(e Appointment) bool { return hasEach(e.Title, words) },
		func(e Appointment) bool { return hasEach(e.Title, telling) },
	}
	for _, is := range ways {
		if some := slices.DeleteFunc(slices.Clone(all), func(e Appointment) bool { return !is(e) }); len(some) > 0 {
			return some
		}
	}
	day, err := when.Read(a.Event, a.Lang, k.cfg.Now())
	if err != nil || day.Repeat != "" || day.Rest == "" || day.Rest == a.Event {
		return nil
	}
	onDay := slices.DeleteFunc(slices.Clone(all), func(e Appointment) bool { return e.Start.Format(time.DateOnly) != day.Start.Format(time.DateOnly) })
	a.Event = day.Rest
	return k.named(onDay, a)
}

// nameWords returns the words of a name, folded, without what an English genitive ends in.
func nameWords(name string) []string {
	words := strings.FieldsFunc(pages.Fold(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) && !strings.ContainsRune("'’", r)
	})
	for i, word := range words {
		word = strings.ReplaceAll(word, "’", "'")
		words[i] = strings.Trim(strings.TrimSuffix(word, "'s"), "'")
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// isSmallWord reports whether a word of a name does not say which appointment is meant, in any form: the, my, appointment.
func isSmallWord(word string) bool {
	return slices.ContainsFunc(smallWords(), func(small string) bool { return word == small || len([]rune(small)) > 3 && pages.HasForm(word, small) })
}

// isKind reports whether a small word may end another that it says the kind of: 牙医预约, Zahnarzttermin. A shorter one is no word there: Martin.
func isKind(small string) bool {
	const shortest, shortestHan = 5, 2
	letters := []rune(small)
	return len(letters) >= shortest || len(letters) >= shortestHan && unicode.Is(unicode.Han, letters[0])
}

// hasEach reports whether a title has each of some words, in whatever form; of a word that says what kind of appointment it is, what stands before it is enough.
func hasEach(title string, words []string) bool {
	folded := pages.Fold(title)
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool {
		if pages.HasWord(folded, word) || pages.HasForm(folded, word) {
			return false
		}
		for _, small := range smallWords() {
			of, cut := strings.CutSuffix(word, small)
			if of = strings.TrimRight(of, "-"); cut && len([]rune(of)) > 1 && isKind(small) && (pages.HasWord(folded, of) || pages.HasForm(folded, of) || pages.HasForm(folded, strings.TrimSuffix(of, "s"))) {
				return false
			}
		}
		return true
	})
}

// dayOf says when an appointment is.
func (k *keeper) dayOf(e Appointment, lang string) string {
	if e.AllDay {
		return when.DescribeDay(e.Start, lang, true)
	}
	return when.Describe(when.Reading{Start: e.Start}, lang, k.cfg.Now())
}

// titleAt is the text of a reminder of an appointment of which nothing else was said: its title, and when it begins.
func (k *keeper) titleAt(e Appointment, at time.Time, lang string) string {
	text := k.dayOf(e, lang)
	if !e.AllDay && e.Start.Format(time.DateOnly) == at.Format(time.DateOnly) {
		text = e.Start.Format("15:04")
	}
	return wordsOf(lang).Text("event.text", display.TruncateBytes(e.Title, maxText/2), text)
}

// askWhichAppointment asks from which of several appointments a reminder is to be counted. A button for each, or a line for who sees none, says it: by the begin
// of the appointment, since its title is a stranger's.
func (k *keeper) askWhichAppointment(ctx context.Context, in remindIn, which *whichError) tools.Result {
	lang := which.anchor.Lang
	if _, one, ok := k.anchorOf(in.oneIn, in.Lang, k.cfg.Now()); ok {
		in.oneIn = one
	}
	res := tools.Result{Text: wordsOf(lang).Text("which"), Label: which.label}
	of := ""
	if in.For != "" {
		of = " for=" + inQuotes(in.For)
	}
	caller := tools.CallerFrom(ctx)
	hidesButtons := k.cfg.ShowsButtons != nil && !k.cfg.ShowsButtons(caller)
	if in.UntilDone {
		of += " until_done=true"
	}
	if in.Missed != "" {
		of += " missed=" + in.Missed
	}
	words := in.At // a command says of what or when in plain words
	if in.Text != "" {
		words = " at=" + inQuotes(in.At) + " " + in.Text
	}
	for i, e := range which.some {
		if i >= maxNamed {
			res.Text += "\n" + wordsOf(lang).Text("more", strconv.Itoa(len(which.some)-i))
			break
		}
		base := which.anchor.Base(e.Start, e.End).Format(time.RFC3339)
		line := fmt.Sprintf("/remind event=%s lang=%s%s %s", base, lang, of, strings.TrimSpace(words))
		res.Text += "\n- " + wordsOf(lang).Text("event.text", e.Title, k.dayOf(e, lang))
		if hidesButtons {
			res.Text += ": " + line
		}
		res.Choices = append(res.Choices, event.Choice{Label: display.Truncate(e.Title, 30) + ", " + when.DescribeDay(e.Start, lang, false), Text: line, Trusted: !caller.Label.Untrusted})
	}
	return res
}

// inQuotes returns words as an argument of a command.
func inQuotes(words string) string {
	return `"` + strings.NewReplacer(`"`, "", `\`, "", "\n", " ").Replace(words) + `"`
}
