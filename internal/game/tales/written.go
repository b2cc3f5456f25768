package tales

import (
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/game/rules"
	"hob/internal/untrusted"
)

// Written says that a model wrote some lines of a tale's file.
type Written struct {
	File  string `json:"file"`
	Model string `json:"model"`
	First int    `json:"first"` // line, from 1
	Last  int    `json:"last"`
}

// The remarks that say who wrote the lines below them.
const (
	byModel = "# by model "

	// ByHob is the remark above lines that hob wrote.
	ByHob = "# by hob"
	// ByHand is the remark above lines that a person wrote.
	ByHand = "# by hand"
)

// ByModel returns the remark above lines that a model wrote.
func ByModel(model string) string {
	plain, _ := untrusted.Plain(model)
	return byModel + display.Truncate(strings.Join(strings.Fields(plain), " "), mostName)
}

// Written returns which lines of a tale a model wrote, as its files say.
func (t Tale) Written() (all []Written) {
	src := t.source()
	all = writtenIn(t.ID+".txt", src.what)
	for _, lang := range rules.Langs() {
		all = append(all, writtenIn(t.ID+"."+lang+".txt", src.words[lang])...)
	}
	return all
}

// writtenIn returns the lines of a file that a model wrote: those below a remark that says so, up to the next remark of that kind.
func writtenIn(file, text string) (all []Written) {
	model, no := "", 0
	var now *Written
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch no++; {
		case strings.HasPrefix(line, byModel):
			model, now = strings.TrimSpace(line[len(byModel):]), nil
		case strings.HasPrefix(line, ByHob), strings.HasPrefix(line, ByHand):
			model, now = "", nil
		case model == "" || line == "" || line[0] == '#':
		case now == nil:
			all = append(all, Written{File: file, Model: model, First: no, Last: no})
			now = &all[len(all)-1]
		default:
			now.Last = no
		}
	}
	return slices.Clip(all)
}
