package gamemaster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/game/account"
	"hob/internal/game/eventlog"
	"hob/internal/game/narration"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
	"hob/internal/tools"
)

// mostCreated is the number of objects and people that a turn may create without a roll.
const mostCreated = 2

// The ends of request ids of the parts of a turn that are no calls.
const (
	partEnd    = "/end"    // what follows from the turn by itself
	partTold   = "/told"   // the words
	partIntent = "/intent" // what somebody wants to do in a round
	partVoid   = "/x"      // somebody has taken back how the story was told
	partUndo   = "/undo"   // the move of an undo
	partVote   = "/vote"   // somebody wants one
)

// turn is a turn of a chat in which a story is played.
type turn struct {
	*campaign
	caller tools.Caller
	state  *turnState
	args   string // what stands after the name of a command
}

// turn calls do with the turn of the caller, as [Master.at] does with a campaign.
func (m *Master) turn(ctx context.Context, do func(turn) error) error {
	caller := tools.CallerFrom(ctx)
	return m.at(ctx, caller.Chat, func(camp *campaign) error { return do(camp.turnOf(caller)) })
}

// turnOf returns the turn of a caller.
func (camp *campaign) turnOf(caller tools.Caller) turn {
	return turn{campaign: camp, caller: caller, state: camp.stateOf(caller.Chat)}
}

// turnState is the newest turn of a chat, as far as this process knows it. All of it follows from
// the log and the messages.
type turnState struct {
	turn    int64    // of the chat
	words   string   // what was said, without marks
	actor   string   // of whoever said it
	aside   bool     // it is out of character: the story does not go on
	planned int      // calls of a plan: the last one ends the turn
	begun   bool     // a model was told the scene
	asked   bool     // it was asked to tell what happened
	own     string   // what is told of it, where that is in the words of the engine
	recap   string   // what happened, told first because it is long ago
	round   []intent // that is played now, nil where none is
	past    past     // what the turn did, once it was asked
	turns   []int64  // of the campaign that the turn has played: more than one where another chat played in between

	named   []string        // ids of what was named last
	missed  string          // what was named last, and was not there
	looked  []string        // ids of what a plan looks at
	from    string          // the place where the actor was before
	last    string          // what was said before these words, commands apart
	answers int             // how many of them were answered with what cannot be done
	lost    int             // how many words in a row were not understood
	misses  int             // how many words were not understood so far
	replies [2]string       // what came of what the words do and what changes nothing: before the calls of the plan, and behind them
	then    *parser.Meaning // what the words say behind the calls of the plan
	options []parser.Option // what the unclear words before these may have meant, after the turn head
	unclear string
	head    int64
}

// stateOf returns the state of a chat's newest turn.
func (camp *campaign) stateOf(chat event.Chat) *turnState {
	camp.m.mu.Lock()
	defer camp.m.mu.Unlock()
	s, ok := camp.m.states[chat]
	if !ok {
		s = &turnState{}
		camp.m.states[chat] = s
	}
	return s
}

// begin starts the state of this turn, once.
func (tn turn) begin(ctx context.Context, words string) {
	s := tn.state
	if s.turn == tn.caller.Turn && s.turn != 0 {
		return
	}
	*s = turnState{
		named: s.named, missed: s.missed, from: s.from, last: s.before(), answers: s.answers, lost: s.lost, misses: s.misses, options: s.options, unclear: s.unclear, head: s.head,
		turn: tn.caller.Turn, words: strings.TrimSpace(words), actor: tn.actorOf(tn.caller.User), recap: tn.recapAfterSilence(ctx),
	}
}

// before returns the words before those that come now: no command, and nothing out of character.
func (s *turnState) before() string {
	if what, _ := parser.Rewind(s.words); what != "" || s.aside || strings.HasPrefix(s.words, "/") || s.words == "" {
		return s.last
	}
	return s.words
}

