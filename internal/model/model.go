// Package model is the language model that hob uses: which one that is, what is known of it, how it
// is asked, how fast it writes, and how another is downloaded.
//
// A [Model] finds out at the first request which model that is and whether it is available. So a
// question that is asked while Ollama is down is journaled like any other, and its turn reports the
// error. A [Watch] reports when the model becomes unreachable and when it is back.
package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"sync"

	"hob/internal/config"
	"hob/internal/hardware"
	"hob/internal/llm"
	"hob/internal/llm/catalog"
	"hob/internal/llm/ollama"
	"hob/internal/llm/profile"
	"hob/internal/llm/window"
)

// Config is what a [Model] is made of.
type Config struct {
	Ollama   config.Ollama  // what the owner says of models
	Hosts    []string       // addresses of the server
	Client   *ollama.Client // of the server, without a model
	Profiles []string       // files with profiles of models beside hob's own, which need not exist
	Hardware Hardware       // looks at this machine; nil: nothing is known of it
	Dirs     []string       // where an Ollama of this machine may keep its models, the likeliest first
	Script   llm.Model      // answers in place of the server; nil: none

	// Stored hands the measurements of earlier processes to read, where the journal is not open. It may
	// be nil.
	Stored func(ctx context.Context, read func(KV)) error
}

// KV stores small values for the next process.
type KV interface {
	Get(ctx context.Context, key string) (string, error)
	Set(ctx context.Context, key, value string) error
}

// Model is the language model.
type Model struct {
	cfg      Config
	profiles func() (*profile.Book, error) // read when they are first needed

	startLock chan struct{} // held while the model is found; mu is free meanwhile

	mu          sync.Mutex
	machine     hardware.Machine
	asked       bool          // the machine's driver, or nobody needs to
	proposed    catalog.Model // suits this machine's memory
	kv          KV            // stores measurements of the model; nil without a journal
	numCtx      int           // the requested context, lowered to the one that the server gives
	client      *ollama.Client
	facts       ollama.Facts // of the model, once client is set
	profile     llm.Profile  // likewise
	rate        window.Rate  // likewise
	rateChanged bool         // rate is not stored yet
	speed       float64      // tokens that the model writes a second, of late; 0 if it was never measured
	speedStored float64      // for the next process
	hasReplied  bool         // in this process
	contextRead bool         // the server's context was read
}

// New returns a model. It asks nobody yet.
func New(cfg Config) *Model {
	e := &Model{cfg: cfg, startLock: make(chan struct{}, 1), numCtx: cfg.Ollama.NumCtx}
	e.profiles = sync.OnceValues(e.readProfiles)
	e.useMachine(e.machineFiles())
	return e
}

// Remember has measurements read from kv and stored there.
func (e *Model) Remember(kv KV) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kv = kv
}

// State is what is known of the model now.
type State struct {
	Context int          // tokens: what is requested, or what the server gives where that is less
	Reserve int          // tokens of it that are kept for a reply
	Facts   ollama.Facts // zero until the model was found
	Profile llm.Profile  // likewise
}

// State returns what is known of the model now.
func (e *Model) State() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return State{e.numCtx, e.window().Reserve, e.facts, e.profile}
}

// Share is how many bytes of one tool result fit into the prompt.
func (e *Model) Share() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.window().Share()
}

// window returns the context window. The caller holds mu.
func (e *Model) window() window.Window {
	return window.Window{Size: e.numCtx, Reserve: cmp.Or(e.cfg.Ollama.NumPredict, window.OutputTokens(e.numCtx)), Rate: e.rate}
}

// Chat implements [llm.Model].
func (e *Model) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	if e.cfg.Script != nil {
		return e.cfg.Script.Chat(ctx, req, onDelta)
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
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.facts.Version == "0.30.0"
}

func (e *Model) learnRate(estimated, counted int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	rate := e.rate.Learn(estimated, counted)
	e.rateChanged = e.rateChanged || rate != e.rate
	e.rate = rate
}

// Save stores the token rate and the speed for the next process.
func (e *Model) Save(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.kv == nil {
		return nil
	}
	var failures []error
	if e.rateChanged {
		e.rateChanged = false
		failures = append(failures, e.kv.Set(ctx, rateKey(e.facts.Model), strconv.FormatFloat(float64(e.rate), 'f', 3, 64)))
	}
	if e.speed != e.speedStored {
		e.speedStored = e.speed
		failures = append(failures, e.kv.Set(ctx, speedKey(e.facts.Model), strconv.FormatFloat(e.speed, 'f', 3, 64)))
	}
	return errors.Join(failures...)
}

