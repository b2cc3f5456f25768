package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/web/door"
)

// The bounds of what a chat's view shows.
const (
	shownItems  = 60
	firstWindow = 500 // events of all chats that are read at first
	maxFiles    = 8   // with one input
	maxFound    = 50
)

var (
	errNoChat = errors.New("there is no such chat for you")
	errEmpty  = errors.New("there is nothing to do: the message is empty")
	errPart   = errors.New("there is no such part of the page")
)

// chatOf returns the chat that a request is about. It is not checked: see [checkChat]. A name that somebody types may have spaces, which
// names of chats have not.
func chatOf(r *http.Request, v visit) event.Chat {
	name := strings.Join(strings.Fields(r.URL.Query().Get("chat")), "-")
	if r.Method == http.MethodPost {
		name = r.PostForm.Get("chat")
	}
	if name == "" {
		return v.Person.Home()
	}
	return event.Chat(name)
}

// checkChat returns an error if a visitor may not read a chat and write in it.
func checkChat(v visit, chat event.Chat) error {
	if session.CheckName(chat) != nil || !v.Person.MayRead(chat, v.Level) {
		return errNoChat
	}
	return nil
}

// inChat serves a request about a chat that the visitor may read and write in. Any other chat is not found.
func (s *Server) inChat(serve func(http.ResponseWriter, *http.Request, visit, event.Chat) error) handler {
	return func(w http.ResponseWriter, r *http.Request, v visit) error {
		chat := chatOf(r, v)
		if err := checkChat(v, chat); err != nil {
			return err
		}
		return serve(w, r, v, chat)
	}
}

// checkWatching returns an error if a visitor may not read a chat, be it their own or that of a group that they are in.
func (s *Server) checkWatching(ctx context.Context, v visit, chat event.Chat) error {
	if session.CheckName(chat) != nil || !s.cfg.Door.MayWatch(ctx, v.Person, chat, v.Level) {
		return errNoChat
	}
	return nil
}

// nameOfChat returns what a visitor calls a chat: one of a person who is signed in has their name in place of their number, and the
// visitor's own name is left out.
func (s *Server) nameOfChat(v visit, chat event.Chat) string {
	people := []door.Person{v.Person}
	for _, one := range s.cfg.Door.Sessions() {
		people = append(people, one.Person)
	}
	for _, p := range people {
		rest, theirs := strings.CutPrefix(string(chat), string(p.Home()))
		switch {
		case !theirs || p.IsHost() || rest != "" && rest[0] != '/':
		case rest != "" && p.Is(v.Person):
			return rest[1:]
		default:
			return s.nameOf(p) + rest
		}
	}
	return string(chat)
}

// chatView is the view of a chat.
type chatView struct {
	Items   []item
	Earlier int64 // the Seq before which there is more; 0: there is none
	Chats   []chatLine
	NewID   string // of the next input
	Waits   string // why nothing happens
	Tools   toolsView
	Story   *storyView
	Asks    string // the only question that waits, to which a typed yes or no is the answer
}

// chatLine is a chat in the list.
type chatLine struct {
	Name event.Chat
	Open bool
	This bool
}

// showChat serves GET /.
func (s *Server) showChat(w http.ResponseWriter, r *http.Request, v visit) error {
	chat := chatOf(r, v)
	if err := s.checkWatching(r.Context(), v, chat); err != nil {
		return err
	}
	before, _ := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64)
	data, f, seq, err := s.readChat(r.Context(), v, chat, before)
	if err == nil && !isPart(r) {
		err = s.addPanels(r.Context(), v, chat, &data)
	}
	if err != nil {
		return refusal{http.StatusServiceUnavailable, err}
	}
	page := s.newView("chat", v, chat, data)
	page.Seq, page.Running = seq, f.open.Running() != nil
	return s.show(w, r, page)
}

// readChat reads the last items of a chat, or the last before an event.
func (s *Server) readChat(ctx context.Context, v visit, chat event.Chat, before int64) (data chatView, f *fold, seq int64, err error) {
	end, err := s.cfg.Journal.Last(ctx, chat)
	if err != nil {
		return data, nil, 0, err
	}
	seq = end
	if before > 0 {
		end = min(end, before-1)
	}
	for window := int64(firstWindow); ; window *= 8 {
		after := max(end-window, 0)
		if data.Items, f, err = s.foldChat(ctx, v, chat, after, end); err != nil {
			return data, nil, 0, err
		}
		if len(data.Items) >= shownItems || after == 0 {
			break
		}
	}
	if cut := len(data.Items) - shownItems; cut > 0 {
		for cut < len(data.Items)-1 && data.Items[cut].Kind != "said" { // a turn is shown whole, unless it is very long
			cut++
		}
		if cut == len(data.Items)-1 {
			cut = len(data.Items) - shownItems
		}
		data.Items = data.Items[cut:]
		data.Earlier = data.Items[0].Seq
	}
	if settled, err := s.settle(ctx, v, chat, data.Items); err != nil {
		s.cfg.Log.Warn("look at what has come of a chat", "err", err)
	} else {
		data.Items = settled
	}
	data.NewID = rand.Text()
	data.Asks = onlyQuestion(data.Items)
	for _, o := range f.open {
		data.Waits = o.text
	}
	data.Chats, err = s.chatsOf(ctx, v, chat)
	return data, f, seq, err
}