// prefix is the beginning of the request ids of a chat's turn.
func prefix(caller tools.Caller) string {
	return string(caller.Chat) + "/" + strconv.FormatInt(caller.Turn, 10)
}

// hasEnded reports whether the end of a turn was played.
func hasEnded(parts []eventlog.Part) bool {
	return slices.ContainsFunc(parts, func(p eventlog.Part) bool {
		return strings.HasSuffix(p.Request, partEnd) || strings.HasSuffix(p.Request, "!")
	})
}

// play plays a call as a part of the chat's turn. A call that only looks is none, so redo still
// works after it.
func (tn turn) play(ctx context.Context, call rules.Call, looks bool) (eventlog.PlayResult, error) {
	person := tn.caller.Call.From != tools.FromModel
	r := eventlog.Request{User: tn.caller.User, Actor: call.Actor, Calls: []rules.Call{call}, Author: tn.m.cfg.Author, Looks: person, Waits: person}
	parts, err := tn.currentParts(ctx)
	if err != nil {
		return eventlog.PlayResult{}, err
	}
	r.Created = createdIDs(parts, fmt.Sprintf("%s/%d.", prefix(tn.caller), tn.caller.Call.Reply), tn.caller.Call.Index)
	if looks {
		seen, err := tn.Preview(ctx, r)
		if err != nil {
			return eventlog.PlayResult{}, err
		}
		seen.Turn = 0
		return seen.PlayResult, nil
	}
	r.Limits = eventlog.Limits{Creates: mostCreated, Repeats: true}
	if tn.caller.Turn == 0 || tn.caller.Call.Reply == 0 {
		return tn.Play(ctx, r)
	}
	r.ID = fmt.Sprintf("%s/%d.%d", prefix(tn.caller), tn.caller.Call.Reply, tn.caller.Call.Index)
	last, err := tn.endsTurn(ctx, r.ID)
	if err != nil {
		return eventlog.PlayResult{}, err
	}
	if last {
		r.ID += "!"
	}
	r.Open, r.Counts = !last, last
	if r.Body, err = json.Marshal([]string{call.Tool, string(call.Args), call.Actor}); err != nil {
		return eventlog.PlayResult{}, err
	}
	if tn.state.turn == tn.caller.Turn && len(parts) == 0 {
		r.Input = tn.state.words
	}
	p, err := tn.playPart(ctx, parts, r)
	if err == nil && tn.state.turn == tn.caller.Turn && !slices.Contains(tn.state.turns, p.Turn) {
		tn.state.turns = append(tn.state.turns, p.Turn)
	}
	return p, err
}

// endsTurn reports whether a call ends its turn: it is the last one of a plan, and no turn order
// follows. The log decides before the memory of this process, so that a call has one id after any
// crash.
func (tn turn) endsTurn(ctx context.Context, id string) (bool, error) {
	if tn.state.turn == tn.caller.Turn && tn.state.planned > 0 {
		return tn.caller.Call.Index == tn.state.planned-1 && !tn.inOrder(), nil
	}
	return tn.isLogged(ctx, id+"!")
}

// isLogged reports whether the log has a request.
func (camp *campaign) isLogged(ctx context.Context, id string) (bool, error) {
	_, ok, err := camp.m.cfg.Campaigns.Log(camp.id).Request(ctx, id)
	return ok, err
}

// resume returns the turn with its state, from the log if this process does not know it.
func (tn turn) resume(ctx context.Context) (turn, error) {
	if tn.state.turn == tn.caller.Turn {
		return tn, nil
	}
	parts, err := tn.currentParts(ctx)
	if err != nil {
		return tn, err
	}
	s := &turnState{actor: tn.actorOf(tn.caller.User), words: inputOf(parts)}
	all, err := tn.plans(ctx, prefix(tn.caller)+"/")
	if len(all) > 0 { // it is a round; what this one wanted stands among its words
		all = slices.DeleteFunc(all, func(in intent) bool { return in.actor == s.actor })
		s.round = append(all, intent{actor: s.actor})
	}
	tn.state = s
	return tn, err
}

