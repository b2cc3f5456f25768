package author

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/atlas"
	"hob/internal/game/chart"
	"hob/internal/lists"
)

// The longest texts, in characters. A tale may have longer ones; these are what a small model keeps within.
const (
	mostName  = 40
	mostTitle = 60
	mostPitch = 120
	mostLine  = 300
	mostSaid  = 500
	mostTale  = 1000
)

// draft is what there is of a tale: each part as it was answered, mended, with whoever or whatever is meant as a number.
type draft struct {
	Order
	size
	model  string // that wrote it
	frame  frame
	places []place
	people []person
	locks  []lock
	goals  []goal
	ending string
	lines  []map[string]string // by person: what is said, by the names of [draft.wanted]
	names  map[string]string   // that are taken
}

func newDraft(o Order) *draft {
	d := &draft{Order: o, names: map[string]string{}}
	for _, s := range sizes() {
		if s.name == o.Size {
			d.size = s
		}
	}
	return d
}

type frame struct {
	Title, Pitch, Opening, Goal, Situation, Style, Weather, Time, Hero, Role, Danger string
	HeroLine                                                                         string `json:"hero_line"`
	TooLate                                                                          string `json:"too_late"`
}

type place struct{ Name, Kind, Desc string }

type person struct {
	Name, At, Desc, Wants string
	at                    int
}

type lock struct {
	To, Key, Opens, From string
	KeyDesc              string `json:"key_desc"`
	to                   int
	place, person        int // where the key is: one of them is -1
}

type goal struct {
	Do, Text, What, Detail, Done, At, Person string
	at, person                               int
}

// The kinds of goals.
const (
	give  = "give"
	learn = "learn"
	reach = "reach"
)

func (d *draft) system() string {
	l := languages()[d.Lang]
	return fill("system", map[string]string{"language": l.name, "you": l.you})
}

// newPart returns a part whose answer has the form T. take reads the answer and returns a function that keeps what it read: it is
// called only if nothing in the answer is wrong.
func newPart[T any](d *draft, name, text, schema string, take func(r *reading, got *T, last bool) (keep func())) part {
	return part{name, text, schema, func(answer string, last bool) []string {
		r, got := &reading{lang: d.Lang, names: maps.Clone(d.names)}, new(T)
		if !r.read(answer, got) {
			return r.problems
		}
		keep := take(r, got, last)
		problems := r.end()
		if len(problems) == 0 {
			d.names = r.names
			keep()
		}
		return problems
	}}
}

// times are the times of day at which a tale can begin.
func times() []string { return []string{"morning", "noon", "evening", "night"} }

func (w *writer) story() part {
	d := w.draft
	fields := append(words("title", "pitch", "opening", "goal", "situation", "style", "weather"), field{"time", oneOf(times()...)})
	fields = append(fields, words("hero", "role", "hero_line", "danger", "too_late")...)
	text := fill("story", map[string]string{"premise": plain(d.Premise, mostPremise)})
	return newPart(d, "story", text, object(fields...), func(r *reading, f *frame, _ bool) func() {
		for _, t := range []struct {
			name string
			text *string
			most int
		}{
			{"title", &f.Title, mostTitle}, {"pitch", &f.Pitch, mostPitch}, {"opening", &f.Opening, mostTale}, {"goal", &f.Goal, mostLine},
			{"situation", &f.Situation, mostLine}, {"style", &f.Style, mostLine}, {"weather", &f.Weather, mostTitle},
			{"hero_line", &f.HeroLine, mostLine}, {"danger", &f.Danger, mostTitle}, {"too_late", &f.TooLate, mostLine}, {"role", &f.Role, mostName},
		} {
			*t.text = r.text(t.name, *t.text, t.most)
		}
		f.Hero = r.name("hero", f.Hero)
		if !slices.Contains(times(), f.Time) {
			f.Time = times()[2]
		}
		return func() { d.frame = *f }
	})
}

// kinds are the kinds of places; a room is none of the map's.
func kinds() []string {
	all := lists.Map(chart.Kinds(), func(k chart.Kind) string { return string(k) })
	if !slices.Contains(all, room) {
		all = append(all, room)
	}
	return all
}

const room = "room"

