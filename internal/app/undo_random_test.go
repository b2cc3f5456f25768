package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/skills/folder"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/tools"
)

// household is a hob in which everything changes at random.
type household struct {
	testApp
	random  *rand.Rand
	ctx     context.Context
	n       int   // actions so far
	answers bool  // something was answered
	turn    int64 // in which all is called
	calls   int   // that were recorded
}

// image is all that a household keeps and that can be taken back, and what only grows.
type image struct {
	Files     map[string]string
	Facts     []event.Fact
	Reminders []event.Reminder
	Grants    []event.Grant
	Off       []string
	OffIn     map[event.Chat]map[string]string
	People    []event.Person
	Consent   string // of Ben, to be reminded by Ana
	Story     string // the state at its head
}

func (h *household) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// look returns how everything is now.
func (h *household) look() (im image) {
	h.Helper()
	im.Files = filesIn(h.T, h.set.WorkspaceDir, filepath.Dir(h.set.ConfigPath))
	var err error
	im.Facts, err = h.Journal.Facts().Facts(h.ctx, event.FactKept)
	h.must(err)
	im.Reminders, err = h.Journal.Reminders().Recent(h.ctx, 1000)
	h.must(err)
	im.Grants, err = h.Journal.Grants().InForce(h.ctx)
	h.must(err)
	im.Off, err = h.Journal.Settings().SwitchedOff(h.ctx)
	h.must(err)
	im.OffIn, err = h.Journal.Settings().SwitchedOffIn(h.ctx)
	h.must(err)
	im.People, err = h.Journal.People().People(h.ctx, "telegram")
	h.must(err)
	im.Consent, err = h.Journal.Reminders().Consent(h.ctx, ben(), ana())
	h.must(err)
	im.Story = h.story().StateHash()
	return im
}

// past is what may only become longer, each row as it is kept: the journal, the audit, the oldest call first, and the log of the story.
type past struct{ Journal, Audit, Story []string }

func (h *household) past() (p past) {
	h.Helper()
	for e, err := range h.Journal.Since(h.ctx, "", 0) {
		h.must(err)
		raw, err := json.Marshal(e)
		h.must(err)
		p.Journal = append(p.Journal, string(raw))
	}
	rows, err := h.Journal.Audits(h.ctx, store.AuditFilter{})
	h.must(err)
	for _, row := range slices.Backward(rows) {
		raw, err := json.Marshal(row)
		h.must(err)
		p.Audit = append(p.Audit, string(raw))
	}
	for line, err := range campaigns.New(h.Journal).Log("mill").Lines(h.ctx, 0) {
		h.must(err)
		p.Story = append(p.Story, string(line))
	}
	return p
}

// checkPast holds that what was is the beginning of what is, row by row and byte by byte, and that the records of calls are still a chain
// that goes on from its old end.
func (h *household) checkPast(was past) {
	h.Helper()
	now := h.past()
	for name, grown := range map[string][2][]string{
		"journal": {was.Journal, now.Journal}, "audit": {was.Audit, now.Audit}, "log of the story": {was.Story, now.Story},
	} {
		before, after := grown[0], grown[1]
		if len(after) < len(before) || !slices.Equal(before, after[:len(before)]) {
			h.Fatalf("the %s of %d rows is not the beginning of what has %d now:\n%s", name, len(before), len(after), cmp.Diff(before, after))
		}
	}
	head := ""
	if n := len(was.Audit); n > 0 {
		var last event.Audit
		h.must(json.Unmarshal([]byte(was.Audit[n-1]), &last))
		head = last.Hash
	}
	report, err := app.VerifyAudit(h.ctx, h.Journal, head)
	h.must(err)
	if report.Problem != "" {
		h.Fatalf("the audit: call %d, event %d: %s", report.ID, report.Seq, report.Problem)
	}
}

// story opens the story.
func (h *household) story() *eventlog.Log {
	h.Helper()
	opt := campaigns.Options()
	t, err := eventlog.Load(h.ctx, campaigns.New(h.Journal).Log("mill"), opt)
	h.must(err)
	return t
}

