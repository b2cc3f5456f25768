package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/session"
)

// The bounds of streams.
const (
	maxStreams       = 128 // of all browsers
	streamsOfSession = 3   // of one: the oldest ends where there are more
	maxChatsOfStream = 8
	maxBehind        = 256 << 10   // bytes that wait for a slow reader
	lastWords        = time.Second // for what a stream says at its end
	heartbeatEvery   = 15 * time.Second
	againAfter       = 100 * time.Millisecond // a stream looks for new sessions when its own were closed
	draftPace        = 30 * time.Millisecond  // between two looks at a reply that is being written
	replayWindow     = 1000                   // events of all chats that are read to know what goes on
	maxShownItems    = 60                     // items of a chat that are kept up to date
)

var errStreams = errors.New("too many pages are open: close some")

// streams are the open streams. It is safe for concurrent use.
type streams struct {
	mu   sync.Mutex
	all  int
	mine map[string][]*stream // by the session, the oldest first
}

func newStreams() *streams { return &streams{mine: map[string][]*stream{}} }

// add counts a stream in. The oldest of too many of a session ends.
func (l *streams) add(st *stream) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.mine[st.visit.ID]
	if len(own) >= streamsOfSession {
		own[0].end()
		own = slices.Clone(own[1:])
	} else if l.all >= maxStreams {
		return errStreams
	}
	l.mine[st.visit.ID] = append(own, st)
	l.all++
	return nil
}

// remove counts a stream out.
func (l *streams) remove(st *stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mine[st.visit.ID] = slices.DeleteFunc(l.mine[st.visit.ID], func(o *stream) bool { return o == st })
	if len(l.mine[st.visit.ID]) == 0 {
		delete(l.mine, st.visit.ID)
	}
	l.all--
}

// stream is one browser that watches chats. Its goroutine owns it, except for the queue.
type stream struct {
	server *Server
	visit  visit
	chats  []*watched
	end    context.CancelFunc
	queue  queue
}

// watched is a chat that a stream watches.
type watched struct {
	name  event.Chat
	fold  *fold
	after int64
	state state

	source  *source
	draft   seenDraft
	waitsNo int // of the reason for waiting that the browser has

	shown []shownItem // items that what is done elsewhere changes, the last ones
	mark  int64       // of the [Present] in which they stand so
}

// shownItem is an item as its events have made it, and what the browser was told of the present.
type shownItem struct {
	item
	now string
}

// keep keeps an item that what is done elsewhere changes.
func (c *watched) keep(it item, now string) {
	if !it.canChange() {
		return
	}
	c.shown = append(slices.DeleteFunc(c.shown, func(o shownItem) bool { return o.ID == it.ID }), shownItem{it, now})
	c.shown = c.shown[max(0, len(c.shown)-maxShownItems):]
}

// state is the data of a state message.
type state struct {
	Chat      event.Chat `json:"chat"`
	Running   bool       `json:"running"`
	Turn      int64      `json:"turn"`
	Text      string     `json:"text"`
	Questions int        `json:"questions"`
}

// queue is what waits to be written. It is safe for concurrent use.
type queue struct {
	mu     sync.Mutex
	pieces [][]byte
	bytes  int
	cut    bool
	ring   chan struct{} // holds a token when there is something
}

// put adds a piece, and reports whether there was room.
func (q *queue) put(piece []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bytes+len(piece) > maxBehind {
		q.cut = true
	} else {
		q.pieces, q.bytes = append(q.pieces, piece), q.bytes+len(piece)
	}
	wake(q.ring)
	return !q.cut
}

// take returns what waits, and whether something was left out behind it.
func (q *queue) take() (text []byte, cut bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.pieces
	q.pieces, q.bytes = nil, 0
	if len(all) == 1 {
		return all[0], q.cut
	}
	return bytes.Join(all, nil), q.cut
}