func (w *writer) places() part {
	d := w.draft
	item := object(append(words("name"), append([]field{{"kind", oneOf(kinds()...)}}, words("desc")...)...)...)
	text := fill("places", map[string]string{"story": d.about(), "places": fmt.Sprint(d.size.places), "kinds": strings.Join(kinds(), ", ")})
	return newPart(d, "places", text, object(field{"places", list(d.size.places, item)}), func(r *reading, got *struct{ Places []place }, _ bool) func() {
		all := count(r, "places", got.Places, d.size.places)
		for i := range all {
			p, at := &all[i], fmt.Sprintf("places[%d]", i)
			p.Name, p.Desc = r.name(at+".name", p.Name), r.text(at+".desc", p.Desc, mostLine)
			if !slices.Contains(kinds(), p.Kind) {
				p.Kind = room
			}
		}
		return func() { d.places = all }
	})
}

func (w *writer) people() part {
	d := w.draft
	item := object(append(words("name"), append([]field{{"at", oneOf(d.placeNames()...)}}, words("desc", "wants")...)...)...)
	text := fill("people", map[string]string{"story": d.about(), "place_list": d.placeList(), "people": fmt.Sprint(d.size.people)})
	return newPart(d, "people", text, object(field{"people", list(d.size.people, item)}), func(r *reading, got *struct{ People []person }, _ bool) func() {
		all := count(r, "people", got.People, d.size.people)
		for i := range all {
			p, at := &all[i], fmt.Sprintf("people[%d]", i)
			p.Name, p.at = r.name(at+".name", p.Name), r.pick(at+".at", p.At, d.placeNames())
			p.Desc, p.Wants = r.text(at+".desc", p.Desc, mostLine), r.text(at+".wants", p.Wants, mostLine)
		}
		return func() { d.people = all }
	})
}

func (w *writer) locks() part {
	d := w.draft
	from := append(d.peopleNames(), d.placeNames()...)
	fields := append([]field{{"to", oneOf(d.placeNames()[1:]...)}}, words("key", "key_desc", "opens")...)
	item := object(append(fields, field{"from", oneOf(from...)})...)
	text := fill("locks", map[string]string{
		"story": d.about(), "place_list": d.placeList(), "people_list": d.peopleList(), "locks": fmt.Sprint(d.size.locks),
	})
	return newPart(d, "locks", text, object(field{"locks", list(d.size.locks, item)}), func(r *reading, got *struct{ Locks []lock }, last bool) func() {
		all, locked := got.Locks[:0], map[int]bool{}
		for i, l := range count(r, "locks", got.Locks, d.size.locks) {
			at := fmt.Sprintf("locks[%d]", i)
			if l.to = r.pick(at+".to", l.To, d.placeNames()); l.to == 0 {
				r.fail("%s.to is %s, where the tale begins: lock another place", at, d.places[0].Name)
			} else if l.to > 0 && locked[l.to] { // a door has one lock
				continue
			}
			locked[l.to] = true
			l.Key, l.KeyDesc = r.name(at+".key", l.Key), r.text(at+".key_desc", l.KeyDesc, mostLine)
			l.Opens = r.text(at+".opens", l.Opens, mostLine)
			n := r.pick(at+".from", l.From, from)
			l.person, l.place = n, -1
			if n >= len(d.people) {
				l.person, l.place = -1, n-len(d.people)
			}
			all = append(all, l)
		}
		if len(r.problems) == 0 {
			d.checkKeys(r, all, last)
		}
		return func() { d.locks = all }
	})
}

// reached returns the places that players can reach, and the locks whose key they can come by. used says that they use keys.
func (d *draft) reached(locks []lock, used bool) (open, keys map[int]bool) {
	ways := d.layOut().Links
	open, keys = map[int]bool{}, map[int]bool{}
	for changed := true; changed; {
		changed = false
		for i := range d.places {
			door := slices.IndexFunc(locks, func(l lock) bool { return l.to == i })
			if !open[i] && (i == 0 || open[ways[i-1].A]) && (door < 0 || used && keys[door]) {
				open[i], changed = true, true
			}
		}
		for i, l := range locks {
			if !keys[i] && open[d.keyPlace(l)] {
				keys[i], changed = true, true
			}
		}
	}
	return open, keys
}

