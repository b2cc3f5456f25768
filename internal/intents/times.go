package intents

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"hob/internal/when"
)

// What words of time say, which package when reads: whether a text has a time, is one, begins or ends with one. It is asked at anyDay.

// anyDay is a midnight by which words of time are read where it is asked only whether they say one.
func anyDay() time.Time { return time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC) }

// isTimeAlone reports whether a word is a time.
func isTimeAlone(word, lang string) bool {
	read, err := when.Read(word, lang, anyDay())
	return err == nil && strings.TrimSpace(read.Rest) == ""
}

// isDayAlone reports whether words are those of a day, and of no hour. A month or a year, such as "next month", is more than a day.
func (l *language) isDayAlone(words string) bool {
	if len(l.wordsOf(words)) < 3 && l.endsInWord("spans", words) && !l.endsInWord("feasts", words) && !strings.ContainsAny(words, "0123456789") {
		return false
	}
	read, err := when.ReadAll(words, l.name, anyDay())
	return err == nil && len(read) == 1 && strings.TrimSpace(read[0].Rest) == "" && lacksHour(words, l.name, read)
}

// isNewTime reports whether words say when a reminder is to come instead.
func isNewTime(words, lang string, now time.Time) bool {
	return slices.ContainsFunc([]time.Time{now, now.Add(48 * time.Hour)}, func(old time.Time) bool { // half an hour earlier, of what is still to come
		read, err := when.Adjust(words, lang, when.Reading{Start: old}, now)
		return err == nil && strings.TrimSpace(read.Rest) == ""
	})
}

// lacksHour reports whether words that were read as one time say a day and no hour: they may have one yet.
func lacksHour(words, lang string, read []when.Reading) bool {
	now := anyDay()
	other, err := when.ReadAll(words+phrase(lang, "seven"), lang, now)
	return len(read) == 1 && err == nil && len(other) == 1 && other[0].Rest == read[0].Rest
}

// isTime reports whether what would be the name of a timer is a number, or a time.
func isTime(name, lang string) bool {
	return isLength(name, lang) || name != "" && len(numberShape().FindString(name)) == len(name)
}

// saysTime reports whether a text says when.
func (l *language) saysTime(text string) bool {
	_, err := when.Read(text, l.name, anyDay())
	unclear := (*when.Unclear)(nil)
	return err == nil || errors.As(err, &unclear) && unclear.Problem != when.Missing
}

// saysSameTime reports whether some of the words of a text say as much of time as all of them, where a time can be read in those.
func (l *language) saysSameTime(all, some string) bool {
	whole, err := when.Read(all, l.name, anyDay())
	part, failed := when.Read(some, l.name, anyDay())
	if err != nil {
		return !isUnruled(err)
	}
	return failed == nil && whole.Start.Equal(part.Start) && whole.Repeat == part.Repeat
}

// isUnruled reports whether an error of reading words of time is that they were understood, and are more than a reminder can keep.
func isUnruled(err error) bool {
	unclear := (*when.Unclear)(nil)
	return errors.As(err, &unclear) && slices.Contains([]when.Problem{when.Unruled, when.Often, when.Elsewhere}, unclear.Problem)
}

// saysDay reports whether words name a day to come.
func (l *language) saysDay(words string) bool {
	now := anyDay() // at midnight, an hour alone is of today
	read, err := when.Read(words, l.name, now)
	return err == nil && read.Start.YearDay() != now.YearDay()
}

// namesDay reports whether words begin with a day that the language has a word for, also today.
func (l *language) namesDay(words string) (named bool) {
	l.values("day", words, func(string, string) { named = true })
	return named
}

// beginsWithTime reports whether the words of a reminder go on with another time: "5 o'clock is the meeting".
func (l *language) beginsWithTime(text string) bool {
	read, err := when.Read(text, l.name, anyDay())
	return err == nil && read.Rest != text && strings.HasSuffix(text, read.Rest)
}

// timed says whether a time stands first and last in a text, though not behind a word that it hangs on, such as "milk for tomorrow".
type timed struct{ first, last bool }

