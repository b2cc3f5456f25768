package saves

import (
	"strconv"

	"hob/internal/game/calendar"
	"hob/internal/game/world"
)

// calendarName is that of seed 003 for what has none.
const calendarName = "common"

// zeroEnds is the rule that seed 002 follows where a campaign does not say otherwise.
const zeroEnds = "hp_zero_ends_game"

// pace returns the numbers of seed 002's milestones, with what counts where a save does not say.
func pace() []struct {
	name  string
	other int64
} {
	return []struct {
		name  string
		other int64
	}{{"last_advanced_turn", 0}, {"turn_trigger_interval", 6}, {"pressure", 0}, {"pressure_threshold", 2}}
}

// readSelf reads what a save says of the world as a whole.
func (r *reader) readSelf(doc *node, self *world.Self) {
	at := spot{world.SelfKind, ""}
	if about := doc.get("world"); about.is(object) {
		self.Desc = r.words(about, at, "worldDescription")
		self.Genre = r.words(about, at, "gameGenre")
	}
	self.Session = r.words(doc, at, "session_id")
	if self.Session == "" && r.shape == Seed002 {
		self.Session = r.words(doc, at, "id")
	}
	self.Allow = r.strings(doc.get("allowlist"), at, "allowlist")
	self.AllowAll = self.Allow == nil && r.shape == Seed000
	if selected := doc.get("selected"); selected.is(object) {
		for _, id := range r.strings(selected.get("party_character_ids"), at, "party_character_ids") {
			self.Party = append(self.Party, r.ref(id))
		}
		self.Active = r.ref(r.words(selected, at, "active_actor_id"))
	}
	r.readRules(doc.get("settings_snapshot").get("rules"), self)
	if _, set := self.Rules[zeroEnds]; !set && r.shape == Seed002 {
		self.Rules = world.With(self.Rules, zeroEnds, 1)
	}
	if goal := doc.get("goal"); goal.is(object) {
		self.GoalText = r.words(goal, at, "text")
		self.GoalStatus = r.words(goal, at, "status")
	}
	if m := doc.get("milestone"); m.is(object) {
		self.Milestone = r.words(m, at, "current")
		self.MilestoneSummary = r.words(m, at, "summary")
		self.Pace = map[string]int64{}
		for _, p := range pace() {
			if !isNull(m.get(p.name)) {
				self.Pace[p.name] = r.number(m, at, p.name, p.other)
			}
		}
		if last := self.Pace["last_advanced_turn"]; last > 0 {
			self.Pace["turns_before"] = last // its turns are counted on from there
		}
	}
	if life := doc.get("lifecycle"); life.is(object) {
		self.Ended = r.onOff(life, at, "ended")
		self.EndedReason = r.words(life, at, "reason")
	}
	r.readClock(doc.get("area_snapshot").get("clock"), self)
}

// readRules reads the switches and numbers of the rules; what is neither stays in the save.
func (r *reader) readRules(rules *node, self *world.Self) {
	if !rules.is(object) {
		return
	}
	for i := range rules.kids {
		kid := &rules.kids[i]
		n, ok := whole(kid.text)
		switch {
		case kid.kind != token:
			continue
		case kid.text == "true", kid.text == "false":
			n = int64(len("false") - len(kid.text))
		case !ok:
			continue
		}
		if self.Rules == nil {
			self.Rules = map[string]int64{}
		}
		self.Rules[kid.name] = n
	}
}

// readClock reads the time of seed 003.
func (r *reader) readClock(clock *node, self *world.Self) {
	if !clock.is(object) {
		return
	}
	at := spot{world.SelfKind, ""}
	part := func(name string, other int64) int {
		return int(min(max(r.number(clock, at, name, other), -1), 1<<30))
	}
	date := calendar.Date{
		Year: part("year", 1), Month: part("month", 1), Day: part("day", 1), Hour: part("hour", 0), Minute: part("minute", 0),
	}
	minute, err := date.Minutes()
	if err != nil {
		r.warn("The clock has no time that there is: " + err.Error() + ".")
		return
	}
	self.ClockSet, self.Minute = true, minute
	self.Calendar = r.words(clock, at, "calendar")
}

// clock writes the time.
func (x *writer) clock() node {
	self := x.w.Self()
	date, err := calendar.FromMinutes(self.Minute)
	if !self.ClockSet || err != nil {
		return word("clock", "null")
	}
	n := obj("clock", str("calendar", or(self.Calendar, calendarName)))
	for _, part := range []struct {
		name string
		v    int
	}{{"year", date.Year}, {"month", date.Month}, {"day", date.Day}, {"hour", date.Hour}, {"minute", date.Minute}} {
		n.kids = append(n.kids, word(part.name, strconv.Itoa(part.v)))
	}
	return n
}

