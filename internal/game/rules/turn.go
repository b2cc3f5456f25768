package rules

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hob/internal/game/world"
)

// Limits bound what a turn in play may do. Zero is no limit.
type Limits struct {
	Creates  int                                 // how many objects and people may be created
	Created  int                                 // how many of them were, in earlier parts of the turn
	Repeated func(tool string, args []byte) bool // whether the call was refused in each of the last three turns
}

// Turn runs calls on a world, one after the other. It is not safe for concurrent use.
type Turn struct {
	Book     *Book
	World    *world.World
	Number   int64 // of the turn
	Depth    int64 // turns that led here, and this one: what was undone is none of them; 0 is Number
	Services Services
	Limits   Limits
	Words    string // what the player has said, "" where that is not known
	Unbound  bool   // the call is the engine's own or the table's: it passes no gate (see [Gate])
	Waits    bool   // a player lets time pass, who was asked before it ends the story
	ReadsAll bool   // a person looks: Reading tools need not be in the allowlist, which is for models
	// Earlier has the results of the parts before this one, where the turn has several.
	Earlier struct {
		Outcomes []Outcome
		Events   []world.Event
	}

	Outcomes []Outcome
	Events   []world.Event
	Rolls    []Roll
	Notes    []Note
	creates  int
}

// Do runs one call. created has the ids that earlier calls of the same batch created, "" for a call that created none.
// "$0.createdId" in an argument is the first of them.
func (t *Turn) Do(ctx context.Context, c Call, created []string) Outcome {
	c.Args = resolveCreated(c.Args, created)
	o := t.run(ctx, c)
	t.Outcomes = append(t.Outcomes, o)
	return o
}

// Batch runs calls one after the other. Each sees the changes of those before it, and one that fails
// does not stop the rest.
func (t *Turn) Batch(ctx context.Context, calls []Call) []Outcome {
	list := make([]Outcome, 0, len(calls))
	created := make([]string, 0, len(calls))
	for _, c := range calls {
		o := t.Do(ctx, c, created)
		list = append(list, o)
		created = append(created, o.Created)
	}
	return list
}

// run checks a call and executes it.
func (t *Turn) run(ctx context.Context, c Call) Outcome {
	o := Outcome{Call: c}
	tool := t.Book.Tool(c.Tool)
	if tool == nil || !Allowed(t.World.Self(), c.Tool) && !(t.ReadsAll && tool.Class == Reading) {
		return t.refuse(o, tool, Refuse(ToolNotAllowed, "tool_not_allowed", c.Tool))
	}
	if ended := t.World.Self(); ended.Ended {
		key := "campaign_ended"
		switch ended.EndedReason {
		case partyDead:
			key = "campaign_ended_party"
		case goalReached, goalMissed:
			key = "campaign_ended_" + ended.EndedReason
		}
		return t.refuse(o, tool, Refuse(CampaignEnded, key, ended.EndedReason))
	}
	if t.Limits.Repeated != nil && t.Limits.Repeated(c.Tool, c.Args) {
		return t.refuse(o, tool, Refuse(RepeatIllegal, "repeat_illegal_request", c.Tool))
	}
	a, isObject := parseArgs(c.Args)
	s := t.newStep(&a)
	s.Actor = NameOrID(c.Actor, s.World.Self().Active)
	if tool.Class == Acting {
		d := t.checkActor(s, tool, &a)
		o.Actor = s.Actor
		if d != nil {
			return t.refuse(o, tool, d)
		}
	}
	if !isObject {
		return t.refuse(o, tool, Refuse(InvalidArgs, "args_no_object", tool.Name))
	}
	if d := t.checkArgs(tool, &a); d != nil {
		return t.refuse(o, tool, d)
	}
	if d := t.checkGate(s, tool, &a); d != nil {
		return t.refuse(o, tool, d)
	}
	return t.execute(ctx, s, o, tool, a)
}

// newStep returns the step in which a call with these arguments runs.
func (t *Turn) newStep(a *Args) *Step {
	return &Step{
		World: t.World, Turn: t.Number, Lang: t.World.Self().Lang, Book: t.Book, Services: t.Services, args: a,
		rollsBefore: int64(len(t.Rolls)), bound: t.World.Self().IsBound() && !t.Unbound,
	}
}

// checkArgs checks the arguments by the tool's parameters and the world's session.
func (t *Turn) checkArgs(tool *Tool, a *Args) *Verdict {
	if d := a.check(tool); d != nil {
		return d
	}
	if !a.Has("session_id") && !tool.Session {
		return nil
	}
	if d := a.checkArg(tool, &Param{Name: "session_id", Need: true}); d != nil {
		return d
	}
	if bound := t.World.Self().Session; bound == "" {
		return Refuse(InvalidArgs, "session_none")
	} else if got := a.Text("session_id"); got != bound {
		return Refuse(SessionMismatch, "session_mismatch", got)
	}
	return nil
}

