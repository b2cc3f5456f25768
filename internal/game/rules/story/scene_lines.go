package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// headline says which turn it is, when, and who acts.
func (p *painter) headline() {
	self := p.w.Self()
	p.begin("SCENE t", number(p.t.Turn))
	date, daypart := Date(self)
	daypart = cmp.Or(p.short(p.t.Daypart), daypart)
	weather := p.short(self.Weather)
	if when := strings.Trim(date+" "+daypart+", "+weather, ", "); when != "" {
		p.put(" | ", when)
	}
	p.put(" | mode ", p.short(cmp.Or(self.Mode, "explore")))
	if p.actor != nil {
		p.put(" | actor ")
		p.id(p.actor.ID)
	}
}

func (p *painter) at() {
	place := p.sight.Place
	if place == nil {
		p.begin("AT nowhere")
		return
	}
	p.begin("AT ")
	p.label(place.ID, place.Name)
	mark := ": "
	for _, text := range []string{place.Desc, place.Situation} {
		if text != "" {
			p.put(mark, p.shorten(text))
			mark = " "
		}
	}
	p.attributes(place.Attrs)
}

func (p *painter) exits() {
	if len(p.sight.Exits) == 0 {
		p.begin("EXITS none")
		return
	}
	p.line("EXITS ", len(p.sight.Exits), 0, func(i int) {
		l := p.sight.Exits[i]
		p.label(l.To, p.w.Place(l.To).Name)
		if l.Dir != "" {
			p.put(" (", spelling.Line(l.Dir, 12), ")")
		}
		switch {
		case l.Blocked != "":
			p.put(" [blocked]")
		case l.Door == world.LockedDoor && p.isCarried(l.Lock):
			p.put(" [locked, key ")
			p.id(l.Lock)
			p.put("]")
		case l.Door != world.NoDoor:
			p.put(" [", p.short(l.Door), "]")
		case l.Needs != "" && !p.isCarried(l.Needs):
			p.put(" [needs something]")
		}
	})
}

// zones are where the open world can be walked to.
func (p *painter) zones() {
	n := min(len(p.beyond), maxZones)
	p.line("ZONES ", n, len(p.beyond)-n, func(i int) {
		z := p.beyond[i]
		p.label(z.ID, z.Name)
		p.put(" (", number(z.Metres), " m)")
	})
}

// isCarried reports whether one of the party visibly has an object.
func (p *painter) isCarried(id string) bool {
	return id != "" && slices.ContainsFunc(p.members, func(m member) bool { return findSeen(m.has, id) != nil })
}

func (p *painter) here() {
	people := len(p.people)
	p.line("HERE ", people+len(p.sight.Things), p.sight.More, func(i int) {
		if i >= people {
			p.thing(p.sight.Things[i-people])
			return
		}
		a := p.people[i]
		p.label(a.ID, a.Name)
		notes := make([]string, 0, 3)
		if !rules.CanAct(a) {
			notes = append(notes, p.short(a.State))
		}
		if a.Attitude != 0 {
			notes = append(notes, attitude(a.Attitude))
		}
		if a.HP.Known && p.w.Encounter() != nil {
			notes = append(notes, "HP"+a.HP.String())
		}
		if len(notes) > 0 {
			p.put("(", strings.Join(notes, ", "), ")")
		}
	})
}

func attitude(n int64) string {
	switch {
	case n <= -2:
		return "hostile"
	case n < 0:
		return "wary"
	case n == 1:
		return "friendly"
	}
	return "devoted"
}

// thing names an object, with what is in it.
func (p *painter) thing(t VisibleThing) {
	p.label(t.ID, t.Name)
	if t.Qty > 1 {
		p.put(" ×", number(t.Qty))
	}
	p.attributes(t.Attrs)
	switch {
	case t.Locked:
		p.put("(locked)")
	case t.Closed:
		p.put("(closed)")
	}
	if n := len(t.Inside); n > 0 && p.inside {
		p.put(" > ")
		p.list(", ", n, t.More, func(i int) { p.thing(t.Inside[i]) })
	} else if n > 0 {
		p.put(" > +", number(n+t.More), " more")
	}
}

