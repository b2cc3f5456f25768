package calendar

import (
	"cmp"
	"embed"
	"strconv"
	"time"

	"hob/internal/phrases"
	"hob/internal/when"
)

//go:embed words
var files embed.FS

// words are what the tool says in a language.
type words struct {
	phrases.Words
	lang string
}

func wordsOf(lang string) words {
	lang = cmp.Or(phrases.Language(lang), phrases.Languages()[0])
	return words{phrases.In(files, lang), lang}
}

// count returns how many there are of what has a key.
func (w words) count(n int, key string) string {
	if n == 1 {
		return w.Text(key + ".one")
	}
	return w.Text(key, strconv.Itoa(n))
}

// day names a day in a list; the year is that of now unless it is said.
func (w words) day(t, from time.Time) string {
	return when.DescribeDay(t, w.lang, t.Year() != from.Year())
}

// period names the days from a midnight to another.
func (w words) period(from, to time.Time) string {
	if last := to.AddDate(0, 0, -1); last.After(from) {
		return w.Text("between", w.whole(from), w.whole(last))
	}
	return w.Text("on", w.whole(from))
}

func (w words) whole(t time.Time) string {
	if w.lang == "en" {
		return t.Format(longLayout)
	}
	return when.DescribeDay(t, w.lang, true)
}
