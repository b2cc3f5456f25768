package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/intents"
	"hob/internal/llm"
	"hob/internal/markdown"
	"hob/internal/model"
	"hob/internal/session"
	"hob/internal/skills/lists"
	"hob/internal/skills/reminders"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/recall"
)

// OwnSentences is the name of the owner's file of sentences, beside config.toml.
const OwnSentences = "sentences.toml"

// chores connects the sentences of chores with an [App].
type chores struct {
	app       *App
	toolset   Toolset
	sentences *intents.Sentences
	version   string
	isReady   func(context.Context) bool // whether a model is available now
}

// Sentences returns the sentences that hob understands, including the owner's. An error names the
// mistake in the owner's file.
func (s *Environment) Sentences() (*intents.Sentences, error) {
	file := filepath.Join(filepath.Dir(s.ConfigPath), OwnSentences)
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return intents.Default(), nil
	}
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	sentences, err := intents.WithOwn(string(raw))
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%s: %v", file, err)
	}
	return sentences, nil
}

// newChores returns what the sessions of a understand without a model. If the owner's file has a
// mistake, only hob's own sentences count.
func (s *Environment) newChores(a *App, e *model.Model, set Toolset) session.Chores {
	mode := s.Intents.Mode
	if mode == "off" {
		return session.Chores{Sentences: intents.Default(), Off: true}
	}
	sentences, err := s.Sentences()
	if err != nil {
		sentences, a.SentencesOff = intents.Default(), err
	}
	c := chores{app: a, toolset: set, sentences: sentences, version: s.version, isReady: e.IsReady}
	return session.Chores{
		Sentences: c.sentences, Always: mode == "always", Exists: c.exist, Absent: c.absent, Resolve: c.resolve, Confirm: c.confirm, Run: c.run,
		HasModel: e.IsReady, ChoseModel: s.Ollama.Model != "", Shell: LocalOwner().Platform,
		Suggest: c.sentences.Suggest, Permits: c.permits, LookUp: c.lookUp,
	}
}

// permits reports whether the caller of ctx may call the tools that a sentence needs.
func (c chores) permits(ctx context.Context, sentence string) bool {
	caller := tools.CallerFrom(ctx)
	all, err := c.app.Callable(ctx, caller.Chat, caller.Principal)
	return err != nil || !slices.ContainsFunc(c.sentences.Read(sentence).Chores(), func(part intents.Reading) bool {
		return !part.Command && tools.Find(all, part.Call.Name) == nil
	})
}

// exist reports whether the files, folders, lists, person and reminder that a reading names exist.
func (c chores) exist(ctx context.Context, chat event.Chat, r intents.Reading) bool {
	if r.Near {
		_, known := c.newest(ctx, chat, r)
		return known
	}
	if r.Everyday && !c.hasAppointment(ctx, r) {
		return false
	}
	if r.Call.Name == "remind" && !chat.Shared() {
		var args struct{ For string }
		people, err := remindable(ctx, c.app.Journal)
		if json.Unmarshal(r.Call.Args, &args) != nil || err != nil || args.For != "" && !reminders.IsKnown(people, args.For) {
			return false
		}
	}
	paths := r.Paths
	var args struct {
		List string `json:"list"`
	}
	isNamed := json.Unmarshal(r.Call.Args, &args) == nil && args.List != ""
	// Adding creates a list, and of the shopping list hob itself says that there is none yet: nothing else can be meant. What there is to
	// do, or to pack, may stand in a note.
	if isNamed && r.Call.Name != "list_add" && args.List != "shopping" {
		paths = append(paths, "lists/"+args.List+".md")
	}
	return !slices.ContainsFunc(paths, c.isAbsent)
}

// hasAppointment reports whether the time of a reminder is counted from what is in a calendar.
func (c chores) hasAppointment(ctx context.Context, r intents.Reading) bool {
	var args struct{ At string }
	cfg := c.app.Env.reminderConfig(JournalTools(c.app.Journal), c.app.notes)
	cfg.Appointments = c.app.Env.appointments(c.toolset, JournalTools(c.app.Journal))
	return json.Unmarshal(r.Call.Args, &args) == nil && reminders.HasAppointment(ctx, cfg, args.At, r.Lang)
}

// isAbsent reports whether no file or folder has this path.
func (c chores) isAbsent(p string) bool {
	if p == "." {
		return false
	}
	names, err := c.toolset.FileTool.ListFiles(path.Dir(p))
	return err != nil || !slices.ContainsFunc(names, func(n string) bool { return strings.TrimSuffix(n, "/") == path.Base(p) })
}