// attributes writes descriptive attributes in brackets.
func (p *painter) attributes(attrs map[string]string) {
	const most = 4
	if len(attrs) == 0 || !p.attrs {
		return
	}
	lines := attrLines(attrs)
	p.put("(", p.shorten(strings.Join(lines[:min(len(lines), most)], ", ")), ")")
}

func (p *painter) party() {
	p.line("PARTY ", len(p.members), 0, func(i int) {
		m := p.members[i]
		if m.ID == p.w.Self().Active {
			p.put("*")
		}
		p.label(m.ID, m.Name)
		p.condition(m.Actor)
		if m.far {
			p.put(" @")
			p.id(m.Place)
		}
	})
}

// condition writes an actor's hit points, state and conditions.
func (p *painter) condition(a *world.Actor) {
	if a.HP.Known {
		p.put(" HP", a.HP.String())
		if a.HPMax.Known {
			p.put("/", a.HPMax.String())
		}
	}
	if !rules.CanAct(a) {
		p.put(" ", p.short(a.State))
	}
	names := make([]string, 0, len(a.Conditions)+len(a.Rounds))
	for name, until := range a.Conditions {
		if until > 0 {
			name = fmt.Sprintf("%s(%dm)", name, max(0, until-p.w.Self().Minute))
		}
		names = append(names, name)
	}
	for name, n := range a.Rounds {
		names = append(names, fmt.Sprintf("%s(%dr)", name, n))
	}
	if slices.Sort(names); len(names) > 0 {
		p.put(" ", p.shorten(strings.Join(names, " ")))
	}
}

func (p *painter) carry() {
	carriers := make([]member, 0, len(p.members))
	for i, m := range p.members {
		if i == 0 || len(m.has) > 0 && !p.required && (!m.far || p.far) {
			carriers = append(carriers, m)
		}
	}
	p.line("CARRY ", len(carriers), 0, func(i int) {
		m := carriers[i]
		p.id(m.ID)
		p.put(": ")
		if len(m.has) == 0 {
			p.put("nothing")
			return
		}
		p.list(", ", len(m.has), m.more, func(i int) { p.thing(m.has[i]) })
	})
}

func (p *painter) questLine() {
	p.line("QUEST ", len(p.quests), 0, func(i int) {
		q := p.quests[i]
		p.label(q.ID, q.Title)
		if len(q.Objectives) == 0 {
			return
		}
		p.put(": ", number(len(q.Met)), "/", number(len(q.Objectives)))
		for _, o := range q.Objectives {
			if !slices.Contains(q.Met, o) {
				p.put(" ", p.shorten(o))
				return
			}
		}
	})
}

func (p *painter) clockLine() {
	if !p.level.clocks {
		return
	}
	p.line("CLOCK ", len(p.clocks), 0, func(i int) {
		c := p.clocks[i]
		p.label(c.ID, c.Name)
		p.put(" ", number(c.Filled), "/", number(c.Segments))
	})
}

func (p *painter) loreLines() {
	for _, l := range p.lores[:min(len(p.lores), p.lore)] {
		p.begin("LORE ", p.shorten(l.Text))
	}
}

func (p *painter) lastLine() {
	last := p.t.Last[max(0, len(p.t.Last)-p.last):]
	if len(last) == 0 {
		return
	}
	p.begin("LAST")
	for _, b := range last {
		p.put(" t", number(b.Turn), " ", p.shorten(b.Text))
	}
}

func (p *painter) limits() {
	lines, veils := p.w.Self().Lines, p.w.Self().Veils
	write := func(list []string) {
		p.list("; ", len(list), 0, func(i int) { p.put(p.shorten(list[i])) })
		p.put(".")
	}
	if len(lines) > 0 {
		p.begin("LINES ")
		write(lines)
	}
	switch {
	case len(veils) == 0:
		return
	case len(lines) > 0:
		p.put(" VEILS ")
	default:
		p.begin("VEILS ")
	}
	write(veils)
}

func (p *painter) says() {
	said := spelling.Line(p.t.Says, 2*p.text)
	if said == "" {
		return
	}
	p.begin("SAYS")
	if p.actor != nil {
		p.name(rules.NameOf(p.actor))
	}
	p.put(`: "`, said, `"`)
}
