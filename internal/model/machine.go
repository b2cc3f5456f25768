package model

import (
	"context"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"hob/internal/hardware"
	"hob/internal/llm/catalog"
	"hob/internal/skills/system"
)

// Hardware looks at a machine, as [hardware.Probe] does.
type Hardware interface {
	Files() (hardware.Machine, error)
	Read(ctx context.Context) (hardware.Machine, error)
	Bandwidth(ctx context.Context, cores int, free uint64) (hardware.Bandwidth, error)
	Room(path string) (uint64, error)
}

// ThisMachine looks at the machine that hob runs on.
func ThisMachine() Hardware {
	return hardware.Probe{Root: os.DirFS("/"), Run: system.Run, Now: time.Now, Free: hardware.FreeSpace}
}

// ProposedHere returns the model that hob proposes for this machine, where no configuration is read: in
// the help and in errors of usage.
func ProposedHere(ctx context.Context) catalog.Model {
	m, _ := ThisMachine().Read(ctx)
	return catalog.Read().Propose(m.Usable().Total)
}

// machineFiles returns what files tell of this machine. Memory that is unknown is 0.
func (e *Model) machineFiles() hardware.Machine {
	if e.cfg.Hardware == nil {
		return hardware.Machine{}
	}
	m, _ := e.cfg.Hardware.Files()
	return m
}

// useMachine has the model that suits a machine proposed. Until a model is in use, its context is that of
// the proposed one.
func (e *Model) useMachine(m hardware.Machine) {
	proposed := catalog.Read().Propose(m.Usable().Total)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.machine, e.proposed = m, proposed
	if e.cfg.Ollama.NumCtx == 0 && e.client == nil {
		e.numCtx = proposed.Context
	}
}

// Proposed returns the one model that hob proposes for this machine. It asks the driver of a graphics
// card, once, whose memory no file tells.
func (e *Model) Proposed(ctx context.Context) catalog.Model {
	e.mu.Lock()
	ask := e.machine.Hidden && !e.asked
	e.asked = true
	e.mu.Unlock()
	if ask {
		if m, _ := e.cfg.Hardware.Read(ctx); !m.Hidden {
			e.useMachine(m)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.proposed
}

// systemOllama is the home of the user that Ollama's installer makes for its service.
const systemOllama = "/usr/share/ollama"

// Dirs returns where an Ollama of this machine may keep its models, the likeliest first. named is
// OLLAMA_MODELS.
func Dirs(named, home string) []string {
	if named != "" {
		return []string{named}
	}
	dirs := []string{filepath.Join(systemOllama, ".ollama", "models")}
	if home != "" {
		dirs = append(dirs, filepath.Join(home, ".ollama", "models"))
	}
	return dirs
}

// modelDir returns where Ollama probably keeps its models: the first folder whose owner's home is there,
// else the last.
func (e *Model) modelDir() string {
	for _, dir := range e.cfg.Dirs {
		if _, err := os.Stat(filepath.Dir(filepath.Dir(dir))); err == nil {
			return dir
		}
	}
	return e.cfg.Dirs[len(e.cfg.Dirs)-1]
}

// otherMachine returns the address of an Ollama that runs on another machine, of which hob knows neither
// memory nor disk, or "".
func (e *Model) otherMachine() string {
	i := slices.IndexFunc(e.cfg.Hosts, func(host string) bool {
		u, err := url.Parse(host)
		if err != nil || u.Hostname() == "localhost" {
			return false
		}
		ip, err := netip.ParseAddr(u.Hostname())
		return err != nil || !ip.IsLoopback()
	})
	if i < 0 {
		return ""
	}
	return e.cfg.Hosts[i]
}
