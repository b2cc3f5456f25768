package modeleval

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

//go:embed system.md
var system string

// The names of the checks that decide about the profile.
const (
	singleCall    = "single call"
	parallelCalls = "parallel calls"
	noneNeeded    = "none needed"
	nestedObject  = "nested object"
)

// check is a check of behaviour. run returns what went wrong, "" if nothing did; its error is one of the model's.
type check struct {
	name, what string
	run        func(ctx context.Context, t *conversation) (string, error)
}

// behaviourChecks returns the checks of behaviour. The first decides whether the others are worth making.
func behaviourChecks() []check {
	return []check{
		{singleCall, "one call, and its result used in the answer",
			checkOneCall("What is the weather in Paris right now?", "get_weather", inCity("Paris"), "Paris: 14 degrees, light rain", "14")},
		{parallelCalls, "two calls in one reply", checkParallelCalls},
		{noneNeeded, "no call where the question holds the answer", checkNoneNeeded},
		{"two steps", "a call with what the first call returned", checkTwoSteps},
		{"error recovery", "a call mended as its error says", checkRecovery},
		{"unicode and newlines", "letters of two scripts and a line break arrive byte for byte", checkUnicode},
		{nestedObject, "an object inside the arguments", checkNested},
		{"long result", "one line in the middle of 1,500 tokens found",
			checkOneCall("Read the file house.log and tell me where the spare key is.", "read_file", argumentIs("path", "house.log"), houseLog(), "teapot")},
		{"denial", "a call that is not allowed: said so, not tried again",
			checkOneCall("Send tom@example.org this message: I am late.", "send_message", argumentIs("to", "tom@example.org"),
				"denied by the user; it was not sent. Do not try again: tell the user what was not done.",
				"not", "n't", "denied", "refused", "declined", "unable", "permission", "rejected", "blocked")},
	}
}

// checkTools is the tools that the model has in every check. They are plausible together and unlike each other.
func checkTools() []llm.ToolDefinition {
	tool := func(name, description, parameters string) llm.ToolDefinition {
		return llm.ToolDefinition{Name: name, Description: description, Parameters: json.RawMessage(parameters)}
	}
	return []llm.ToolDefinition{
		tool("get_weather", "Tells the weather in a city right now.",
			`{"type":"object","properties":{"city":{"type":"string","description":"name of the city"}},"required":["city"],"additionalProperties":false}`),
		tool("find_contact", "Looks up the address of a person in the address book.",
			`{"type":"object","properties":{"name":{"type":"string","description":"name of the person"}},"required":["name"],"additionalProperties":false}`),
		tool("send_message", "Sends a message to an address.",
			`{"type":"object","properties":{"to":{"type":"string","description":"address, such as tom@example.org"},"text":{"type":"string","description":"the whole text"}},"required":["to","text"],"additionalProperties":false}`),
		tool("create_event", "Puts an event into the calendar.",
			`{"type":"object","properties":{"title":{"type":"string"},"date":{"type":"string","description":"YYYY-MM-DD"},"place":{"type":"object","properties":{"name":{"type":"string"},"city":{"type":"string"}},"required":["name","city"],"additionalProperties":false}},"required":["title","date","place"],"additionalProperties":false}`),
		tool("read_file", "Reads a text file.",
			`{"type":"object","properties":{"path":{"type":"string","description":"path of the file"}},"required":["path"],"additionalProperties":false}`),
	}
}

// checkOneCall returns a check of one call, of that tool and with arguments that fit, and of an answer with one of the parts in it.
func checkOneCall(words, tool string, fits func(json.RawMessage) bool, result string, parts ...string) func(context.Context, *conversation) (string, error) {
	return func(ctx context.Context, t *conversation) (string, error) {
		t.addUser(words)
		c, note, err := t.askForCall(ctx, tool, fits)
		if note != "" || err != nil {
			return note, err
		}
		t.addResult(c, result)
		return t.askForAnswer(ctx, parts...)
	}
}

func checkParallelCalls(ctx context.Context, t *conversation) (string, error) {
	t.addUser("What is the weather in Oslo and in Cairo right now? Ask for both cities in one go.")
	r, err := t.ask(ctx)
	if err != nil || r.Class != toolcall.Calls {
		return describe(r), err
	}
	wanted := map[string]bool{"Oslo": true, "Cairo": true}
	for _, c := range r.Calls {
		for city := range wanted {
			if c.Name == "get_weather" && inCity(city)(c.Args) {
				delete(wanted, city)
			}
		}
	}
	if len(wanted) > 0 || len(r.Calls) != 2 {
		return describe(r), nil
	}
	return "", nil
}

func checkNoneNeeded(ctx context.Context, t *conversation) (string, error) {
	t.addUser("It is 21 degrees and sunny in Lisbon today. How many degrees is it in Lisbon today?")
	return t.askForAnswer(ctx, "21", "twenty-one")
}

