package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"sync"

	"hob/internal/exit"
	"hob/internal/hardware"
	"hob/internal/llm"
	"hob/internal/llm/catalog"
	"hob/internal/llm/ollama"
	"hob/internal/llm/profile"
	"hob/internal/llm/queue"
	"hob/internal/llm/window"
)

// Model is the language model. It finds out at the first request which model that is and whether it
// is available. So a question that is asked while Ollama is down is journaled like any other, and
// its turn reports the error.
type Model struct {
	Env        *Environment
	script     llm.Model // answers in place of a server; nil: none
	baseClient *ollama.Client
	profiles   func() (*profile.Book, error) // read when they are first needed
	Queue      *queue.Queue                  // orders requests; nil without sessions

	Tools    Toolset                            // all tools of the chats; empty without sessions
	Problems func(ctx context.Context) []string // returns one line for each fault of a skill; nil without sessions

	startLock chan struct{} // held while the model is found; mu is free meanwhile

	Mu          sync.Mutex
	machine     hardware.Machine
	asked       bool          // the machine's driver, or nobody needs to
	proposed    catalog.Model // suits this machine's memory
	kv          KV            // stores measurements of the model; nil without a journal
	NumCtx      int           // the requested context, lowered to the one that the server gives
	client      *ollama.Client
	Facts       ollama.Facts // of the model, once client is set
	Profile     llm.Profile  // likewise
	rate        window.Rate  // likewise
	rateChanged bool         // rate is not stored yet
	speed       float64      // tokens that the model writes a second, of late; 0 if it was never measured
	speedStored float64      // for the next process
	hasReplied  bool         // in this process
	contextRead bool         // the server's context was read
}

// KV stores small values for the next process.
type KV interface {
	Get(ctx context.Context, key string) (string, error)
	Set(ctx context.Context, key, value string) error
}

func NewModel(s *Environment) *Model {
	e := &Model{Env: s, baseClient: s.OllamaClient, startLock: make(chan struct{}, 1), NumCtx: s.Ollama.NumCtx, profiles: sync.OnceValues(s.readProfiles)}
	e.useMachine(s.machineFiles())
	return e
}

// NewScriptedModel returns a model that is a script: no server is asked.
func NewScriptedModel(s *Environment, script llm.Model) *Model {
	e := NewModel(s)
	e.script = script
	return e
}

// Share is how many bytes of one tool result fit into the prompt.
func (e *Model) Share() int {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return e.Window().Share()
}

// Window returns the context window. The caller holds Mu.
func (e *Model) Window() window.Window {
	return window.Window{Size: e.NumCtx, Reserve: cmp.Or(e.Env.Ollama.NumPredict, window.OutputTokens(e.NumCtx)), Rate: e.rate}
}

// Chat implements [llm.Model].
func (e *Model) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	if e.script != nil {
		return e.script.Chat(ctx, req, onDelta)
	}
	c, err := e.Ready(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := c.Chat(ctx, req, onDelta)
	if err != nil {
		e.learnRefusal(ctx, err)
		return nil, err
	}
	e.recordAnswer(ctx)
	e.learnSpeed(ctx, reply.Usage)
	reply.Usage.Model = e.ActiveName()
	if e.countsOnlyNew() {
		reply.Usage.PromptTokens = 0
	}
	if !hasImages(req) { // the tokens of a picture differ from model to model
		e.learnRate(window.Estimate(req), reply.Usage.PromptTokens)
	}
	if note := e.lowerContext(ctx, c); note != "" {
		onDelta(llm.Delta{Status: note})
	}
	return reply, nil
}

func hasImages(req llm.Request) bool {
	return slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return len(m.Images) > 0 })
}

// countsOnlyNew reports whether the server counts only those tokens of a prompt that it had not
// cached. Only Ollama v0.30.0 does.
func (e *Model) countsOnlyNew() bool {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return e.Facts.Version == "0.30.0"
}

func (e *Model) learnRate(estimated, counted int) {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	rate := e.rate.Learn(estimated, counted)
	e.rateChanged = e.rateChanged || rate != e.rate
	e.rate = rate
}