// onlyQuestion returns the id of the question among some items that waits for an answer. It is "" where none does, or several.
func onlyQuestion(items []item) (id string) {
	for _, it := range items {
		switch {
		case !it.Question.Open:
		case id != "":
			return ""
		default:
			id = it.Question.ID
		}
	}
	return id
}

// foldChat returns the items that the events of a chat come to.
func (s *Server) foldChat(ctx context.Context, v visit, chat event.Chat, after, end int64) ([]item, *fold, error) {
	f := newFold(chat, v, s.markdown)
	var all []item
	places := map[string]int{}
	for e, err := range s.cfg.Journal.Chat(ctx, chat, after) {
		if err != nil {
			return nil, nil, err
		}
		if e.Seq > end {
			break
		}
		it, ok := f.add(e)
		if !ok {
			continue
		}
		if at, known := places[it.ID]; known {
			all[at] = it
			continue
		}
		places[it.ID] = len(all)
		all = append(all, it)
	}
	return all, f, nil
}

// chatsOf returns the chats that a visitor may read, those used last first, and that with which they begin.
func (s *Server) chatsOf(ctx context.Context, v visit, this event.Chat) ([]chatLine, error) {
	all, err := s.cfg.Journal.Chats(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b store.ChatInfo) int { return b.Time.Compare(a.Time) })
	list := []chatLine{}
	for _, c := range all {
		if s.cfg.Door.MayWatch(ctx, v.Person, c.Chat, v.Level) {
			list = append(list, chatLine{Name: c.Chat, Open: len(c.Open) > 0, This: c.Chat == this})
		}
	}
	for _, name := range []event.Chat{v.Person.Home(), this} { // where nothing was said yet
		if !slices.ContainsFunc(list, func(c chatLine) bool { return c.Name == name }) {
			list = append([]chatLine{{Name: name, This: name == this}}, list...)
		}
	}
	return list, nil
}

// input is the form of POST /say.
type input struct {
	chat event.Chat
	session.Input
	files []event.File
	lines []string // that say what the files are
	asks  string   // the only question that stood there as it was written
	back  string   // the view that it came from, where that is not the chat
}

// say serves POST /say: an input, a command, or the choice of a story. Files come piece by piece.
func (s *Server) say(w http.ResponseWriter, r *http.Request, v visit) error {
	in, err := s.readInput(w, r, v)
	if err != nil {
		return err
	}
	if in.Pick == "" && len(in.files) == 0 && strings.HasPrefix(in.Text, "/") && !strings.HasPrefix(in.Text, "//") {
		name, args := commands.Split(in.Text)
		switch c, known := s.cfg.Commands().Find(name, commands.Page); {
		case in.Label.Untrusted: // a stranger has offered it: it is words
		case s.takesCommand(r.Context(), in.chat, name, args): // the story reads it
		case name == "stop":
			return s.stop(w, r, v, in.chat)
		case name == helpCommand && args == "":
			return s.help(w, r, v, in.chat)
		case name == helpCommand:
			return s.runCommand(w, r, v, in.chat, "tools", args)
		case known:
			return s.runCommand(w, r, v, in.chat, c.Name, args)
		default:
			in.Command = true
		}
	}
	if yes, ok := session.YesOrNo(in.Text); ok && in.asks != "" && in.Typed && len(in.files) == 0 {
		err := s.cfg.Sessions.Decide(r.Context(), session.Answer{Chat: in.chat, ID: in.asks, Allow: yes, By: in.From, Principal: in.Principal})
		if err != nil {
			return refusal{http.StatusConflict, err}
		}
		return doneInChat(w, r, in.chat)
	}
	seq, err := s.cfg.Sessions.Submit(r.Context(), in.Input)
	if err != nil {
		return refusal{http.StatusConflict, err}
	}
	if in.back != "" {
		return s.answerSaid(w, r, v, in, seq)
	}
	return doneInChat(w, r, in.chat)
}

// chorePatience is how long a view that is not the chat's waits for what comes of an input.
const chorePatience = 10 * time.Second

