package things

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// entity has attributes. Its type and its id agree.
type entity struct {
	owner
	attrs map[string]string
}

// findEntity finds the entity of a type. A nil result means that there is one.
func findEntity(w *world.World, sort, id string) (entity, *rules.Verdict) {
	kind, missing := world.ThingKind, "things.no_object"
	switch sort {
	case "player", "actor":
		kind, missing = world.ActorKind, "things.no_player"
	case "location", "place":
		kind, missing = world.PlaceKind, "things.no_place"
	}
	b := entity{owner: owner{id: id, record: w.Record(kind, id)}}
	switch r := b.record.(type) {
	case *world.Actor:
		b.attrs = r.Attrs
	case *world.Place:
		b.attrs = r.Attrs
	case *world.Thing:
		b.attrs = r.Attrs
	default:
		return b, rules.Refuse(rules.EntityNotFound, missing, id)
	}
	return b, nil
}

// write gives the entity other attributes.
func (b entity) write(s *rules.Step, attrs map[string]string) {
	switch r := b.record.(type) {
	case *world.Actor:
		rules.Change(s, r, func(next *world.Actor) { next.Attrs = attrs })
	case *world.Place:
		rules.Change(s, r, func(next *world.Place) { next.Attrs = attrs })
	case *world.Thing:
		rules.Change(s, r, func(next *world.Thing) { next.Attrs = attrs })
	}
}

// runSetAttribute runs the tool set_attribute of seed 000. Its result is {"old","new"}, old being null where
// there was none. A blank value is none, as the seed's own tool has it of ""; delete_attribute
// takes a trait away.
func runSetAttribute(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	if raw := a.Raw("value"); raw[0] == '"' && strings.TrimSpace(a.Text("value")) == "" {
		return rules.Refuse(rules.InvalidArgs, "set_attribute.missing", "value")
	}
	b, missing := findEntity(s.World, a.Text("entity_type"), a.Text("entity_id"))
	if missing != nil {
		return missing
	}
	name := a.Text("attribute_name")
	if hint := reservedFor(name); b.actor() != nil && hint != "" {
		return rules.Refuse(rules.ReservedAttribute, "set_attribute.reserved", name, hint)
	}
	value, ok := valueText(a.Raw("value"))
	if !ok {
		return rules.Refuse(rules.InvalidArgs, "set_attribute.value")
	}
	return b.set(s, name, value)
}

// set writes one attribute.
func (b entity) set(s *rules.Step, name, value string) *rules.Verdict {
	old, had := b.attrs[name]
	result := rules.NewObj().Text("old", old).Text("new", value)
	if !had {
		result = rules.NewObj().TextOrNull("old", "").Text("new", value)
	}
	of := s.Say("things.of."+b.kind(), b.name())
	if had && old == value {
		return rules.Accept(result, "set_attribute.same", name, of, value)
	}
	attrs := world.With(b.attrs, name, value)
	if d := checkLimits(name, value, len(attrs), !had); d != nil {
		return d
	}
	b.write(s, attrs)
	if had {
		return rules.Accept(result, "set_attribute.changed", name, of, old, value)
	}
	return rules.Accept(result, "set_attribute.created", name, of, value)
}

// checkLimits holds an attribute against the limits (I11). A world that came with more of them than
// there may be can still change those it has. Nil: it fits.
func checkLimits(name, value string, count int, fresh bool) *rules.Verdict {
	var key string
	switch {
	case utf8.RuneCountInString(name) > world.MaxAttrName:
		key = "things.limit.name"
	case utf8.RuneCountInString(value) > world.MaxAttrValue:
		key = "things.limit.value"
	case fresh && count > world.MaxAttrs:
		key = "things.limit.count"
	default:
		return nil
	}
	return rules.Refuse(overLimit, key)
}

// reservedFor returns the tools that are to be used instead where a player's attribute of that name
// is no prose, else "".
func reservedFor(name string) string {
	switch name {
	case "locationId", "location_id", "place", "position":
		return "move_player, move"
	case "hp", "character_state":
		return "hp_delta"
	case "inventory":
		return "move_object, create_object"
	}
	return ""
}

// valueText reads a value as text: strings as they are, numbers and booleans as they are written.
func valueText(raw json.RawMessage) (string, bool) {
	switch {
	case len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || string(raw) == "null":
		return "", false
	case raw[0] != '"':
		return string(raw), true
	}
	var s string
	return s, json.Unmarshal(raw, &s) == nil
}

// runDeleteAttribute runs the tool delete_attribute of seed 000. Its result is {"old"}.
func runDeleteAttribute(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	b, missing := findEntity(s.World, a.Text("entity_type"), a.Text("entity_id"))
	if missing != nil {
		return missing
	}
	name := a.Text("attribute_name")
	old, had := b.attrs[name]
	of := s.Say("things.of."+b.kind(), b.name())
	if !had {
		return rules.Refuse(rules.AttributeNotFound, "delete_attribute.none", name, of)
	}
	b.write(s, world.Without(b.attrs, name))
	return rules.Accept(rules.NewObj().Text("old", old), "delete_attribute.done", name, of, old)
}
