package intents

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"hob/internal/lazyregexp"
	"hob/internal/numerals"
	"hob/internal/when"
)

// later are the arguments of a reading that has words of time in it, before [Reading.At].
type later struct {
	Before string `json:"before"` // what stands before "remind me": words of time alone
	Text   string `json:"text"`   // what stands behind it
	Title  string `json:"title"`  // what it is about where the words say only when
	Ahead  string `json:"ahead"`  // how long before that time it comes
	For    string `json:"for"`
	Timer  bool   `json:"timer"`
	Wake   bool   `json:"wake"` // the person is to be woken

	Event  string `json:"event"`  // what happens, with its time, from which Text counts
	Often  string `json:"often"`  // that it comes again
	Behind bool   `json:"behind"` // Text counts on from it, and not back
	On     bool   `json:"on"`     // Text is an hour of its day
}

// remindArgs are the arguments of the tool remind.
type remindArgs struct {
	At        string `json:"at,omitempty"`
	Repeat    string `json:"repeat,omitempty"`
	Text      string `json:"text"`
	For       string `json:"for,omitempty"`
	Other     string `json:"other,omitempty"` // times with a space between
	UntilDone bool   `json:"until_done,omitempty"`
	Missed    string `json:"missed,omitempty"`
	Timer     bool   `json:"timer,omitempty"`
	Lang      string `json:"lang,omitempty"`

	Also []remindArgs `json:"also,omitempty"` // further ones of the same words
}

// The tools whose calls have words of time.
const (
	remindTool = "remind"
	changeTool = "reminder"
	listTool   = "reminders"

	calendarTool = "calendar"
	timeTool     = "time"
)

// movedAt is At for a change of a reminder.
func (r Reading) movedAt(now time.Time) Reading {
	var in struct{ Change string }
	if json.Unmarshal(r.Call.Args, &in) != nil {
		return Reading{}
	}
	if in.Change == "done" || in.Change == "cancel" || in.Change == "cancel all" {
		return r
	}
	if !isNewTime(in.Change, r.Lang, now) {
		return Reading{}
	}
	return r
}

// At returns a reading with its words of time read, as they are meant at now, in the zone of now. Where they say no time, or one
// that cannot be, the reading asks. Other readings are returned as they are.
func (r Reading) At(now time.Time) Reading {
	switch {
	case len(r.Parts) > 0:
		return r.EachPart(func(part Reading) Reading { return part.At(now) })
	case r.Command:
		return r
	case r.Call.Name == changeTool:
		return r.movedAt(now)
	case r.Call.Name == listTool || r.Call.Name == calendarTool:
		return r.shownAt(now)
	case r.Call.Name == timeTool && r.from.saysDate():
		return r.onDate("about", now)
	case r.Call.Name != remindTool:
		return r
	}
	var in later
	if err := json.Unmarshal(r.Call.Args, &in); err != nil {
		return Reading{}
	}
	switch {
	case r.Kind == calendarAdd:
		return r.askingInstead(in, now)
	case in.Event != "":
		return r.ofHappening(in, now)
	}
	at := r.remindedAt(in, now)
	if of := r.ofAppointment(in, at); of.Kind != "" && !at.vain {
		return of
	}
	return at
}

// askingInstead is At for what is to be put into a calendar, which hob only reads: it asks whether to remind of it instead, where it says when.
func (r Reading) askingInstead(in later, now time.Time) Reading {
	meant := r.remindedAt(in, now)
	meant.Kind = remindTool
	if meant.Call.Name == "" || meant.Ask != "" {
		return Reading{Kind: r.Kind, Answer: languageNamed(builtin(), r.Lang).section("answer.calendar_change"), Score: r.Score, Lang: r.Lang, may: r.may, input: r.input}
	}
	r.Call, r.Ask, r.Acts, r.Meant = meant.Call, phrase(r.Lang, "instead"), false, &meant
	return r
}

