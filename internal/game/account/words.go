package account

import (
	"cmp"
	"embed"
	"maps"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
	"hob/internal/phrases"
)

// texts are the tables of the package, by what they are for and by language.
//
//go:embed words ask
var texts embed.FS

// wording holds the sentences of a language by their keys.
type wording map[string]string

// wordingFor returns the sentences of a table in a language.
func wordingFor(what, lang string) wording {
	text, err := texts.ReadFile(what + "/" + lang + ".txt")
	if err != nil {
		panic(err) // a test checks that all three exist
	}
	return maps.Collect(phrases.File(text).All())
}

// say fills {0}, {1} and so on; {~1} is in the accusative. A sentence begins with a capital.
func (p wording) say(key string, args ...string) string { return p.fill(p[key], args...) }

// variants returns the texts of a key: KEY, KEY.2, KEY.3 and so on.
func (p wording) variants(key string) (texts []string) {
	for text, ok := p[key]; ok; text, ok = p[key+"."+strconv.Itoa(len(texts)+1)] {
		texts = append(texts, text)
	}
	return texts
}

// fill is say for a text. {0|минута|минуты|минут} is a number with the Russian form that it wants.
func (p wording) fill(text string, args ...string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		rest, bent := strings.CutPrefix(rest, "~")
		n, after, _ := strings.Cut(rest, "}")
		n, forms, _ := strings.Cut(n, "|")
		if i, err := strconv.Atoi(n); err == nil && i < len(args) {
			word := args[i]
			if bent {
				word = p.accusative(word)
			}
			if b.WriteString(word); forms != "" {
				b.WriteString(" " + counted(args[i], strings.Split(forms, "|")))
			}
		}
		text = after
	}
	return capital(StopBehind(b.String()))
}

// counted returns the Russian form of a noun after a whole number: one of минута, минуты, минут.
func counted(n string, forms []string) string {
	last, tens := n[len(n)-1], len(n) > 1 && n[len(n)-2] == '1'
	switch {
	case last == '1' && !tens:
		return forms[0]
	case last >= '2' && last <= '4' && !tens:
		return forms[1]
	}
	return forms[2]
}

// capital returns s with a capital at its beginning.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || unicode.IsUpper(r) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// the returns an English name with its article. Proper names have none.
func the(name string) string {
	r, _ := utf8.DecodeRuneInString(name)
	lower := strings.ToLower(name)
	if !unicode.IsLower(r) || strings.HasPrefix(lower, "the ") || strings.HasPrefix(lower, "a ") || strings.HasPrefix(lower, "an ") {
		return name
	}
	return "the " + name
}

// accusative puts a Russian name of something lifeless into the accusative, as far as its endings show how: the
// adjectives and the noun after them, with both halves of a hyphenated noun: кирку-молот. The rest of a name (the ash
// of the king) stays as it is.
func (p wording) accusative(name string) string {
	words := strings.Split(name, " ")
	for i, w := range words {
		bent := exchange(w, strings.Fields(p["bend.adjective"]))
		if words[i] = bent; bent == "" {
			words[i] = p.accusativeNoun(w)
			break
		}
	}
	return strings.Join(words, " ")
}

func (p wording) accusativeNoun(noun string) string {
	halves := strings.Split(noun, "-")
	for i, half := range halves {
		halves[i] = cmp.Or(exchange(half, strings.Fields(p["bend.noun"])), half)
	}
	return strings.Join(halves, "-")
}

// exchange replaces the end of a word by the first pair that fits, as in "ая=ую", or the whole word, as in "^мой=ваш".
// It returns "" if none fits.
func exchange(word string, pairs []string) string {
	for _, pair := range pairs {
		old, is, _ := strings.Cut(pair, "=")
		if "^"+word == old {
			return is
		}
		if base, ok := strings.CutSuffix(word, old); ok && utf8.RuneCountInString(base) > 1 {
			return base + is
		}
	}
	return ""
}

const longestName = 80 // the longest name that is told, in runes

// called is a name as a sentence has it, in English with an article. Whatever has no name is something, somebody, or
// another place.
func (d *Digest) called(name, none string) string {
	name = spelling.Line(name, longestName)
	switch {
	case name == "":
		return d.words[none]
	case d.Language() == "en":
		return the(name)
	}
	return name
}

// thingName is what a sentence calls an object; kindName leaves out how many there are.
func (d *Digest) thingName(t *world.Thing) string {
	name := d.kindName(t)
	if t.Qty > 1 && name != d.words["thing"] {
		name += " ×" + number(t.Qty)
	}
	return name
}

func (d *Digest) kindName(t *world.Thing) string { return d.called(t.Name, "thing") }

func (d *Digest) placeName(id string) string {
	return d.called(cmp.Or(d.After.Place(id), d.Before.Place(id), &world.Place{}).Name, "place")
}

func (d *Digest) actorName(id string) string {
	return d.called(cmp.Or(d.After.Actor(id), d.Before.Actor(id), &world.Actor{}).Name, "person")
}

// holderName names the person, place or thing that holds something.
func (d *Digest) holderName(id string) string {
	if t := d.After.Thing(id); t != nil && d.After.Actor(id) == nil {
		return d.kindName(t)
	}
	return d.actorName(id)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// about puts a refusal into words, with names instead of ids.
func (d *Digest) about(o *rules.Outcome) string {
	if !refused(o) || d.Book == nil {
		return ""
	}
	say := rules.Sentence{Key: o.Say.Key}
	for _, arg := range o.Say.Args {
		switch {
		case d.After.Place(arg) != nil:
			arg = d.placeName(arg)
		case d.After.Actor(arg) != nil || d.After.Thing(arg) != nil:
			arg = d.holderName(arg)
		}
		say.Args = append(say.Args, spelling.Line(arg, longestName))
	}
	return spelling.Line(d.Book.Text(d.Language(), say), 200)
}