// timesAt returns where times stand in a text.
func (l *language) timesAt(text string) (at timed) {
	read, err := when.Read(text, l.name, anyDay())
	unclear := (*when.Unclear)(nil)
	if rest := read.Rest; err == nil && rest != text || errors.As(err, &unclear) && unclear.Problem == when.Past {
		at = timed{strings.HasSuffix(text, rest), strings.HasPrefix(text, rest) && !l.endsInWord("hangs", rest)}
	}
	return at
}

// isTimed reports whether a time stands first or last in a text. Many sentences have the same slots, and a time is read once.
func (m *matcher) isTimed(text string, first, last bool) bool {
	if !first && !last {
		return false
	}
	at, known := m.timed[text]
	if !known {
		at = m.lang.timesAt(text)
		m.timed[text] = at
	}
	return first && at.first || last && at.last
}

// namesTime reports whether the name of a timer or an alarm holds another time, or a number behind "and": "the eggs and 5 for the rice".
func (l *language) namesTime(text string) bool {
	isTime := func(words string) bool { _, err := when.Read(words, l.name, anyDay()); return err == nil }
	m := &matcher{folded: folded{norm: text}, lang: l}
	return isTime(text) || isTime(phrase(l.name, "timer")+text) || slices.ContainsFunc(l.wordsOf(text), func(w foundWord) bool {
		return numberShape().MatchString(w.text) && m.isJoined(0, w.from)
	})
}

// beginsWithNumber reports whether the name of a timer begins with what may be its minutes or seconds: an hour twenty.
func beginsWithNumber(name, lang string) bool {
	now := anyDay()
	first, _, _ := strings.Cut(name, " ")
	if lang == "zh" {
		first = name[:len(name)-len(strings.TrimLeft(name, "零〇一二三四五六七八九十半0123456789"))]
	}
	read, err := when.Read(phrase(lang, "timer")+first+phrase(lang, "minutes"), lang, now)
	return name == "半" || name == "半钟" || first != "" && err == nil && read.Rest == "" && read.Start.Sub(now) >= 5*time.Minute
}

// hangsOnTime reports whether what a reminder is about goes on with a time: "the vet from Friday".
func (l *language) hangsOnTime(about string) bool {
	return slices.ContainsFunc(l.wordsOf(about), func(w foundWord) bool {
		rest := about[w.from+len(w.text):]
		return w.from > 0 && l.has("hangs", w.text) && rest != "" && isTimeAlone(phrase(l.name, "at")+rest, l.name)
	})
}

// isDated reports whether the name of a list begins or ends with a day that is near, or over: "the list for Sunday" is no list of that name. That of
// Christmas is.
func (l *language) isDated(name string) bool {
	now := anyDay()
	read, err := when.Read(name, l.name, now)
	unclear := (*when.Unclear)(nil)
	begins, ends := strings.HasSuffix(name, read.Rest), strings.HasPrefix(name, read.Rest)
	return errors.As(err, &unclear) && unclear.Problem == when.Past || err == nil && (begins || ends) && read.Start.Before(now.AddDate(0, 0, 8))
}

// namesTwoDays reports whether a day stands before what is left of a reminder's words, and another, or the same in other words, behind it:
// one of them is of the thing, and not of the reminder.
func (l *language) namesTwoDays(all, text string) bool {
	at := strings.Index(all, text)
	if at <= 0 || text == "" {
		return false
	}
	head, tail := all[:at], all[at+len(text):]
	return l.saysDay(head) && l.saysDay(tail) && !l.isBound(head, tail)
}

// isBound reports whether words behind those of a repetition bound it, as "except Sunday" and "until Friday" do, and name no other day.
func (l *language) isBound(repetition, words string) bool {
	now := anyDay()
	alone, err := when.Read(repetition, l.name, now)
	bound, failed := when.Read(repetition+" "+words, l.name, now)
	freq, _, _ := strings.Cut(alone.Repeat, ";")
	other, _ := when.Read(words, l.name, now)
	return err == nil && failed == nil && freq != "" && l.consistsOf(fold(bound.Rest).norm, "hangs") && (strings.HasPrefix(bound.Repeat, freq) || other.Rest != "")
}

