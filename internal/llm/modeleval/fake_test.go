package modeleval

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"hob/internal/llm"
)

// act is what a model does in one reply: say words, or make calls.
type act struct {
	text     string
	calls    []string // "tool {arguments}"
	thinking string
	cut      bool
	err      error
	block    bool // until the context ends
}

func says(text string) act     { return act{text: text} }
func does(calls ...string) act { return act{calls: calls} }
func fails(kind llm.Kind) act {
	return act{err: &llm.Error{Kind: kind, Message: "it is " + string(kind)}}
}
func key(scene string, n int) string { return fmt.Sprintf("%s %d", scene, n) }

// scene is one conversation of the battery as a model sees it: told by words that stand in the question, each next move
// by words that stand in the result before it.
type scene struct {
	name, words string
	cues        []string
	moves       []act
}

// scenes are what a model does that does everything right.
func scenes() []scene {
	return []scene{
		{"single call", "weather in Paris", []string{"light rain"}, []act{
			does(`get_weather {"city":"Paris, France"}`), says("It is 14 degrees with light rain in Paris.")}},
		{"parallel calls", "in Oslo and in Cairo", nil, []act{
			does(`get_weather {"city":"Oslo"}`, `get_weather {"city":"Cairo"}`)}},
		{"none needed", "sunny in Lisbon", nil, []act{says("It is 21 degrees in Lisbon.")}},
		{"two steps", "address of Anna", []string{"anna.k27"}, []act{
			does(`find_contact {"name":"Anna"}`), does(`send_message {"to":"anna.k27@example.org","text":"Dinner is at eight."}`)}},
		{"error recovery", "file shopping.txt", []string{"there is no file", "oat milk"}, []act{
			does(`read_file {"path":"shopping.txt"}`), does(`read_file {"path":"lists/shopping.txt"}`), says("It says oat milk and candles.")}},
		{"unicode and newlines", "exactly two lines", nil, []act{does(`send_message {"to":"tom@example.org","text":"Größe\n第二行"}`)}},
		{"nested object", "into the calendar", nil, []act{
			does(`create_event {"title":"Chess","date":"2026-03-14","place":{"city":"Riga","name":"Caissa"}}`)}},
		{"long result", "spare key is", []string{"blue teapot"}, []act{
			does(`read_file {"path":"house.log"}`), says("The spare key is in the blue teapot.")}},
		{"denial", "I am late", []string{"denied by the user"}, []act{
			does(`send_message {"to":"tom@example.org","text":"I am late."}`), says("I did not send the message, because you denied it.")}},
		{"data gap", "Jonas Weber, the plumber", []string{"Phone: not recorded", "0561 882040"}, []act{
			does(`find_contact {"name":"Jonas Weber"}`), does(`search_letters {"query":"Weber plumber"}`), says("His number is 0561 882040.")}},
		{"two data gaps", "lamp that I ordered", []string{"parcel KX-5521", "19 March", "47.90"}, []act{
			does(`find_order {"item":"lamp"}`), does(`track_parcel {"parcel":"KX-5521"}`), does(`find_invoice {"order":318}`),
			says("It arrives on Thursday 19 March, and cost 47.90 euro.")}},
		{"relevance", "swimming pool in Bergdorf", []string{"Poolworld"}, []act{
			does(`search_pages {"query":"public pool hours"}`), says("I did not find it: the page is about a shop for garden pools.")}},
		{"grounded synthesis", "How many kWh", []string{"417 kWh", "386 kWh", "352 kWh"}, []act{
			does(`read_meter {"month":"January"}`), does(`read_meter {"month":"February"}`), does(`read_meter {"month":"March"}`),
			says("January 417, February 386 and March 352 kWh: 1,155 kWh together.")}},
		{"inconsistent tools", "cellar and in the attic", []string{`"cellar-1","room"`, "11.5", "second generation", `"value":23`}, []act{
			does(`list_sensors {}`), does(`read_sensor {"id":"cellar-1"}`), does(`read_sensor {"id":"7"}`), does(`read_sensor {"id":"S7"}`),
			says("It is 11.5 degrees in the cellar and 23 in the attic.")}},
		{"argument transformation", "dentist into my calendar", []string{"\nadded"}, []act{
			does(`add_entry {"title":"Dentist","start":"2026-04-05T14:30","minutes":45}`), says("It is in your calendar.")}},
		{"conditional routing", "forecast for Bremen", []string{"dry and sunny", "\nsent"}, []act{
			does(`get_forecast {"city":"Bremen"}`), does(`send_message {"to":"anna@example.org","text":"Lake at six."}`), says("It stays dry: I sent Anna to the lake.")}},
		{"sequential reasoning", "next door to Mrs Okafor", []string{"number 14", "HB-L 204", "dark green"}, []act{
			does(`find_person {"name":"Mrs Okafor"}`), does(`who_lives_at {"house":14}`), does(`find_car {"plate":"HB-L 204"}`), says("It is green.")}},
	}
}

// actor plays the scenes, with faults.
type actor struct {
	faults map[string]act    // by key: what it does instead of a move
	deaf   map[llm.Mode]bool // modes in which it only says hello
	needs  llm.Think         // how much it has to think to hear anything; "" for not at all
	usage  llm.Usage

	mu       sync.Mutex
	requests []llm.Request
	modes    []llm.Mode
}

func newActor() *actor {
	return &actor{usage: llm.Usage{PromptTokens: 500, EvalTokens: 30, PromptEval: time.Second, Eval: time.Second}}
}

func (a *actor) Chat(ctx context.Context, req llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
	mode := llm.PromptMode
	switch {
	case len(req.Tools) > 0:
		mode = llm.NativeMode
	case len(req.Format) > 0:
		mode = llm.SchemaMode
	}
	a.mu.Lock()
	a.requests, a.modes = append(a.requests, req), append(a.modes, mode)
	a.mu.Unlock()
	do := a.next(req)
	if a.deaf[mode] || a.needs != "" && req.Options.Think != a.needs {
		do = says("Hello! How can I help you today?")
	}
	if do.block {
		<-ctx.Done()
		return nil, &llm.Error{Kind: llm.Cancelled, Message: "the request was cancelled", Err: ctx.Err()}
	}
	if do.err != nil {
		return nil, do.err
	}
	reply := &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Thinking: do.thinking}, Truncated: do.cut, Usage: a.usage}
	written(mode, do, &reply.Message)
	return reply, nil
}

// next is what the actor does about a request.
func (a *actor) next(req llm.Request) act {
	var all strings.Builder // a line each
	for _, m := range req.Messages {
		all.WriteString(m.Text + "\n")
	}
	for _, s := range scenes() {
		if !strings.Contains(all.String(), s.words) {
			continue
		}
		n := 0
		for n < len(s.cues) && strings.Contains(all.String(), s.cues[n]) {
			n++
		}
		if fault, there := a.faults[key(s.name, n)]; there {
			return fault
		}
		return s.moves[n]
	}
	return says("I do not know.")
}
