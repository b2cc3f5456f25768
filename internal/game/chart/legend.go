package chart

import (
	"strconv"
	"strings"
)

// describe describes a room to those who do not see it.
func (a *artist) describe(i int) string {
	r := &a.m.Rooms[i]
	if r.Name == "" {
		return a.words.unknown
	}
	out := r.Name
	if t := a.tags[i]; t.number > 0 {
		out = strconv.Itoa(t.number) + " " + out
	}
	if r.Current {
		out += ", " + a.words.meaning[signHere]
	}
	if !r.Visited {
		out += ", " + a.words.meaning[signFog]
	}
	if len(r.Party) > 0 {
		out += ": " + strings.Join(r.Party, ", ")
	}
	return out
}

// legend returns the lines that belong below the picture.
func (a *artist) legend() []string {
	var out []string
	if a.cut {
		out = append(out, a.m.Title)
	}
	for i, t := range a.tags {
		if t.number > 0 {
			out = append(out, strconv.Itoa(t.number)+" "+a.m.Rooms[i].Name)
		}
	}
	var party []string
	for _, m := range a.marks {
		party = append(party, m.sign+" "+m.name)
	}
	if len(party) > 0 {
		out = append(out, strings.Join(party, ", "))
	}
	signs := a.words.explainSigns(a.used, a.words.drawn, ": ")
	if a.apart {
		signs = append(signs, a.words.apart)
	}
	if len(signs) > 0 {
		out = append(out, strings.Join(signs, "; "))
	}
	return append(out, countBeyond(&a.m, a.words)...)
}

// countBeyond says how much of a map is shown, where that is not all.
func countBeyond(m *Map, w *words) []string {
	if m.Beyond == 0 {
		return nil
	}
	return []string{w.shown + " " + strconv.Itoa(len(m.Rooms)) + " " + w.of + " " + strconv.Itoa(len(m.Rooms)+m.Beyond)}
}
