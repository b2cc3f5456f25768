package tales

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/world"
)

// Problem is a mistake in a tale, with how to mend it.
type Problem struct {
	File string // of the tale, such as mill.en.txt
	Line int    // from 1; 0: the file as a whole
	Text string
}

// String returns file:line: text.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Text
	case p.Line == 0:
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// Problems returns the mistakes in a tale by file and line: at most a hundred, and how many more there are. A tale
// without any can be played to its end, as far as that can be known without playing, or as its prover has found.
func (t Tale) Problems() []Problem {
	if t.own != nil {
		if wrong := WrongName(t.ID); wrong != "" {
			return []Problem{{t.ID + ".txt", 0, wrong}}
		}
	}
	src := t.source()
	all := slices.Clone(src.problems)
	var what []mistake
	for _, lang := range t.Langs() {
		if src.what == "" || src.words[lang] == "" {
			continue
		}
		m := t.makerOf(lang, [32]byte{})
		m.whole()
		if len(m.wrong)+len(src.problems) == 0 { // else words are left over only because their line cannot be read
			m.words.checkUnused()
		}
		what = append(what, m.wrong...)
		for _, w := range sortMistakes(m.words.wrong) {
			all = append(all, Problem{t.ID + "." + lang + ".txt", w.no, w.text})
		}
		if len(what)+len(all) == 0 {
			what = m.checkWorlds()
		}
	}
	for _, w := range sortMistakes(what) {
		all = append(all, Problem{t.ID + ".txt", w.no, w.text})
	}
	slices.SortStableFunc(all, func(a, b Problem) int { // the file of things before the files of words
		return strings.Compare(strings.TrimSuffix(a.File, ".txt"), strings.TrimSuffix(b.File, ".txt"))
	})
	if len(all) == 0 && src.prove != nil {
		if why := src.prove(t.WithProver(nil)); why != "" {
			all = append(all, Problem{t.ID + ".txt", 0, why})
		}
	}
	if len(all) > mostTold {
		all = append(all[:mostTold:mostTold], Problem{Text: fmt.Sprintf("and %d more", len(all)-mostTold)})
	}
	return all
}

func (m *maker) fail(no int, format string, args ...any) {
	m.wrong = append(m.wrong, mistake{no, fmt.Sprintf(format, args...)})
}

// whole checks what a line cannot know alone: that named ids exist, and that nothing is missing.
func (m *maker) whole() {
	for _, l := range m.lines {
		for _, r := range l.refs {
			kinds := strings.Fields(r.kinds)
			if d, ok := m.defs[r.id]; !ok || !slices.Contains(kinds, d.kind) {
				m.fail(l.no, "%s: there is no %s %q: make it in a line of its own, or mend the id", l.kind, strings.Join(kinds, " or "), shorten(r.id))
			}
		}
	}
	if m.entry == "" {
		m.fail(0, "nothing says when and where the story begins: add a line %s", usage("begin"))
	}
	if len(m.trades) == 0 {
		m.fail(0, "there is nobody to play: add a line trade ID hp=10 and what it is good at, such as wits=2")
	}
	ends := false
	for _, id := range slices.Sorted(maps.Keys(m.quests)) {
		q := m.quests[id]
		ends = ends || q.Ends
		if len(q.Objectives) == 0 {
			m.fail(m.defs[q.ID].no, "quest: %s has nothing to be done: add a line goal %s NAME when CONDITION", q.ID, q.ID)
		}
	}
	if !ends {
		m.fail(0, "no quest ends the story: add ends to the line of the one that does")
	}
	m.checkMap()
	for _, id := range slices.Sorted(maps.Keys(m.actors)) {
		m.checkTalk(m.actors[id])
	}
}

