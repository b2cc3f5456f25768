package web

import (
	"encoding/json"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/event/openturn"
	"hob/internal/lists"
)

// maxShown is how much of a call's arguments or result is shown, in bytes. The log has the rest.
const maxShown = 8 << 10

// item is something in a chat as people read it. Each kind has its part in the template "item".
type item struct {
	ID   string
	Seq  int64
	Turn int64
	Kind string // said, reply, call, question, note, end
	Time time.Time

	Who     string        // of what was said: "" is the reader
	Text    string        // as it is
	HTML    template.HTML // of Markdown, in place of Text
	Label   event.Label   // of a stranger's text
	Files   []file
	Choices []event.Choice
	Loud    bool // it calls the person

	Receipt string
	Undo    bool    // its changes may be taken back
	Changes []int64 // the numbers of the last of them, to be taken back alone; none where there is but one

	changed []int64    // the numbers of all of them
	lists   []string   // that it shows
	Lines   []textLine // of Text, where some are things on a list
	Fates   []string   // what has come of it since
	Redo    string     // the command that makes again what was taken back

	Call     call
	Question question
	Ended    event.Ended
}

// call is a call of a tool.
type call struct {
	Tool       string
	Args       string
	Result     string
	State      string // called, running, or as [event.Returned.Outcome]
	DurationMS int64
}

// question is what a person has to decide.
type question struct {
	ID      string
	Tool    string
	Text    string
	Expires time.Time
	Grants  []string // what could be allowed once and for all
	Open    bool
	Allowed bool
	By      string
}

// file is a file of an event, by its place.
type file struct {
	Name    string
	Type    string
	Size    string
	Picture bool
	Href    string
}

// fold is what a chat's journal comes to. The zero fold is empty.
type fold struct {
	chat      event.Chat
	reader    string // as whom they read it
	words     words
	onlooker  bool // they are shown what the group's own surface shows, and not what is said and done from elsewhere
	calls     map[string]item
	questions map[string]item
	open      openturn.List[*openTurn]
	markdown  *markdownCache
}

// openTurn is a turn that has not ended.
type openTurn struct {
	openturn.Turn

	choices []event.Choice
	effects []event.Effect
	lists   []string // that were looked at
	text    string   // why it waits
}

func newFold(chat event.Chat, v visit, markdown *markdownCache) *fold {
	return &fold{chat: chat, reader: v.Person.From(), words: v.words, onlooker: checkChat(v, chat) != nil, markdown: markdown, calls: map[string]item{}, questions: map[string]item{}}
}

// waiting returns how many questions wait for an answer.
func (f *fold) waiting() (n int) {
	for _, q := range f.questions {
		if q.Question.Open {
			n++
		}
	}
	return n
}

// add folds an event in, and returns the item that it makes or changes.
func (f *fold) add(e event.Event) (item, bool) {
	f.followTurn(e)
	it := item{ID: "e" + strconv.FormatInt(e.Seq, 10), Seq: e.Seq, Turn: e.Turn, Time: e.Time}
	switch b := e.Body.(type) {
	case event.Said:
		it.Kind, it.Text, it.Label = "said", display.Clean(wordsOf(b)), b.Origin()
		if b.From != f.reader {
			it.Who = b.From
		}
		it.Files = f.files(e.Seq, b.Files)
		return it, !f.onlooker || isOfGroup(f.chat, b)
	case event.Generated:
		if b.Class == "calls" && strings.TrimSpace(b.Message.Text) != "" {
			it.Kind, it.HTML = "note", f.markdown.render(b.Message.Text)
			return it, true
		}
	case event.Called:
		it.Kind, it.Call = "call", call{Tool: b.Tool, State: "called"}
		if !f.onlooker {
			it.Call.Args = shorten(string(b.SaidArgs()))
		}
		f.calls[callKey(e.Turn, b.ID)] = it
		return it, true
	case event.Started:
		return f.changeCall(e.Turn, b.CallID, func(it *item) { it.Call.State = "running" })
	case event.Returned:
		return f.addReturned(e, b, it)
	case event.Asked:
		return f.addAsked(b, it)
	case event.Decided:
		return f.changeQuestion(b.ID, func(q *question) { q.Open, q.Allowed, q.By = false, b.Allow, b.By })
	case event.Noted:
		it.Kind, it.Text, it.Label, it.Choices, it.Loud = "note", display.Clean(b.Text), b.Label, b.Choices, b.Loud
		return it, true
	case event.Replied:
		return f.addReplied(e, b, it)
	case event.Ended:
		f.forget(e.Turn)
		it.Kind, it.Ended = "end", b
		return it, b.Reason != event.Done && b.Reason != event.NoModel && b.Reason != event.Stopped // whose reply says it
	case event.Trimmed:
		it.Kind, it.Text = "new", ""
		return it, true
	}
	return item{}, false
}