// events serves GET /events.
func (s *Server) events(w http.ResponseWriter, r *http.Request, v visit) error {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	st := &stream{server: s, visit: v, end: cancel, queue: queue{ring: make(chan struct{}, 1)}}
	if err := st.readChats(r); err != nil {
		return refusal{http.StatusNotFound, err}
	}
	select {
	case <-s.closing:
		return refusal{http.StatusServiceUnavailable, session.ErrClosed}
	default:
	}
	if err := s.streams.add(st); err != nil {
		w.Header().Set("Retry-After", "10")
		return refusal{http.StatusTooManyRequests, err}
	}
	defer s.streams.remove(st)
	for _, c := range st.chats {
		if err := st.catchUp(ctx, c); err != nil {
			return refusal{http.StatusServiceUnavailable, err}
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	if r.ProtoMajor == 1 {
		h.Set("Connection", "close") // when the stream ends, so does the connection: browsers have few
	}
	h.Set("X-Accel-Buffering", "no") // a proxy is to pass each event on at once
	w.WriteHeader(http.StatusOK)
	var writing sync.WaitGroup
	writing.Go(func() {
		defer cancel()
		st.write(ctx, w)
	})
	st.run(ctx)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(lastWords)) // of a browser that reads nothing
	cancel()
	writing.Wait()
	return nil
}

// readChats reads which chats a stream watches, and after which events.
func (st *stream) readChats(r *http.Request) error {
	q := r.URL.Query()
	names, after := q["chat"], q["after"]
	if again := r.Header.Get("Last-Event-ID"); again != "" {
		after = strings.Split(again, ",")
	}
	if len(names) == 0 {
		names = []string{string(st.visit.Person.Home())}
	}
	if len(names) > maxChatsOfStream {
		return errNoChat
	}
	for i, name := range names {
		if err := st.server.checkWatching(r.Context(), st.visit, event.Chat(name)); err != nil {
			return err
		}
		c := &watched{name: event.Chat(name), fold: newFold(event.Chat(name), st.visit, st.server.markdown), after: -1}
		if i < len(after) {
			if seq, err := strconv.ParseInt(after[i], 10, 64); err == nil {
				c.after = seq
			}
		}
		st.chats = append(st.chats, c)
	}
	return nil
}

// catchUp finds out what went on when the browser stopped to look.
func (st *stream) catchUp(ctx context.Context, c *watched) error {
	s := st.server
	last, err := s.cfg.Journal.Last(ctx, c.name)
	if err != nil {
		return err
	}
	if c.after < 0 || c.after > last {
		c.after = last
	}
	from := c.after - replayWindow
	open, err := s.cfg.Journal.OpenTurns(ctx, c.name)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		from = min(from, open[0]-1)
	}
	for e, err := range s.cfg.Journal.Chat(ctx, c.name, max(from, 0)) {
		if err != nil {
			return err
		}
		if e.Seq > c.after {
			break
		}
		if it, shown := c.fold.add(e); shown {
			c.keep(it, it.now())
		}
	}
	return nil
}

// run follows the chats until ctx ends, the visitor may not read them any more, or the browser is too slow.
func (st *stream) run(ctx context.Context) {
	ring := make(chan struct{}, 1)
	for _, c := range st.chats {
		c.source = st.server.sources.join(ctx, c.name, c.after, ring)
		defer st.server.sources.leave(c.source, ring)
		st.putState(c, true)
	}
	st.queue.put([]byte(": hob\n\n"))
	beat, pace := time.NewTicker(heartbeatEvery), time.NewTicker(draftPace)
	defer beat.Stop()
	defer pace.Stop()
	paced := true
	for {
		if busy := st.isBusy(); busy != paced { // an open page on which nothing happens wakes nobody
			if paced = busy; busy {
				pace.Reset(draftPace)
			} else {
				pace.Stop()
			}
		}
		changed := st.server.cfg.Door.Changed()
		var ok bool
		select {
		case <-ctx.Done():
			return
		case <-st.server.closing:
			return
		case <-changed:
			ok = st.mayGoOn(ctx)
		case <-ring:
			ok = !slices.ContainsFunc(st.chats, func(c *watched) bool { return !st.putNews(ctx, c) || !st.putPresent(ctx, c) })
		case <-pace.C:
			ok = !st.hasDraft() || st.mayGoOn(ctx) && st.putDrafts()
		case <-beat.C:
			ok = st.mayGoOn(ctx) && st.queue.put([]byte(": hob\n\n")) && !slices.ContainsFunc(st.chats, func(c *watched) bool { return !st.putPresent(ctx, c) })
		}
		if !ok {
			return
		}
	}
}