// shownAt is At for what shows reminders or a day of the calendar.
func (r Reading) shownAt(now time.Time) Reading {
	if r.Lang == "en" && !r.from.saysDate() {
		return r
	}
	args := map[string]any{}
	if err := json.Unmarshal(r.Call.Args, &args); err != nil {
		return Reading{}
	}
	if r.Lang != "en" {
		args["lang"] = r.Lang
	}
	r.Call.Args, _ = json.Marshal(args)
	if _, ok := args["from"]; ok && r.from.saysDate() {
		return r.onDate("from", now)
	}
	return r
}

// onDate returns a reading with an argument that is a day in words as a date.
func (r Reading) onDate(arg string, now time.Time) Reading {
	args := map[string]any{}
	if err := json.Unmarshal(r.Call.Args, &args); err != nil {
		return Reading{}
	}
	words, _ := args[arg].(string)
	read, err := when.Read(words, r.Lang, now)
	if err != nil || read.Repeat != "" {
		return Reading{}
	}
	args[arg] = read.Start.Format(time.DateOnly)
	r.Call.Args, _ = json.Marshal(args)
	return r
}

// remindedAt is At for reminders, timers and alarms.
func (r Reading) remindedAt(in later, now time.Time) Reading {
	words := strings.TrimSpace(in.Before + " " + in.Text)
	if in.Wake {
		words = spokenHour().ReplaceAllString(words, "$1:$2")
	}
	all, err := r.timesOf(in, words, now)
	if question, lacks := r.lackingTime(in, words, all, err, now); lacks {
		return question
	}
	l := r.language()
	said := r.input
	if _, behind, ok := strings.Cut(said, in.Title); ok && in.Title != "" && strings.HasSuffix(behind, in.Text) {
		said = behind // I always forget the bins, remind me on Thursday
	}
	isOther := l != nil && (in.Timer && len(all) > 1 && l.hasWord(fold(words).norm, "sequel") || // one after another
		len(all) == 1 && (all[0].Repeat == "" && (l.hasWord(fold(said).norm, "repeated") || l.hasLongPhrase("repeated", fold(said).norm)) || l.hasSlip(all[0].Rest) || l.endsInWord("sameday", fold(all[0].Rest).norm)))
	if err != nil || isOther || in.Timer && isFarDay(words, r.Lang, all[0].Start, now) || in.Ahead != "" && (len(all) > 1 || r.startsFinite(in.Title) || !in.moveAhead(&all[0], r.Lang, now)) {
		return Reading{}
	}
	r.Lang = cmp.Or(all[0].Lang, r.Lang) // "timer 10 minutes pasta" is a sentence in German, too
	var args []remindArgs
	for i, read := range all {
		if !in.Wake {
			read = read.ByDay(now)
		}
		one := in.argsOf(read, cmp.Or(read.Words, words))
		var ok bool
		if one.Text, ok = r.subject(in, one.Text, cmp.Or(read.Words, words), i > 0); !ok {
			return Reading{}
		}
		if in.Timer && (isTime(one.Text, r.Lang) || beginsWithNumber(one.Text, r.Lang)) { // 1 hour 15 is no hour for 15
			return r.lacking(lacksTime, phrase(r.Lang, "how_long"))
		}
		switch text := r.withoutSmallWords(in, one.Text); {
		case in.Timer:
			one.Text = cmp.Or(text, in.Title)
		case in.Wake:
			one.Text = in.alarmText(words, text)
		default:
			one.Text = cmp.Or(in.Title, text)
		}
		if one.Text == "" {
			one.Text = fold(r.input).pictures() // 5 minute timer 🍝
		}
		if one.Text == "" && !one.Timer { // a model may know
			r.timed = now
			return r.lacking(lacksText, phrase(r.Lang, "of_what")+forExample(r.Lang, ""))
		}
		args = append(args, one)
	}
	args[0].For, args[0].Lang, args[0].Also = in.For, r.Lang, args[1:]
	if r.Call.Args, err = json.Marshal(args[0]); err != nil {
		return Reading{}
	}
	return r
}