// absent returns the reminder or file that a reading names and that does not exist, or "". A caller
// who may not call the tool always gets "", so that they learn nothing about what exists.
func (c chores) absent(ctx context.Context, r intents.Reading) string {
	caller := tools.CallerFrom(ctx)
	if all, err := c.app.Callable(ctx, caller.Chat, caller.Principal); err != nil || tools.Find(all, r.Call.Name) == nil {
		return ""
	}
	var args struct{ ID int64 }
	if r.Call.Name == "reminder" && json.Unmarshal(r.Call.Args, &args) == nil && args.ID != 0 {
		open, err := c.app.Journal.Reminders().Open(ctx)
		if err == nil && !slices.ContainsFunc(open, func(one event.Reminder) bool { return one.ID == args.ID }) {
			return "reminder " + strconv.FormatInt(args.ID, 10)
		}
	}
	if i := slices.IndexFunc(r.Paths, c.isAbsent); i >= 0 {
		return r.Paths[i]
	}
	return ""
}

// newest returns the recent reminder that a reading refers to.
func (c chores) newest(ctx context.Context, chat event.Chat, r intents.Reading) (event.Reminder, bool) {
	var args struct{ Change, Only string }
	open, err := c.app.Journal.Reminders().Open(ctx)
	if json.Unmarshal(r.Call.Args, &args) != nil || err != nil {
		return event.Reminder{}, false
	}
	return reminders.Newest(open, chat, time.Now(), args.Change, args.Only)
}

// confirm asks whether a reminder is to be moved that was not changed since a time. A delivered one
// that is still open needs no question.
func (c chores) confirm(ctx context.Context, r intents.Reading, since time.Time) intents.Reading {
	newest, known := c.newest(ctx, tools.CallerFrom(ctx).Chat, r)
	if r.NewTime() == "" || !known || newest.Unseen > 0 || reminders.Touched(newest).After(since) {
		return r
	}
	meant, of := r, ""
	if !newest.Label.Untrusted { // a stranger's text must not look like hob's own
		of = " (" + display.OneLine(reminders.Title(newest)) + ")"
	}
	meant.Near, meant.Call = false, callOf("reminder", map[string]any{"id": newest.ID, "change": r.NewTime()})
	r.Ask, r.Acts, r.Meant = fmt.Sprintf("Do you mean reminder %d%s?", newest.ID, of), false, &meant
	return r
}

// resolve fills in what a reading leaves open, from the lists, facts and reminders that exist. It asks
// about a list whose name may be misspelt.
func (c chores) resolve(ctx context.Context, r intents.Reading) intents.Reading {
	switch {
	case r.Call.Name == "forget" && r.Many: // naming a fact exactly needs no confirmation
		r.Many = !c.knows(ctx, r)
		return r
	case r.Call.Name == "reminder" && r.Many: // nor does cancelling all of no reminders
		r.Many = c.hasReminder(ctx, r)
		return r
	case r.Kind == "numbered":
		return c.numbered(ctx, r)
	case r.Kind == "fact_find":
		return c.findFact(ctx, r)
	case r.Unnamed.Name == "list_tick" && (r.Bare || r.Call.Name != ""):
		if ticked, ok := c.tickUnnamed(ctx, r); ok {
			return ticked
		}
	}
	if r.Ask != "" && r.Unnamed.Name != "" && slices.Equal(c.lists(), []string{"shopping"}) {
		r.Asks = r.Bare // such words may mean much else, which a model could tell
		return onList(r, r.Unnamed, "shopping")
	}
	return c.checkList(ctx, r)
}

// findFact returns the calls that find what a question is about, or a search of the facts alone.
func (c chores) findFact(ctx context.Context, r intents.Reading) intents.Reading {
	var args struct{ Query string }
	if json.Unmarshal(r.Call.Args, &args) != nil {
		return intents.Reading{}
	}
	if found := c.find(ctx, r.Lang, args.Query); found.Kind != "" {
		found.Asks = r.Asks
		return found
	}
	r.Call = callOf("recall", map[string]any{"query": recall.OnlyFacts + args.Query})
	return r
}