// createdIDs returns the ids that the first n calls of a reply have created, "" for a call that
// created nothing.
func createdIDs(parts []eventlog.Part, reply string, n int) []string {
	ids := make([]string, n)
	for _, p := range parts {
		rest, ok := strings.CutPrefix(p.Request, reply)
		i, err := strconv.Atoi(strings.TrimSuffix(rest, "!"))
		if ok && err == nil && i < n && len(p.Outcomes) > 0 {
			ids[i] = p.Outcomes[0].Created
		}
	}
	return ids
}

// finish plays the end of the chat's turn, once: reactions, clocks, quests, the turn order. A turn
// without calls has an end as well.
func (tn turn) finish(ctx context.Context) error {
	tn, err := tn.resume(ctx)
	if err != nil {
		return err
	}
	_, all, err := tn.turnsPlayed(ctx)
	if err != nil || hasEnded(all) {
		return err
	}
	head := tn.Head()
	parts := slices.DeleteFunc(slices.Clone(all), func(p eventlog.Part) bool { return p.Turn != head })
	r := eventlog.Request{ID: prefix(tn.caller) + partEnd, User: tn.caller.User, Actor: tn.state.actor, Counts: true, Calls: tn.callsNext(tn.state.actor, all)}
	if len(parts) == 0 {
		r.Input = tn.state.words
	}
	_, err = tn.playPart(ctx, parts, r)
	return err
}

// narratedTurn returns the chat's turn for its narration, with the narrations before it.
func (tn turn) narratedTurn(ctx context.Context) (account.Turn, error) {
	t, err := tn.playedTurn(ctx)
	if err != nil {
		return t, err
	}
	t.Recent, err = tn.wordsOf(ctx, recentWords, func(parts []eventlog.Part) string {
		if len(parts) > 0 && strings.HasPrefix(parts[0].Request, prefix(tn.caller)+"/") {
			return "" // it may have been told already, before a crash
		}
		return tellOf(parts)
	})
	return t, err
}

// playedTurn returns what happened in the chat's turn.
func (tn turn) playedTurn(ctx context.Context) (account.Turn, error) {
	tn, err := tn.resume(ctx)
	if err != nil {
		return account.Turn{}, err
	}
	t := account.Turn{
		Book: tn.m.book, Lang: tn.lang(), Before: tn.World(), After: tn.World(), Actor: tn.state.actor, Says: tn.spokenLines(), Pick: tn.pick(),
		Holds: narration.Holds,
	}
	all, parts, err := tn.turnsPlayed(ctx)
	if err != nil {
		return t, err
	}
	played := 0 // parts that may have changed the world: words have not
	for _, p := range parts {
		t.Outcomes, t.Rolls = append(t.Outcomes, p.Outcomes...), append(t.Rolls, p.Rolls...)
		if !strings.HasSuffix(p.Request, partTold) {
			played++
		}
	}
	if played == 0 {
		return t, nil
	}
	if tn.state.past.turn != parts[0].Turn || tn.state.past.parts != played {
		tn.state.past = past{turn: parts[0].Turn, parts: played}
		for i, turn := range all {
			before, events, err := tn.BeforeAndChanges(ctx, turn)
			if err != nil {
				return t, err
			}
			if tn.state.past.events = append(tn.state.past.events, events...); i == 0 {
				tn.state.past.before = before
			}
		}
	}
	t.Before, t.Events = tn.state.past.before, tn.state.past.events
	return t, nil
}

// pick returns which of several texts is told now: it follows from the seal of the dice, and from how many turns lie behind.
func (camp *campaign) pick() int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(camp.Commitment()))
	return 1 + int(h.Sum32()%997) + len(camp.Path())
}