// mayGoOn looks whether the visitor may still read all that the stream shows.
func (st *stream) mayGoOn(ctx context.Context) bool {
	known, level, err := st.server.cfg.Door.Session(ctx, st.visit.token)
	if err == nil {
		st.visit.Session, st.visit.Level = known, level
		for _, c := range st.chats {
			if st.server.checkWatching(ctx, st.visit, c.name) != nil {
				err = errNoChat
			}
		}
	}
	if err != nil {
		st.put("gone", map[string]any{})
		return false
	}
	return true
}

// putNews queues what is new in a chat. It reports whether the visitor may read it and there was room.
func (st *stream) putNews(ctx context.Context, c *watched) bool {
	some, floor, whole := c.source.since(c.after)
	if !whole {
		for e, err := range st.server.cfg.Journal.Chat(ctx, c.name, c.after) {
			if err != nil {
				return false // the browser comes again
			}
			if e.Seq > floor {
				break
			}
			if !st.mayGoOn(ctx) || !st.putEvent(ctx, c, e) {
				return false
			}
		}
	}
	for _, e := range some {
		if e.Seq > c.after && (!st.mayGoOn(ctx) || !st.putEvent(ctx, c, e)) {
			return false
		}
	}
	if text, no := c.source.waiting(); no != c.waitsNo {
		if c.waitsNo = no; text == "" {
			return true
		}
		if !st.mayGoOn(ctx) {
			return false
		}
		c.state.Text = text
		return st.put("state", c.state)
	}
	return true
}

// putEvent folds an event in and queues what it changes. It reports whether there was room.
func (st *stream) putEvent(ctx context.Context, c *watched, e event.Event) bool {
	c.after = e.Seq
	it, shown := c.fold.add(e)
	ok := true
	if shown {
		settled := it
		if all, known := st.settle(ctx, c, []item{it}); known {
			settled = all[0]
		}
		c.keep(it, settled.now())
		ok = st.putItem(c, e, settled, false)
	}
	switch e.Body.(type) {
	case event.Generated, event.Replied, event.Ended:
		had := c.draft.no != 0
		if c.draft = (seenDraft{}); had { // what is being written by now is sent anew
			ok = ok && st.put("draft", map[string]any{"chat": c.name, "turn": e.Turn, "restart": true, "settled": "", "tail": ""})
		}
	}
	if _, over := e.Body.(event.Ended); over {
		ok = ok && st.putStory(ctx, c)
	}
	return ok && st.putState(c, false)
}

// putItem queues an item. It reports whether there was room.
func (st *stream) putItem(c *watched, e event.Event, it item, again bool) bool {
	data, err := st.server.itemMessage(st.visit, c.name, e, it, again)
	if err != nil {
		st.server.cfg.Log.Error("render an item", "err", err)
		return true
	}
	mark := ""
	if !again {
		mark = st.mark()
	}
	return st.putRaw("item", mark, data)
}

// settle returns items as they stand by now; known is false where that cannot be known.
func (st *stream) settle(ctx context.Context, c *watched, all []item) (settled []item, known bool) {
	settled, err := st.server.settle(ctx, st.visit, c.name, all)
	if err != nil {
		st.server.cfg.Log.Warn("look at what has come of a chat", "err", err)
	}
	return settled, err == nil
}

// putPresent queues the items that stand otherwise than the browser was told, if anything was changed since. It reports whether there was
// room.
func (st *stream) putPresent(ctx context.Context, c *watched) bool {
	if len(c.shown) == 0 || st.server.cfg.Present == nil {
		return true
	}
	mark, err := st.server.cfg.Present.Mark(ctx)
	if err != nil || mark != 0 && mark == c.mark {
		return true // it is looked at again with the next news
	}
	settled, known := st.settle(ctx, c, lists.Map(c.shown, func(o shownItem) item { return o.item }))
	if !known {
		return true
	}
	c.mark = mark
	for i, it := range settled {
		now := it.now()
		if now == c.shown[i].now {
			continue
		}
		c.shown[i].now = now
		if !st.mayGoOn(ctx) || !st.putItem(c, event.Event{Turn: it.Turn}, it, true) {
			return false
		}
	}
	return true
}

