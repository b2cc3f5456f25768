package gamemaster

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/eventlog"
)

// vote notes that a player wants to undo some turns, and says how many votes are missing, or "" once more than half of
// the players agree. A vote is a setting in the log that changes nothing, so it survives a restart. It counts only for
// the newest turn of the story, and only together with votes for the same number of turns.
func (tn turn) vote(ctx context.Context, turns int) (string, error) {
	votes, err := tn.votes(ctx, turns)
	if err != nil {
		return "", err
	}
	if !slices.Contains(votes, tn.caller.User) {
		r := eventlog.Request{ID: prefix(tn.caller) + partVote, User: tn.caller.User, Table: true, Open: true}
		if turns > 1 {
			r.Plan = json.RawMessage(strconv.Itoa(turns))
		}
		if _, err := tn.Play(ctx, r); err != nil {
			return "", err
		}
		votes = append(votes, tn.caller.User)
	}
	players := tn.players()
	n := len(slices.DeleteFunc(slices.Clone(players), func(p string) bool { return !slices.Contains(votes, p) }))
	if 2*n > len(players) {
		return "", nil
	}
	key := "undo_vote"
	if turns > 1 {
		key = "undo_votes"
	}
	return tn.say(key, tn.nameOf(tn.state.actor), strconv.Itoa(n), strconv.Itoa(len(players)/2+1), strconv.Itoa(turns)), nil
}

// votes returns the users who want to undo that many turns of the story.
func (camp *campaign) votes(ctx context.Context, turns int) (users []string, err error) {
	for parts, err := range camp.history(ctx, whole) {
		if err != nil || !keepsRound(parts[0]) {
			return users, err
		}
		if strings.HasSuffix(parts[0].Request, partVote) && turnsWanted(parts[0]) == turns {
			users = append(users, parts[0].User)
		}
	}
	return users, nil
}

// turnsWanted returns the number of turns that a vote wants to undo.
func turnsWanted(vote eventlog.Part) int {
	turns := 1
	if vote.Plan != nil && json.Unmarshal(vote.Plan, &turns) != nil {
		return 0
	}
	return turns
}
