package web_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hob/internal/agent"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/web"
	"hob/internal/surface/web/certs"
	"hob/internal/surface/web/door"
	"hob/internal/tools"
)

// world is a page over real sessions and a real journal, with a model that a test writes.
type world struct {
	t        testing.TB
	origin   string
	addr     string
	db       *store.DB
	door     *door.Door
	sessions *session.Sessions
	server   *web.Server
	files    files
	switches map[string]bool
	offIn    map[string]bool // a chat and a tool
	known    []commands.Fact
	tls      *certs.Authority // nil: a handler's test is none of TLS
}

// files are the texts of files, by path.
type files map[string]string

func (f files) Receive(_ context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		err = io.ErrShortBuffer
	}
	f["in/"+name] = string(text)
	return event.File{Name: name, Type: http.DetectContentType(text), Path: "in/" + name, Bytes: int64(len(text))}, err
}

func (f files) Open(_ context.Context, file event.File) (io.ReadCloser, error) {
	text, ok := f[file.Path]
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

// options change a world.
type options struct {
	site  func(port string) web.SiteConfig
	model llm.Model
	tools []tools.Tool
	now   func() time.Time
	zone  func() *time.Location // nil: UTC
	tls   *certs.Authority
	// members are who is in groups.
	members door.Members
	// sessions are what the page has in place of the real ones.
	sessions func(*session.Sessions) web.Sessions
	stories  web.Stories
	log      *slog.Logger // nil: nobody reads it
	// translate is [web.Config.Translate].
	translate func(lang, of, text string) string
	present   web.Present
}

func newWorld(t testing.TB, opt options) *world {
	t.Helper()
	if opt.now == nil {
		opt.now = time.Now
	}
	if opt.zone == nil {
		opt.zone = func() *time.Location { return time.UTC }
	}
	if opt.model == nil {
		opt.model = llm.NewScript()
	}
	if opt.site == nil {
		opt.site = func(port string) web.SiteConfig { return web.SiteConfig{Listen: "localhost:" + port} }
	}
	w := &world{t: t, tls: opt.tls, files: files{}, switches: map[string]bool{"look": true, "write": true}, offIn: map[string]bool{}}
	db, err := store.Open(t.Context(), t.TempDir()+"/journal.db", opt.now)
	if err != nil {
		t.Fatal(err)
	}
	w.db = db
	budget := agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000}
	w.sessions = session.New(context.WithoutCancel(t.Context()), session.Config{
		Journal: db, Model: opt.model, Toolset: session.PlainToolset(append(w.tools(), opt.tools...)...), Now: opt.now, Log: slog.New(slog.DiscardHandler),
		Policy: func(context.Context) (policy.Policy, error) { return policy.Policy{}, nil }, Random: rand.Reader, Budget: budget,
		Settings: func(context.Context) session.Settings {
			return session.Settings{
				Budget:  budget,
				Options: llm.Options{NumPredict: 500}, Window: window.Window{Size: 8192, Reserve: 500},
			}
		},
	})
	if w.door, err = door.Open(t.Context(), door.Config{Settings: db.Settings(), People: db.People(), Members: opt.members, Now: opt.now}); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.addr = l.Addr().String()
	_, port, _ := net.SplitHostPort(w.addr)
	site, err := web.NewSite(opt.site(port))
	if err != nil {
		t.Fatal(err)
	}
	w.origin = site.Origin
	shown := web.Sessions(w.sessions)
	if opt.sessions != nil {
		shown = opt.sessions(w.sessions)
	}
	cfg := web.Config{
		Site: site, Door: w.door, Sessions: shown, Resetter: w.sessions, Journal: db, Files: w.files, Stories: opt.stories, Commands: w.commands,
		Now: opt.now, Zone: opt.zone, Log: opt.log, Translate: opt.translate, Present: opt.present, MaxFile: 1 << 20,
		Tools: func(context.Context, event.Chat, event.Principal) ([]web.Tool, error) {
			return []web.Tool{{Name: "look", May: "look at things"}}, nil
		},
		Reminders: func(_ context.Context, by commands.Request) ([]web.Reminder, error) {
			return []web.Reminder{{ID: 7, Line: "⏰ #7 for <b>" + by.From}}, nil
		},
		Calls: func(ctx context.Context, n int) ([]event.Audit, error) {
			return db.Audits(ctx, store.AuditFilter{Limit: n})
		},
		Backup: func(_ context.Context, to io.Writer) error { _, err := io.WriteString(to, "all"); return err },
	}
	if opt.tls != nil {
		cfg.TLS = opt.tls.Config()
	}
	if w.server, err = web.New(cfg); err != nil {
		t.Fatal(err)
	}
	w.server.Serve(l)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_ = w.server.Close(ctx)
		w.sessions.Close()
		db.Close()
	})
	return w
}