// campaign writes the members of seed 002. In another shape only those that say something.
func (x *writer) campaign(doc *node) {
	self, own := x.w.Self(), x.shape == Seed002
	more := func(there bool, kid node) {
		if own || there {
			doc.kids = append(doc.kids, kid)
		}
	}
	if own {
		selected := obj("selected", str("world_id", "world_001"), str("map_id", "map_001"),
			texts("party_character_ids", self.Party), orNull("active_actor_id", self.Active))
		doc.kids = append(doc.kids, str("id", self.Session), selected)
	}
	rules := obj("rules")
	for _, name := range sortedNames(self.Rules) {
		if n := self.Rules[name]; n == 0 || n == 1 {
			rules.kids = append(rules.kids, flag(name, n == 1))
		} else {
			rules.kids = append(rules.kids, num(name, n))
		}
	}
	more(len(self.Rules) > 0, obj("settings_snapshot", rules))
	if self.Allow != nil {
		doc.kids = append(doc.kids, texts("allowlist", self.Allow))
	}
	if own || x.has(areasList) {
		doc.kids = append(doc.kids, obj("map", x.places(areasList, object, x.area)))
	}
	if own || x.has(actorsList) {
		doc.kids = append(doc.kids, x.actors(actorsList, object, x.actor))
	}
	more(self.GoalText != "", obj("goal", str("text", self.GoalText), str("status", or(self.GoalStatus, world.Active))))
	milestone := obj("milestone", str("current", or(self.Milestone, "intro")))
	for _, p := range pace() {
		n, ok := self.Pace[p.name]
		if !ok {
			n = p.other
		}
		milestone.kids = append(milestone.kids, num(p.name, n))
	}
	milestone.kids = append(milestone.kids, str("summary", self.MilestoneSummary))
	more(self.Milestone != "", milestone)
	ended := word("ended_at", "null")
	if self.Ended && x.opt.EndedAt != "" {
		ended = str("ended_at", x.opt.EndedAt)
	}
	more(self.Ended, obj("lifecycle", flag("ended", self.Ended), orNull("reason", self.EndedReason), ended))
	if own && x.opt.CreatedAt != "" {
		doc.kids = append(doc.kids, str("created_at", x.opt.CreatedAt))
	}
}

// session writes the members of seed 003.
func (x *writer) session(doc *node) {
	self, own := x.w.Self(), x.shape == Seed003
	if own || self.Session != "" && x.shape != Seed002 {
		doc.kids = append(doc.kids, str("session_id", self.Session))
	}
	if !own {
		return
	}
	player := x.player003()
	position, zone, sub := word("", "null"), "", ""
	if player != nil {
		zone, sub = x.zoneOf(player.Place)
		at := player.Pos
		if p := x.w.Place(player.Place); at == nil && p != nil {
			at = p.Pos
		}
		position = obj("", coordinates(at)...)
		position.kids = append(position.kids, str("zone_id", zone))
	}
	seconds := x.places(mapZonesList, array, x.zone)
	seconds.name = "zones"
	doc.kids = append(doc.kids, obj("map_snapshot", position.named("player_position"), seconds),
		obj("area_snapshot", x.places(zonesList, array, x.zone), x.places(subZonesList, array, x.subZone),
			orNull("current_zone_id", zone), orNull("current_sub_zone_id", sub), x.clock()))
	if player != nil {
		runtime := obj("player_runtime_data", str("session_id", self.Session), position.named("current_position"))
		if x.opt.UpdatedAt != "" {
			runtime.kids = append(runtime.kids, str("updated_at", x.opt.UpdatedAt))
		}
		doc.kids = append(doc.kids, x.static(player), runtime)
	}
	doc.kids = append(doc.kids, x.actors(rolesList, array, x.role), x.logs())
}

// logs writes what happened since the save was read.
func (x *writer) logs() node {
	n := list("game_logs")
	for _, l := range x.opt.Logs {
		entry := obj("", str("id", l.ID), str("session_id", x.w.Self().Session), str("kind", l.Kind), str("message", l.Text))
		payload := obj("")
		if data, p := parse(string(l.Data)); p.failed == "" && data.kind == object {
			payload = data
		}
		entry.kids = append(entry.kids, payload.named("payload"))
		if l.Time != "" {
			entry.kids = append(entry.kids, str("created_at", l.Time))
		}
		n.kids = append(n.kids, entry)
	}
	return n
}

// player003 returns who is the player of seed 003: who was it in the save, else who acts.
func (x *writer) player003() *world.Actor {
	self := x.w.Self()
	ids := append([]string{x.playerID, self.Active}, self.Party...)
	for _, id := range ids {
		if a := x.w.Actor(id); a != nil {
			return a
		}
	}
	for _, a := range x.w.Actors() {
		if a.Role == "pc" || a.Role == "" {
			return a
		}
	}
	return nil
}