// past holds the changes of the world by a turn of the campaign, up to a number of its parts.
type past struct {
	turn   int64
	parts  int
	before *world.World
	events []world.Event
}

// spokenLines returns the players' words of the turn.
func (tn turn) spokenLines() []account.Line {
	if tn.state.round == nil {
		return []account.Line{{Actor: tn.state.actor, Text: tn.state.words}}
	}
	return lists.Map(tn.state.round, func(in intent) account.Line { return account.Line{Actor: in.actor, Text: in.words} })
}

// recentWords is the number of past narrations that are checked for repetition.
const recentWords = 6

// wordsOf returns the result of a function on each of the last n turns, the newest first.
func (camp *campaign) wordsOf(ctx context.Context, n int, of func([]eventlog.Part) string) (all []string, err error) {
	for parts, err := range camp.history(ctx, n) {
		if err != nil {
			return nil, err
		}
		all = append(all, of(parts))
	}
	return all, nil
}

// inputOf returns the words that began a turn.
func inputOf(parts []eventlog.Part) string {
	if len(parts) == 0 {
		return ""
	}
	return parts[0].Input
}

// tellOf returns the final narration of a turn.
func tellOf(parts []eventlog.Part) string {
	for _, p := range slices.Backward(parts) {
		if p.Narration.Text != "" {
			return p.Narration.Text
		}
	}
	return ""
}

// silence is the time after which a summary precedes the story.
const silence = 6 * time.Hour

// recapAfterSilence returns a summary of the last turns if they are long ago, else "".
func (camp *campaign) recapAfterSilence(ctx context.Context) string {
	parts, err := camp.Parts(ctx, camp.Head())
	if err != nil || len(parts) == 0 {
		return ""
	}
	at, err := time.Parse(time.RFC3339, parts[len(parts)-1].Time)
	if err != nil || camp.m.cfg.Now().Sub(at) < silence {
		return ""
	}
	text, err := camp.recap(ctx, recapTurns)
	if err != nil {
		return ""
	}
	return text
}

// turnToRetry returns the turn to play again: the head, or, after a crash behind its undo, the head
// before that.
func (tn turn) turnToRetry(ctx context.Context) (int64, error) {
	head := tn.Head()
	n, moved, err := tn.m.cfg.Campaigns.Log(tn.id).Request(ctx, tn.author("retry").Request)
	if moved {
		head, err = tn.headBefore(ctx, n)
	}
	if err != nil {
		return 0, err
	}
	parts, err := tn.newest(ctx, head, func(p eventlog.Part) bool { return p.Table })
	if err != nil || len(parts) == 0 {
		return 0, err
	}
	return parts[0].Turn, nil
}

// headBefore returns the head before a line of the log.
func (camp *campaign) headBefore(ctx context.Context, n int64) (int64, error) {
	for n--; n > 0; n-- {
		line, err := camp.m.cfg.Campaigns.Log(camp.id).Line(ctx, n)
		if err != nil {
			return 0, err
		}
		var at struct{ Turn, More, Head *int64 }
		if err := json.Unmarshal(line, &at); err != nil {
			return 0, err
		}
		if to := cmp.Or(at.Turn, at.More, at.Head); to != nil {
			return *to, nil
		}
	}
	return 0, nil
}

// newest returns the parts of a turn, or of the newest one before it that pass does not reject.
func (camp *campaign) newest(ctx context.Context, turn int64, pass func(eventlog.Part) bool) ([]eventlog.Part, error) {
	for {
		parts, err := camp.Parts(ctx, turn)
		if err != nil || len(parts) == 0 || !pass(parts[0]) {
			return parts, err
		}
		turn = parts[0].Parent
	}
}

// hasDone reports whether a command was run in this turn before a crash.
func (tn turn) hasDone(ctx context.Context, what string) bool {
	done, err := tn.isLogged(ctx, prefix(tn.caller)+what)
	return err == nil && done
}