// call calls a tool as the owner. What it refuses is refused: not every change fits every state.
func (h *household) call(name string, args map[string]any) {
	h.Helper()
	tool, err := h.Tools.ByName(name)
	h.must(err)
	raw, err := json.Marshal(args)
	h.must(err)
	_, refused := tools.Call(tools.WithCaller(h.ctx, h.owner()), tool, raw)
	h.record(name, raw, refused == nil)
}

// record journals a call with its record, as a session does.
func (h *household) record(name string, args json.RawMessage, ok bool) {
	h.Helper()
	h.calls++
	id := fmt.Sprint("c", h.calls)
	status := "ok"
	if !ok {
		status = "failed"
	}
	_, err := h.Journal.Append(h.ctx,
		store.Entry{Chat: "main", Turn: h.turn, Body: event.Called{ID: id, Tool: name, Args: args}},
		store.Entry{Chat: "main", Turn: h.turn, Body: event.Returned{ID: id, Tool: name, OK: ok}, Audit: &event.Audit{
			Time: time.Now(), User: "owner", Platform: "cli", Status: status, ArgsHash: app.HashArgs(args),
		}})
	h.must(err)
}

func ana() event.Party { return event.Party{Platform: "telegram", ID: "1", Name: "Ana"} }
func ben() event.Party { return event.Party{Platform: "telegram", ID: "2", Name: "Ben"} }

// answer has Ben answer whether Ana may remind him, for all that she has asked for.
func (h *household) answer(text string) {
	h.Helper()
	said, err := h.Journal.Reminders().Consent(h.ctx, ben(), ana())
	h.must(err)
	state := event.ReminderWaiting
	if said == "yes" {
		state = event.ReminderOpen
	}
	due := time.Now().Add(72 * time.Hour).UTC()
	cause := event.WithCause(h.ctx, event.Cause{By: "telegram/1", Tool: "remind"})
	r, err := h.Journal.Reminders().Add(cause, event.Reminder{
		Text: text, Chat: "telegram/2", By: ana(), For: ben(), State: state, Due: due, Planned: due,
		When: event.When{Zone: "UTC", Start: due.Format(event.StartLayout)},
	})
	h.must(err)
	tool, err := h.Tools.ByName("reminder")
	h.must(err)
	by := tools.Caller{Chat: "telegram/2", User: "2", Principal: event.Principal{Platform: "telegram", Scope: "private"}, Typed: true}
	_, refused := tools.Call(tools.WithCaller(h.ctx, by), tool, fmt.Appendf(nil, `{"id":%d,"change":%q}`, r.ID, pickOf(h.random, "agree", "refuse", "mute")))
	h.answers = h.answers || refused == nil
}

func (h *household) owner() tools.Caller {
	return tools.Caller{Chat: "main", User: "owner", Principal: app.LocalOwner(), Typed: true}
}