// answerSaid answers an input that another view than the chat's has sent, such as the house, with what hob says to it. Where that takes
// long it stands in the chat.
func (s *Server) answerSaid(w http.ResponseWriter, r *http.Request, v visit, in input, seq int64) error {
	ctx, cancel := context.WithTimeout(r.Context(), chorePatience)
	defer cancel()
	text := ""
	for e, err := range s.cfg.Sessions.Follow(ctx, in.chat, seq-1) {
		if err != nil {
			break
		}
		if b, replied := e.Body.(event.Replied); replied && e.Turn == seq {
			text = b.Text
		}
		if _, over := e.Body.(event.Ended); over && e.Turn == seq {
			break
		}
	}
	if !isPart(r) {
		return redirect(w, r, address(in.back, in.chat))
	}
	return s.show(w, r, s.newView("answer-view", v, in.chat, answerView{Line: in.Text, Text: display.Clean(text)}))
}

// isBack reports whether a form of a view may lead back to it.
func isBack(path string) bool { return path == "/tools" || path == "/house" }

// readInput reads the form of an input.
func (s *Server) readInput(w http.ResponseWriter, r *http.Request, v visit) (in input, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm+maxFiles*s.cfg.MaxFile)
	fields := url.Values{}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		if err := s.readForm(w, r, v); err != nil {
			return in, refusal{http.StatusForbidden, err}
		}
		fields = r.PostForm
	}
	trusted := fields.Has("csrf") || r.Header.Get("X-Hob-CSRF") != "" && door.IsFormToken(v.token, r.Header.Get("X-Hob-CSRF"))
	if len(fields) == 0 {
		if trusted, err = s.readParts(r, v, trusted, fields, &in); err != nil {
			return in, err
		}
	}
	if !trusted {
		return in, refusal{http.StatusForbidden, errForm}
	}
	in.chat = event.Chat(fields.Get("chat"))
	if in.chat == "" {
		in.chat = v.Person.Home()
	}
	if err := checkChat(v, in.chat); err != nil {
		return in, err
	}
	in.asks = fields.Get("asks")
	if back := fields.Get("back"); isBack(back) {
		in.back = back
	}
	if more := display.OneLine(fields.Get("more")); more != "" {
		fields.Set("text", fields.Get("text")+" "+more)
	}
	in.Input = s.newInput(v, in, fields)
	if in.Text == "" && len(in.files) == 0 {
		return in, refusal{http.StatusBadRequest, errEmpty}
	}
	return in, nil
}

// readParts reads a form that comes piece by piece, with files. It reports whether the form is of this sign-in: trusted says that a header
// has shown it before.
func (s *Server) readParts(r *http.Request, v visit, trusted bool, fields url.Values, in *input) (bool, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return false, refusal{http.StatusBadRequest, err}
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return trusted, nil
		}
		if err != nil {
			return false, refusal{http.StatusBadRequest, err}
		}
		if part.FormName() == "file" {
			if !trusted { // the fields stand before the files
				return false, refusal{http.StatusForbidden, errForm}
			}
			if err := s.receive(r.Context(), v, event.Chat(fields.Get("chat")), part, in); err != nil {
				return false, refusal{http.StatusConflict, err}
			}
			continue
		}
		raw, err := io.ReadAll(io.LimitReader(part, maxForm))
		if err != nil {
			return false, refusal{http.StatusBadRequest, err}
		}
		fields.Add(part.FormName(), string(raw))
		trusted = trusted || part.FormName() == "csrf" && door.IsFormToken(v.token, string(raw))
	}
}

// newInput returns the input of a form.
func (s *Server) newInput(v visit, in input, fields url.Values) session.Input {
	text := strings.TrimSpace(strings.ReplaceAll(fields.Get("text"), "\r\n", "\n"))
	id := fields.Get("id")
	if id == "" || len(id) > 64 {
		id = rand.Text()
	}
	out := session.Input{
		Chat: in.chat, ID: "page/" + v.ID + "/" + id, From: v.Person.From(), Text: text, Principal: v.principal(),
		Pick: fields.Get("pick"), Typed: fields.Get("pick") == "", Files: in.files,
	}
	if fields.Get("words") != "" {
		out.Label, out.Typed = event.BesideLabel(), false
	}
	if thing := fields.Get("aside"); thing != "" { // who ticks a thing off has not written it
		out.Aside = []string{thing}
	}
	if len(in.lines) > 0 { // the names of files are not theirs who say it
		out.Own, out.Aside = text, in.lines
		out.Text = strings.TrimSpace(text + "\n" + strings.Join(in.lines, "\n"))
	}
	return out
}

