package config

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

const gib = 1 << 30

// ownMemory is what a graphics device must have before it counts as one with memory of its own. Built-in graphics
// set a few hundred MiB aside and share the rest of the system's.
const ownMemory = 2 * gib

// Memory is what a model can use on a machine.
type Memory struct {
	Bytes  uint64
	Source string // for a person, such as "memory of the graphics card"
}

// ReadMemory looks at root, a whole machine's file system such as os.DirFS("/"). It takes the memory of the AMD
// graphics cards it finds, together; else the system's, or less where the container hob runs in may use less.
// NVIDIA's driver writes the size of its memory to no file, so such a card is named and the system's memory counts. The
// limit of hob's own systemd unit does not count: the models run in Ollama's.
func ReadMemory(root fs.FS) (Memory, error) {
	cards, err := fs.Glob(root, "sys/class/drm/card*/device/mem_info_vram_total")
	if err != nil {
		return Memory{}, fmt.Errorf("find graphics cards: %w", err)
	}
	seen, total := map[string]bool{}, uint64(0)
	for _, path := range cards {
		card := strings.Split(path, "/")[3]
		if strings.Contains(card, "-") || seen[card] { // card0-HDMI-A-1 is a plug of card0
			continue
		}
		seen[card] = true
		if n, err := readNumber(root, path); err == nil && n >= ownMemory {
			total += n
		}
	}
	if total > 0 {
		return Memory{Bytes: total, Source: "memory of the graphics card"}, nil
	}
	m, err := systemMemory(root)
	if err != nil {
		return Memory{}, err
	}
	if _, err := fs.Stat(root, "proc/driver/nvidia"); err == nil {
		m.Source += "; there is an NVIDIA card, whose memory shows only when a model is loaded"
	}
	return m, nil
}

func systemMemory(root fs.FS) (Memory, error) {
	f, err := root.Open("proc/meminfo")
	if err != nil {
		return Memory{}, fmt.Errorf("read memory size: %w", err)
	}
	defer f.Close()
	m := Memory{Source: "memory of the system"}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemTotal:"); ok {
			kb, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 54)
			if err != nil {
				return Memory{}, fmt.Errorf("read memory size: %w", err)
			}
			m.Bytes = kb << 10
		}
	}
	if m.Bytes == 0 {
		return Memory{}, errors.New("read memory size: /proc/meminfo has no MemTotal")
	}
	// These exist at the root of the tree only in a container.
	for _, path := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if n, err := readNumber(root, path); err == nil && n < m.Bytes {
			m = Memory{Bytes: n, Source: "memory that the container may use"}
		}
	}
	return m, nil
}

// readNumber reads a file that holds one number; "max" is an error.
func readNumber(root fs.FS, path string) (uint64, error) {
	raw, err := fs.ReadFile(root, path)
	if err != nil {
		return 0, fmt.Errorf("read number: %w", err)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(raw)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read number: %w", err)
	}
	return n, nil
}

// ChooseModel returns the model, and its tokens of context, that suit a machine on which models can use so many bytes
// of memory. Each fits with its context and leaves room for other programs; 0 bytes, for unknown, gives the smallest.
// The context is never above what the models were trained for.
func ChooseModel(bytes uint64) (model string, numCtx int) {
	switch {
	case bytes < 6*gib:
		return "qwen3:1.7b", 8192
	case bytes <= 12*gib:
		return "qwen3:4b", 8192
	case bytes <= 24*gib:
		return "ministral-3:8b", 16384
	}
	return "qwen3:14b", 16384
}