func pickOf[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// actions are one of each kind of change, by name.
func (h *household) actions() map[string]func() {
	r := h.random
	file := func() string { return pickOf(r, "a.md", "b.md", "deep/c.md", "deep/er/d.md") }
	own := app.WithOwnersCause(h.ctx, "test")
	word := func() string { h.n++; return fmt.Sprintf("word%d", h.n) }
	return map[string]func(){
		"write": func() {
			h.call("write_file", map[string]any{"path": file(), "content": word(), "mode": pickOf(r, "overwrite", "append")})
		},
		"delete": func() { h.call("delete_file", map[string]any{"path": file()}) },
		"move":   func() { h.call("move_file", map[string]any{"path": file(), "to": file()}) },
		"command": func() {
			ctx := tools.WithCaller(h.ctx, h.owner())
			after := h.Tools.FileTool.Watch().Before(ctx, "a command", event.Label{})
			_ = os.MkdirAll(filepath.Join(h.set.WorkspaceDir, "made"), 0o755)
			_ = os.WriteFile(filepath.Join(h.set.WorkspaceDir, "made", pickOf(r, "x", "y")), []byte(word()), 0o640)
			if r.IntN(2) == 0 {
				_ = os.Remove(filepath.Join(h.set.WorkspaceDir, file()))
			}
			after(ctx)
		},
		"remember": func() { h.call("remember", map[string]any{"text": "the " + word() + " is in the attic"}) },
		"forget":   func() { h.call("forget", map[string]any{"fact": fmt.Sprint("#", 1+r.IntN(9))}) },
		"remind": func() {
			h.call("remind", map[string]any{"text": word(), "at": pickOf(r, "tomorrow at 8", "every Monday at 7", "in 3 days")})
		},
		"reminder": func() {
			h.call("reminder", map[string]any{"id": 1 + r.IntN(9), "change": pickOf(r, "done", "cancel", "restore", "tomorrow at 9", "+1h")})
		},
		"answer": func() { h.answer(word()) },
		"grant": func() {
			_, err := h.Journal.Grants().Add(own, event.Grant{Tool: "fetch", Host: pickOf(r, "a.org", "b.org", "c.org"), By: "owner"})
			h.must(err)
		},
		"revoke": func() { _, err := h.Journal.Grants().Revoke(own, int64(1+r.IntN(9))); h.must(err) },
		"switch": func() {
			h.must(h.Journal.Settings().SwitchTools(own, []string{pickOf(r, "fetch", "recall"), "list_files"}, r.IntN(2) == 0))
		},
		"switch here": func() {
			h.must(h.Journal.Settings().SwitchToolIn(own, "telegram/7", pickOf(r, "fetch", "recall"), pickOf(r, "", "owner", "bot_admin")))
		},
		"allow": func() {
			p := event.Person{Platform: "telegram", ID: int64(1 + r.IntN(3)), Name: word(), Level: pickOf(r, event.User, event.BotAdmin, event.Owner)}
			_, err := h.Journal.People().AllowPerson(own, p)
			h.must(err)
		},
		"forbid": func() { _, err := h.Journal.People().ForgetPerson(own, "telegram", int64(1+r.IntN(3))); h.must(err) },
		"configure": func() {
			key := pickOf(r, "shell.timeout", "fetch.timeout", "ollama.model", "time.zone")
			value := map[string][]string{
				"shell.timeout": {"5m", "6m"}, "fetch.timeout": {"9s", "8s"}, "ollama.model": {"a:1b", "b:2b"}, "time.zone": {"Europe/Berlin", "UTC"},
			}[key]
			h.must(h.set.ConfigEditor(own, h.set.ConfigPath).Set(h.set.ConfigPath, key, pickOf(r, value...)))
		},
		"skill": func() {
			_, _ = folder.New(h.set.OwnSkillsDir(), pickOf(r, "tea", "coffee", "soup"), h.set.KeepSkill(own))
		},
		"play": func() {
			call := rules.Call{Tool: "create_object", Args: []byte(`{"name":"` + word() + `","connection_id":"pc_001"}`)}
			if r.IntN(3) == 0 {
				call = rules.Call{Tool: "look", Args: []byte("{}")} // a turn that changes nothing
			}
			_, err := h.story().Play(own, eventlog.Request{Calls: []rules.Call{call}})
			h.must(err)
		},
		"story back":  func() { _, err := h.story().Undo(own, 1+r.IntN(2), eventlog.Origin{}); h.must(err) },
		"story again": func() { _, err := h.story().Redo(own, 1+r.IntN(2), eventlog.Origin{}); h.must(err) },
	}
}

// undo takes changes back, and says yes where rights come back.
func (h *household) undo(u commands.UndoRequest) commands.UndoReport {
	h.Helper()
	u.By = h.owner()
	done, err := h.set.Changes(h.Journal).Undo(h.ctx, u)
	h.must(err)
	if len(done.Rights) > 0 {
		if len(done.Undone) > 0 {
			h.Fatalf("rights came back without a question: %v", done.Rights)
		}
		u.Numbers, u.Last, u.Approved = done.Selected, 0, done.Question()
		done, err = h.set.Changes(h.Journal).Undo(h.ctx, u)
		h.must(err)
	}
	if len(done.Conflicts) > 0 {
		h.Fatalf("%+v", done.Conflicts)
	}
	return done
}

// Random sequences of changes of all kinds, all taken back, leave everything as it was, and taken back again, as the sequence had left
// it. The journal, the audit and the story's log only grow.
func TestUndoOfRandomSequences(t *testing.T) {
	households := uint64(1)
	if os.Getenv("HOB_TEST_FULL") != "" {
		households = 12
	}
	for seed := range households {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { undoSequences(t, seed) })
	}
}

