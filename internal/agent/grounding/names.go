package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// names adds the names of a line to the items. A capital that begins a sentence says nothing, and in German no capital does;
// there it takes a title, a family or a street.
func (r *reader) names() {
	if r.isTitle() {
		return
	}
	for i, w := range r.caps {
		switch {
		case !isNameLike(w.text) || isCalendar(strings.ToLower(w.text)) || isUnit(strings.ToLower(w.text)):
		case r.c.hasName(w.text):
			r.add(item{kind: anyName, text: w.text})
		case r.isName(i):
			r.add(item{kind: anyName, text: w.text})
		}
	}
}

func isUnit(w string) bool {
	_, ok := unitOf(w)
	return ok
}

// isName reports whether the capital word at i, which no source has, is a name.
func (r *reader) isName(i int) bool {
	w := r.caps[i]
	low := strings.ToLower(w.text)
	cyrillic := isCyrillic(w.text)
	pair := func(j int) bool { // it stands next to another name that may begin a sentence itself
		return j >= 0 && j < len(r.caps) && r.caps[max(i, j)].follow && isNameLike(r.caps[j].text) && !isCalendar(strings.ToLower(r.caps[j].text))
	}
	titled := isTitleWord(strings.TrimRight(w.before, "."))
	if r.c.lang == german && !cyrillic {
		for _, street := range []string{"straße", "strasse", "weg", "gasse", "platz", "allee", "damm", "ufer", "ring"} {
			if strings.HasSuffix(low, street) && len(low) > len(street)+2 && r.digitBehind(w) {
				return true
			}
		}
		return titled || r.otherOf(i)
	}
	if r.otherOf(i) {
		return true
	}
	if w.begins {
		return titled || pair(i+1) && !isStarter(low) && !r.c.hasName(r.caps[i+1].text)
	}
	return !isKnownWord(low)
}

// otherOf reports whether the word beside the one at i stands in the sources beside another word with a capital: Schreinerei
// Hahn where they have Schreinerei Holm.
func (r *reader) otherOf(i int) bool {
	all := r.c.original
	if i > 0 && r.caps[i].follow && !isCalendar(strings.ToLower(r.caps[i-1].text)) {
		if at := strings.Index(all, r.caps[i-1].text+" "); at >= 0 {
			next := wordAt(all[at+len(r.caps[i-1].text)+1:])
			if first, _ := utf8.DecodeRuneInString(next); unicode.IsUpper(first) && utf8.RuneCountInString(next) > 2 {
				return true
			}
		}
	}
	if i+1 < len(r.caps) && r.caps[i+1].follow && !isStarter(strings.ToLower(r.caps[i].text)) && r.c.lang != german {
		if at := strings.Index(all, " "+r.caps[i+1].text); at > 0 {
			before := all[strings.LastIndexAny(all[:at], " \n\t,.;:|")+1 : at]
			if first, _ := utf8.DecodeRuneInString(before); unicode.IsUpper(first) && utf8.RuneCountInString(before) > 2 {
				return true
			}
		}
	}
	return false
}

// digitBehind reports whether a number stands behind a word.
func (r *reader) digitBehind(w capital) bool {
	rest := strings.TrimLeft(r.text[w.at+len(w.text):], " ")
	return rest != "" && isDigit(rest[0])
}

// isTitle reports whether a line is a title: most of its words have capitals.
func (r *reader) isTitle() bool {
	all := 0
	for _, w := range strings.Fields(r.text) {
		if letter, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "*_")); unicode.IsLetter(letter) {
			all++
		}
	}
	text := strings.TrimSpace(r.text)
	ends := strings.HasSuffix(text, ":") || strings.HasSuffix(text, "**")
	return ends && len(r.caps) >= 2 && len(r.caps)*3 >= all*2
}

// isNameLike reports whether a word with a capital can be a name: it has small letters, too, and is no short form.
func isNameLike(w string) bool {
	small, n := false, 0
	for _, r := range w {
		small = small || unicode.IsLower(r)
		n++
	}
	return small && n >= 3 && !strings.ContainsAny(w, "'’") || small && n >= 4
}

func isCyrillic(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.Is(unicode.Cyrillic, r)
}

// hasName reports whether the sources have a name, in this case or another, or as a part of a word.
func (c *checker) hasName(text string) bool {
	low := strings.ToLower(text)
	low = strings.TrimSuffix(strings.TrimSuffix(low, "'s"), "’s")
	if isHan(low) {
		return strings.Contains(c.all, low)
	}
	if strings.Contains(c.all, low) {
		return true
	}
	if !isCyrillic(text) {
		for _, ending := range []string{"s", "es", "n", "en", "e", "er", "ers"} {
			if s, ok := strings.CutSuffix(low, ending); ok && len(s) > 2 && c.hasWhole(s) {
				return true
			}
		}
		return false
	}
	n := utf8.RuneCountInString(low)
	s := low
	for drop := 1; drop <= 3 && n-drop >= 3; drop++ {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
		if c.hasPrefix(s, 3) {
			return true
		}
	}
	return false
}

// hasPrefix reports whether a word of the sources begins with s and has at most so many letters more.
func (c *checker) hasPrefix(s string, most int) bool {
	for at := 0; ; {
		i := strings.Index(c.all[at:], s)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(c.all[:i])
		if i == 0 || !unicode.IsLetter(before) {
			if rest := wordAt(c.all[i+len(s):]); utf8.RuneCountInString(rest) <= most {
				return true
			}
		}
		at = i + len(s)
	}
}

// isTitleWord reports whether a name stands behind a word.
func isTitleWord(w string) bool {
	switch w {
	case "mr", "mrs", "ms", "dr", "prof", "herr", "herrn", "frau", "familie", "firma", "onkel", "tante", "oma", "opa", "heißt", "named", "aunt", "uncle", "sorte", "marke", "namens", "г-н", "г-жа", "доктор":
		return true
	}
	return false
}

// isStarter reports whether a word often begins a sentence before a name.
func isStarter(w string) bool {
	return isKnownWord(w) || strings.Contains(" the a an on in at by for from with and but or if when while after before since until as to of this that these those "+
		"only both each every all some most there here yes no not also still your my our his her its their it he she they we you please "+
		"according based note today tomorrow yesterday in on В На По С У К О Из За Для Это Всего Ваш Мой Наш Пишет Её Его Их и а но ", " "+w+" ")
}

// isCalendar reports whether a word is a day or a month.
func isCalendar(w string) bool {
	if monthOf(w) > 0 {
		return true
	}
	return strings.Contains(" monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays "+
		"mon tue tues wed thu thur thurs fri sat sun montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend "+
		"понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье spring summer autumn winter easter christmas ", " "+w+" ")
}

// isKnownWord reports whether a word with a capital is one that an answer may use of itself: languages, makers and programs
// that everybody knows.
func isKnownWord(w string) bool {
	return strings.Contains(" english german french russian chinese spanish italian japanese american british european europe germany france russia china america "+
		"linux windows macos unix ubuntu debian fedora android iphone github gitlab google microsoft apple amazon telegram whatsapp wikipedia youtube firefox chrome "+
		"python golang java javascript typescript rust docker kubernetes git bash markdown json yaml toml html sqlite postgres ollama internet web bluetooth ethernet wifi "+
		"celsius fahrenheit kelvin gregorian christian greek latin roman kilometre utc gmt cet hob yes sorry unfortunately however note total totals summary "+
		"result results answer sum average email excel word pdf csv "+
		"россия россии москва интернет ", " "+w+" ")
}
