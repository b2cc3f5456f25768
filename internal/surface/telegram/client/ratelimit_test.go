package client

import (
	"slices"
	"testing"
	"time"
)

func TestAFloodOfManyChatsStopsAll(t *testing.T) {
	now := time.Unix(1000, 0)
	p := NewRateLimits(func() time.Time { return now })
	p.Note(1, time.Minute)
	p.Note(2, 10*time.Second)
	if got := []time.Duration{p.Left(1), p.Left(2), p.Left(3)}; !slices.Equal(got, []time.Duration{time.Minute, 10 * time.Second, 0}) {
		t.Errorf("two chats: %v", got)
	}
	now = now.Add(20 * time.Second)
	p.Note(3, 30*time.Second)
	if got := p.Left(4); got != 0 {
		t.Errorf("two chats at a time: %v", got)
	}
	p.Note(4, 30*time.Second)
	if got := []time.Duration{p.Left(1), p.Left(5)}; !slices.Equal(got, []time.Duration{40 * time.Second, 30 * time.Second}) {
		t.Errorf("three chats: %v", got)
	}
	now = now.Add(time.Hour)
	p.Note(1, time.Second)
	if got := []int{len(p.until), int(p.Left(5))}; !slices.Equal(got, []int{1, 0}) {
		t.Errorf("an hour later: %v", got)
	}
}
