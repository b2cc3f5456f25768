package hardware

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// readSystem reads the memory of the system, or of the container that hob runs in.
func readSystem(root fs.FS) (Machine, error) {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return Machine{}, fmt.Errorf("read memory size: %w", err)
	}
	system, err := ParseMeminfo(string(text))
	if err != nil {
		return Machine{}, err
	}
	m := Machine{System: system}
	// These exist at the root of the tree only in a container.
	for _, group := range []struct{ limit, used string }{
		{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current"},
		{"sys/fs/cgroup/memory/memory.limit_in_bytes", "sys/fs/cgroup/memory/memory.usage_in_bytes"},
	} {
		limit, err := readNumber(root, group.limit)
		if err != nil || limit >= m.System.Total {
			continue
		}
		used, _ := readNumber(root, group.used) // unknown: all of it is free
		m.System = Memory{Total: limit, Free: min(m.System.Free, limit-min(used, limit))}
		m.Container = true
	}
	return m, nil
}

// ParseMeminfo reads the text of /proc/meminfo. Free is what the kernel calls available: free, or given
// back when it is needed.
func ParseMeminfo(text string) (Memory, error) {
	var m Memory
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, ":")
		if name != "MemTotal" && name != "MemAvailable" {
			continue
		}
		kb, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 54)
		if err != nil {
			return Memory{}, fmt.Errorf("read memory size: %w", err)
		}
		if name == "MemTotal" {
			m.Total = kb << 10
		} else {
			m.Free = kb << 10
		}
	}
	if m.Total == 0 {
		return Memory{}, errors.New("read memory size: /proc/meminfo has no MemTotal")
	}
	m.Free = min(m.Free, m.Total)
	return m, nil
}

// readAMD reads what AMD's driver says of its cards.
func readAMD(root fs.FS) []Card {
	paths, err := fs.Glob(root, "sys/class/drm/card*/device/mem_info_vram_total")
	if err != nil {
		return nil
	}
	var cards []Card
	for _, path := range paths {
		name := strings.Split(path, "/")[3]
		if strings.Contains(name, "-") { // card0-HDMI-A-1 is a plug of card0
			continue
		}
		total, err := readNumber(root, path)
		if err != nil || total < ownMemory {
			continue
		}
		used, _ := readNumber(root, strings.TrimSuffix(path, "total")+"used") // unknown: all of it is free
		cards = append(cards, Card{Name: "AMD " + name, Memory: Memory{Total: total, Free: total - min(used, total)}})
	}
	return cards
}

// ParseNVIDIA reads what nvidia-smi prints for name, memory.total and memory.free as CSV without a head
// and units: a line for each card, sizes in MiB. A line without sizes, such as one of a chip that shares
// the system's memory, is no card.
func ParseNVIDIA(out string) []Card {
	var cards []Card
	for line := range strings.Lines(out) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		n := len(cells)
		if n < 3 {
			continue
		}
		total, err := strconv.ParseUint(strings.TrimSpace(cells[n-2]), 10, 32)
		free, bad := strconv.ParseUint(strings.TrimSpace(cells[n-1]), 10, 32)
		if err != nil || bad != nil || total == 0 {
			continue
		}
		name := strings.TrimSpace(strings.Join(cells[:n-2], ","))
		cards = append(cards, Card{Name: name, Memory: Memory{Total: total << 20, Free: min(free, total) << 20}})
	}
	return cards
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