// wordsOf returns what was said, with what came with it, but for the lines that tell a model of files: people see those themselves.
func wordsOf(b event.Said) string {
	for _, line := range b.Aside {
		if slices.ContainsFunc(b.Files, func(f event.File) bool { return f.Path != "" && strings.Contains(line, display.Quote(f.Path)) }) {
			b.Text = strings.Replace(b.Text, line, "", 1)
		}
	}
	b.Text = strings.TrimSpace(b.Text)
	return b.TextWithAttachments()
}

// followTurn keeps which turns are open, and what has come of them.
func (f *fold) followTurn(e event.Event) {
	if b, ok := e.Body.(event.Said); ok {
		f.open = append(f.open, &openTurn{Turn: openturn.Turn{Seq: e.Seq, Command: b.Command}})
		return
	}
	o := f.open.Find(e.Turn)
	if o == nil {
		o = &openTurn{Turn: openturn.Turn{Seq: e.Turn}}
		if _, ok := e.Body.(event.Resumed); ok {
			f.open = append(f.open, o)
		}
	}
	switch b := e.Body.(type) {
	case event.Returned:
		o.choices, o.effects = append(o.choices, b.Choices...), append(o.effects, b.Effects...)
		if name := listOf(b); name != "" {
			o.lists = append(o.lists, name)
		}
	case event.Parked:
		o.Parked, o.text = true, b.Text
	case event.Resumed:
		o.Parked, o.text = false, ""
	case event.Joined:
		f.open.Close(b.Said)
	case event.Ended:
		f.open.Close(e.Turn)
	}
}

// listOf returns the list that a call has shown, "" for none.
func listOf(b event.Returned) string {
	if b.Tool != "list_show" || !b.OK {
		return ""
	}
	var shown struct{ List string }
	raw, err := json.Marshal(b.Data)
	if err == nil {
		err = json.Unmarshal(raw, &shown)
	}
	if err != nil {
		return ""
	}
	return shown.List
}

// isOfGroup reports whether something was said in a group itself, and not to hob from a terminal or the page.
func isOfGroup(group event.Chat, said event.Said) bool {
	platform, _, _ := strings.Cut(string(group), "/")
	return said.Principal.Platform == platform
}

func callKey(turn int64, id string) string { return strconv.FormatInt(turn, 10) + "/" + id }

func (f *fold) changeCall(turn int64, id string, change func(*item)) (item, bool) {
	it, ok := f.calls[callKey(turn, id)]
	if !ok {
		return item{}, false
	}
	change(&it)
	f.calls[callKey(turn, id)] = it
	return it, true
}

func (f *fold) changeQuestion(id string, change func(*question)) (item, bool) {
	it, ok := f.questions[id]
	if !ok || !it.Question.Open {
		return item{}, false
	}
	change(&it.Question)
	f.questions[id] = it
	return it, !f.onlooker
}