// saveMeasurements stores the token rate and the speed for the next process.
func (e *Model) saveMeasurements(ctx context.Context) error {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	if e.kv == nil {
		return nil
	}
	var failures []error
	if e.rateChanged {
		e.rateChanged = false
		failures = append(failures, e.kv.Set(ctx, rateKey(e.Facts.Model), strconv.FormatFloat(float64(e.rate), 'f', 3, 64)))
	}
	if e.speed != e.speedStored {
		e.speedStored = e.speed
		failures = append(failures, e.kv.Set(ctx, speedKey(e.Facts.Model), strconv.FormatFloat(e.speed, 'f', 3, 64)))
	}
	return errors.Join(failures...)
}

// learnRefusal remembers that the server takes no tools for the model, for all turns from now on: they stand in the prompt
// then. Another version of the server is asked again.
func (e *Model) learnRefusal(ctx context.Context, err error) {
	if llm.KindOf(err) != llm.NoTools {
		return
	}
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.Profile.Mode = promptMode(e.Profile.Mode)
	if e.kv != nil {
		_ = e.kv.Set(ctx, refusalKey(e.Facts.Model), e.Facts.Version) // else the next process learns it anew
	}
}

// promptMode is the mode of a model for which the server takes no tools.
func promptMode(m llm.Mode) llm.Mode {
	if m == llm.SchemaMode {
		return m
	}
	return llm.PromptMode
}

// refusesTools reports whether a server of that version has refused tools for the model.
func refusesTools(ctx context.Context, kv KV, facts ollama.Facts) bool {
	if kv == nil || facts.Version == "" {
		return false
	}
	version, err := kv.Get(ctx, refusalKey(facts.Model))
	return err == nil && version == facts.Version
}

// refusalKey is the setting that holds the version of the server that took no tools for a model.
func refusalKey(model string) string { return "no_tools/" + fullName(model) }

func rateKey(model string) string { return "rate/" + model }

// readNumber returns a number that an earlier process measured, or 0: then it is measured again.
func readNumber(ctx context.Context, kv KV, key string) float64 {
	if kv == nil {
		return 0
	}
	text, err := kv.Get(ctx, key)
	number, bad := strconv.ParseFloat(text, 64)
	if err != nil || bad != nil {
		return 0
	}
	return number
}

// lowerContext lowers the window to the context that the server gave the model, once. A server with
// less memory gives less than was requested. It returns a note for people if the owner had
// configured more.
func (e *Model) lowerContext(ctx context.Context, c *ollama.Client) (note string) {
	e.Mu.Lock()
	read := e.contextRead
	e.Mu.Unlock()
	if read {
		return ""
	}
	got, err := c.Context(ctx)
	if err != nil || got == 0 {
		return "" // the next reply asks again
	}
	e.Mu.Lock()
	defer e.Mu.Unlock()
	if e.contextRead = true; got >= e.NumCtx {
		return ""
	}
	if e.Env.Ollama.NumCtx > 0 {
		note = fmt.Sprintf("the server runs the model with a context of %d tokens, not %d", got, e.NumCtx)
	}
	e.NumCtx = got
	return note
}

// Ready returns a client for a model that is installed and can call tools. It finds and checks the
// model at the first call.
func (e *Model) Ready(ctx context.Context) (*ollama.Client, error) {
	select {
	case e.startLock <- struct{}{}:
		defer func() { <-e.startLock }()
	case <-ctx.Done():
		return nil, &llm.Error{Kind: llm.Cancelled, Message: "the request was cancelled", Err: context.Cause(ctx)}
	}
	e.Mu.Lock()
	c := e.client
	e.Mu.Unlock()
	if c != nil {
		return c, nil
	}
	go func() { _, _ = e.profiles() }() // while the server answers
	c, facts, missing := e.find(ctx)
	book, err := e.profiles()
	if err = cmp.Or(err, missing); err != nil {
		return nil, err
	}
	e.Mu.Lock()
	wanted := e.NumCtx
	e.Mu.Unlock()
	p := book.For(profileFacts(facts))
	if refusesTools(ctx, e.kv, facts) {
		p.Mode = promptMode(p.Mode)
	}
	if p.NumCtx > 0 && e.Env.Ollama.NumCtx == 0 {
		wanted = min(wanted, p.NumCtx)
	}
	if facts.TrainedContext > 0 {
		wanted = min(wanted, facts.TrainedContext)
	}
	c = c.For(facts.Model, wanted)
	rate, speed := window.Rate(readNumber(ctx, e.kv, rateKey(facts.Model))), readNumber(ctx, e.kv, speedKey(facts.Model))
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.client, e.Facts, e.Profile, e.NumCtx, e.rate = c, facts, p, wanted, rate
	e.speed, e.speedStored = speed, speed
	return c, nil
}