func checkTwoSteps(ctx context.Context, t *conversation) (string, error) {
	t.addUser("Look up the address of Anna and then send her exactly this message: Dinner is at eight.")
	c, note, err := t.askForCall(ctx, "find_contact", argumentContains("name", "Anna"))
	if note != "" || err != nil {
		return note, err
	}
	t.addResult(c, "Anna: anna.k27@example.org")
	_, note, err = t.askForCall(ctx, "send_message", func(args json.RawMessage) bool {
		return argumentIs("to", "anna.k27@example.org")(args) && argumentContains("text", "dinner is at eight")(args)
	})
	return note, err
}

func checkRecovery(ctx context.Context, t *conversation) (string, error) {
	t.addUser("What stands in the file shopping.txt?")
	c, note, err := t.askForCall(ctx, "read_file", argumentIs("path", "shopping.txt"))
	if note != "" || err != nil {
		return note, err
	}
	t.addResult(c, "error: there is no file shopping.txt. Its path is lists/shopping.txt: call read_file again with that path.")
	c, note, err = t.askForCall(ctx, "read_file", argumentIs("path", "lists/shopping.txt"))
	if note != "" || err != nil {
		return note, err
	}
	t.addResult(c, "oat milk\ncandles\n")
	return t.askForAnswer(ctx, "candles")
}

// unicodeWords has letters outside ASCII, of one, two and three bytes, and a line break: what templates, escapes and
// parsers spoil first.
const unicodeWords = "Größe\n第二行"

func checkUnicode(ctx context.Context, t *conversation) (string, error) {
	t.addUser("Send tom@example.org a message of exactly two lines and nothing else. The first line is: Größe\nThe second line is: 第二行")
	_, note, err := t.askForCall(ctx, "send_message", func(args json.RawMessage) bool {
		return argumentIs("to", "tom@example.org")(args) && argumentIs("text", unicodeWords)(args)
	})
	return note, err
}

func checkNested(ctx context.Context, t *conversation) (string, error) {
	t.addUser(`Put an event into the calendar: the title is "Chess", the date is 2026-03-14, and it is at the place named "Caissa" in the city of Riga.`)
	_, note, err := t.askForCall(ctx, "create_event", func(args json.RawMessage) bool {
		return llm.CanonicalArgs(args) == llm.CanonicalArgs(json.RawMessage(`{"title":"Chess","date":"2026-03-14","place":{"name":"Caissa","city":"Riga"}}`))
	})
	return note, err
}

// houseLog has about 1,500 tokens, and what is asked for in the middle.
func houseLog() string {
	var b strings.Builder
	for i := range 60 {
		if i == 31 {
			b.WriteString("note: the spare key is in the blue teapot\n")
		}
		fmt.Fprintf(&b, "day %d: kitchen %d degrees, cellar %d degrees, window closed, meter %d\n", i+1, 17+i*7%6, 9+i*5%4, 48200+i*13)
	}
	return b.String()
}

// askForCall asks, and expects exactly one call, of that tool and with arguments that fit.
func (t *conversation) askForCall(ctx context.Context, tool string, fits func(json.RawMessage) bool) (toolcall.Call, string, error) {
	r, err := t.ask(ctx)
	if err != nil || r.Class != toolcall.Calls || len(r.Calls) != 1 || r.Calls[0].Name != tool || !fits(r.Calls[0].Args) {
		return toolcall.Call{}, describe(r), err
	}
	return r.Calls[0], "", nil
}

// askForAnswer asks, and expects words without a call, with one of the parts in them.
func (t *conversation) askForAnswer(ctx context.Context, parts ...string) (string, error) {
	r, err := t.ask(ctx)
	if err == nil && r.Class == toolcall.Text {
		for _, part := range parts {
			if strings.Contains(strings.ToLower(r.Text), part) {
				return "", nil
			}
		}
	}
	return describe(r), err
}

// argument returns a value of a type among arguments, else its zero.
func argument[T any](args json.RawMessage, name string) T {
	var object map[string]any
	_ = json.Unmarshal(args, &object) // what is no object has none
	value, _ := object[name].(T)
	return value
}

// argumentIs reports whether an argument is exactly that text.
func argumentIs(name, text string) func(json.RawMessage) bool {
	return func(args json.RawMessage) bool { return argument[string](args, name) == text }
}

// argumentContains reports whether an argument has that text in it, in letters of any case.
func argumentContains(name, text string) func(json.RawMessage) bool {
	return func(args json.RawMessage) bool {
		return strings.Contains(strings.ToLower(argument[string](args, name)), strings.ToLower(text))
	}
}

// inCity reports whether the argument city is that city: "Paris", or as many write it "Paris, France".
func inCity(city string) func(json.RawMessage) bool {
	return func(args json.RawMessage) bool {
		name, _, _ := strings.Cut(argument[string](args, "city"), ",")
		return strings.EqualFold(strings.TrimSpace(name), city)
	}
}
