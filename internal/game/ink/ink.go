// Package ink makes tales of choices of stories that were written in Ink and compiled (inklecate writes the format as JSON).
//
// A story is played in all ways when it is imported, by the rules of Ink: knots and stitches, choices that are made once, sticky or taken
// for want of any other, gathers, diverts, tunnels, functions, variables and alternatives. What comes of it is a list of pages and of
// what can be chosen on each, and hob's tale format has both: the story itself is needed no more, and no rule of Ink is in the engine.
//
// Two ways that lead to the same words, with the same things to come, lead to one page. So a story may go in circles; one with more
// than 500 pages is refused. Refused is also what a list of pages cannot hold, or what hob does not take: chance, the number of turns,
// threads, lists, references and functions of the program that plays. A [Refusal] names it.
package ink

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/game/tales"
)

// Refusal is the error for a story that cannot be taken: one sentence that says why.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Tale returns the files of the tale of a compiled story, under a name. The title counts unless the story has one (# title: TITLE).
func Tale(raw []byte, id, title, lang string) ([]tales.File, error) {
	s, err := parse(raw)
	if err != nil {
		return nil, err
	}
	w, ok := phrases()[lang]
	if !ok {
		return nil, refuse("no tale can be in %.40q: use en, ru or zh", lang)
	}
	first, err := s.begin()
	if err != nil {
		return nil, err
	}
	pages, err := s.explore(first)
	if err != nil {
		return nil, err
	}
	for _, tag := range first.tags {
		if named, ok := strings.CutPrefix(tag, "title:"); ok {
			title = named
		}
	}
	title = cmp.Or(display.Truncate(tales.Mend(title), mostTitle), id)
	f := &files{phrase: w}
	return f.write(pages, id, title, lang)
}

// phrase is what a tale says that no story of Ink does.
type phrase struct{ opening, goal, ending, style, weather, hero, end, read, role, line string }

func phrases() map[string]phrase {
	return map[string]phrase{
		"en": {"A story of choices.", "Read on until the story comes to an end.", "The end.", "As it was written.", "as it was written", "Reader",
			"An end", "Come to an end", "reader", "You read, and choose."},
		"ru": {"История, в которой выбираете вы.", "Читать, пока история не придёт к концу.", "Конец.", "Так, как написано.", "как написано", "Читатель",
			"Конец", "Дойти до конца", "читатель", "Вы читаете и выбираете."},
		"zh": {"一个由你选择的故事。", "读到故事的结局。", "完。", "照原文。", "照原文", "读者", "结局", "读到一个结局", "读者", "你边读边选。"},
	}
}

// files is the lines of a tale's files.
type files struct {
	phrase
	what, words strings.Builder
	no          int // of the last page
}

// The longest texts of a page, in characters: a page that is longer goes on at the next one.
const (
	mostTitle = 60
	mostLabel = 120
	mostText  = 1000
)

// onward is the choice that leads from a part of a long page to the next, and one without words.
const onward = "…"

// oneLine joins the lines of a page, for a page is one line. A choice that is printed above what comes of it seldom has a full stop of its
// own, and gets one.
func oneLine(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		last, _ := utf8.DecodeLastRuneInString(line)
		switch ends := unicode.IsLetter(last) || unicode.IsDigit(last); {
		case i+1 == len(lines):
		case ends && unicode.Is(unicode.Han, last):
			b.WriteString("。")
		case ends:
			b.WriteString(". ")
		default:
			b.WriteString(" ")
		}
	}
	return b.String()
}

func (f *files) write(pages []*page, id, title, lang string) ([]tales.File, error) {
	first, last := make([]string, len(pages)), make([]string, len(pages))
	var lines, ends strings.Builder
	for i, p := range pages {
		label := display.Truncate(tales.Mend(p.label), mostLabel)
		if i == 0 {
			label = title
		}
		for n, part := range parts(tales.Mend(oneLine(p.lines))) {
			f.no++
			here := fmt.Sprintf("page_%d", f.no)
			fmt.Fprintf(&f.what, "page %s\n", here)
			if n == 0 {
				first[i] = here
			} else {
				fmt.Fprintf(&lines, "choice %s %s\n", last[i], here)
				label = onward
			}
			last[i] = here
			fmt.Fprintf(&f.words, "%s = %s\n%s.text = %s\n", here, cmp.Or(label, onward), here, cmp.Or(part, label, onward))
		}
	}
	for i, p := range pages {
		for _, to := range p.choices {
			fmt.Fprintf(&lines, "choice %s %s\n", last[i], first[to])
		}
		if len(p.choices) == 0 {
			fmt.Fprintf(&ends, "quest end_%s ends offered\ngoal end_%s read when at %s\n", last[i][5:], last[i][5:], last[i])
			fmt.Fprintf(&f.words, "end_%s = %s\nend_%s.read = %s\n", last[i][5:], f.end, last[i][5:], f.read)
		}
	}
	if ends.Len() == 0 {
		return nil, refuse("it never comes to an end: let a way lead to -> END")
	}
	what := fmt.Sprintf("# A story of choices, taken from Ink.\nbegin 1-1-1 12:00 %s\n\n%s\n%s\n%s\ntrade reader hp=10\n", first[0], f.what.String(), lines.String(), ends.String())
	words := fmt.Sprintf("title = %s\npitch = %s\nopening = %s\ngoal = %s\nending = %s\nmilestone = %s\nstyle = %s\nweather = %s\nhero = %s\n\n%s\nreader = %s\nreader.line = %s\n",
		title, f.opening, f.opening, f.goal, f.ending, f.opening, f.style, f.weather, f.hero, f.words.String(), f.role, f.line)
	return []tales.File{{Name: id + ".txt", Text: what}, {Name: id + "." + lang + ".txt", Text: words}}, nil
}

// parts splits a text behind its sentences, or its words, so that none is too long. There is one part at least.
func parts(s string) (all []string) {
	for utf8.RuneCountInString(s) > mostText {
		head := string([]rune(s)[:mostText])
		end := len(head)
		for _, marks := range []string{" ", ".!?…。！？"} {
			if at := strings.LastIndexAny(head, marks); at > len(head)/2 {
				_, width := utf8.DecodeRuneInString(head[at:])
				end = at + width
			}
		}
		all, s = append(all, strings.TrimSpace(s[:end])), strings.TrimSpace(s[end:])
	}
	return append(all, s)
}