// IsReady reports whether a model can be asked now.
func (e *Model) IsReady(ctx context.Context) bool {
	_, err := e.Ready(ctx)
	return err == nil
}

// Choose returns the configured model, else the proposed one if it is installed, else the newest
// that can call tools.
func (e *Model) Choose(ctx context.Context) (string, error) {
	names, chosen, err := e.candidates(ctx)
	switch {
	case err != nil:
		return "", err
	case chosen:
		return names[0], nil
	}
	_, facts, err := e.firstWithTools(ctx, names)
	return facts.Model, err
}

// find returns a client for the model that Choose returns, and what is known of it.
func (e *Model) find(ctx context.Context) (*ollama.Client, ollama.Facts, error) {
	names, chosen, err := e.candidates(ctx)
	switch {
	case err != nil:
		return nil, ollama.Facts{}, err
	case chosen:
		return e.preflight(ctx, names[0])
	}
	return e.firstWithTools(ctx, names)
}

// candidates returns the names of the models of which the first that can call tools is used. Where
// chosen is true there is one, which is used whatever it can do.
func (e *Model) candidates(ctx context.Context) (names []string, chosen bool, err error) {
	if e.Env.Ollama.Model != "" {
		return []string{e.Env.Ollama.Model}, true, nil
	}
	installed, err := e.baseClient.Models(ctx)
	if err != nil {
		return nil, false, err
	}
	if len(installed) > 1 { // of one there is nothing to choose, and a card's driver need not be asked
		proposed := e.Proposed(ctx).Name
		if slices.ContainsFunc(installed, func(m ollama.Installed) bool { return m.Name == proposed }) {
			return []string{proposed}, true, nil
		}
	}
	sort.SliceStable(installed, func(i, j int) bool { return installed[i].Modified.After(installed[j].Modified) })
	for _, m := range installed {
		names = append(names, m.Name)
	}
	return names, false, nil
}

func (e *Model) firstWithTools(ctx context.Context, names []string) (*ollama.Client, ollama.Facts, error) {
	for _, name := range names {
		if c, facts, err := e.preflight(ctx, name); err == nil && facts.Tools {
			return c, facts, nil
		}
	}
	return nil, ollama.Facts{}, &llm.Error{Kind: llm.ModelMissing,
		Message: fmt.Sprintf("there is no model that can call tools yet: get one with `hob model pull %s`", e.Proposed(ctx).Name)}
}

// preflight returns a client for a model, with the default context, and what the server says of it.
func (e *Model) preflight(ctx context.Context, name string) (*ollama.Client, ollama.Facts, error) {
	c := e.baseClient.For(name, 0)
	facts, err := c.Preflight(ctx)
	return c, facts, err
}

// Connect makes the client for the configured Ollama hosts.
func (s *Environment) Connect() error {
	dialer, err := s.Egress.Ollama(s.Hosts)
	if err != nil {
		return exit.Errorf(exit.Usage, "[ollama] host: %v", err)
	}
	var start func(context.Context) error
	if s.LocalOllama != nil && !s.looksOnly {
		start = s.LocalOllama.Start
	}
	c, err := ollama.New(ollama.Config{
		Start: start, Hosts: s.Hosts, Dial: dialer.DialContext, KeepAlive: s.Ollama.KeepAlive, Shift: s.Ollama.Shift,
		FirstByte: s.Ollama.FirstByteTimeout, Idle: s.Ollama.IdleTimeout, AllowRemote: s.Ollama.AllowRemote,
	})
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	s.OllamaClient = c
	return nil
}

// IsModelMissing reports whether err means that no model is installed, which pulling one solves.
func IsModelMissing(err error) bool { return errors.Is(err, llm.ModelMissing) }

// WantedName returns the configured model, else the proposed one. Where a driver must be asked how much memory its card has,
// Ready or Choose has done that.
func (e *Model) WantedName() string {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return cmp.Or(e.Env.Ollama.Model, e.proposed.Name)
}

// ActiveName returns the model in use, or "" before the first request.
func (e *Model) ActiveName() string {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return e.Facts.Model
}
