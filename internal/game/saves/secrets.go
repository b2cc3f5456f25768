package saves

import (
	"strings"
	"unicode"
)

// secrecy is what the name of a member says about its value.
type secrecy uint8

const (
	unknown    secrecy = iota
	public             // no secret
	secretText         // a secret if it is text: a number of tokens is none
	secret             // always a secret
)

// scrub removes secrets. Prose, positions and other members of the story may be about tokens. known has the names that were
// judged before.
func (r *reader) scrub(n *node, story bool, known map[string]secrecy) {
	kept := n.kids[:0]
	for _, kid := range n.kids {
		if n.kind == object {
			if known[kid.name] == unknown {
				known[kid.name] = secrecyOf(kid.name)
			}
			s := known[kid.name]
			if !isNull(&kid) && (s == secret || s == secretText && !story && kid.kind == text) {
				r.warn("The member " + quoted(kid.name) + " looks like a secret: it was left out.")
				continue
			}
		}
		r.scrub(&kid, story || isStory(kid.name), known)
		kept = append(kept, kid)
	}
	n.kids = kept
}

func isStory(name string) bool {
	switch name {
	case "attributes", "inventory", "positions", "character_states", "positions_parent", "positions_child":
		return true
	}
	return false
}

func secrecyOf(name string) secrecy {
	name = strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == ' ' {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
	switch {
	case strings.Contains(name, "apikey"), name == "aiconfig", strings.Contains(name, "openai") && strings.Contains(name, "key"):
		return secret
	case strings.Contains(name, "token"), strings.Contains(name, "password"), strings.Contains(name, "secretkey"):
		return secretText
	}
	return public
}
