package parser

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/lists"
)

// readParts reads a sentence of several plain commands, each in the world after those before it. If one of them cannot be
// done, those before it are done, and the answer says why.
func (r *reader) readParts(parts []span) (m Meaning, ok bool) {
	if len(parts) < 2 || len(parts) > mostParts || r.actor == nil || r.options.Try == nil {
		return Meaning{}, false
	}
	at, said := *r, false // said: a remark stood before it
	var idle *Meaning     // the first command of which nothing comes
	for len(parts) > 0 {
		words := r.input.tokens[parts[0].from:parts[0].to]
		remark := len(m.Calls) == 0 && !r.leads("not", words) && at.saysOnly(words)
		if len(parts) > 1 && r.options.NoModel && (remark || r.saysHow(words) || r.isManner(words)) {
			parts, said = parts[1:], said || remark // "as nobody looks, take the lamp"
			continue
		}
		one, n := at.readTopic(r.input, parts[0], m.Calls)
		switch {
		case n == 0:
			one, n = at.readPart(r.input, parts, len(m.Calls) > 0)
		case len(one.Calls) == 0 && one.Problem == "":
			parts = parts[n:]
			continue
		}
		goesOn := n < len(parts)
		isName := at.verbless && at.named != nil && len(one.Calls) == 1 && one.Calls[0].Tool == "look"
		if isName && goesOn {
			parts, at.last = parts[n:], at.named // "the note, read it"
			continue
		}
		if one.Show == ShowLook && at.call("look", rules.NewObj(), &one) == nil {
			one.Show = ""
		}
		begins, fails := len(m.Calls) == 0, one.Problem != ""
		switch {
		case (one.Done || one.Idle) && r.options.NoModel && goesOn: // it changes nothing, so the rest can be done
			if idle == nil && !one.Done {
				idle = &one
			}
			text := &m.After
			if begins {
				text = &m.Before
			}
			*text = joinLines(*text, one.Problem)
			parts, at.last = parts[n:], at.named
			continue
		case n == 0 && begins && idle != nil:
			return *idle, true
		case n == 0, one.Pick > 0, one.Show != "" && (begins || goesOn):
			return Meaning{}, false
		case fails && begins && said && !one.Done:
			return Meaning{}, false // the whole is a remark
		case fails && begins:
			one.Problem = joinLines(m.Before, one.Problem)
			return one, true
		case len(one.Calls) == 0 && !r.options.NoModel:
			return Meaning{}, false // a model may read it
		case len(one.Calls) == 0:
			m.Then = &one
			return m, true
		}
		if m.Calls = append(m.Calls, one.Calls...); len(m.Calls) > MostCalls {
			return Meaning{}, false
		}
		if parts = parts[n:]; len(parts) == 0 || !at.goOn(r.options.Try(m.Calls)) {
			break // the rest was meant for a world in which that went well
		}
	}
	return m, true
}

// readPart is readLongest, or a glance at the thing that was named last.
func (r *reader) readPart(input utterance, parts []span, later bool) (m Meaning, n int) {
	if m, n = r.readLongest(input, parts, later); n <= 1 && r.isGlance() {
		m, n = Meaning{}, 1
		r.call("look", rules.NewObj().Text("target_id", r.last.id), &m)
	}
	return m, n
}

// readTopic reads a noun behind a question as one more topic for the same person: "ask Marta about the oven and the
// loaf". It is no place to go to, and nothing to look at.
func (r *reader) readTopic(input utterance, part span, calls []rules.Call) (m Meaning, n int) {
	list := input.tokens[part.from:part.to]
	if len(calls) == 0 || !asksAbout(calls[len(calls)-1:]) || r.last == nil || r.last.kind != person || !r.options.NoModel || r.hasVerb(list) {
		return m, 0
	}
	topic := r.wordsOnTopic(r.last, list)
	at := r.topicOf(r.last, topic)
	for _, call := range calls {
		var said struct{ Topic string }
		if at >= 0 && json.Unmarshal(call.Args, &said) == nil && said.Topic != "" && r.topicOf(r.last, said.Topic) == at {
			return m, 1 // the line was said just now
		}
	}
	if at < 0 {
		if len(list) > mostWord || r.isOdd(list) || len(r.findBest(list, nil, way)) == 0 {
			return m, 0
		}
		return Meaning{Problem: r.refuseTopic(r.last).text, Done: true}, 1
	}
	r.named, r.input = r.last, input
	m, bad := r.talkTo(r.last, topic)
	if bad != nil {
		return m, 0
	}
	return m, 1
}

// wordsOnTopic returns tokens as words that ask a person for a line.
func (r *reader) wordsOnTopic(whom *entity, list []token) string {
	list = r.withoutArticle(list)
	for n := 0; n < min(2, len(list)); n++ { // "about the oven"
		if key := r.keyOf(r.withoutArticle(list[n:]), whom.actor.Talk); key != "" {
			return key
		}
	}
	return joinTokens(list)
}

// hasVerb reports whether tokens are a command with a verb, or may be one.
func (r *reader) hasVerb(list []token) bool {
	_, ok := r.tryVerb(list, false)
	return ok || len(list) > mostTopic && !isHan(list[0].text) || len(list) > mostHanTopic
}

// asksAbout reports whether calls are one talk about a topic.
func asksAbout(calls []rules.Call) bool {
	return len(calls) == 1 && calls[0].Tool == "talk" && bytes.Contains(calls[0].Args, []byte(`"topic"`))
}

