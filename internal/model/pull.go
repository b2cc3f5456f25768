package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/catalog"
	"hob/internal/llm/ollama"
)

// spareDisk is what a download leaves on the disk, in bytes: the journal may be there, too.
const spareDisk = 1e9

// usualRate is the connection for which an expected time is said before a download, in bytes a second:
// 100 Mbit/s.
const usualRate = 100e6 / 8

// grownBy is by how many bytes a download has to grow before the disk is looked at again. Ollama
// announces a model's files one after the other, the small ones last.
const grownBy = 100_000_000

// Pull is a download of a model that was not begun yet.
type Pull struct {
	Name      string
	Size      int64  // bytes; 0 is unknown until Ollama says it
	Needs     uint64 // bytes of memory; 0 is unknown
	Memory    uint64 // bytes that models may use; 0 is unknown
	Disk      *Disk  // where it will be kept; nil is unknown
	Installed bool
}

// PlanPull says what the download of a model will take.
func (e *Model) PlanPull(ctx context.Context, name string) Pull {
	p := Pull{Name: strings.TrimSpace(name)}
	if m, ok := catalog.Read().ByName(p.Name); ok {
		p.Size, p.Needs = m.Size, m.Needs()
	}
	_, installed := e.askWhatIsThere(ctx)
	p.Installed = slices.ContainsFunc(installed, func(name string) bool { return llm.SameModel(name, p.Name) })
	if e.otherMachine() != "" || e.cfg.Hardware == nil {
		return p
	}
	e.Proposed(ctx) // asks a card for its memory
	e.mu.Lock()
	p.Memory = e.machine.Usable().Total
	e.mu.Unlock()
	dir := e.modelDir()
	if room, err := e.cfg.Hardware.Room(dir); err == nil {
		p.Disk = &Disk{Path: dir, Free: room}
	}
	return p
}

// Describe says in a line what the download takes.
func (p Pull) Describe() string {
	if p.Installed {
		return "it is there already; Ollama looks whether there is a newer one"
	}
	parts := []string{"Ollama says its size when it begins"}
	if p.Size > 0 {
		took := time.Duration(float64(p.Size) / usualRate * float64(time.Second))
		minutes := max(1, int(took.Round(time.Minute).Minutes()))
		parts[0] = fmt.Sprintf("%s to download, about %d min at 100 Mbit/s", display.Bytes(p.Size), minutes)
	}
	if p.Disk != nil {
		parts = append(parts, fmt.Sprintf("%s free on the disk", display.Bytes(int64(p.Disk.Free))))
	}
	if p.Needs > 0 && p.Memory > 0 {
		verb := "fits into"
		if p.Needs > p.Memory {
			verb = "does not fit into"
		}
		parts = append(parts, fmt.Sprintf("%s of memory, which %s the %s here",
			display.Bytes(int64(p.Needs)), verb, display.Bytes(int64(p.Memory))))
	}
	return strings.Join(parts, "; ")
}

// Check returns an error if the disk has no room for the model.
func (p Pull) Check() error {
	if p.Installed {
		return nil
	}
	return p.checkRoom(p.Size, p.Disk)
}

// checkRoom returns an error if size bytes have no room on the disk.
func (p Pull) checkRoom(size int64, disk *Disk) error {
	if size <= 0 || disk == nil || uint64(size)+spareDisk <= disk.Free {
		return nil
	}
	lacks := uint64(size) + spareDisk - disk.Free
	return exit.Errorf(exit.Failed, "there is no room for %s: %s to download and %s to spare, but the disk of %s has %s free. "+
		"Make %s free there; if Ollama keeps its models elsewhere, set OLLAMA_MODELS to that folder",
		p.Name, display.Bytes(size), display.Bytes(spareDisk), display.Quote(disk.Path), display.Bytes(int64(disk.Free)), display.Bytes(int64(lacks)))
}

// Pull downloads a model. It stops with the error of [Pull.Check] if the model turns out to be larger
// than the disk has room for.
func (e *Model) Pull(ctx context.Context, p Pull, onProgress func(done, total int64)) error {
	if err := p.Check(); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var full error
	known := int64(0)
	err := e.cfg.Client.Pull(ctx, p.Name, func(at ollama.Progress) {
		onProgress(at.Completed, at.Total)
		if p.Installed || p.Disk == nil || at.Total < known+grownBy || full != nil {
			return
		}
		known = at.Total
		room, err := e.cfg.Hardware.Room(p.Disk.Path)
		if err != nil {
			return
		}
		if full = p.checkRoom(at.Total-at.Completed, &Disk{Path: p.Disk.Path, Free: room}); full != nil {
			stop(full)
		}
	})
	if full != nil && err != nil {
		return full
	}
	return err
}
