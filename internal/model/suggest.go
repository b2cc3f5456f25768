package model

import (
	"context"
	"runtime"
	"slices"
	"time"

	"hob/internal/hardware"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/llm/catalog"
	"hob/internal/llm/ollama"
)

// Fit says whether a model has room in the memory of this machine.
type Fit string

const (
	Fits       Fit = "yes"
	FitsLater  Fit = "later"  // when other programs give some memory back
	FitsPartly Fit = "partly" // the graphics card holds a part of it, the system the rest: that is slow
	FitsNot    Fit = "no"
	FitUnknown Fit = "unknown" // Ollama runs on another machine
)

// Suggestion is what `hob model suggest --json` prints.
type Suggestion struct {
	Proposed string           `json:"proposed"`
	Machine  MachineReport    `json:"machine"`
	Models   []SuggestedModel `json:"models"` // the one for the least memory first
}

// MachineReport is what models can use of this machine.
type MachineReport struct {
	Source    string              `json:"source"` // whose memory it is
	Memory    hardware.Memory     `json:"memory"` // free is also what a loaded model holds: Ollama makes room for the next
	Cards     []hardware.Card     `json:"cards,omitempty"`
	Bandwidth *hardware.Bandwidth `json:"bandwidth,omitempty"` // of the system's memory; none where models run on a card
	Disk      *Disk               `json:"disk,omitempty"`      // for models; none if it is unknown
	Other     string              `json:"other,omitempty"`     // an Ollama on another machine, of which nothing is known
	Note      string              `json:"note,omitempty"`      // what could not be seen
}

// rate is how many bytes a second are read of Memory; 0 is unknown.
func (r MachineReport) rate() float64 {
	if r.Bandwidth != nil {
		return r.Bandwidth.BytesPerSecond
	}
	return hardware.CardRate(r.Cards)
}

// Disk is where models are kept.
type Disk struct {
	Path string `json:"path"`
	Free uint64 `json:"free"` // bytes
}

// SuggestedModel is a model of the table on this machine.
type SuggestedModel struct {
	catalog.Model
	Needs           uint64  `json:"needs"` // bytes of memory with its context
	Fit             Fit     `json:"fits"`
	Lacks           uint64  `json:"lacks,omitempty"`             // bytes of memory that other programs must give back
	TokensPerSecond float64 `json:"tokens_per_second,omitempty"` // written; 0: unknown
	Measured        bool    `json:"measured"`                    // TokensPerSecond was measured when it answered; else it is an estimate
	Installed       bool    `json:"installed"`
	Proposed        bool    `json:"proposed"`
}

// Suggest looks at the machine, which takes a third of a second, and returns the models of the table with
// what is to be expected of them here. An Ollama that does not answer is no error: nothing is installed
// then.
func (e *Model) Suggest(ctx context.Context) (Suggestion, error) {
	loaded, installed := e.askWhatIsThere(ctx)
	report, err := e.lookAtMachine(ctx, loaded)
	if err != nil {
		return Suggestion{}, err
	}
	proposed, table := e.Proposed(ctx), catalog.Read()
	s := Suggestion{Proposed: proposed.Name, Machine: report, Models: make([]SuggestedModel, 0, len(table))}
	speeds := e.readSpeeds(ctx, lists.Map(table, func(m catalog.Model) string { return m.Name }))
	for _, m := range table {
		one := SuggestedModel{Model: m, Needs: m.Needs(), Proposed: m.Name == proposed.Name}
		one.Installed = slices.ContainsFunc(installed, func(name string) bool { return llm.SameModel(name, m.Name) })
		one.Fit, one.Lacks = report.fit(one.Needs, e.machineFiles().System.Total)
		one.TokensPerSecond, one.Measured = speeds[m.Name], speeds[m.Name] > 0
		if !one.Measured && (one.Fit == Fits || one.Fit == FitsLater) {
			one.TokensPerSecond = catalog.TokensPerSecond(report.rate(), m.Read)
		}
		s.Models = append(s.Models, one)
	}
	return s, nil
}

// lookTimeout limits how long the server is asked what it has.
const lookTimeout = 3 * time.Second

// askWhatIsThere returns the models that the server holds in memory, and the names of those that it has.
func (e *Model) askWhatIsThere(ctx context.Context) (loaded []ollama.Loaded, installed []string) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	loaded, err := e.cfg.Client.Loaded(ctx)
	if err != nil {
		return nil, nil
	}
	all, _ := e.cfg.Client.Models(ctx)
	return loaded, lists.Map(all, func(m ollama.Installed) string { return m.Name })
}

// lookAtMachine returns what models can use of this machine, and measures its memory if they would run
// there. loaded is what Ollama holds of it now.
func (e *Model) lookAtMachine(ctx context.Context, loaded []ollama.Loaded) (MachineReport, error) {
	var r MachineReport
	if r.Other = e.otherMachine(); r.Other != "" || e.cfg.Hardware == nil {
		r.Source = "unknown"
		return r, nil
	}
	m, err := e.cfg.Hardware.Read(ctx)
	if err != nil && len(m.Cards) == 0 {
		r.Note = "the size of its memory is unknown"
	}
	r.Source, r.Memory, r.Cards = m.Source(), m.Usable(), m.Cards
	for _, l := range loaded {
		back := l.Size - l.Card
		if len(m.Cards) > 0 {
			back = l.Card
		} else if l.Card > 0 {
			r.Note = "Ollama uses a graphics card that hob cannot see: models may be larger and faster than shown"
		}
		r.Memory.Free = min(r.Memory.Free+uint64(back), r.Memory.Total)
	}
	dir := e.modelDir()
	if room, err := e.cfg.Hardware.Room(dir); err == nil {
		r.Disk = &Disk{Path: dir, Free: room}
	}
	if len(m.Cards) > 0 {
		return r, nil
	}
	b, err := e.cfg.Hardware.Bandwidth(ctx, runtime.GOMAXPROCS(0), m.System.Free)
	if err != nil {
		return r, err
	}
	if b.BytesPerSecond > 0 {
		r.Bandwidth = &b
	}
	return r, nil
}

// fit says whether a model that needs so many bytes fits, and how many are lacking now. system is all
// memory of the system.
func (r MachineReport) fit(needs, system uint64) (Fit, uint64) {
	switch {
	case r.Memory.Total == 0:
		return FitUnknown, 0
	case needs <= r.Memory.Free:
		return Fits, 0
	case needs <= r.Memory.Total:
		return FitsLater, needs - r.Memory.Free
	case len(r.Cards) > 0 && needs <= r.Memory.Total+system:
		return FitsPartly, 0
	}
	return FitsNot, 0
}