func (f *fold) addReturned(e event.Event, b event.Returned, it item) (item, bool) {
	result := func(it *item) {
		it.Call.State, it.Call.DurationMS = b.Outcome(), b.DurationMS
		if !f.onlooker {
			it.Call.Result = shorten(b.Text)
		}
		it.Label, it.Files = b.Label, f.files(e.Seq, b.Files)
	}
	if known, ok := f.changeCall(e.Turn, b.ID, result); ok {
		return known, true
	}
	it.Kind, it.Call.Tool = "call", b.Tool // it was called before what is shown begins
	result(&it)
	return it, true
}

func (f *fold) addAsked(b event.Asked, it item) (item, bool) {
	if _, again := f.questions[b.ID]; again { // after a restart
		return item{}, false
	}
	it.Kind, it.Question = "question", newQuestion(f.words, b)
	f.questions[b.ID] = it
	return it, !f.onlooker
}

func (f *fold) addReplied(e event.Event, b event.Replied, it item) (item, bool) {
	it.Kind, it.Label, it.Receipt = "reply", b.Label, display.Clean(b.Receipt)
	text := b.Text
	if b.Receipt != "" {
		text = strings.TrimSpace(strings.TrimSuffix(text, b.Receipt))
	}
	o := f.open.Find(e.Turn)
	if b.Literal || o != nil && o.Command {
		it.Text = display.Clean(text)
	} else {
		it.HTML = f.markdown.render(text)
	}
	it.Files, it.Choices = f.files(e.Seq, b.Files), b.Choices
	effects := b.Effects
	if o != nil {
		it.Choices = append(slices.Clone(o.choices), b.Choices...)
		effects = append(slices.Clone(o.effects), b.Effects...)
		it.lists = o.lists
	}
	it.Undo = slices.ContainsFunc(effects, func(did event.Effect) bool { return did.Path != "" || did.Change != 0 })
	it.changed = changesOf(effects)
	if n := len(it.changed); n > 1 {
		it.Changes = it.changed[max(0, n-maxChanges):]
	}
	return it, true
}

// maxChanges is how many changes of a turn can be taken back by a button of their own, the last ones.
const maxChanges = 6

// changesOf returns the numbers of the changes of a turn, in their order.
func changesOf(effects []event.Effect) (numbers []int64) {
	for _, did := range effects {
		if did.Change != 0 && !slices.Contains(numbers, did.Change) {
			numbers = append(numbers, did.Change)
		}
	}
	return numbers
}

// newQuestion returns a question that waits, with the whole request.
func newQuestion(w words, b event.Asked) question {
	grants := lists.Map(b.Grants, func(g event.Grant) string { return display.Visible(display.Exact(g.In(w.Text))) })
	return question{ID: b.ID, Tool: display.Visible(b.Tool), Text: display.Exact(b.Text), Expires: b.Expires, Open: true, Grants: grants}
}

// forget drops what is known of a turn that has ended.
func (f *fold) forget(turn int64) {
	for key, it := range f.calls {
		if it.Turn == turn {
			delete(f.calls, key)
		}
	}
	for id, it := range f.questions {
		if it.Turn == turn {
			delete(f.questions, id)
		}
	}
}

// files returns files as links. Of what only replaces a picture that was shown before there is none.
func (f *fold) files(seq int64, all []event.File) (links []file) {
	for n, one := range all {
		if one.Refresh {
			continue
		}
		link := url.Values{"chat": {string(f.chat)}, "seq": {strconv.FormatInt(seq, 10)}, "n": {strconv.Itoa(n)}}
		shown := file{
			Name: display.Visible(one.Name), Type: display.Visible(one.Type), Href: "/file?" + link.Encode(),
			Picture: one.Type == "image/png" || one.Type == "image/jpeg" || one.Type == "image/webp" || one.Type == "image/gif",
		}
		if one.Bytes > 0 {
			shown.Size = display.Bytes(one.Bytes)
		}
		links = append(links, shown)
	}
	return links
}

func shorten(text string) string { return display.TruncateBytes(display.Clean(text), maxShown) }