// timesOf returns the times in the words of a reminder. The error is no *when.Unclear where the words are of another time, too.
func (r Reading) timesOf(in later, words string, now time.Time) ([]when.Reading, error) {
	all, err := when.ReadAll(words, r.Lang, now)
	if in.Before != "" { // else it would be another chore, or a story about one
		read, failed := when.Read(in.Before, r.Lang, now)
		if isUnruled(failed) && err == nil { // three times a day, of which the times stand behind the order
			return all, nil
		} else if isUnruled(failed) {
			return nil, failed
		}
		if unclear := (*when.Unclear)(nil); errors.As(failed, &unclear) && strings.TrimSpace(read.Rest) == "" {
			return all, failed // a time that cannot be
		}
		if failed != nil || strings.TrimSpace(read.Rest) != "" {
			return nil, errors.New("what stands before the order is no time")
		}
		if err == nil && len(all) == 1 && strings.HasSuffix(all[0].Rest, in.Text) && all[0].Rest != in.Text {
			read.Rest = in.Text
			all = []when.Reading{read} // 20 of "at 8 and 20" stood before other words
		}
	}
	l := r.language()
	if l != nil && len(all) == 1 && in.hasOther(l, all[0].Rest) {
		return nil, errors.New("there is a time before the order and another behind it")
	}
	isLength := l != nil && l.hasWord(fold(words).norm, "lasts") // else "на два часа" may be at two
	switch {
	case in.Wake && (err != nil || len(all) == 1 && r.beginsWithHour(all[0].Rest)): // an alarm for 7, or for seven every day
		at := strings.IndexAny(words, "0123456789")
		if at < 0 && len(all) == 1 { // Samstag auf neun
			at = strings.LastIndex(words, all[0].Rest)
		}
		at = max(0, at)
		if some, failed := when.ReadAll(words[:at]+phrase(r.Lang, "at")+words[at:], r.Lang, now); failed == nil {
			return some, nil
		}
	case !in.Timer && in.Before == "" && err == nil && len(all) == 1 && r.beginsWithHour(all[0].Rest) && splitsFirst(words, all[0].Rest): // for 7.30 tonight
		if some, failed := when.ReadAll(phrase(r.Lang, "at")+words, r.Lang, now); failed == nil && len(some) == 1 {
			return some, nil
		}
	case in.Timer && (err != nil || isLength || all[0].Lang != r.Lang): // 3 minutes for the eggs
		one, failed := when.Read(phrase(r.Lang, "timer")+words, r.Lang, now)
		if failed == nil && (strings.HasSuffix(words, one.Rest) || isLength && strings.HasPrefix(words, one.Rest)) { // and no timer that went off 3 minutes ago
			return []when.Reading{one}, nil
		}
	}
	return all, err
}

// lackingTime returns the question about the time of a reminder that was read with err, and whether there is one.
func (r Reading) lackingTime(in later, words string, all []when.Reading, err error, now time.Time) (Reading, bool) {
	unclear := (*when.Unclear)(nil)
	if in.Wake && err == nil && lacksHour(words, r.Lang, all) {
		_, err = when.Read("", r.Lang, now)
		errors.As(err, &unclear)
		return r.lacking(lacksTime, unclear.Question+forExample(r.Lang, "")), true
	}
	switch {
	case !errors.As(err, &unclear):
		return Reading{}, false
	case unclear.Problem == when.Several:
		return r.asking(unclear.Question), true
	case unclear.Problem == when.Missing && in.Timer:
		return r.lacking(lacksTime, phrase(r.Lang, "how_long")), true
	case unclear.Problem == when.Often:
		return r.lacking(lacksTime, unclear.Question+forExample(r.Lang, phrase(r.Lang, "example_often"))), true
	case unclear.Problem == when.Missing:
		return r.lacking(lacksTime, unclear.Question+forExample(r.Lang, r.tomorrow(words, now))), true
	}
	r = r.withoutTime(in, now).lacking(lacksTime, unclear.Question+forExample(r.Lang, ""))
	r.vain = true
	return r, true
}