// receive keeps a file that comes with an input.
func (s *Server) receive(ctx context.Context, v visit, chat event.Chat, part *multipart.Part, in *input) error {
	if part.FileName() == "" { // an empty field for files
		return nil
	}
	if err := checkChat(v, chat); chat != "" && err != nil {
		return err
	}
	if s.cfg.Files == nil || len(in.files) == maxFiles {
		return fmt.Errorf("hob takes %s with a message", display.Count(maxFiles, "file"))
	}
	f, err := s.cfg.Files.Receive(ctx, part.FileName(), s.cfg.MaxFile, event.Label{Untrusted: true, Source: "file from " + s.nameOf(v.Person)}, part)
	if err != nil {
		return err
	}
	kind := "file"
	if strings.HasPrefix(f.Type, "image/") {
		kind = "picture"
	}
	in.files = append(in.files, f)
	in.lines = append(in.lines, fmt.Sprintf("[%s: %s, %s, %s]", kind, display.Quote(f.Path), display.Visible(f.Type), display.Bytes(f.Bytes)))
	return nil
}

// done answers a form that has done what it was for. Where no script asks, the browser goes on to a view.
func done(w http.ResponseWriter, r *http.Request, to string) error {
	if isPart(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return redirect(w, r, to)
}

// doneInChat answers a form of a chat's view.
func doneInChat(w http.ResponseWriter, r *http.Request, chat event.Chat) error {
	return done(w, r, address("/", chat)+"#composer")
}

// redirect answers a form with the view that the browser goes on to.
func redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// stop serves POST /stop.
func (s *Server) stop(w http.ResponseWriter, r *http.Request, _ visit, chat event.Chat) error {
	if _, err := s.cfg.Sessions.Stop(r.Context(), chat); err != nil {
		return refusal{http.StatusConflict, err}
	}
	return doneInChat(w, r, chat)
}

// reset serves POST /new: a new conversation begins in the chat.
func (s *Server) reset(w http.ResponseWriter, r *http.Request, v visit) error {
	chat := chatOf(r, v)
	err := checkChat(v, chat)
	if err == nil {
		err = s.cfg.Resetter.Reset(r.Context(), chat)
	}
	if err != nil {
		return refusal{http.StatusConflict, err}
	}
	return doneInChat(w, r, chat)
}

// decide serves POST /decide. What allows once and for all changes rights.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, v visit) error {
	chat, id, answer := chatOf(r, v), r.PostForm.Get("id"), r.PostForm.Get("answer")
	err := checkChat(v, chat)
	if err == nil && answer == "always" && !s.isFresh(v) {
		err = errFresh
	}
	if err != nil {
		return refusal{http.StatusForbidden, err}
	}
	a := session.Answer{Chat: chat, ID: id, Allow: answer == "yes" || answer == "always", By: v.Person.From(), Principal: v.principal()}
	if answer == "always" {
		a.Grants, err = s.grantsOf(r.Context(), v, chat, id)
	}
	if err == nil {
		err = s.cfg.Sessions.Decide(r.Context(), a)
	}
	if err != nil {
		return refusal{http.StatusConflict, err}
	}
	return doneInChat(w, r, chat)
}

// grantsOf returns what a question offers to allow once and for all.
func (s *Server) grantsOf(ctx context.Context, v visit, chat event.Chat, id string) ([]event.Grant, error) {
	a, err := s.cfg.Commands().Run(ctx, "approve", s.request(v, chat, ""))
	if err != nil {
		return nil, err
	}
	all, _ := a.Data.([]commands.Question)
	if q, found := commands.FindQuestion(all, id); found == 1 && q.Chat == chat {
		return q.Grants, nil
	}
	return nil, fmt.Errorf("nothing waits for an answer to %s", display.Visible(id))
}

// search serves GET /search.
func (s *Server) search(w http.ResponseWriter, r *http.Request, v visit, chat event.Chat) error {
	asked := strings.TrimSpace(r.URL.Query().Get("q"))
	found, err := s.cfg.Journal.Search(r.Context(), chat, asked, maxFound)
	if err != nil {
		return refusal{http.StatusServiceUnavailable, err}
	}
	type hit struct {
		Seq  int64
		Item item
		Text string
	}
	var hits []hit
	turns := map[int64]bool{}
	for _, e := range found { // the newest first: of what hob did in a turn the answer tells it best
		if _, said := e.Body.(event.Said); !said && e.Turn != 0 {
			if turns[e.Turn] {
				continue
			}
			turns[e.Turn] = true
		}
		text, _ := event.Readable(e.Body)
		hits = append(hits, hit{e.Seq + 1, item{Time: e.Time}, display.Truncate(display.Visible(display.Join(text)), 200)})
	}
	return s.show(w, r, s.newView("search", v, chat, map[string]any{"Asked": asked, "Hits": hits}))
}

// address is that of a view of a chat.
func address(view string, chat event.Chat) string {
	return view + "?" + url.Values{"chat": {string(chat)}}.Encode()
}
