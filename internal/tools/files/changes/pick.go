package changes

import (
	"cmp"
	"slices"
	"time"

	"hob/internal/event"
	"hob/internal/lists"
)

// What a person means who wants something taken back, as numbers of changes. all are the changes that are remembered,
// the newest first; only those of chat count, "" being all chats. What was taken back already, and what takes something back, is never meant.

// LastCall returns the newest change, if there is one, and what else its call changed.
func LastCall(all []event.Change, chat event.Chat) []int64 {
	meant := inForce(all, chat)
	return Together(all, numbersOf(meant[:min(1, len(meant))]))
}

// Together returns numbers, and with each the numbers of all that the same call changed. Where some of a call are taken back already,
// because an undo was cut short, they are those that are not.
func Together(all []event.Change, numbers []int64) []int64 {
	wholes := map[int64]bool{}
	for _, n := range numbers {
		wholes[n] = true // of a call whose first change is not remembered any more
	}
	for _, c := range all {
		if wholes[c.ID] {
			wholes[c.GroupID()] = true
		}
	}
	var more []int64
	left := map[int64]bool{} // by a call, whether something of it is not taken back
	for _, c := range all {
		left[c.GroupID()] = left[c.GroupID()] || c.InForce()
	}
	for _, c := range all {
		if wholes[c.GroupID()] && (c.InForce() || !left[c.GroupID()]) {
			more = append(more, c.ID)
		}
	}
	for _, n := range numbers {
		if !slices.ContainsFunc(all, func(c event.Change) bool { return c.ID == n }) {
			more = append(more, n)
		}
	}
	return more
}

// LastTurn returns the changes of the newest turn that has some.
func LastTurn(all []event.Change, chat event.Chat) []int64 {
	turn := int64(0)
	return numbersOf(slices.DeleteFunc(inForce(all, chat), func(c event.Change) bool {
		turn = cmp.Or(turn, c.Turn)
		return c.Turn == 0 || c.Turn != turn
	}))
}

// OfTurn returns the changes of a turn.
func OfTurn(all []event.Change, chat event.Chat, turn int64) []int64 {
	return numbersOf(slices.DeleteFunc(inForce(all, chat), func(c event.Change) bool { return c.Turn != turn }))
}

// Since returns the changes that are not older than t.
func Since(all []event.Change, chat event.Chat, t time.Time) []int64 {
	return numbersOf(slices.DeleteFunc(inForce(all, chat), func(c event.Change) bool { return c.Time.Before(t) }))
}

// Between returns the numbers of the changes of a chat from one time until before another, the newest first.
func Between(all []event.Change, chat event.Chat, from, until time.Time) []int64 {
	return numbersOf(slices.DeleteFunc(inForce(all, chat), func(c event.Change) bool { return c.Time.Before(from) || !c.Time.Before(until) }))
}

// inForce returns what can be meant, the newest first.
func inForce(all []event.Change, chat event.Chat) []event.Change {
	return slices.DeleteFunc(slices.Clone(all), func(c event.Change) bool {
		return !c.InForce() || c.Undoes != 0 || chat != "" && c.Chat != chat
	})
}

func numbersOf(changes []event.Change) []int64 {
	return lists.Map(changes, func(c event.Change) int64 { return c.ID })
}
