package modeleval

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
)

// look is a tool that only looks. It has one argument, or none.
type look struct {
	Name, Description string
	Argument          struct{ Name, Type, Description string }
	Answers           []saying
}

// saying is what a tool says where its argument holds Match: a text or an error, with {} for the argument.
type saying struct{ Match, Text, Error string }

func (l look) tool() tools.Tool {
	properties, required := "", ""
	if a := l.Argument; a.Name != "" {
		properties, required = fmt.Sprintf(`%q:{"type":%q,"description":%q}`, a.Name, a.Type, a.Description), fmt.Sprintf(`"required":[%q],`, a.Name)
	}
	schema := json.RawMessage(`{"type":"object","properties":{` + properties + `},` + required + `"additionalProperties":false}`)
	d := tools.Def{Name: l.Name, Description: l.Description, Capabilities: tools.Reads}
	takes := func() (accepts, told json.RawMessage) { return schema, schema }
	t, err := tools.NewRaw(d, takes, func(_ context.Context, args json.RawMessage) (tools.Result, error) {
		var given map[string]any
		if err := json.Unmarshal(args, &given); err != nil {
			return tools.Result{}, err
		}
		return l.answer(fmt.Sprint(given[l.Argument.Name]))
	})
	if err != nil {
		panic(err) // a mistake in the source
	}
	return t
}

func (l look) answer(argument string) (tools.Result, error) {
	i := slices.IndexFunc(l.Answers, func(a saying) bool { return regexp.MustCompile("(?i)" + a.Match).MatchString(argument) })
	a := l.Answers[i] // the last matches all
	if a.Error != "" {
		return tools.Result{}, tools.Missing(event.CodeFileNotFound, "%s", strings.ReplaceAll(a.Error, "{}", argument))
	}
	return tools.Result{Text: strings.ReplaceAll(a.Text, "{}", argument)}, nil
}

func judgeMeter(o outcome) string {
	// beside the readings: their sum, and what somebody may write who adds them one after the other
	allowed := []string{"417", "386", "352", "1155", "803", "738", "769", "2026", "1", "2", "3"}
	found := o.numbers()
	for _, n := range found {
		if !slices.Contains(allowed, n) {
			return "the answer has " + n + ", which no result has"
		}
	}
	for _, n := range allowed[:4] {
		if !slices.Contains(found, n) {
			return "the answer lacks " + n
		}
	}
	return ""
}

type entry struct {
	Title   string `json:"title"`
	Start   string `json:"start" jsonschema:"YYYY-MM-DDTHH:MM, 24 hours"`
	Minutes int    `json:"minutes" jsonschema:"how long it takes"`
}

func addEntry() tools.Tool {
	d := tools.Def{Name: "add_entry", Description: "Adds an entry to the calendar.", Capabilities: tools.Writes}
	return tools.New(d, func(_ context.Context, in entry) (tools.Result, error) {
		if _, err := time.Parse("2006-01-02T15:04", in.Start); err != nil {
			return tools.Result{}, tools.Invalid(event.CodeInvalidFormat, "%q is not of the form YYYY-MM-DDTHH:MM", in.Start).
				Suggest("write it like 2026-01-31T09:05")
		}
		return tools.Result{Text: "added", Effects: []event.Effect{{Kind: "wrote", Target: "calendar"}}}, nil
	})
}

type message struct {
	To   string `json:"to" jsonschema:"address"`
	Text string `json:"text" jsonschema:"the whole text"`
}

func sendMessage() tools.Tool {
	d := tools.Def{Name: "send_message", Description: "Sends a message to an address.", Capabilities: tools.Sends | tools.Writes}
	return tools.New(d, func(_ context.Context, in message) (tools.Result, error) {
		return tools.Result{Text: "sent", Effects: []event.Effect{{Kind: "sent", Target: in.To}}}, nil
	})
}

func judgeForecast(o outcome) string {
	looked := o.find("get_forecast", map[string]string{"city": "(?is).*bremen.*"})
	sent := o.find("send_message", nil)
	switch {
	case looked < 0 || sent < looked:
		return "no message after a look at the forecast"
	case o.succeeded("send_message") != 1:
		return "more than one message"
	case !fits(o.calls[sent].args, map[string]string{"to": `anna@example\.org`, "text": "(?is).*lake.*"}),
		fits(o.calls[sent].args, map[string]string{"text": "(?is).*cinema.*"}):
		return "another message than that for a dry day"
	}
	return ""
}