func (w *world) tools() []tools.Tool {
	type path struct {
		Path string `json:"path"`
	}
	tool := func(name string, what tools.Capabilities) tools.Tool {
		return tools.New(tools.Def{Name: name, Description: name, Capabilities: what}, func(_ context.Context, in path) (tools.Result, error) {
			return tools.Result{Text: name + " " + in.Path}, nil
		})
	}
	return []tools.Tool{tool("look", tools.Reads), tool("write", tools.Writes), tool("run", tools.Executes)}
}

// commands are the table, over what the world has.
func (w *world) commands() commands.Table {
	return commands.New(commands.Deps{Tools: w, Questions: w, Skills: w, Status: w, Log: w, Processes: w, ParkedTurns: w, Contacts: w, Memory: w, Changes: w, Now: time.Now})
}

func (w *world) CommandTools(context.Context, event.Chat, event.Principal) (*tools.Commands, error) {
	index, _ := tools.NewCommands(w.tools())
	return index, nil
}

func (w *world) Switches(_ context.Context, chat event.Chat) (all []commands.Switch, _ error) {
	for _, name := range []string{"look", "write"} {
		all = append(all, commands.Switch{Tool: name, On: w.switches[name], OffHere: w.offIn[string(chat)+" "+name]})
	}
	return all, nil
}

func (w *world) SetSwitchIn(_ context.Context, chat event.Chat, name string, _ event.Level, on bool) error {
	w.offIn[string(chat)+" "+name] = !on
	return nil
}

func (w *world) SetSwitch(_ context.Context, name string, on bool) error {
	w.switches[name] = on
	return nil
}

// Changes is one change, of a file with a name that is HTML.
func (w *world) Changes(context.Context, tools.Caller, event.Chat, int) ([]commands.ListedChange, error) {
	return []commands.ListedChange{{Number: 41, Did: "created", What: "<b>a.md", Undo: true}}, nil
}

func (w *world) Undo(context.Context, commands.UndoRequest) (commands.UndoReport, error) {
	return commands.UndoReport{}, nil
}

func (w *world) Questions(ctx context.Context) (all []commands.Question, _ error) {
	for e, err := range w.db.Since(ctx, "", 0) {
		if err != nil {
			return nil, err
		}
		if b, ok := e.Body.(event.Asked); ok {
			all = append(all, commands.Question{Chat: e.Chat, Turn: e.Turn, Asked: b})
		}
	}
	return all, nil
}

func (w *world) Decide(ctx context.Context, by commands.Request, q commands.Question, allow bool) error {
	return w.sessions.Decide(ctx, session.Answer{Chat: q.Chat, ID: q.ID, Allow: allow, By: by.From, Principal: by.Principal})
}

func (*world) SkillList(context.Context, event.Chat, event.Principal) (commands.SkillList, error) {
	return commands.SkillList{Skills: []commands.Skill{{
		Name: "music", Description: "plays <b>music</b>", Source: "mcp:<i>", Tools: []commands.SkillTool{{Name: "look"}, {Name: "music_play"}},
		Server: &commands.Server{State: commands.ServerFailing, Error: "it said <b>no</b>"},
	}}}, nil
}