// learnRefusal remembers that the server takes no tools for the model, for all turns from now on: they stand in the prompt
// then. Another version of the server is asked again.
func (e *Model) learnRefusal(ctx context.Context, err error) {
	if llm.KindOf(err) != llm.NoTools {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.profile.Mode = promptMode(e.profile.Mode)
	if e.kv != nil {
		_ = e.kv.Set(ctx, refusalKey(e.facts.Model), e.facts.Version) // else the next process learns it anew
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
func refusalKey(model string) string { return "no_tools/" + llm.FullName(model) }

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
	e.mu.Lock()
	read := e.contextRead
	e.mu.Unlock()
	if read {
		return ""
	}
	got, err := c.Context(ctx)
	if err != nil || got == 0 {
		return "" // the next reply asks again
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.contextRead = true; got >= e.numCtx {
		return ""
	}
	if e.cfg.Ollama.NumCtx > 0 {
		note = fmt.Sprintf("the server runs the model with a context of %d tokens, not %d", got, e.numCtx)
	}
	e.numCtx = got
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
	e.mu.Lock()
	c := e.client
	e.mu.Unlock()
	if c != nil {
		return c, nil
	}
	go func() { _, _ = e.profiles() }() // while the server answers
	c, facts, missing := e.find(ctx)
	book, err := e.profiles()
	if err = cmp.Or(err, missing); err != nil {
		return nil, err
	}
	e.mu.Lock()
	wanted := e.numCtx
	e.mu.Unlock()
	p := book.For(profileFacts(facts))
	if refusesTools(ctx, e.kv, facts) {
		p.Mode = promptMode(p.Mode)
	}
	if p.NumCtx > 0 && e.cfg.Ollama.NumCtx == 0 {
		wanted = min(wanted, p.NumCtx)
	}
	if facts.TrainedContext > 0 {
		wanted = min(wanted, facts.TrainedContext)
	}
	c = c.For(facts.Model, wanted)
	rate, speed := window.Rate(readNumber(ctx, e.kv, rateKey(facts.Model))), readNumber(ctx, e.kv, speedKey(facts.Model))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.client, e.facts, e.profile, e.numCtx, e.rate = c, facts, p, wanted, rate
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
	if e.cfg.Ollama.Model != "" {
		return []string{e.cfg.Ollama.Model}, true, nil
	}
	installed, err := e.cfg.Client.Models(ctx)
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
	remote := ""
	for _, name := range names {
		c, facts, err := e.preflight(ctx, name)
		switch {
		case err == nil && facts.Tools:
			return c, facts, nil
		case llm.KindOf(err) == llm.ModelRefused:
			remote = cmp.Or(remote, name)
		}
	}
	if remote != "" {
		return nil, ollama.Facts{}, &llm.Error{Kind: llm.ModelMissing, Message: fmt.Sprintf(
			"%s runs on somebody else's machine, which hob does not use: get one that runs here with `hob model pull %s`, or set [ollama] allow_remote",
			remote, e.Proposed(ctx).Name)}
	}
	return nil, ollama.Facts{}, &llm.Error{Kind: llm.ModelMissing,
		Message: fmt.Sprintf("there is no model that can call tools yet: get one with `hob model pull %s`", e.Proposed(ctx).Name)}
}

// preflight returns a client for a model, with the default context, and what the server says of it.
func (e *Model) preflight(ctx context.Context, name string) (*ollama.Client, ollama.Facts, error) {
	c := e.cfg.Client.For(name, 0)
	facts, err := c.Preflight(ctx)
	return c, facts, err
}

// IsMissing reports whether err means that no model is installed, which pulling one solves.
func IsMissing(err error) bool { return errors.Is(err, llm.ModelMissing) }

// WantedName returns the configured model, else the proposed one. Where a driver must be asked how much memory its card has,
// Ready or Choose has done that.
func (e *Model) WantedName() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cmp.Or(e.cfg.Ollama.Model, e.proposed.Name)
}

// ActiveName returns the model in use, or "" before the first request.
func (e *Model) ActiveName() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.facts.Model
}
