// Package hardware says what a model could use of a machine: the memory of the system and of its graphics
// cards, how fast the processor reads memory, and how much room a disk has.
//
// [Probe.Files] reads a few files, in less than a millisecond. [Probe.Read] also asks nvidia-smi where
// there is an NVIDIA driver, which writes the size of its memory to no file. [Probe.Bandwidth] keeps the
// processor busy for a third of a second, so it is for those who asked for an estimate. All sizes are in
// bytes.
package hardware

import (
	"context"
	"io/fs"
	"slices"
	"time"
)

// ownMemory is what a graphics device must have before it counts as one with memory of its own. Built-in
// graphics set a few hundred MiB aside and share the rest of the system's.
const ownMemory = 2 << 30

// driverTimeout ends a driver that does not answer: one that was asleep needs a second or two.
const driverTimeout = 3 * time.Second

// Memory is a store of bytes.
type Memory struct {
	Total uint64 `json:"total"`
	Free  uint64 `json:"free"` // what a program that starts now can have
}

// Card is a graphics card with memory of its own.
type Card struct {
	Name string `json:"name"`
	Memory
}

// Machine is what a model could use.
type Machine struct {
	System    Memory // of the container, if that may use less
	Container bool   // System is the container's limit
	Cards     []Card
	Hidden    bool // there is an NVIDIA card that does not say how much memory it has
}

// Probe looks at a machine.
type Probe struct {
	Root fs.FS // the machine's whole file system, such as os.DirFS("/")
	// Run runs a program and returns what it prints.
	Run  func(ctx context.Context, argv []string) (string, error)
	Now  func() time.Time
	Free func(path string) (uint64, error) // of the disk that path is on, such as [FreeSpace]
}

// Files returns what files tell of the machine. The limit of hob's own systemd unit does not count: the
// models run in Ollama's. The error says that not even the size of the system's memory is known; the
// cards are there all the same.
func (p Probe) Files() (Machine, error) {
	m, err := readSystem(p.Root)
	m.Cards = readAMD(p.Root)
	_, none := fs.Stat(p.Root, "proc/driver/nvidia")
	m.Hidden = none == nil
	return m, err
}

// Read is Files, and asks the driver of an NVIDIA card. Its program may need a second or two.
func (p Probe) Read(ctx context.Context) (Machine, error) {
	m, err := p.Files()
	if m.Hidden {
		cards := p.askNVIDIA(ctx)
		m.Cards, m.Hidden = append(m.Cards, cards...), len(cards) == 0
	}
	return m, err
}

func (p Probe) askNVIDIA(ctx context.Context) []Card {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	out, err := p.Run(ctx, []string{"nvidia-smi", "--query-gpu=name,memory.total,memory.free", "--format=csv,noheader,nounits"})
	if err != nil {
		return nil // a driver without its program, or without a card that works
	}
	return slices.DeleteFunc(ParseNVIDIA(out), func(c Card) bool { return c.Total < ownMemory })
}

// Usable is the memory that models run in: that of the cards together if there are any, else the system's.
func (m Machine) Usable() Memory {
	if len(m.Cards) == 0 {
		return m.System
	}
	var all Memory
	for _, c := range m.Cards {
		all.Total, all.Free = all.Total+c.Total, all.Free+c.Free
	}
	return all
}

// Source says for a person whose memory Usable is.
func (m Machine) Source() string {
	source := "memory of the system"
	switch {
	case len(m.Cards) == 1:
		return "memory of the graphics card"
	case len(m.Cards) > 1:
		return "memory of the graphics cards"
	case m.Container:
		source = "memory that the container may use"
	}
	if m.Hidden {
		source += "; there is an NVIDIA card, but nvidia-smi does not say how much memory it has"
	}
	return source
}