// checkMap checks the map: no two places share a cell, and each way leads to a neighbour in its direction.
func (m *maker) checkMap() {
	places, cells, ways := map[string]*world.Place{}, map[world.Cell]string{}, map[string]int{}
	for i, r := range m.records {
		if p, ok := r.(*world.Place); ok && !p.IsPage() {
			if other := cells[*p.Grid]; other != "" {
				m.fail(m.nos[i], "place: %s lies upon %s: give it another cell", p.ID, other)
			}
			cells[*p.Grid], places[p.ID] = p.ID, p
		}
	}
	for i, r := range m.records {
		l, ok := r.(*world.Link)
		if !ok {
			continue
		}
		from, to, second := places[l.From], places[l.To], i > 0 && m.nos[i-1] == m.nos[i] // of the two records of a line
		switch no := ways[l.Key()]; {
		case second || from == nil || to == nil:
		case from == to:
			m.fail(m.nos[i], "way: it leads to where it begins: name two places")
		case no > 0:
			m.fail(m.nos[i], "way: line %d has a way between these two already: leave one out", no)
		default:
			d := world.Cell{X: to.Grid.X - from.Grid.X, Y: to.Grid.Y - from.Grid.Y}
			if step, flat := world.Step(l.Dir); flat && d != step || d.X*d.X+d.Y*d.Y != 1 {
				m.fail(m.nos[i], "way: %s is no neighbour of %s to the %q on the map: change their cells, or the direction", l.To, l.From, l.Dir)
			}
		}
		ways[l.Key()] = m.nos[i]
	}
}

// checkTalk checks what somebody says: that players can come to hear it, and that the speaker has what they give or
// reveal.
func (m *maker) checkTalk(a *world.Actor) {
	holder, witnesses := map[string]string{}, map[string]*world.Fact{}
	for _, r := range m.records {
		switch r := r.(type) {
		case *world.Thing:
			holder[r.ID] = r.Parent
		case *world.Fact:
			witnesses[r.ID] = r
		}
	}
	for i, t := range a.Talk {
		no := m.spoken[a.ID][i]
		box := holder[t.Gives]
		for range len(holder) {
			if holder[box] == "" {
				break
			}
			box = holder[box]
		}
		if t.Gives != "" && box != a.ID {
			m.fail(no, "talk: %s gives %s and does not have it: make it thing %s %s hidden", a.ID, shorten(t.Gives), shorten(t.Gives), a.ID)
		}
		if f := witnesses[t.Reveals]; f != nil && !f.Secret {
			m.fail(no, "talk: %s reveals %s, which is no secret: add secret to the line of the fact", a.ID, f.ID)
		} else if f != nil && !slices.Contains(f.Witnesses, a.ID) {
			m.fail(no, "talk: %s reveals %s and does not know it: add witnesses=%s to the line of the fact", a.ID, f.ID, a.ID)
		}
		hidden := slices.IndexFunc(a.Talk[:i], func(b world.Talk) bool {
			return b.When == "" && len(b.Keys) > 0 == (len(t.Keys) > 0) && (len(t.Keys) == 0 || slices.Equal(b.Keys, t.Keys))
		})
		if hidden >= 0 {
			m.fail(no, "talk: this is never said, because what stands in line %d always is: put it above that, or give that a when", m.spoken[a.ID][hidden])
		}
	}
}

// checkWorlds checks the worlds that the tale makes: they must be valid, every place must be within reach, and the
// story must be able to end.
func (m *maker) checkWorlds() []mistake {
	var first *world.World
	for _, t := range m.trades {
		w, _, err := m.world(Start{Session: "s", Lang: m.self.Lang, Trade: t.ID})
		if err != nil {
			return []mistake{{0, err.Error()}}
		}
		if first == nil {
			first = w
		}
	}
	m.checkReach(first)
	return m.wrong
}

// checkReach reports places, facts and goals of a world that are out of reach.
func (m *maker) checkReach(w *world.World) {
	s := solve(w)
	for _, p := range w.Places() {
		switch {
		case s.reached[p.ID]:
		case p.IsPage():
			m.fail(m.defs[p.ID].no, "page: nobody gets to %s: add a choice, or leave it out", p.ID)
		default:
			m.fail(m.defs[p.ID].no, "place: nobody gets to %s: add a way, or put the key of its door where somebody can come by it", p.ID)
		}
	}
	for _, f := range w.Facts() {
		if f.Secret && !s.reached[f.ID] {
			m.fail(m.defs[f.ID].no, "fact: nobody ever learns %s: add reveals=%s to what somebody says, or leave out secret", f.ID, f.ID)
		}
	}
	for _, q := range w.Quests() {
		for _, o := range q.Objectives {
			if not := s.cannot(q.When[o]); not != "" {
				m.fail(cmp.Or(m.goals[q.ID+"."+o], m.defs[q.ID].no), "goal: %q can never be so: see that somebody can come by what it names, without searching for what is hidden", not)
			}
		}
	}
}