// subject returns what a reminder is about, of what is left of its words, or false where that shows that there was more in them. The others of
// several may begin with words that the sentence has before the first.
func (r Reading) subject(in later, text, words string, isOther bool) (string, bool) {
	l := r.language()
	if l == nil {
		return text, true
	}
	if first, rest, more := strings.Cut(text, " "); in.Timer && more && l.has("serves", first) { // таймер для картошки 25 минут
		text = rest
	}
	if strings.HasPrefix(r.input, in.Text) {
		text = l.withoutAside(text)
	}
	if first, rest, more := strings.Cut(text, " "); isOther && more && l.has("introduces", fold(first).norm) {
		text = rest // "... at 8 and to feed the cat at 9"
	}
	text = in.named(l, text)
	return text, !in.swallows(l, words, text)
}

// withoutSmallWords returns what a reminder is about without the words that belong to the sentence before it.
func (r Reading) withoutSmallWords(in later, text string) string {
	switch {
	case r.Lang == "en" && strings.HasPrefix(in.Text, "2 "): // remind me 2 feed the cat
		return strings.TrimPrefix(text, "2 ")
	case r.Lang == "de":
		words := strings.TrimRightFunc(text, func(r rune) bool { return r == ' ' || isEmoji(r) })
		return withoutArticle(withoutDuty(words)) + text[len(words):]
	}
	return text
}

// alarmText returns what an alarm says: its mark, and behind that what it is for. Behind a comma stands why it is wanted, and not what for.
func (in later) alarmText(words, text string) string {
	before, ok := strings.CutSuffix(words, text)
	isReason := ok && strings.HasSuffix(strings.TrimRight(strings.TrimSuffix(fold(before+"x").norm, "x"), " "), ",")
	if isReason || text == "" || text == in.Title {
		return in.Title
	}
	return in.Title + " " + text
}

// beginsWithHour reports whether what is left of the words of an alarm begins with a number that may be its hour.
func (r Reading) beginsWithHour(rest string) bool {
	norm := fold(rest).norm
	_, size := numerals.Read(norm, r.Lang)
	return numberShape().FindString(rest) != "" || size > 0 && (folded{norm: norm}).isBoundary(size)
}

// splitsFirst reports whether words of time stood behind the first word of a text, and what remained of it goes on behind them: "7.30 | to call Ana" of
// "7.30 tonight to call Ana".
func splitsFirst(words, rest string) bool {
	first, behind, more := strings.Cut(words, " ")
	kept, remains, _ := strings.Cut(rest, " ")
	next, _, _ := strings.Cut(remains, " ")
	said, _, _ := strings.Cut(behind, " ")
	return more && first == kept && next != said
}

// startsFinite reports whether words tell of a reminder and name none: 提前两小时提醒我太早.
func (r Reading) startsFinite(words string) bool {
	l := r.language()
	return l != nil && l.startsWith("finite", fold(words).norm)
}

// moveAhead moves the time of what a person names to that of the reminder before it, and reports whether that is still to come: 三点开会，提前十分钟提醒我.
func (in later) moveAhead(read *when.Reading, lang string, now time.Time) bool {
	before, err := when.Read(strings.ReplaceAll(phrase(lang, "from_now"), "{length}", in.Ahead), lang, now) // no timer runs for days in Chinese
	if err != nil || before.Rest != "" || before.Repeat != "" || read.Repeat != "" || read.Sun != "" {
		return false
	}
	*read = read.ByDay(now)
	if length := before.Start.Sub(now); length%(24*time.Hour) == 0 {
		read.Start = read.Start.AddDate(0, 0, -int(length/(24*time.Hour)))
	} else {
		read.Start = read.Start.Add(-length)
	}
	read.Other = nil
	return read.Start.After(now)
}

// spokenHour is an hour with its minutes as they are said: an alarm at 6 45.
var spokenHour = lazyregexp.New(`\b([01]?[0-9]|2[0-3]) ([0-5][0-9])\b`)

// asking returns a question in place of a reading.
func (r Reading) asking(question string) Reading {
	r.Ask, r.Call.Name, r.Call.Args, r.Acts = question, "", nil, false
	return r
}