// checkKeys notes keys that can only be come by behind a door that they open, directly or in a circle. With mend it lays them where the
// tale begins instead.
func (d *draft) checkKeys(r *reading, locks []lock, mend bool) {
	open, keys := d.reached(locks, true)
	var can []string
	for _, p := range d.people {
		if open[p.at] {
			can = append(can, p.Name)
		}
	}
	for i, p := range d.places {
		if open[i] {
			can = append(can, p.Name)
		}
	}
	for i, l := range locks {
		switch {
		case keys[i]:
		case mend:
			locks[i].person, locks[i].place = -1, 0
		default:
			r.fail("locks[%d].from is %s, and nobody gets there without this key: choose one of: %s", i, l.From, strings.Join(can, "; "))
		}
	}
}

// keyPlace returns the place where a key is, with somebody or not.
func (d *draft) keyPlace(l lock) int {
	if l.person >= 0 {
		return d.people[l.person].at
	}
	return l.place
}

func (w *writer) goals() part {
	d := w.draft
	fields := append([]field{{"do", oneOf(give, learn, reach)}}, words("text", "what", "detail", "done")...)
	item := object(append(fields, field{"at", oneOf(d.placeNames()...)}, field{"person", oneOf(d.peopleNames()...)})...)
	text := fill("goals", map[string]string{
		"story": d.about(), "place_list": d.placeList(), "people_list": d.peopleList(), "lock_list": d.lockList(), "goals": fmt.Sprint(d.size.goals),
	})
	schema := object(append([]field{{"goals", list(d.size.goals, item)}}, words("ending")...)...)
	type answer struct {
		Goals  []goal
		Ending string
	}
	return newPart(d, "goals", text, schema, func(r *reading, got *answer, _ bool) func() {
		all := count(r, "goals", got.Goals, d.size.goals)
		orders := map[string]bool{}
		for i := range all {
			g, at := &all[i], fmt.Sprintf("goals[%d]", i)
			d.readGoal(r, g, at)
			if orders[bare(g.Text)] {
				r.fail("%s.text says the same as another goal: write another one", at)
			}
			orders[bare(g.Text)] = true
		}
		got.Ending = r.text("ending", got.Ending, mostTale)
		if len(r.problems) == 0 && !slices.ContainsFunc(all, func(g goal) bool { return g.Do != reach }) {
			r.fail("all goals are places to reach: let one be give or learn")
		}
		return func() {
			d.useLocks(all)
			d.goals, d.ending = all, got.Ending
		}
	})
}

// readGoal takes a goal of an answer. What its kind does not need is not looked at.
func (d *draft) readGoal(r *reading, g *goal, at string) {
	g.at, g.person, g.Done = -1, -1, r.text(at+".done", g.Done, mostLine)
	if g.Text = r.text(at+".text", g.Text, mostLine); !slices.Contains([]string{give, learn, reach}, g.Do) {
		r.fail("%s.do is %q and must be one of: give; learn; reach", at, plain(g.Do, mostName))
		return
	}
	if g.Do != learn {
		g.at = r.pick(at+".at", g.At, d.placeNames())
	}
	if g.Do == reach {
		if g.at == 0 {
			r.fail("%s.at is %s, where the tale begins: choose another place to reach", at, d.places[0].Name)
		}
		return
	}
	g.person = r.pick(at+".person", g.Person, d.peopleNames())
	g.What, g.Detail = r.name(at+".what", g.What), r.text(at+".detail", g.Detail, mostLine)
	if g.Do == give && g.person >= 0 && g.at == d.people[g.person].at { // else there is nothing to be found
		g.at = (g.at + 1) % len(d.places)
	}
}

// useLocks lays a thing behind a locked door where no goal needs one to be opened.
func (d *draft) useLocks(goals []goal) {
	open, _ := d.reached(d.locks, false)
	hidden := func(g goal) bool { return g.at >= 0 && !open[g.at] || g.person >= 0 && !open[d.people[g.person].at] }
	i := slices.IndexFunc(goals, func(g goal) bool { return g.Do == give })
	if i >= 0 && len(d.locks) > 0 && !slices.ContainsFunc(goals, hidden) {
		goals[i].at = d.locks[len(d.locks)-1].to
	}
}

// wanted is something that a person has to say.
type wanted struct {
	name string // of the property
	ask  string // what the model is told of it
}

