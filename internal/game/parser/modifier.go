package parser

import (
	"slices"
	"strings"
)

// withoutModifier finds what tokens name by a noun and a modifier: "the man in grey", "the box with the cross". All words
// of the modifier must be in its description, or in the sentence about it in the text of the place: otherwise they may
// mean something else.
func (r *reader) withoutModifier(list []token, fits func(*entity) bool, mask kind) []*entity {
	head, modifier := r.splitModifier(list)
	if !r.options.NoModel || len(head) == 0 || len(modifier) == 0 {
		return nil
	}
	var some []*entity
	if r.table.is("somebody", head) {
		some = r.withGender(head, slices.Collect(r.visible(mask&person, fits)))
	} else if some = r.findBest(head, fits, mask); len(some) == 0 {
		if some = r.findAlias(head, fits, mask); len(some) == 0 {
			for _, other := range r.sameWords(head) {
				if some = r.findBest(other, fits, mask); len(some) > 0 {
					head = other // the box with the red cross is a crate
					break
				}
			}
		}
	}
	return slices.DeleteFunc(some, func(e *entity) bool {
		return e.kind != person && (!r.staysPut() || e.thing != nil && !r.namesKind(head, e)) || !r.saysOf(e, head, modifier)
	})
}

// findSame finds what tokens name by a synonym of its noun: 纸条 is a 字条.
func (r *reader) findSame(list []token, fits func(*entity) bool, mask kind) []*entity {
	for _, other := range r.sameWords(list) {
		if some := r.findBest(other, fits, mask); len(some) > 0 {
			return some
		}
		if some := r.findAlias(other, fits, mask&person); len(some) > 0 {
			return some
		}
	}
	return nil
}

// sameWords returns the tokens with each synonym of their last word in its place.
func (r *reader) sameWords(list []token) (others [][]token) {
	if !r.options.NoModel {
		return nil
	}
	for group := range strings.SplitSeq(r.table.word("same"), ";") {
		words := strings.Split(strings.Trim(group, " ()"), "|")
		for _, word := range words {
			was := tokens(word).tokens
			from := len(list) - len(was)
			if from < 0 || !slices.Equal(texts(list[from:]), texts(was)) {
				continue
			}
			for _, other := range words {
				if other != word {
					others = append(others, slices.Concat(list[:from], tokens(other).tokens))
				}
			}
		}
	}
	return others
}

// staysPut reports whether the command leaves things where they are. For any other one, words behind the noun may be the
// target.
func (r *reader) staysPut() bool {
	return slices.Contains([]string{"examine", "where", "who", "search", "search.look", "leaf", "open", "close", "take", "go", "pry"}, r.key)
}

// refuseModified answers a noun with a modifier, "the man with the beard", of which not even the noun is here; nil for
// other tokens.
func (r *reader) refuseModified(list []token, masks []kind) *refusal {
	head, modifier := r.splitModifier(list)
	if !r.options.NoModel || len(head) == 0 || masks[0]&way != 0 || r.mentionsHere(list) || !slices.ContainsFunc(modifier, func(t token) bool { return !r.isOdd([]token{t}) }) {
		return nil
	}
	if r.table.is("somebody", head) && union(masks)&person != 0 {
		return r.refuse("nobody")
	}
	if union(masks)&^(person|myself) == 0 || !r.staysPut() {
		return nil
	}
	if line := r.scenery(head); line != "" {
		r.guessScenery()
		return &refusal{text: line}
	}
	if !r.mayBeName(head) || len(r.findBest(head, nil, ^kind(0)))+len(r.findAlias(head, nil, ^kind(0))) > 0 {
		return nil
	}
	r.guess, r.unknown = wild, r.spoken(list)
	return r.refuse("absent", r.unknown)
}

// splitModifier splits tokens into a noun and its modifier, which stands behind the noun, or in Chinese before 的.
func (r *reader) splitModifier(list []token) (head, modifier []token) {
	for i := range list {
		switch {
		case i == 0 || i+1 == len(list):
		case list[i].text == "的":
			head, modifier = list[i+1:], list[:i] // the last one counts
		case !isHan(list[i].text) && r.table.leading("modifier", list[i:i+1]) > 0:
			return list[:i], list[i+1:]
		}
	}
	return head, modifier
}

// saysOf reports whether all meaningful words of a modifier are said of an entity.
func (r *reader) saysOf(e *entity, head, modifier []token) bool {
	text := e.name + ". "
	if e.thing != nil {
		text += e.thing.Desc
		if box := r.w.Thing(e.thing.Parent); box != nil {
			text += " " + box.Name
		}
	} else if e.actor != nil {
		text += e.actor.Desc
	}
	if here := r.sight().place; here != nil {
		text += " " + r.sentenceOf(here.Desc+" "+here.Situation, head)
	}
	words := texts(tokens(text).tokens)
	means := 0
	for i := range modifier {
		one := modifier[i : i+1]
		if isHan(one[0].text) {
			if i+1 < len(modifier) && fitPart(texts(modifier[i:i+2]), words) > noFit {
				means++
			}
			continue
		}
		if r.isOdd(one) || r.table.leading("article", one) > 0 || r.table.leading("modifier", one) > 0 {
			continue
		}
		if !fitsDescription(texts(one), words) {
			return false
		}
		means++
	}
	return means > 0
}
