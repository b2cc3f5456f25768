package lists

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/skills/pages"
	"hob/internal/tools"
)

// page is a list that is being changed.
type page struct {
	lines []string // with their ends
	items []item
	end   int // the line behind the last item; -1 where there is none
}

// item is one thing on a list.
type item struct {
	text   string // of its first line, tidy
	below  string // what is indented below it, in one line
	ticked bool
	block  pages.Block
}

// whole is the item as it is shown.
func (it item) whole() string {
	text := it.text
	if it.below != "" {
		text += pages.LineBreak + it.below
	}
	return display.TruncateBytes(text, maxLine)
}

// parse reads a page.
func parse(text string) *page {
	p := &page{lines: slices.Collect(strings.Lines(text)), end: -1}
	for _, b := range pages.Blocks(text, true) {
		if !b.Item {
			continue
		}
		p.end = b.Last + 1
		_, box, rest := cutItem(p.lines[b.First])
		it := item{text: pages.Tidy(rest), ticked: isTicked(box), block: b}
		it.below = pages.Tidy(strings.Join(p.lines[b.First+1:b.Last+1], ""))
		if it.text != "" {
			p.items = append(p.items, it)
		}
	}
	return p
}

// String is the page as it is written.
func (p *page) String() string { return strings.Join(p.lines, "") }

// cutItem takes the line of an item apart: indentation and marker, the box, "" where there is none, and the rest.
func cutItem(line string) (before, box, rest string) {
	rest = strings.TrimLeftFunc(line, unicode.IsSpace)
	rest = strings.TrimLeftFunc(rest[pages.MarkerOf(strings.TrimSpace(rest)):], unicode.IsSpace)
	before = line[:len(line)-len(rest)]
	box, rest = cutBox(rest)
	return before, box, rest
}

// cutBox takes a box from the beginning of a text.
func cutBox(text string) (box, rest string) {
	for _, box := range []string{"[ ]", "[]", "[x]", "[X]"} {
		if rest, ok := strings.CutPrefix(text, box); ok && (rest == "" || strings.TrimLeftFunc(rest, unicode.IsSpace) != rest) {
			return box, rest
		}
	}
	return "", text
}

func isTicked(box string) bool { return strings.EqualFold(box, "[x]") }

// itemText is an item as it is written: tidy, and without the marker and the box of a line that was copied from a list.
func itemText(text string) string {
	text = pages.Tidy(text)
	for {
		box, rest := cutBox(text)
		if rest = strings.TrimSpace(rest); box == "" {
			rest = strings.TrimPrefix(strings.TrimPrefix(text, "- "), "* ")
		}
		if rest == text {
			return text
		}
		text = rest
	}
}

// mark ticks an item, or opens it again.
func (p *page) mark(i int, ticked bool) {
	it := &p.items[i]
	before, box, rest := cutItem(p.lines[it.block.First])
	it.ticked = ticked
	if box == "" {
		rest = " " + rest
	}
	if box = "[ ]"; ticked {
		box = "[x]"
	}
	p.lines[it.block.First] = before + box + rest
}

// add writes new items behind the last one, on an empty page below a heading with the name of the list.
func (p *page) add(name string, texts []string) {
	if len(texts) == 0 {
		return
	}
	end := "\n"
	if len(p.lines) > 0 && strings.HasSuffix(p.lines[0], "\r\n") {
		end = "\r\n"
	}
	if strings.TrimSpace(p.String()) == "" {
		p.lines = append(p.lines, "# "+name+end, end)
	}
	at := p.end
	if at < 0 {
		at = len(p.lines)
	}
	if !strings.HasSuffix(p.lines[at-1], "\n") {
		p.lines[at-1] += end
	}
	var lines []string
	for _, text := range texts {
		lines = append(lines, "- [ ] "+text+end)
	}
	p.lines = slices.Insert(p.lines, at, lines...)
}

// drop removes the lines of items, and what is indented below them.
func (p *page) drop(gone []int) {
	blocks := lists.Map(gone, func(i int) pages.Block { return p.items[i].block })
	*p = *parse(pages.Drop(p.String(), blocks...))
}