// isLength reports whether words are a length of time alone.
func isLength(words, lang string) bool {
	return words != "" && isTimeAlone(phrase(lang, "timer")+words, lang)
}

// isShortLength reports whether words are a length of some minutes or hours alone, by which what rang can be put off, and no hour of the day.
func isShortLength(words, lang string) bool {
	behind := func(now time.Time) time.Duration {
		read, err := when.Adjust(words, lang, when.Reading{Start: now}, now)
		if err != nil || strings.TrimSpace(read.Rest) != "" || read.Repeat != "" {
			return 0
		}
		return read.Start.Sub(now)
	}
	length := behind(anyDay())
	return length > 0 && length <= 12*time.Hour && length == behind(anyDay().Add(5*time.Hour+13*time.Minute))
}

// isFarDay reports whether words that come to start name a day that is more than one away, and not how long it is until then: "on 28 May".
func isFarDay(words, lang string, start, now time.Time) bool {
	later, err := when.Read(words, lang, now.Add(time.Hour))
	return err == nil && later.Start.Equal(start) && start.Sub(now) > 24*time.Hour
}

// aroundTime returns what stands before the time of some words, and behind it, of what is left of them without the time.
func aroundTime(all, text string) (head, tail string) {
	before := 0
	for before < min(len(all), len(text)) && all[before] == text[before] {
		before++
	}
	for before > 0 && before < len(text) && !utf8.RuneStart(text[before]) {
		before--
	}
	if before < len(text) && all[before-min(before, 1)] < utf8.RuneSelf {
		before = strings.LastIndexByte(all[:before], ' ') + 1
	}
	return strings.TrimRight(text[:before], " ,"), strings.TrimLeft(text[before:], " ,")
}

// goesOnAt reports whether a clause of a reminder's words begins with a time of its own: "take out the bins, at 9 post the letter".
func (l *language) goesOnAt(text string) bool {
	return slices.ContainsFunc((folded{norm: text}).clausesOf()[1:], func(c span) bool {
		return l.beginsWithTime(strings.TrimSpace(text[c.from:c.to]))
	})
}

// mayBeHour reports whether a number behind the day of a reminder may be an hour as well as the first of its words: "tomorrow 9 bank".
func (l *language) mayBeHour(text string) bool {
	now := anyDay()
	read, err := when.Read(text, l.name, now)
	number := numberShape().FindString(read.Rest)
	day, ok := strings.CutSuffix(text, read.Rest)
	if err != nil || !ok || number == "" || strings.TrimSpace(day) == "" {
		return false
	}
	hour, err := when.Read(day+phrase(l.name, "at")+number, l.name, now)
	return err == nil && hour.Rest == "" && !l.endsInWord("hangs", strings.TrimSpace(day))
}

// lengthFrom returns the time that is a length of time behind another, or false where words say no length, but when: tomorrow.
func lengthFrom(at time.Time, words, lang string) (time.Time, bool) {
	behind := func(at time.Time) (time.Time, bool) {
		read, err := when.Read(phrase(lang, "timer")+words, lang, at)
		if lang == "ru" { // 2 дня alone is two o'clock, and a day leaves out the one
			if read, err = when.Read("через "+words, lang, at); err != nil || read.Repeat != "" {
				read, err = when.Read("через 1 "+words, lang, at)
			}
		} else if err != nil { // two days
			read, err = when.Adjust(words, lang, when.Reading{Start: at}, at)
		}
		return read.Start, err == nil && strings.TrimSpace(read.Rest) == "" && read.Repeat == "" && read.Start.After(at)
	}
	const other = 5*time.Hour + 13*time.Minute
	first, ok := behind(at)
	second, same := behind(at.Add(other))
	return first, ok && same && second.Equal(first.Add(other))
}