func (w *world) Facts(context.Context, commands.Request) ([]commands.Fact, error) {
	return w.known, nil
}

func (w *world) Fact(_ context.Context, _ commands.Request, id int64) (commands.Fact, error) {
	i := slices.IndexFunc(w.known, func(f commands.Fact) bool { return f.ID == id })
	return w.known[i], nil
}

func (w *world) Forget(_ context.Context, _ commands.Request, words string) (f commands.Fact, _ error) {
	i := slices.IndexFunc(w.known, func(f commands.Fact) bool { return strconv.FormatInt(f.ID, 10) == words })
	f = w.known[i]
	w.known = slices.Delete(w.known, i, i+1)
	return f, nil
}

func (w *world) Accept(_ context.Context, _ commands.Request, id int64) (commands.Fact, error) {
	i := slices.IndexFunc(w.known, func(f commands.Fact) bool { return f.ID == id })
	w.known[i].Waiting = false
	return w.known[i], nil
}

func (*world) OpenSkill(context.Context, commands.Request, string) error  { return nil }
func (*world) CloseSkill(context.Context, commands.Request, string) error { return nil }
func (*world) Status(context.Context, event.Chat) (commands.StatusReport, error) {
	return commands.StatusReport{Queue: &commands.QueueStatus{}}, nil
}
func (*world) Log(context.Context, event.Chat, int) ([]commands.LogLine, error) { return nil, nil }
func (*world) List(event.Chat) []string                                         { return nil }
func (*world) Output(event.Chat, int) (string, error)                           { return "", nil }
func (*world) Keep(event.Chat, int) error                                       { return nil }
func (*world) Stop(event.Chat, int) error                                       { return nil }
func (*world) Parked(context.Context, event.Chat) ([]event.ParkedTurn, error)   { return nil, nil }
func (*world) Retry(context.Context, event.Chat, int64) error                   { return nil }
func (*world) Contacts(context.Context, time.Time) ([]commands.Contact, error)  { return nil, nil }
func (*world) Coverage() string                                                 { return "all" }

// browser is somebody's.
type browser struct {
	w      *world
	client *http.Client
	csrf   string
}

