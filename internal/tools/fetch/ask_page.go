package fetch

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/tools"
)

const (
	maxAskedLinks = 60   // of a page, that an answer can choose from
	maxQuestion   = 2000 // bytes
	askPageTries  = 2
)

// askPageSystem tells a model what it is to do with a page.
//
//go:embed ask_page.md
var askPageSystem string

// PageQuestion is what a model is asked about a page. It gets no tools, no history and no other text: whoever wrote the
// page can make it answer whatever they like, and do nothing else.
type PageQuestion struct {
	System string
	Text   string          // the question and the page, which is fenced
	Schema json.RawMessage // JSON Schema that the answer is to fit
}

// Asker asks a model one question, and returns its answer as it came. It is given no reason to trust: ask_page checks all
// of it. An error of type [*tools.Error] is for the model that made the call.
type Asker func(ctx context.Context, q PageQuestion) (json.RawMessage, error)

// AskedPage is the Data of what ask_page returns.
type AskedPage struct {
	URL    string          `json:"url"`             // where the page was found, after redirects
	Status int             `json:"status"`          // of HTTP
	Length int             `json:"length"`          // of the page's text, in characters
	Read   int             `json:"read"`            // characters of it that were read
	Answer json.RawMessage `json:"answer"`          // an object with the fields that were asked for
	Links  []string        `json:"links,omitempty"` // those of the page that are in it, in fields for links
}

type askPageIn struct {
	URL      string         `json:"url"`
	Question string         `json:"question"`
	Schema   map[string]any `json:"schema,omitempty" jsonschema:"fields: {\"price\":\"number\"}; or integer, boolean, date, link, text, [\"a\",\"b\"]"`
}

// askPage reads pages in quarantine.
type askPage struct {
	pages *FetchTool
	ask   Asker
}

// NewAskPage returns ask_page: it fetches a page with f, has a model answer a question about it that can do nothing
// but answer, and returns that answer in the fields that the caller has named.
//
// Numbers, booleans, dates, words of the caller's own list and addresses of the page's own links can carry no instruction:
// an answer of these alone is not untrusted. What it says may still be false, for the page says it. A field for text may
// hold anything that the page's author wants, so an answer that has one is as untrusted as the page. The names of the
// fields and the words of a list are the caller's; nothing of the page is in an error unless it is labelled.
//
// A nil ask makes a tool that refuses.
func NewAskPage(f *FetchTool, ask Asker) tools.Tool {
	return tools.New(tools.Def{
		Name:           "ask_page",
		Description:    "Get facts from a web page. Safer and shorter than fetch.",
		Capabilities:   tools.Reads | tools.Sends, // not Untrusted, which would be said of every result
		Timeout:        -1,                        // Config.Timeout for the page, the turn's for the model
		CapabilitiesOf: askPageCapabilities,
		Check:          tools.CheckArgs(func(in askPageIn) error { return in.check(f) }),
		ResourcesOf:    resourcesOfURL,
		Command:        "ask_page <url:string> <question:string...>",
		Examples:       []string{"ask_page https://example.org Who owns this domain?"},
	}, askPage{f, ask}.run)
}

// askPageCapabilities is what one call may do: its result is a stranger's words where words are asked for.
func askPageCapabilities(_ context.Context, args json.RawMessage) tools.Capabilities {
	var in askPageIn
	if json.Unmarshal(args, &in) == nil {
		if fields, bad := readFields(in.Schema); bad == nil && !hasText(fields) {
			return tools.Reads | tools.Sends
		}
	}
	return tools.Reads | tools.Sends | tools.Untrusted
}

// check says what is wrong with the arguments.
func (in askPageIn) check(pages *FetchTool) error {
	switch question := strings.TrimSpace(in.Question); {
	case question == "":
		return tools.Invalid(event.CodeRequiredField, "question must not be empty")
	case len(question) > maxQuestion:
		return tools.Invalid(event.CodeInvalidValue, "a question has at most %s bytes", thousands(maxQuestion))
	}
	if _, bad := readFields(in.Schema); bad != nil {
		return bad
	}
	return pages.checkAddress(in.URL)
}

