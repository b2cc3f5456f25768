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
	partEnd    = "/end"    // what the turn brings about
	partTold   = "/told"   // the narration
	partIntent = "/intent" // what somebody wants to do in a round
	partVoid   = "/x"      // somebody has withdrawn a narration
	partUndo   = "/undo"   // an undo
	partVote   = "/vote"   // a vote for an undo
)

// turn is one turn of a chat in which a story is played.
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

// turnState is what this process knows of the newest turn of a chat. All of it can be found again in the log and in the
// messages.
type turnState struct {
	turn    int64    // of the chat
	words   string   // what was said, without marks
	actor   string   // of whoever said it
	aside   bool     // it was said out of character: the story does not go on
	planned int      // how many calls the plan has: the last one ends the turn
	begun   bool     // a model has read the scene
	asked   bool     // it was asked for the narration
	own     string   // the narration, if the engine wrote it
	recap   string   // a summary of the past that goes before the narration
	round   []intent // the round that is played now, nil if there is none
	past    past     // what the turn did, once something has asked for it
	turns   []int64  // the campaign's turns that this one played: several if another chat played in between

	named   []string        // ids of what was named last
	earlier []string        // ids of what was named before that
	missed  string          // what the player named last that was not there
	looked  []string        // ids of what a plan looks at
	from    string          // the place where the actor was before
	last    string          // what was said before these words, commands left out
	answers int             // how many words got the answer that they cannot be done
	lost    int             // how many words in a row nobody understood
	misses  int             // how many words nobody understood so far
	replies [2]string       // answers to what changes nothing: before the calls of the plan, and after them
	then    *parser.Meaning // what the words ask for after the calls of the plan
	options []parser.Option // what the unclear words may have meant, offered after the turn head
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

// begin starts the state of this turn, unless it has begun.
func (tn turn) begin(ctx context.Context, words string) {
	s := tn.state
	if s.turn == tn.caller.Turn && s.turn != 0 {
		return
	}
	*s = turnState{
		named: s.named, earlier: s.earlier, missed: s.missed, from: s.from, last: s.before(), answers: s.answers, lost: s.lost, misses: s.misses, options: s.options, unclear: s.unclear, head: s.head,
		turn: tn.caller.Turn, words: strings.TrimSpace(words), actor: tn.actorOf(tn.caller.User), recap: tn.recapAfterSilence(ctx),
	}
}

// before returns what the player said last, commands and words out of character left out.
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

// hasEnded reports whether the last part of a turn was played.
func hasEnded(parts []eventlog.Part) bool {
	return slices.ContainsFunc(parts, func(p eventlog.Part) bool {
		return strings.HasSuffix(p.Request, partEnd) || strings.HasSuffix(p.Request, "!")
	})
}

// play plays a call as a part of the chat's turn. A call that only looks is not logged, so redo still works after it.
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

// endsTurn reports whether a call ends its turn: it is the last call of a plan, and no turn order follows. The log is
// asked first and memory second, so that a call has the same id after any crash.
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
	if len(all) > 0 { // it was a round: find this player's plan in its words
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

// finish plays the end of the chat's turn, once: reactions, clocks, quests and the turn order. A turn without calls
// ends like this, too.
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
			return "" // before a crash, it may have been told already
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
	played := 0 // parts that may have changed the world; words cannot
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

// pick returns which of several texts to use now. It follows from the commitment of the dice and from how many turns
// were played.
func (camp *campaign) pick() int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(camp.Commitment()))
	return 1 + int(h.Sum32()%997) + len(camp.Path())
}

// past is what a turn of the campaign has changed, as of some number of its parts.
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

// wordsOf applies a function to each of the last n turns and returns the results, the newest first.
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

// silence is how long nobody has played before a story goes on with a summary.
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

// turnToRetry returns the turn to play again: the one at the head; or, if a crash came after its undo, the one before
// the undo.
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

// headBefore returns which turn was the head before a line of the log.
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

// newest returns the parts of a turn, or of the newest one before it that skip does not pass over.
func (camp *campaign) newest(ctx context.Context, turn int64, skip func(eventlog.Part) bool) ([]eventlog.Part, error) {
	for {
		parts, err := camp.Parts(ctx, turn)
		if err != nil || len(parts) == 0 || !skip(parts[0]) {
			return parts, err
		}
		turn = parts[0].Parent
	}
}

// hasDone reports whether this turn ran a command already, before a crash.
func (tn turn) hasDone(ctx context.Context, what string) bool {
	done, err := tn.isLogged(ctx, prefix(tn.caller)+what)
	return err == nil && done
}