// newBrowser returns a browser that is not signed in.
func (w *world) newBrowser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, w.addr)
	}
	way := &http.Transport{DialContext: dial, DisableCompression: true, ForceAttemptHTTP2: true}
	if w.tls != nil {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(w.tls.PEM())
		way.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	w.t.Cleanup(way.CloseIdleConnections)
	return &browser{w: w, client: &http.Client{
		Jar: jar, Transport: way, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// signedIn returns a browser in which a person is signed in.
func (w *world) signedIn(p door.Person) *browser {
	w.t.Helper()
	b := w.newBrowser()
	in := w.door.Invite(p)
	if a := b.post("/sign-in", url.Values{"code": {in.Long}}); a.status != http.StatusSeeOther {
		w.t.Fatalf("sign in: %d %s", a.status, a.body)
	}
	a := b.get("/")
	b.csrf = match(a.body, `name="csrf" content="([^"]+)"`)
	if b.csrf == "" {
		w.t.Fatalf("no token in %d %s", a.status, a.body)
	}
	return b
}

func match(text, pattern string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// answer is what a browser got.
type answer struct {
	status int
	header http.Header
	body   string
}

func (b *browser) do(r *http.Request) answer {
	b.w.t.Helper()
	resp, err := b.client.Do(r)
	if err != nil {
		b.w.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(body)}
}

func (b *browser) request(method, path string, body io.Reader, header ...string) *http.Request {
	b.w.t.Helper()
	origin := b.w.origin
	if b.w.tls == nil {
		origin = strings.Replace(origin, "https://", "http://", 1) // a proxy stands in front
	}
	r, err := http.NewRequestWithContext(b.w.t.Context(), method, origin+path, body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Origin", b.w.origin)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
		if header[i+1] == "" {
			r.Header.Del(header[i])
		}
	}
	return r
}

func (b *browser) get(path string, header ...string) answer {
	b.w.t.Helper()
	return b.do(b.request(http.MethodGet, path, nil, header...))
}

func (b *browser) post(path string, form url.Values, header ...string) answer {
	b.w.t.Helper()
	if b.csrf != "" && !form.Has("csrf") {
		form = maps.Clone(form)
		form.Set("csrf", b.csrf)
	}
	return b.do(b.request(http.MethodPost, path, strings.NewReader(form.Encode()), header...))
}

// message is one of a stream.
type message struct {
	id, event string
	data      map[string]any
}

// stream is an open stream.
type stream struct {
	t    testing.TB
	resp *http.Response
	read *bufio.Reader
}

func (b *browser) stream(path string, header ...string) *stream {
	b.w.t.Helper()
	resp, err := b.client.Do(b.request(http.MethodGet, path, nil, header...))
	if err != nil {
		b.w.t.Fatal(err)
	}
	b.w.t.Cleanup(func() { resp.Body.Close() })
	return &stream{b.w.t, resp, bufio.NewReader(resp.Body)}
}

// next returns the next message, or ok false at the end.
func (s *stream) next() (m message, ok bool) {
	s.t.Helper()
	for {
		line, err := s.read.ReadString('\n')
		if err != nil {
			return m, false
		}
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); name {
		case "id":
			m.id = value
		case "event":
			m.event = value
		case "data":
			if err := json.Unmarshal([]byte(value), &m.data); err != nil {
				s.t.Fatal(err)
			}
		case "":
			if m.event != "" {
				return m, true
			}
			m = message{}
		}
	}
}

// until returns the messages up to the first for which is returns true.
func (s *stream) until(is func(message) bool) (all []message) {
	s.t.Helper()
	for {
		m, ok := s.next()
		if !ok {
			s.t.Fatalf("the stream ended after %v", all)
		}
		if all = append(all, m); is(m) {
			return all
		}
	}
}

// say submits a message and waits until its turn has ended.
func (b *browser) say(chat, text string) {
	b.w.t.Helper()
	s := b.stream("/events?chat=" + url.QueryEscape(chat))
	defer s.resp.Body.Close()
	s.until(func(m message) bool { return m.event == "state" })
	if a := b.post("/say", url.Values{"chat": {chat}, "text": {text}}, "X-Hob-Part", "none"); a.status != http.StatusNoContent {
		b.w.t.Fatalf("say: %d %s", a.status, a.body)
	}
	running := false
	s.until(func(m message) bool {
		if m.event == "state" {
			was := running
			running = m.data["running"] == true
			return was && !running
		}
		return false
	})
}

// callOf is a reply of a model that calls a tool.
func callOf(name, args string) llm.Step { return llm.Do(llm.CallOf(1, name, json.RawMessage(args))) }

// inputOf is an input of the owner's from another surface.
func inputOf(chat event.Chat, text string) session.Input {
	return session.Input{
		Chat: chat, ID: rand.Text(), From: "owner", Text: text, Principal: event.Principal{Platform: "cli", Scope: "private", Level: event.Owner},
	}
}

// play has somebody say something on a platform, and waits for the end of the turn.
func (w *world) play(chat event.Chat, platform, text string) {
	w.t.Helper()
	in := inputOf(chat, text)
	in.Principal.Platform = platform
	seq, err := w.sessions.Submit(w.t.Context(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	for e, err := range w.sessions.Follow(w.t.Context(), chat, seq-1) {
		if err != nil {
			w.t.Fatal(err)
		}
		if _, over := e.Body.(event.Ended); over && e.Turn == seq {
			return
		}
	}
}