// undoSequences plays sequences in one household.
func undoSequences(t *testing.T, seed uint64) {
	const sequences, most = 24, 40
	o := newTestApp(t, noOllama)
	h := &household{testApp: o, random: rand.New(rand.NewPCG(28, 5+seed)), ctx: t.Context()}
	opt := campaigns.Options()
	w, counts, err := game.Begin(h.ctx, opt.Book, game.Start{Session: "mill", Title: "mill", Lang: "en", Theme: "Mill", Size: 3, Free: true})
	h.must(err)
	h.must(campaigns.New(h.Journal).Add(h.ctx, gamemaster.Campaign{ID: "mill", Title: "mill"}, func(log eventlog.Storage) error {
		_, err := eventlog.Create(h.ctx, log, eventlog.Beginning{ID: "mill", World: w, Counts: counts}, opt)
		return err
	}))
	said, err := h.Journal.Append(h.ctx, store.Entry{Chat: "main", Body: event.Said{InputID: "a", From: "owner", Text: "hello"}})
	h.must(err)
	h.turn = said[0].Seq
	kinds := slices.Sorted(maps.Keys(h.actions()))
	changed := map[string]int{} // by kind, how many actions changed something
	for n := range sequences {
		newest, _, err := h.Journal.Changes(store.Limits{}).Mark(h.ctx)
		h.must(err)
		before, begun := h.look(), h.past()
		var did []string
		for range 1 + h.random.IntN(most) {
			kind := kinds[h.random.IntN(len(kinds))]
			was, _, err := h.Journal.Changes(store.Limits{}).Mark(h.ctx)
			h.must(err)
			h.actions()[kind]()
			now, _, err := h.Journal.Changes(store.Limits{}).Mark(h.ctx)
			h.must(err)
			if did = append(did, kind); now > was {
				changed[kind]++
			}
		}
		after := h.look()
		all, err := h.Journal.Changes(store.Limits{}).Since(h.ctx, newest)
		h.must(err)
		var meant []int64
		for _, c := range all {
			if c.InForce() && c.Undoes <= newest {
				meant = append(meant, c.ID)
			}
		}
		if len(meant) == 0 {
			continue
		}
		past := h.past()
		undone := h.undo(commands.UndoRequest{Numbers: meant})
		h.checkPast(past)
		if diff := cmp.Diff(before, h.look()); diff != "" {
			t.Fatalf("sequence %d, %v, taken back (-before +now)\n%s", n, did, diff)
		}
		var by []int64
		for _, u := range undone.Undone {
			by = append(by, u.By)
		}
		h.undo(commands.UndoRequest{Numbers: by})
		if diff := cmp.Diff(after, h.look()); diff != "" {
			t.Fatalf("sequence %d, %v, made again (-after +now)\n%s", n, did, diff)
		}
		h.checkPast(past)
		h.checkPast(begun)
	}
	if p := h.past(); len(p.Audit) < sequences {
		t.Errorf("there are %d records of calls", len(p.Audit))
	}
	if !h.answers {
		t.Error("Ben has never answered")
	}
	for _, kind := range kinds {
		if changed[kind] == 0 {
			t.Errorf("no action of the kind %q has changed anything in %d sequences", kind, sequences)
		}
	}
}