// tickUnnamed resolves words that tick something off and name no list: on the only list that has it,
// or else as the only reminder of that name. ok is false if neither exists and hob should ask for the
// list. Bare words, such as "bought milk", then are no chore.
func (c chores) tickUnnamed(ctx context.Context, r intents.Reading) (ticked intents.Reading, ok bool) {
	on := c.listsWith(r.Unnamed, lists.Have)
	if len(on) == 0 && !r.Bare {
		on = c.listsWith(r.Unnamed, lists.Hold)
	}
	if len(on) == 1 {
		return onList(r, r.Unnamed, on[0]), true
	}
	if done := c.doneWith(ctx, r.Unnamed); len(on) == 0 && done.Name != "" {
		r.Kind, r.Call, r.Unnamed, r.Bare, r.Ask, r.Acts = "reminder_done", done, llm.Call{}, false, "", true
		return r, true
	}
	return intents.Reading{}, r.Bare
}

// checkList asks about a list that does not exist, if its name resembles another.
func (c chores) checkList(ctx context.Context, r intents.Reading) intents.Reading {
	var args struct {
		List string `json:"list"`
	}
	if !strings.HasPrefix(r.Call.Name, "list_") || json.Unmarshal(r.Call.Args, &args) != nil || args.List == "" {
		return r
	}
	names := c.lists()
	if r.Kind == "list_add" { // adding creates these
		names = append(names, "shopping", "todo")
	}
	if r.Kind == "list_show" && args.List == "todo" && !slices.Contains(names, "todo") {
		return c.nextDays(ctx, r)
	}
	name := lists.Name(args.List)
	if slices.ContainsFunc(names, func(n string) bool { return lists.Name(n) == name }) {
		return r
	}
	if near := intents.Nearest(name, names); near != "" {
		meant := onList(r, r.Call, near)
		r.Ask, r.Acts, r.Meant = "There is no list "+name+": did you mean "+near+"?", false, &meant
	}
	r.Many = false // nothing to confirm: the tool reports that there is no such list
	return r
}

// nextDays replaces a missing to-do list by the calendar of a week, if that has any reminders.
func (c chores) nextDays(ctx context.Context, r intents.Reading) intents.Reading {
	const days = 7
	now := c.app.Env.Clock()()
	from := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	cfg := c.app.Env.reminderConfig(JournalTools(c.app.Journal), c.app.notes)
	some, _, err := reminders.Between(ctx, cfg, from, from.AddDate(0, 0, days), r.Lang)
	if err != nil || len(some) == 0 || tools.CallerFrom(ctx).Chat.Shared() {
		return r
	}
	return intents.Reading{Kind: "calendar", Call: callOf("calendar", map[string]any{"days": days, "lang": r.Lang}), Score: r.Score, Asks: true, Lang: r.Lang}
}

// numbered resolves words that cancel or delete a bare number. It may be that of a reminder of the
// chat, of a change or, if it is long, of a note. It asks if both a reminder and a change have it, and
// before it takes a change back.
func (c chores) numbered(ctx context.Context, r intents.Reading) intents.Reading {
	args := map[string]any{}
	open, err := c.app.Journal.Reminders().Open(ctx)
	if json.Unmarshal(r.Call.Args, &args) != nil || err != nil {
		return intents.Reading{}
	}
	number, ok := args["id"].(float64)
	if !ok {
		number, _ = args["change"].(float64)
	}
	n, chat := int64(number), tools.CallerFrom(ctx).Chat
	isReminder := slices.ContainsFunc(open, func(one event.Reminder) bool { return one.ID == n && (one.Chat == chat || one.AskedIn == chat) })
	changed, err := c.app.Journal.Changes(store.Limits{}).Since(ctx, n-1)
	isChange := err == nil && slices.ContainsFunc(changed, func(one event.Change) bool { return one.ID == n })
	switch {
	case isReminder && isChange:
		r.Ask = fmt.Sprintf("Reminder %d or change %d? Say: cancel reminder %d; or: undo change %d", n, n, n, n)
	case isReminder || r.Command: // the words are right as they are
	case isChange:
		r.Ask = fmt.Sprintf("There is no reminder %d here. Shall I take back change %d? Then say: undo change %d", n, n, n)
	case n >= firstNote:
		r.Call = callOf("note_remove", map[string]any{"note": "#" + strconv.FormatInt(n, 10)})
	}
	if r.Command && isReminder || r.Ask != "" {
		r.Command, r.Call = false, callOf("reminder", map[string]any{"id": n, "change": "cancel"})
	}
	r.Acts = r.Ask == ""
	return r
}