// all returns the numbers of all items.
func (p *page) all() (numbers []int) {
	for i := range p.items {
		numbers = append(numbers, i)
	}
	return numbers
}

// count returns how many items are open and how many ticked.
func (p *page) count() (open, ticked int) {
	for _, it := range p.items {
		if it.ticked {
			ticked++
		} else {
			open++
		}
	}
	return open, ticked
}

// left says how many items are open.
func (p *page) left() string {
	open, _ := p.count()
	return fmt.Sprintf("%d open", open)
}

// exact returns the items that say just that, in whatever letters.
func (p *page) exact(text string) (same []int) {
	for i, it := range p.items {
		if pages.Fold(it.text) == pages.Fold(text) {
			same = append(same, i)
		}
	}
	return same
}

// find returns the items that somebody means, in their order on the page: those that say just that, else those that have all
// of the words, else those that have them in other forms, if they are one thing. Of several, those that are wanted are meant. The error names what could be meant, and
// says that nothing was done.
func (p *page) find(name string, refs []string, done string, wanted func(item) bool) ([]int, error) {
	var meant []int
	var bad []string
	lost := false
	for _, ref := range refs {
		ref = itemText(ref)
		found := p.exact(ref)
		if len(found) == 0 {
			found = p.withWords(ref)
		}
		if len(found) == 0 {
			found = p.withForms(ref)
		}
		if some := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return !wanted(p.items[i]) }); len(some) > 0 {
			found = some
		}
		texts := p.texts(found)
		switch len(texts) {
		case 0:
			bad, lost = append(bad, strconv.Quote(display.TruncateBytes(ref, maxLine))+" is not on "+name), true
		case 1:
			meant = append(meant, found...)
		default:
			bad = append(bad, strconv.Quote(display.TruncateBytes(ref, maxLine))+" could be "+names(texts))
		}
	}
	if len(bad) == 0 {
		slices.Sort(meant)
		return slices.Compact(meant), nil
	}
	hint := "name one as it stands there"
	if lost && len(p.items) > 0 {
		hint = "on it are " + names(p.texts(p.all()))
	} else if lost {
		hint = "it is empty"
	}
	return nil, tools.Missing(event.CodeInvalidValue, "%s; nothing was %s", strings.Join(bad, "; "), done).Suggest(hint)
}

// texts returns the texts of items, each once, in whatever letters it stands there.
func (p *page) texts(numbers []int) (texts []string) {
	for _, i := range numbers {
		text := p.items[i].text
		if !slices.ContainsFunc(texts, func(other string) bool { return pages.Fold(other) == pages.Fold(text) }) {
			texts = append(texts, text)
		}
	}
	return texts
}

// withWords returns the items that have all words of a text: whole words, so that ice is not found in rice. Where words are
// written together they count wherever they stand.
func (p *page) withWords(text string) []int {
	return p.withAll(text, func(it item, word string) bool {
		if !isTogether(word) {
			word = " " + word + " "
		}
		return strings.Contains(" "+strings.Join(wordsOf(it.text+" "+it.below), " ")+" ", word)
	})
}

// withForms returns the items that have all words of a text in some form, as муку of мука.
func (p *page) withForms(text string) []int {
	return p.withAll(text, func(it item, word string) bool { return pages.HasForm(strings.Join(wordsOf(it.text), " "), word) })
}

// withAll returns the items that have all words of a text, which has some.
func (p *page) withAll(text string, has func(it item, word string) bool) (found []int) {
	wanted := wordsOf(text)
	for i, it := range p.items {
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(word string) bool { return !has(it, word) }) {
			found = append(found, i)
		}
	}
	return found
}

// wordsOf returns the words of a text in small letters.
func wordsOf(text string) (words []string) {
	for _, word := range strings.FieldsFunc(pages.Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M, r)
	}) {
		for run := range pages.Runs(word) {
			words = append(words, run)
		}
	}
	return words
}

// isTogether reports whether a run of letters is one without blanks between words.
func isTogether(run string) bool {
	for _, together := range pages.Runs(run) {
		return together
	}
	return false
}
