package campaigns

import (
	"context"
	"slices"
	"strconv"

	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
)

// Position is the current turn of a campaign.
type Position struct {
	Campaign string `json:"campaign"`
	Head     int64  `json:"head"`
	State    string `json:"state_hash"`
	Scene    Scene  `json:"-"`
}

// MoveResult is the position after an undo or a redo. Turns counts the turns with changes that were
// undone or redone.
type MoveResult struct {
	Position
	Turns int `json:"turns"`
}

// Undo undoes the last n turns with changes.
func Undo(ctx context.Context, t Campaign, n int, user string) (MoveResult, error) {
	return moveHead(ctx, t, user, func(by eventlog.Origin) (eventlog.MoveResult, error) { return t.Undo(ctx, n, by) })
}

// Redo redoes n undone turns.
func Redo(ctx context.Context, t Campaign, n int, user string) (MoveResult, error) {
	return moveHead(ctx, t, user, func(by eventlog.Origin) (eventlog.MoveResult, error) { return t.Redo(ctx, n, by) })
}

// Switch moves to a turn of any branch, by label or by number.
func Switch(ctx context.Context, t Campaign, where, user string) (Position, error) {
	labelled := slices.ContainsFunc(t.Branches(), func(b eventlog.Branch) bool { return b.Name == where })
	if n, err := strconv.ParseInt(where, 10, 64); !labelled && (err != nil || n < 0 || n > t.Turns()) {
		return Position{}, exit.Errorf(exit.Usage, "%s has no branch and no turn %q: hob game branch lists them", t.ID, where)
	}
	m, err := moveHead(ctx, t, user, func(by eventlog.Origin) (eventlog.MoveResult, error) { return t.Switch(ctx, where, by) })
	return m.Position, err
}

// moveHead moves the head of a campaign and describes the scene there.
func moveHead(ctx context.Context, t Campaign, user string, to func(eventlog.Origin) (eventlog.MoveResult, error)) (MoveResult, error) {
	m, err := to(eventlog.Origin{User: user})
	if err != nil {
		return MoveResult{}, err
	}
	scene, err := describeScene(ctx, t)
	return MoveResult{Position{Campaign: t.ID, Head: m.Head, State: m.State, Scene: scene}, m.Turns}, err
}

// Summary is the recent history of a campaign.
type Summary struct {
	Bullets  []story.Bullet `json:"bullets"`
	Campaign string         `json:"campaign"`
	Head     int64          `json:"head"`
}

// Recap summarizes the last turns, at most those after the turn since.
func Recap(ctx context.Context, t Campaign, turns int, since int64) (Summary, error) {
	past, err := t.Recent(ctx, turns)
	if err != nil {
		return Summary{}, err
	}
	return Summary{Bullets: story.Bullets(game.Rules(), t.World().Self().Lang, past, since), Campaign: t.ID, Head: t.Head()}, nil
}

// Scene is the current situation of a campaign.
type Scene struct {
	Last story.Bullet // the last event; turn 0 means none
	Look string       // the description of the place, or ""
}

// describeScene returns the current situation. It is no turn.
func describeScene(ctx context.Context, t Campaign) (Scene, error) {
	past, err := Recap(ctx, t, 10, 0)
	if err != nil {
		return Scene{}, err
	}
	var s Scene
	if n := len(past.Bullets); n > 0 {
		s.Last = past.Bullets[n-1]
	}
	w := t.World()
	book := game.Rules()
	turn := rules.Turn{Book: book, World: w, Number: t.Head(), Services: rules.Services{Counts: &rules.Counts{}}}
	if o := turn.Do(ctx, rules.Call{Tool: "look", Args: []byte("{}")}, nil); o.OK() {
		s.Look = book.Text(w.Self().Lang, o.Say)
	}
	return s, nil
}

// Branches lists the turns of a campaign to return to: labels and the ends of all branches.
type Branches struct {
	Campaign string            `json:"campaign"`
	Ends     []int64           `json:"ends"`
	Head     int64             `json:"head"`
	Labels   []eventlog.Branch `json:"labels"`
}

// BranchesOf returns the branches of a campaign.
func BranchesOf(t Campaign) Branches {
	return Branches{Campaign: t.ID, Ends: t.Tips(), Head: t.Head(), Labels: t.Branches()}
}

// Unlabelled returns the ends without a label, except the head.
func (b Branches) Unlabelled() []int64 {
	return slices.DeleteFunc(slices.Clone(b.Ends), func(turn int64) bool {
		return turn == b.Head || slices.ContainsFunc(b.Labels, func(l eventlog.Branch) bool { return l.Turn == turn })
	})
}

// LabelledTurn is a turn that got a label.
type LabelledTurn struct {
	Campaign string `json:"campaign"`
	eventlog.Branch
}

// Label labels the current turn. A number is no label.
func Label(ctx context.Context, t Campaign, label, user string) (LabelledTurn, error) {
	if _, err := strconv.ParseInt(label, 10, 64); err == nil || label == "" {
		return LabelledTurn{}, exit.Errorf(exit.Usage, "a branch cannot be called %q: give it a name that is no number", label)
	}
	err := t.Branch(ctx, label, eventlog.Origin{User: user})
	return LabelledTurn{t.ID, eventlog.Branch{Name: label, Turn: t.Head()}}, err
}

// Seal is the commitment to a campaign's dice, and their seed once revealed.
type Seal struct {
	Campaign   string `json:"campaign"`
	Commitment string `json:"commitment"`
	Seed       string `json:"seed,omitempty"`
}

// SealOf returns the seal of a campaign. With the seed, anybody can compute every roll.
func SealOf(t Campaign, reveal bool) Seal {
	s := Seal{Campaign: t.ID, Commitment: t.Commitment()}
	if reveal {
		s.Seed = t.Reveal()
	}
	return s
}
