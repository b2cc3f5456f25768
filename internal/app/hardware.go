package app

import (
	"context"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
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

// thisMachine looks at the machine that hob runs on.
func thisMachine() Hardware {
	return hardware.Probe{Root: os.DirFS("/"), Run: system.Run, Now: time.Now, Free: hardware.FreeSpace}
}

// ProposedHere returns the model that hob proposes for this machine, where no configuration is read: in
// the help and in errors of usage.
func ProposedHere(ctx context.Context) catalog.Model {
	m, _ := thisMachine().Read(ctx)
	return catalog.Read().Propose(m.Usable().Total)
}

// machineFiles returns what files tell of this machine. Memory that is unknown is 0.
func (s *Environment) machineFiles() hardware.Machine {
	if s.Hardware == nil {
		return hardware.Machine{}
	}
	m, _ := s.Hardware.Files()
	return m
}

// useMachine has the model that suits a machine proposed. Until a model is in use, its context is that of
// the proposed one.
func (e *Model) useMachine(m hardware.Machine) {
	proposed := catalog.Read().Propose(m.Usable().Total)
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.machine, e.proposed = m, proposed
	if e.Env.Ollama.NumCtx == 0 && e.client == nil {
		e.NumCtx = proposed.Context
	}
}

// Proposed returns the one model that hob proposes for this machine. It asks the driver of a graphics
// card, once, whose memory no file tells.
func (e *Model) Proposed(ctx context.Context) catalog.Model {
	e.Mu.Lock()
	ask := e.machine.Hidden && !e.asked
	e.asked = true
	e.Mu.Unlock()
	if ask {
		if m, _ := e.Env.Hardware.Read(ctx); !m.Hidden {
			e.useMachine(m)
		}
	}
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return e.proposed
}

// measureBandwidth measures this machine's memory.
func (s *Environment) measureBandwidth(ctx context.Context, free uint64) (hardware.Bandwidth, error) {
	return s.Hardware.Bandwidth(ctx, runtime.GOMAXPROCS(0), free)
}

// systemOllama is the home of the user that Ollama's installer makes for its service.
const systemOllama = "/usr/share/ollama"

// modelDirs returns where an Ollama of this machine may keep its models, the likeliest first. named is
// OLLAMA_MODELS.
func modelDirs(named, home string) []string {
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
func (s *Environment) modelDir() string {
	if len(s.ModelDirs) == 0 {
		return s.StateDir
	}
	for _, dir := range s.ModelDirs {
		if _, err := os.Stat(filepath.Dir(filepath.Dir(dir))); err == nil {
			return dir
		}
	}
	return s.ModelDirs[len(s.ModelDirs)-1]
}

// otherMachine returns the address of an Ollama that runs on another machine, of which hob knows neither
// memory nor disk, or "".
func (s *Environment) otherMachine() string {
	i := slices.IndexFunc(s.Hosts, func(host string) bool {
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
	return s.Hosts[i]
}

// FreeSpace returns how many bytes can be written to the disk of the state folder.
func (s *Environment) FreeSpace() (uint64, error) { return hardware.FreeSpace(s.StateDir) }
