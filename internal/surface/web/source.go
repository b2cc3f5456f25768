package web

import (
	"context"
	"strings"
	"sync"

	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/retry"
)

// maxRecent is how many events a [source] keeps for streams that look a little later. Older ones they read from the journal.
const maxRecent = 256

// sources follow each chat once, for all streams that watch it. It is safe for concurrent use.
type sources struct {
	sessions Sessions

	mu  sync.Mutex
	all map[event.Chat]*source
}

// source is what is new in a chat. The pieces of a reply wake nobody: streams look at the draft by themselves. It is safe for concurrent
// use.
type source struct {
	chat event.Chat
	end  context.CancelFunc
	over chan struct{} // closed when nothing follows the chat any more

	mu      sync.Mutex
	rings   map[chan<- struct{}]bool // of the streams; each holds a token when there is something
	recent  []event.Event            // all after floor
	floor   int64
	waits   string // why nothing happens; "": something does
	waitsNo int    // rises with each change of waits

	draftNo int64 // of the reply that is being written; rises with each
	turn    int64 // 0: none is being written
	text    strings.Builder
	looked  int // bytes of whole lines of text for which settled was found out
	settled int // bytes of text that are in their last form
}

// join has a chat followed after an event, and ring told of what is new in it, until leave.
func (l *sources) join(ctx context.Context, chat event.Chat, after int64, ring chan<- struct{}) *source {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.all[chat]
	if s == nil {
		ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // it outlives the stream that came first
		s = &source{chat: chat, end: cancel, over: make(chan struct{}), rings: map[chan<- struct{}]bool{}, floor: after}
		if l.all == nil {
			l.all = map[event.Chat]*source{}
		}
		l.all[chat] = s
		go s.follow(ctx, l.sessions, after)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rings[ring] = true
	wake(ring) // there may be something already
	return s
}

// wake puts a token into ring, unless it is full.
func wake(ring chan<- struct{}) {
	select {
	case ring <- struct{}{}:
	default:
	}
}

// wakeAll has all streams look: something was done of which no chat tells.
func (l *sources) wakeAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.all {
		s.mu.Lock()
		for ring := range s.rings {
			wake(ring)
		}
		s.mu.Unlock()
	}
}

// leave has ring told of nothing more. With the last of its streams a source ends.
func (l *sources) leave(s *source, ring chan<- struct{}) {
	l.mu.Lock()
	s.mu.Lock()
	delete(s.rings, ring)
	last := len(s.rings) == 0
	s.mu.Unlock()
	if last && l.all[s.chat] == s {
		delete(l.all, s.chat)
	}
	l.mu.Unlock()
	if last {
		s.end()
		<-s.over
	}
}

// follow follows the chat until ctx ends. When the sessions are exchanged for others it goes on with those.
func (s *source) follow(ctx context.Context, sessions Sessions, after int64) {
	defer close(s.over)
	for ctx.Err() == nil {
		for e, err := range sessions.Follow(ctx, s.chat, after) {
			if err != nil {
				break
			}
			after = max(after, e.Seq)
			s.add(e)
		}
		_ = retry.Wait(ctx, againAfter) // the loop sees that ctx has ended
	}
}

// add takes an event in.
func (s *source) add(e event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch b := e.Body.(type) {
	case event.Delta:
		if b.Restart || s.turn != e.Turn {
			s.beginDraft(e.Turn)
		}
		s.text.WriteString(b.Text)
		s.waits = ""
		return
	case event.Generated, event.Replied, event.Ended:
		s.beginDraft(0)
		s.waits = ""
	case event.Waiting:
		s.waits, s.waitsNo = b.Text, s.waitsNo+1
	}
	if e.Seq > 0 {
		s.recent = append(s.recent, e)
		if len(s.recent) > maxRecent {
			s.floor = s.recent[0].Seq
			s.recent = s.recent[1:]
		}
	}
	for ring := range s.rings {
		wake(ring)
	}
}

// beginDraft begins another reply, or none. s.mu is held.
func (s *source) beginDraft(turn int64) {
	s.turn, s.draftNo, s.looked, s.settled = turn, s.draftNo+1, 0, 0
	s.text.Reset()
}

// since returns the events after one; whole is false where some of them are in the journal alone, which are those up to floor.
func (s *source) since(seq int64) (some []event.Event, floor int64, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(some) < len(s.recent) && s.recent[len(s.recent)-1-len(some)].Seq > seq {
		some = s.recent[len(s.recent)-1-len(some):]
	}
	return some, s.floor, seq >= s.floor
}

// waiting returns why nothing happens, and the number of that.
func (s *source) waiting() (text string, no int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waits, s.waitsNo
}

// seenDraft is what a browser has of a draft. The zero seenDraft is nothing.
type seenDraft struct {
	no      int64
	length  int
	settled int // bytes that it has in their last form
}

// hasNew reports whether the draft has something that a browser has not.
func (s *source) hasNew(seen seenDraft) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn != 0 && (seen.no != s.draftNo || seen.length != s.text.Len())
}

// takeDraft returns what is new in the draft, as the data of a draft message, and notes that it is seen; nil where nothing is.
func (s *source) takeDraft(seen *seenDraft) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	restart := seen.no != s.draftNo
	if s.turn == 0 || !restart && seen.length == s.text.Len() {
		return nil
	}
	text := s.text.String()
	if lines := strings.LastIndexByte(text, '\n') + 1; lines > s.looked {
		s.looked, s.settled = lines, s.settled+markdown.Settled(text[s.settled:])
	}
	if restart {
		seen.settled = 0
	}
	out := map[string]any{
		"chat": s.chat, "turn": s.turn, "restart": restart, "settled": text[min(seen.settled, s.settled):s.settled], "tail": text[s.settled:],
	}
	*seen = seenDraft{s.draftNo, len(text), s.settled}
	return out
}
