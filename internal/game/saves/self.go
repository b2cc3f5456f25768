package saves

import (
	"cmp"
	"maps"
	"slices"

	"hob/internal/game/calendar"
	"hob/internal/game/world"
)

// defaultCalendar is the calendar of a session that names none.
const defaultCalendar = "common"

// zeroEnds is a rule that holds in a campaign.json that does not say otherwise.
const zeroEnds = "hp_zero_ends_game"

// pace returns the numbers of a campaign.json's milestones, with those that count if a save does not say.
func pace() []node {
	return []node{num("last_advanced_turn", 0), num("turn_trigger_interval", 6), num("pressure", 0), num("pressure_threshold", 2)}
}

// readSelf reads the properties of the world as a whole.
func (r *reader) readSelf() {
	self, at := r.w.Self(), subject{world.SelfKind, ""}
	member := func(in, name string) string { return r.textOf(r.doc.get(in), at, name) }
	self.Desc = member("world", "worldDescription")
	self.Genre = member("world", "gameGenre")
	self.Session = r.textOf(r.doc, at, "session_id")
	if self.Session == "" && r.shape == CampaignFile {
		self.Session = r.textOf(r.doc, at, "id")
	}
	self.Allow = r.textsOf(r.doc.get("allowlist"), at, "allowlist")
	self.AllowAll = self.Allow == nil && r.shape == GameState
	for _, id := range r.textsOf(r.doc.get("selected", "party_character_ids"), at, "party_character_ids") {
		self.Party = append(self.Party, r.ref(id))
	}
	self.Active = r.ref(member("selected", "active_actor_id"))
	r.readRules(self)
	self.GoalText = member("goal", "text")
	self.GoalStatus = member("goal", "status")
	if m := r.doc.get("milestone"); m.is(object) {
		self.Milestone = r.textOf(m, at, "current")
		self.MilestoneSummary = r.textOf(m, at, "summary")
		self.Pace = map[string]int64{}
		for _, p := range pace() {
			if !isNull(m.get(p.name)) {
				other, _ := whole(p.text)
				self.Pace[p.name] = r.numberOf(m, at, p.name, other)
			}
		}
		if last := self.Pace["last_advanced_turn"]; last > 0 {
			self.Pace["turns_before"] = last // its turns are counted on from there
		}
	}
	self.Ended = r.boolOf(r.doc.get("lifecycle"), at, "ended")
	self.EndedReason = member("lifecycle", "reason")
	r.readClock(self)
}

// readRules reads the switches and numbers of the rules. Other values stay in the save.
func (r *reader) readRules(self *world.Self) {
	rules := map[string]int64{}
	if r.shape == CampaignFile {
		rules[zeroEnds] = 1
	}
	for _, kid := range r.doc.get("settings_snapshot", "rules").of(object) {
		if kid.kind != token {
			continue
		}
		switch n, ok := whole(kid.text); {
		case ok:
			rules[kid.name] = n
		case kid.text == "true":
			rules[kid.name] = 1
		case kid.text == "false":
			rules[kid.name] = 0
		}
	}
	if len(rules) > 0 {
		self.Rules = rules
	}
}

// readClock reads the time of a session.
func (r *reader) readClock(self *world.Self) {
	clock, at := r.doc.get("area_snapshot", "clock"), subject{world.SelfKind, ""}
	if !clock.is(object) {
		return
	}
	part := func(name string, other int64) int {
		return int(min(max(r.numberOf(clock, at, name, other), -1), 1<<30))
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
	self.Calendar = r.textOf(clock, at, "calendar")
}

// clock writes the time.
func (x *writer) clock() node {
	self := x.w.Self()
	date, err := calendar.FromMinutes(self.Minute)
	if !self.ClockSet || err != nil {
		return word("clock", "null")
	}
	return obj("clock", str("calendar", cmp.Or(self.Calendar, defaultCalendar)), num("year", int64(date.Year)),
		num("month", int64(date.Month)), num("day", int64(date.Day)), num("hour", int64(date.Hour)), num("minute", int64(date.Minute)))
}

// addCampaign adds the members of a campaign.json. To another shape it adds only those that say something.
func (x *writer) addCampaign(add func(there bool, kid node)) {
	self, own := x.w.Self(), x.shape == CampaignFile
	add(own, str("id", self.Session))
	add(own, obj("selected", str("world_id", "world_001"), str("map_id", "map_001"), texts("party_character_ids", self.Party),
		orNull("active_actor_id", self.Active)))
	rules := obj("rules")
	for _, name := range slices.Sorted(maps.Keys(self.Rules)) {
		if n := self.Rules[name]; n == 0 || n == 1 {
			rules.kids = append(rules.kids, flag(name, n == 1))
		} else {
			rules.kids = append(rules.kids, num(name, n))
		}
	}
	add(own || len(self.Rules) > 0, obj("settings_snapshot", rules))
	add(self.Allow != nil, texts("allowlist", self.Allow))
	if x.has(areasList) {
		add(true, obj("map", x.list(areasList)))
	}
	if x.has(actorsList) {
		add(true, x.list(actorsList))
	}
	add(own || self.GoalText != "", obj("goal", str("text", self.GoalText), str("status", cmp.Or(self.GoalStatus, world.Active))))
	milestone := obj("milestone", str("current", cmp.Or(self.Milestone, "intro")))
	for _, p := range pace() {
		if n, ok := self.Pace[p.name]; ok {
			p = num(p.name, n)
		}
		milestone.kids = append(milestone.kids, p)
	}
	milestone.kids = append(milestone.kids, str("summary", self.MilestoneSummary))
	add(own || self.Milestone != "", milestone)
	endedAt := ""
	if self.Ended {
		endedAt = x.opt.EndedAt
	}
	add(own || self.Ended, obj("lifecycle", flag("ended", self.Ended), orNull("reason", self.EndedReason), orNull("ended_at", endedAt)))
}

// addSession adds the members of a session.
func (x *writer) addSession(add func(there bool, kid node)) {
	self, own := x.w.Self(), x.shape == Session
	add(own || self.Session != "" && x.shape != CampaignFile, str("session_id", self.Session))
	if !own {
		return
	}
	player := x.sessionPlayer()
	position, zone, sub := word("", "null"), "", ""
	if player != nil {
		zone, sub = x.zoneOf(player.Place)
		at := player.Pos
		if p := x.w.Place(player.Place); at == nil && p != nil {
			at = p.Pos
		}
		position = obj("", append(coordinates(at), str("zone_id", zone))...)
	}
	add(true, obj("map_snapshot", position.named("player_position"), x.list(mapZonesList)))
	add(true, obj("area_snapshot", x.list(zonesList), x.list(subZonesList), orNull("current_zone_id", zone),
		orNull("current_sub_zone_id", sub), x.clock()))
	if player != nil {
		runtime := obj("player_runtime_data", str("session_id", self.Session), position.named("current_position"))
		runtime.fill(str("updated_at", x.opt.UpdatedAt))
		add(true, x.staticData(player))
		add(true, runtime)
	}
	add(true, x.list(rolesList))
	logs := list("game_logs")
	for _, l := range x.opt.Logs {
		entry := obj("", str("id", l.ID), str("session_id", self.Session), str("kind", l.Kind), str("message", l.Text),
			parseObject(string(l.Data)).named("payload"))
		entry.fill(str("created_at", l.Time))
		logs.kids = append(logs.kids, entry)
	}
	add(true, logs)
}
