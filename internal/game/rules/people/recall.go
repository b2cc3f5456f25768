package people

import (
	"cmp"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// mostRecalled is how many facts somebody recalls at most.
const mostRecalled = 5

// runNpcRecall runs the tool npc_recall. Its result is
// {"facts":[{"fact_id","text","turn","importance","about":[ids]}]}, at most 5, the best first: by
// how many words of the query they have, then by importance, then the newest. Without a query every
// fact counts, with one only those that have at least a word of it.
func runNpcRecall(s *rules.Step, a rules.Args, npc *world.Actor) *rules.Verdict {
	list := recallFacts(s.World, npc.ID, a.Text("query"))
	list = list[:min(mostRecalled, len(list))]
	var facts rules.Items
	for _, f := range list {
		facts.Add(rules.NewObj().Text("fact_id", f.ID).Text("text", f.Text).Int("turn", f.Turn).
			Int("importance", f.Importance).List("about", f.About), s.Say("npc_recall.fact", f.Text, f.Turn))
	}
	result := rules.NewObj().Objs("facts", facts.Objs)
	if len(list) == 0 {
		return rules.Accept(result, "npc_recall.nothing", npc)
	}
	return rules.Accept(result, "npc_recall.done", npc, s.Join("people.lines", facts.Lines))
}

// recallFacts returns what an actor witnessed and is not secret, the best first.
func recallFacts(w *world.World, id, query string) []*world.Fact {
	asked := searchWords(query)
	scores := map[string]int{}
	var list []*world.Fact
	for _, f := range w.Facts() {
		if f.Secret || !slices.Contains(f.Witnesses, id) {
			continue
		}
		if len(asked) > 0 {
			text := f.Text
			for _, about := range f.About {
				text += "\n" + anyName(w, about)
			}
			if scores[f.ID] = countMatches(asked, searchWords(text)); scores[f.ID] == 0 {
				continue
			}
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b *world.Fact) int {
		return cmp.Or(cmp.Compare(scores[b.ID], scores[a.ID]), cmp.Compare(b.Importance, a.Importance),
			cmp.Compare(b.Turn, a.Turn), cmp.Compare(b.Order, a.Order))
	})
	return list
}

// anyName returns what the actor, place or object of that id is called.
func anyName(w *world.World, id string) string {
	if t := w.Thing(id); t != nil {
		return t.Name
	}
	if p := w.Place(id); p != nil {
		return p.Name
	}
	return rules.ActorName(w, id)
}

// countMatches returns how many of the words that are asked for are among those there are.
func countMatches(asked, words []string) (n int) {
	for _, a := range asked {
		if slices.ContainsFunc(words, func(w string) bool { return isSameWord(a, w) }) {
			n++
		}
	}
	return n
}

// isSameWord reports whether two words are the same, or two forms of one: of at least four letters,
// and no more than the last three of the longer one not in common.
func isSameWord(a, b string) bool {
	if a == b {
		return true
	}
	x, y := []rune(a), []rune(b)
	if len(x) < len(y) {
		x, y = y, x
	}
	stem := 0
	for stem < len(y) && x[stem] == y[stem] {
		stem++
	}
	return stem >= 4 && len(x)-stem <= 3
}

// searchWords returns the words of a text in small letters, each once. Text without spaces between
// words is split into pairs of signs.
func searchWords(text string) []string {
	var list []string
	for _, word := range rules.Words(strings.ToLower(text)) {
		list = append(list, splitWord([]rune(word))...)
	}
	return unique(list)
}

// splitWord takes a run of letters apart where signs of a script without spaces begin and end.
func splitWord(word []rune) (list []string) {
	for from := 0; from < len(word); {
		to := from + 1
		for to < len(word) && rules.Unspaced(word[to]) == rules.Unspaced(word[from]) {
			to++
		}
		run := word[from:to]
		if from = to; !rules.Unspaced(run[0]) || len(run) == 1 {
			list = append(list, string(run))
			continue
		}
		for i := 0; i+1 < len(run); i++ {
			list = append(list, string(run[i:i+2]))
		}
	}
	return list
}