// The names of what a person says. A number behind one is that of the lock, or of the goal.
const (
	hello  = "hello"
	gives  = "gives_"
	tells  = "tells_"
	wants  = "wants_"
	thanks = "thanks_"
	about  = "about"
)

// wanted returns what a person has to say for the tale to work, and something besides.
func (d *draft) wanted(i int) []wanted {
	all := []wanted{{hello, "a greeting, when the player talks to them"}}
	for n, l := range d.locks {
		if l.person == i {
			all = append(all, wanted{gives + fmt.Sprint(n+1), fmt.Sprintf("when the player asks about %s, which they hand over", l.Key)})
		}
	}
	for n, g := range d.goals {
		switch {
		case g.person != i:
		case g.Do == learn:
			all = append(all, wanted{tells + fmt.Sprint(n+1), fmt.Sprintf("when the player asks about %s; they tell this: %s", g.What, g.Detail)})
		case g.Do == give:
			all = append(all, wanted{wants + fmt.Sprint(n+1), fmt.Sprintf("when the player asks about %s, which they do not have and would like", g.What)},
				wanted{thanks + fmt.Sprint(n+1), fmt.Sprintf("a greeting, once the player has given them %s", g.What)})
		}
	}
	return append(all, wanted{about, fmt.Sprintf("when the player asks about %s", d.places[d.topic(i)].Name)})
}

// topic returns the place of which a person has something to say, who is elsewhere.
func (d *draft) topic(i int) int {
	if n := len(d.places) - 1 - i%len(d.places); n != d.people[i].at {
		return n
	}
	return (d.people[i].at + 1) % len(d.places)
}

func (w *writer) beats(i int) part {
	d := w.draft
	p, all := d.people[i], d.wanted(i)
	names := lists.Map(all, func(w wanted) string { return w.name })
	lines := lists.Map(all, func(w wanted) string { return w.name + ": " + w.ask })
	text := fill("beats", map[string]string{
		"story": d.about(), "goal_list": d.goalList(), "person": p.Name, "person_desc": p.Desc, "person_wants": p.Wants, "line_list": strings.Join(lines, "\n"),
	})
	return newPart(d, "beats of "+p.Name, text, object(words(names...)...), func(r *reading, got *map[string]string, _ bool) func() {
		said := map[string]string{}
		for _, name := range names {
			said[name] = r.text(name, strings.Trim((*got)[name], "\"«»„“”「」 "), mostSaid)
		}
		return func() { d.lines = append(d.lines, said) }
	})
}

// about returns the frame of the story in two lines.
func (d *draft) about() string { return d.frame.Title + ". " + d.frame.Pitch + "\n" + d.frame.Goal }

func (d *draft) placeNames() []string {
	return lists.Map(d.places, func(p place) string { return p.Name })
}

func (d *draft) peopleNames() []string {
	return lists.Map(d.people, func(p person) string { return p.Name })
}

// mostListed is how many characters of a text stand in a list that a model reads, so that a question fits a small context.
const mostListed = 120

func (d *draft) placeList() string {
	lines := lists.Map(d.places, func(p place) string { return "- " + p.Name + ": " + plain(p.Desc, mostListed) })
	return strings.Join(lines, "\n")
}

func (d *draft) peopleList() string {
	lines := lists.Map(d.people, func(p person) string {
		return fmt.Sprintf("- %s, at %s: %s", p.Name, d.places[p.at].Name, plain(p.Wants, mostListed))
	})
	return strings.Join(lines, "\n")
}

func (d *draft) lockList() string {
	all := lists.Map(d.locks, func(l lock) string { return fmt.Sprintf("%s (%s opens it)", d.places[l.to].Name, l.Key) })
	return strings.Join(all, ", ")
}

func (d *draft) goalList() string {
	return strings.Join(lists.Map(d.goals, func(g goal) string { return "- " + g.Text }), "\n")
}

// layOut lays the places on a map whose ways have no loops: Links[i] leads to place i+1, from the side where the tale begins. What the
// tale is about decides how the map grows.
func (d *draft) layOut() atlas.Layout {
	layout, _ := atlas.Generate(atlas.Plan{Campaign: d.Lang, Seed: d.Premise, Size: len(d.places)}) // fails only for sizes that no tale has
	return layout
}