// goOn moves the reader to the world after some calls. It returns false if something happened there that stops the
// player.
func (r *reader) goOn(tried Tried) bool {
	if tried.Ends || tried.World == nil {
		return false
	}
	actor := tried.World.Actor(r.actor.ID)
	if actor == nil {
		return false
	}
	if actor.Place != r.actor.Place {
		r.options.From = r.actor.Place
	}
	r.w, r.actor, r.seen = tried.World, actor, nil
	if r.last = r.renew(r.named); r.last != nil {
		r.options.Named = append([]string{r.last.id}, r.options.Named...) // "take the oar, go to her and give it back"
	}
	return true
}

// joinLines joins two texts, either of which may be "", as lines.
func joinLines(one, other string) string { return strings.TrimSpace(one + "\n" + other) }

// renew returns an entity as it is in the reader's world.
func (r *reader) renew(was *entity) *entity {
	for e := range r.visible(^kind(0), func(e *entity) bool { return was != nil && e.id == was.id && (e.thing != nil) == (was.thing != nil) }) {
		return e
	}
	return was
}

// readLongest reads as many parts as make one command, and returns how many they are: "take the lamp and the rope". A
// single first part may also be a command that cannot be done or, behind another command, something said to a person. 0
// means no command.
func (r *reader) readLongest(input utterance, parts []span, later bool) (m Meaning, n int) {
	named := r.named
	for n = len(parts); n > 0; n-- {
		r.named, r.input = named, input
		r.input.tokens = input.tokens[parts[0].from:parts[n-1].to]
		r.input.question = input.question && n == len(parts)
		var ok bool
		if m, ok = r.readNegated(r.input.tokens); ok {
			return m, n
		}
		m, ok = r.readCommand(r.input.tokens)
		if ok && r.options.NoModel && m.Problem != "" && r.guess == absent && r.smallTalk() == "gesture" {
			continue // "warm my hands"
		}
		if ok && (n == 1 || m.Problem == "" && !r.swallows(m, input, parts[:n])) {
			return m, n
		}
	}
	if r.options.NoModel && r.smallTalk() == "gesture" {
		if m = (Meaning{Done: true}); len(parts) == 1 { // the next command says more
			m.Problem = r.text("small.gesture")
		}
		return m, 1
	}
	if later && r.options.NoModel {
		if m, ok := r.readWithoutModel(Meaning{}, false); ok {
			return m, 1
		}
	}
	return Meaning{}, 0
}

// swallows reports whether a topic of talk contains a second command: "ask Marta about the oven, then go to the mill".
// Nouns are no command, but may be another topic: "ask Marta about the oven and the loaf".
func (r *reader) swallows(m Meaning, input utterance, parts []span) bool {
	if len(parts) < 2 || r.input.quoted || !asksAbout(m.Calls) || r.options.Try == nil {
		return false
	}
	at := *r
	at.input, at.verbless = input, false
	if whom := r.named; r.options.NoModel && whom != nil && whom.kind == person {
		topic := func(p span) int { return r.topicOf(whom, r.wordsOnTopic(whom, input.tokens[p.from:p.to])) }
		first := topic(parts[0])
		other := func(p span) bool {
			n := topic(p)
			return n >= 0 && n != first && !at.hasVerb(input.tokens[p.from:p.to])
		}
		if first >= 0 && slices.ContainsFunc(parts[1:], other) {
			return true
		}
	}
	for _, p := range parts[1:] {
		at.input.tokens = input.tokens[p.from:p.to]
		if one, ok := at.readVerb(at.input.tokens); ok && (one.Problem != "" || len(one.Calls) > 0 && one.Calls[0].Tool != "look") {
			return true
		}
	}
	return false
}

// joints splits the input at words such as "and", at commas, and at the ends of sentences.
func (r *reader) joints() (list []span) {
	tokens, from := r.input.tokens, 0
	cut := func(to, next int) {
		if to > from {
			list = append(list, span{from, to})
		}
		from = next
	}
	for i := 0; i < len(tokens); i++ {
		if tokens[i].gap != noGap && !r.isIndirect(from, i) && !r.isRelative(i) {
			cut(i, i)
		}
		for _, t := range r.langs {
			if i == from && t.leading("with", tokens[i:]) > 0 {
				continue // 跟玛尔塔打招呼 is one command
			}
			if i > from && t.is("bare.go", tokens[from:i]) {
				continue // "go and ask Marta"
			}
			if tokens[i].text == "跟" && i+1 < len(tokens) && tokens[i+1].text == "前" {
				break // 走到她跟前
			}
			if n := t.leading("join", tokens[i:]); n > 0 {
				cut(i, i+n)
				i += n - 1
				break
			}
		}
	}
	cut(len(tokens), len(tokens))
	return list
}

// isIndirect reports whether the comma before a token does not split the input because an indirect question follows:
// Спроси её, что делать.
func (r *reader) isIndirect(from, at int) bool {
	list := r.input.tokens
	return at > from && list[at].gap == comma && slices.ContainsFunc(r.langs, func(t table) bool {
		return t.leading("indirect", list[from:]) > 0 && t.leading("asking", list[at:]) > 0 && t.leading("indirect", list[at:]) == 0
	})
}

// isRelative reports whether the comma before a token does not split the input because a relative clause follows: всё,
// что внутри.
func (r *reader) isRelative(at int) bool {
	list := r.input.tokens
	return at > 0 && list[at].gap == comma && slices.ContainsFunc(r.langs, func(t table) bool {
		return t.leading("before", list[at-1:at]) > 0 && t.leading("relative", list[at:]) > 0
	})
}

// parts returns the tokens between the joints of the input.
func (r *reader) parts() [][]token {
	return lists.Map(r.joints(), func(s span) []token { return r.input.tokens[s.from:s.to] })
}