// isBusy reports whether a turn runs, or will next, in one of the chats.
func (st *stream) isBusy() bool {
	return slices.ContainsFunc(st.chats, func(c *watched) bool { return c.fold.open.Running() != nil })
}

func (st *stream) hasDraft() bool {
	return slices.ContainsFunc(st.chats, func(c *watched) bool { return c.source.hasNew(c.draft) })
}

// putDrafts queues what has come of replies that are being written.
func (st *stream) putDrafts() bool {
	ok := true
	for _, c := range st.chats {
		data := c.source.takeDraft(&c.draft)
		if data == nil {
			continue
		}
		for _, part := range []string{"settled", "tail"} {
			data[part] = st.server.markdown.render(data[part].(string))
		}
		ok = ok && st.put("draft", data)
		if c.state.Text != "" {
			ok = ok && st.putState(c, false)
		}
	}
	return ok
}

// putState queues how a chat stands, if that has changed.
func (st *stream) putState(c *watched, always bool) bool {
	now := state{Chat: c.name, Questions: c.fold.waiting()}
	if o := c.fold.open.Running(); o != nil {
		now.Running, now.Turn = true, o.Seq
	} else if len(c.fold.open) > 0 {
		now.Text = c.fold.open[0].text
	}
	if now == c.state && !always {
		return true
	}
	c.state = now
	return st.put("state", now)
}

// putStory queues that the story of a chat may have gone on, or that the chat plays none: a story that was left goes from the page. What the browser has of it is not known: a view and its
// stream do not begin together, and a new story or one with something undone can be at the same turn.
func (st *stream) putStory(ctx context.Context, c *watched) bool {
	story, err := st.server.storyOf(ctx, c.name)
	if err != nil || st.server.cfg.Stories == nil {
		return true
	}
	if story == nil {
		return st.put("story", map[string]any{"chat": c.name, "open": false})
	}
	return st.put("story", map[string]any{"chat": c.name, "open": true, "turn": story.Turn})
}

// mark is the id of an event: how far the browser has come in each chat.
func (st *stream) mark() string {
	var all []byte
	for i, c := range st.chats {
		if i > 0 {
			all = append(all, ',')
		}
		all = strconv.AppendInt(all, c.after, 10)
	}
	return string(all)
}

// put queues a message. A browser that is too slow begins anew.
func (st *stream) put(name string, data any) bool {
	raw, err := json.Marshal(data)
	if err != nil {
		st.server.cfg.Log.Error("write a stream of the page", "err", err)
		return false
	}
	return st.putRaw(name, "", raw)
}

// putRaw queues a message whose data is written already.
func (st *stream) putRaw(name, id string, raw []byte) bool {
	piece := make([]byte, 0, len(raw)+len(id)+len(name)+32) // a hundred watchers make a hundred of them
	if id != "" {
		piece = append(append(append(piece, "id: "...), id...), '\n')
	}
	piece = append(append(append(piece, "event: "...), name...), "\ndata: "...)
	piece = append(append(piece, raw...), "\n\n"...)
	return st.queue.put(piece)
}

// write writes what is queued, until ctx ends or the browser has left. What waits for a browser that is too slow is dropped:
// it loads its views anew.
func (st *stream) write(ctx context.Context, w http.ResponseWriter) {
	conn := http.NewResponseController(w)
	send := func(text []byte) bool {
		if ctx.Err() == nil {
			_ = conn.SetWriteDeadline(time.Now().Add(sendTimeout)) // one who reads nothing for so long has left
		}
		_, err := w.Write(text)
		return err == nil && conn.Flush() == nil
	}
	for {
		select {
		case <-st.queue.ring:
		case <-ctx.Done():
			text, _ := st.queue.take()
			_ = send(text) // the last words, such as gone
			return
		}
		text, cut := st.queue.take()
		if len(text) > 0 && !send(text) {
			return
		}
		if cut {
			_ = send([]byte("event: reset\ndata: {}\n\n"))
			return
		}
	}
}