// execute runs the tool and keeps or reverts its changes.
func (t *Turn) execute(ctx context.Context, s *Step, o Outcome, tool *Tool, a Args) Outcome {
	d := runSafely(ctx, s, tool, a)
	if d.OK {
		s.countAttempts()
	}
	if s.err != nil {
		d = Refuse(Internal, "internal", tool.Name, s.err.Error())
	}
	created := d.Created != "" && (t.World.Thing(d.Created) != nil || t.World.Actor(d.Created) != nil)
	if d.OK && created && t.Limits.Creates > 0 && t.Limits.Created+t.creates >= t.Limits.Creates {
		d = Refuse(RateLimited, "too_many_created", t.Limits.Creates)
	}
	o.Call.Args = s.args.encode()
	if !d.OK {
		if err := t.World.Revert(s.events); err != nil {
			d = Refuse(Internal, "internal", tool.Name, err.Error())
		}
		return t.refuse(o, tool, d)
	}
	if created {
		t.creates++
	}
	if len(world.Merge(s.events)) == 0 {
		s.events = nil // what was put there is what was there
	}
	t.commit(s)
	o.Status, o.Code, o.Say, o.Created, o.Changed = Applied, d.Code, d.Say, d.Created, len(s.events) > 0
	if d.Result != nil {
		o.Result = d.Result.Bytes()
	}
	return o
}

// commit makes the changes of a step part of the turn.
func (t *Turn) commit(s *Step) {
	if len(s.counts) > 0 && *t.Services.Counts == nil {
		*t.Services.Counts = Counts{}
	}
	for kind, n := range s.counts {
		(*t.Services.Counts)[kind] = n
	}
	t.Events = append(t.Events, s.events...)
	t.Rolls = append(t.Rolls, s.rolls...)
	t.Notes = append(t.Notes, s.notes...)
}

// runSafely runs a tool. A panic of the tool fails only this call.
func runSafely(ctx context.Context, s *Step, tool *Tool, a Args) (d *Verdict) {
	defer func() {
		if r := recover(); r != nil {
			d = Refuse(Internal, "internal", tool.Name, fmt.Sprint(r))
		}
	}()
	if d = tool.Run(ctx, s, a); d == nil {
		d = &Verdict{}
	}
	return d
}

// refuse completes the outcome of a call that was not applied.
func (t *Turn) refuse(o Outcome, tool *Tool, d *Verdict) Outcome {
	o.Code, o.Say = cmp.Or(d.Code, Internal), d.Say
	o.Status = o.Code.translate().status
	if d.Result != nil {
		o.Result = d.Result.Bytes()
	}
	if tool != nil && tool.Session && o.Result == nil {
		o.Result = t.Book.failureResult(o, t.World.Self().Lang)
	}
	return o
}

// failureResult is the result of a call of one of seed 003's tools that failed without a result of its own.
func (b *Book) failureResult(o Outcome, lang string) json.RawMessage {
	return NewObj().Flag("ok", false).Text("error_code", o.ErrorCode()).Text("message", b.Text(lang, o.Say)).Bytes()
}

// Conflict is the outcome of a call with the request id of another request: it was not run.
func (b *Book) Conflict(c Call, id, lang string) Outcome {
	o := Outcome{Call: c, Status: Failed, Code: RequestConflict, Say: NewSentence("request_conflict", id)}
	if tool := b.Tool(c.Tool); tool != nil && tool.Session {
		o.Result = b.failureResult(o, lang)
	}
	return o
}

// resolveCreated replaces $N.createdId in the strings of raw by the id that call N of the batch created. Where there is
// no such id, the text stays.
func resolveCreated(raw []byte, created []string) []byte {
	text := string(raw)
	if !strings.Contains(text, ".createdId") {
		return raw
	}
	for n := len(created) - 1; n >= 0; n-- {
		if created[n] != "" {
			quoted := world.AppendString(nil, created[n])
			text = strings.ReplaceAll(text, fmt.Sprintf("$%d.createdId", n), string(quoted[1:len(quoted)-1]))
		}
	}
	return []byte(text)
}

// Allowed reports whether a world lets a tool be used. A world from a campaign of seed 002 without a list allows the
// three tools that are that seed's default (Decision 15). All others allow every tool that is not excluded.
func Allowed(self *world.Self, tool string) bool {
	if self.AllowAll {
		return true
	}
	allow := self.Allow
	if allow == nil && self.Shape != "002" {
		return true
	}
	if allow == nil {
		allow = []string{"move", "hp_delta", "map_generate"}
	}
	return slices.Contains(allow, tool)
}