func (a askPage) run(ctx context.Context, in askPageIn) (tools.Result, error) {
	question := strings.TrimSpace(in.Question)
	if a.ask == nil {
		return tools.Result{}, tools.Disabled("there is no model to read the page").Suggest("use fetch")
	}
	fields, bad := readFields(in.Schema)
	if bad != nil {
		return tools.Result{}, bad
	}
	u, err := a.pages.parse(in.URL)
	if err != nil {
		return failedFetch(nil, nil, err)
	}
	page, err := a.pages.get(ctx, u)
	if err != nil {
		return failedFetch(u, page, err)
	}
	res := tools.Result{Effects: page.effects(""), Label: labelOf(page.url)}
	res.Label.Untrusted = false // so far nothing of the page is in it but a number
	if page.status >= http.StatusBadRequest {
		return res, tools.Failed("the server answered with an error page, status %d", page.status).Suggest("check the address")
	}
	r := newReading(page.render(""), question, page.url.Hostname(), fields, a.pages.most())
	got, err := a.answer(ctx, r)
	if err != nil {
		res.Label.Untrusted = errors.As(err, new(*tools.Error)) // the asker's own, who has seen the page
		return res, err
	}
	res.Text, res.Label.Untrusted = string(got.json)+r.notes(), hasText(fields)
	res.Data = AskedPage{URL: page.url.String(), Status: page.status, Length: r.length, Read: r.read, Answer: got.json, Links: got.links}
	return res, nil
}

// reading is a page that is read for the answer to a question.
type reading struct {
	question PageQuestion
	fields   []pageField
	length   int      // of the page's text, in characters
	read     int      // characters of it that are read
	links    []string // that can be chosen
	all      int      // links in what is read
}

// newReading prepares as much of a page's text as fits most bytes.
func newReading(text, question, host string, fields []pageField, most int) reading {
	shown := text[:boundary(text, most)]
	r := reading{fields: fields, length: utf8.RuneCountInString(text), read: utf8.RuneCountInString(shown)}
	r.links = linksOf(shown)
	r.all = len(r.links)
	r.links = r.links[:min(r.all, maxAskedLinks)]
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n\nFields:\n", question)
	for _, f := range fields {
		fmt.Fprintf(&b, "- %s: %s\n", f.name, f.words())
	}
	// Nobody can write a text that holds its own hash.
	sum := sha256.Sum256([]byte(shown))
	b.WriteString("\n" + event.Fence(shown, "web:"+host, hex.EncodeToString(sum[:8])))
	r.question = PageQuestion{System: askPageSystem, Text: b.String(), Schema: answerSchema(fields, r.links)}
	return r
}

// notes says in hob's own words what of the page was not looked at.
func (r reading) notes() string {
	note := ""
	if r.read < r.length {
		note += fmt.Sprintf("\n[only the first %s of %s characters of the page were read]", thousands(r.read), thousands(r.length))
	}
	if len(r.links) < r.all && hasKind(r.fields, linkField) {
		note += fmt.Sprintf("\n[only the first %d of %s links could be chosen]", len(r.links), thousands(r.all))
	}
	return note
}

// errNoAnswer is what ask_page fails with when a page was read and no answer came of it: in words that are all hob's own.
var errNoAnswer = errors.New("no answer of the form that was asked for came of the page")

// answer asks until the answer fits.
func (a askPage) answer(ctx context.Context, r reading) (pageAnswer, error) {
	q := r.question
	for range askPageTries {
		raw, err := a.ask(ctx, q)
		switch {
		case err != nil && ctx.Err() != nil:
			return pageAnswer{}, context.Cause(ctx)
		case errors.As(err, new(*tools.Error)):
			return pageAnswer{}, err
		case err != nil: // it may quote a model that has read the page
			return pageAnswer{}, fmt.Errorf("%w: the model gave none", errNoAnswer)
		}
		got, problem := readAnswer(raw, r.fields, r.links)
		if problem == "" {
			return got, nil
		}
		q.Text = r.question.Text + "\n\nYour last answer did not fit: " + problem + ". Answer again."
	}
	return pageAnswer{}, fmt.Errorf("%w: ask for fewer or simpler fields", errNoAnswer)
}