// callOf returns the call of a tool with arguments, which always have a JSON form.
func callOf(tool string, args map[string]any) llm.Call {
	raw, _ := json.Marshal(args)
	return llm.Call{Name: tool, Args: raw}
}

// firstNote is the lowest number of a note.
const firstNote = 1000

// onList returns a reading with call, for another list.
func onList(r intents.Reading, call llm.Call, list string) intents.Reading {
	args := map[string]any{}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return intents.Reading{}
	}
	args["list"] = list
	r.Ask, r.Call, r.Acts = "", callOf(call.Name, args), call.Name != "list_show"
	return r
}

// listsWith returns the lists that have all things of a call: open, or ticked off if the call opens
// them again. has does the comparison.
func (c chores) listsWith(call llm.Call, has func(page string, things []string, ticked bool) bool) (on []string) {
	var args struct {
		Items []string
		Open  bool
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil
	}
	for _, name := range c.lists() {
		if page, err := c.toolset.FileTool.ReadFile("lists/" + name + ".md"); err == nil && has(page, args.Items, args.Open) {
			on = append(on, name)
		}
	}
	return on
}

// doneWith returns the call that marks as done the only delivered and open reminder of the thing that
// tick ticks off, or the zero Call.
func (c chores) doneWith(ctx context.Context, tick llm.Call) llm.Call {
	var args struct {
		Items []string
		Open  bool
	}
	all, err := c.app.Journal.Reminders().Open(ctx)
	if err != nil || json.Unmarshal(tick.Args, &args) != nil || args.Open || len(args.Items) != 1 {
		return llm.Call{}
	}
	chat := tools.CallerFrom(ctx).Chat
	of := slices.DeleteFunc(all, func(r event.Reminder) bool {
		return r.Chat != chat || r.Unseen == 0 || !reminders.Says(r, args.Items[0])
	})
	if len(of) != 1 {
		return llm.Call{}
	}
	return callOf("reminder", map[string]any{"id": of[0].ID, "change": "done"})
}

// knows reports whether the caller of ctx named a fact to forget exactly.
func (c chores) knows(ctx context.Context, r intents.Reading) bool {
	var args struct{ Fact string }
	facts := factsOf(c.app.Journal)
	who, err := facts.Who(ctx)
	if err != nil || json.Unmarshal(r.Call.Args, &args) != nil {
		return false
	}
	some, err := facts.Meant(ctx, who, args.Fact)
	return err == nil && len(some) == 1 && strings.EqualFold(some[0].Text, args.Fact)
}

// hasReminder reports whether there is any reminder of the kind to be cancelled.
func (c chores) hasReminder(ctx context.Context, r intents.Reading) bool {
	var args struct{ Only string }
	open, err := c.app.Journal.Reminders().Open(ctx)
	return err != nil || json.Unmarshal(r.Call.Args, &args) != nil || reminders.AnyOf(open, args.Only)
}

// lists returns the names of the existing lists.
func (c chores) lists() (names []string) {
	files, err := c.toolset.FileTool.ListFiles("lists")
	if err != nil {
		return nil // there are none
	}
	for _, file := range files {
		if name, ok := strings.CutSuffix(file, ".md"); ok {
			names = append(names, strings.ToLower(name))
		}
	}
	return names
}

// run runs a row of the command table for the caller of ctx.
func (c chores) run(ctx context.Context, r intents.Reading) (string, error) {
	caller := tools.CallerFrom(ctx)
	by := commands.Request{Surface: commands.Terminal, Chat: caller.Chat, From: caller.User, Principal: caller.Principal, Lang: r.Lang}
	switch caller.Platform {
	case "telegram":
		by.Surface = commands.Telegram
	case "http":
		by.Surface = commands.API
	case "page":
		by.Surface = commands.Page
	}
	by.Args = r.CommandArgs()
	switch r.Call.Name {
	case "calculate":
		return intents.Calculate(strings.TrimPrefix(by.Args, "sum "), r.Lang), nil
	case "help":
		return c.sentences.Help(r.Lang, func(example string) bool { return c.permits(ctx, example) }), nil
	case "version":
		return "hob " + c.version, nil
	case "status":
		if r.Answer != "" && c.isReady(ctx) {
			return r.Answer, nil
		} else if r.Answer != "" {
			return "I am here, but the model is not ready. What needs no model works.", nil
		}
	}
	answer, err := c.app.CommandTable(c.app.Sessions, "").Run(ctx, r.Call.Name, by)
	return markdown.Plain(answer.Text), err
}