// withoutTime returns a reading whose input has no more words of time: they are those of a time that cannot be, and another one is asked for.
func (r Reading) withoutTime(in later, now time.Time) Reading {
	read, _ := when.Read(strings.TrimSpace(in.Before+" "+in.Text), r.Lang, now) // it fails, with what remains
	before, ok := strings.CutSuffix(r.input, in.Text)
	if in.Before != "" {
		head, tail, found := strings.Cut(before, in.Before)
		before = strings.TrimLeft(strings.TrimSpace(head)+" "+strings.TrimLeft(tail, " ,，"), " ")
		ok = ok && found && before != ""
	}
	if !ok {
		r.from = nil // they cannot be told from the others
	}
	r.input = before + read.Rest
	return r
}

// forExample stands behind a question, with an example of the whole.
func forExample(lang, example string) string {
	return phrase(lang, "for_example") + cmp.Or(example, phrase(lang, "example"))
}

// ofInput returns the reading of an input, with its text and the languages that it may be of.
func (r Reading) ofInput(text string, may []language) Reading {
	r.input, r.may = strings.TrimRight(strings.TrimSpace(text), ".!?。！？"), may
	for i := range r.others {
		r.others[i].input, r.others[i].may = r.input, may
	}
	return r
}

// language returns the language of a reading, nil where that is none of those that its input may be of.
func (r Reading) language() *language {
	i := slices.IndexFunc(r.may, func(l language) bool { return l.name == r.Lang })
	if i < 0 {
		return nil
	}
	return &r.may[i]
}

// tomorrow returns what was said with a time that it lacks, or "" where that would be read as something else. words are those that a time
// was looked for in.
func (r Reading) tomorrow(words string, now time.Time) string {
	add := func(text string) string { return strings.ReplaceAll(phrase(r.Lang, "tomorrow"), "{words}", text) }
	all, err := when.ReadAll(add(words), r.Lang, now)
	if r.input == "" || err != nil || len(all) != 1 || all[0].Rest != words {
		return ""
	}
	return add(r.input)
}

// withoutArticle returns a text of one German noun without its article, which "an" has bent: den Zahnarzt.
func withoutArticle(text string) string {
	article, noun, _ := strings.Cut(text, " ")
	if slices.Contains([]string{"den", "die", "das"}, strings.ToLower(article)) && noun != "" && !strings.Contains(noun, " ") {
		return noun
	}
	return text
}

// withoutDuty returns what the person has to do, of "dass ich Ana anrufen muss", whose first word the sentence may have, and of "muss ich Ana
// anrufen".
func withoutDuty(text string) string {
	for _, must := range []string{"muss ich ", "soll ich ", "müssen wir ", "sollen wir "} {
		if rest, ok := strings.CutPrefix(text, must); ok {
			return rest
		}
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.Replace(text, "daß ", "dass ", 1), "dass "), "ich ")
	if rest, must := strings.CutSuffix(rest, " muss"); ok && must {
		return rest
	}
	return text
}

// argsOf returns the arguments of a reminder that was read of words.
func (in later) argsOf(read when.Reading, words string) remindArgs {
	if in.Wake && len(read.Other) > 0 && read.Start.Hour() >= 12 && read.Other[0].Start.Hour() < 12 { // nobody is woken in the evening
		other := read.Other[0]
		read.Other[0] = when.Alternative{Start: read.Start, Repeat: read.Repeat}
		read.Start = other.Start
	}
	args := remindArgs{
		At: read.Start.Format(time.RFC3339), Repeat: read.Repeat, Text: strings.TrimSpace(read.Rest),
		UntilDone: read.UntilAcknowledged, Missed: read.Missed, Timer: in.Timer || read.Timer && in.Before == "", // give it 20 minutes and remind me
	}
	if read.Sun != "" || read.AfterDone != 0 { // the tool knows where the house stands
		args.At, args.Repeat = words, ""
	}
	var others []string
	for _, o := range read.Other {
		others = append(others, o.Start.Format(time.RFC3339))
	}
	args.Other = strings.Join(others, " ")
	return args
}
