package system

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

const (
	tooFull = 90   // percent
	tooHot  = 85.0 // degrees Celsius
)

type statusIn struct {
	About string `json:"about,omitempty" enum:"disk,memory,load,uptime"`
}

func (m machine) status(ctx context.Context, in statusIn) (tools.Result, error) {
	var lines []string
	switch in.About {
	case "disk":
		lines = m.disks(ctx)
	case "memory":
		lines = m.memory()
	case "load":
		_, load := m.running()
		lines = []string{load}
	case "uptime":
		up, _ := m.running()
		lines = []string{up}
	default:
		up, load := m.running()
		lines = append(lines, up+", "+load)
		lines = append(lines, m.memory()...)
		lines = append(lines, m.disks(ctx)...)
		if hot := m.temperature(); hot != "" {
			lines = append(lines, hot)
		}
		lines = append(lines, m.failed(ctx))
	}
	return tools.Result{Text: strings.Join(lines, "\n"), Label: event.Label{Private: true, Source: "system"}}, nil
}

// running says how long the machine is up and how much it has to do.
func (m machine) running() (up, busy string) {
	var age time.Duration
	var load [3]float64
	seconds, rest := numbers(m.proc("uptime"), 1)
	if loads, _ := numbers(m.proc("loadavg"), 3); rest && len(loads) == 3 {
		age, load = time.Duration(seconds[0])*time.Second, [3]float64(loads)
	} else if k, err := m.Sysinfo(); err == nil {
		age, load = k.Uptime, k.Load
	} else {
		return "uptime: not to be seen", "load: not to be seen"
	}
	busy = fmt.Sprintf("load %.2f %.2f %.2f on %d CPUs", load[0], load[1], load[2], m.CPUs)
	if m.CPUs > 0 && load[1] > 2*float64(m.CPUs) {
		busy += " WARNING: very busy"
	}
	return "up " + formatDuration(age), busy
}

// proc returns a file of /proc, "" where it is not there to be seen.
func (m machine) proc(name string) string {
	raw, err := fs.ReadFile(m.Proc, name)
	if err != nil {
		return ""
	}
	return string(raw)
}

// numbers returns the first n numbers of a text, and whether it has so many.
func numbers(text string, n int) ([]float64, bool) {
	fields := strings.Fields(text)
	if len(fields) < n {
		return nil, false
	}
	all := make([]float64, n)
	for i := range all {
		var err error
		if all[i], err = strconv.ParseFloat(fields[i], 64); err != nil || all[i] < 0 || all[i] > 1e12 {
			return nil, false
		}
	}
	return all, true
}

// formatDuration writes a long time as people read it.
func formatDuration(d time.Duration) string {
	days, hours, minutes := int(d.Hours())/24, int(d.Hours())%24, int(d.Minutes())%60
	if days > 0 {
		return fmt.Sprintf("%d days %d h", days, hours)
	}
	return fmt.Sprintf("%d h %d min", hours, minutes)
}

// memory says how much memory and swap is used.
func (m machine) memory() []string {
	info := map[string]uint64{}
	for line := range strings.Lines(m.proc("meminfo")) {
		name, rest, _ := strings.Cut(line, ":")
		if value, unit, _ := strings.Cut(strings.TrimSpace(rest), " "); unit == "kB" {
			if kb, err := strconv.ParseUint(value, 10, 50); err == nil {
				info[name] = kb << 10
			}
		}
	}
	total, available := info["MemTotal"], info["MemAvailable"]
	swap, freeSwap, note := info["SwapTotal"], info["SwapFree"], ""
	if total == 0 || available > total {
		k, err := m.Sysinfo()
		if err != nil || k.Memory == 0 {
			return []string{"memory: not to be seen"}
		}
		total, available, swap, freeSwap = k.Memory, min(k.Free, k.Memory), k.Swap, k.FreeSwap
		note = ", caches that could be freed included"
	}
	line := "memory: " + usedOf(total-available, total)
	if note != "" {
		line += note // what is full of caches is not full
	} else {
		line += warning(total-available, total)
	}
	if swap == 0 {
		return []string{line, "swap: none"}
	}
	freeSwap = min(freeSwap, swap)
	return []string{line, "swap: " + usedOf(swap-freeSwap, swap) + warning(swap-freeSwap, swap)}
}

func usedOf(n, of uint64) string {
	return fmt.Sprintf("%s of %s used (%d %%)", display.Bytes(int64(n)), display.Bytes(int64(of)), percent(n, of))
}

// warning is a word for what is nearly full.
func warning(n, of uint64) string {
	if percent(n, of) > tooFull {
		return " WARNING: nearly full"
	}
	return ""
}

// percent is n of so many, rounded up, as df has it.
func percent(n, of uint64) int {
	if of == 0 {
		return 0
	}
	whole, part := n/of, float64(n%of)/float64(of)*100
	p := int(whole)*100 + int(part)
	if part > float64(int(part)) {
		p++
	}
	return p
}

// temperature says how hot the hottest part is, or nothing.
func (m machine) temperature() string {
	best, where := 0.0, ""
	for _, pattern := range []string{"class/thermal/thermal_zone*/temp", "class/hwmon/hwmon*/temp*_input"} {
		found, err := fs.Glob(m.Sys, pattern)
		if err != nil {
			continue
		}
		for _, name := range found {
			dir := name[:strings.LastIndexByte(name, '/')]
			raw, err := fs.ReadFile(m.Sys, name)
			if err != nil {
				continue // a part that is asleep
			}
			milli, err := strconv.Atoi(strings.TrimSpace(string(raw)))
			if t := float64(milli) / 1000; err == nil && t > best && t < 150 { // others are broken
				best, where = t, m.sensor(dir)
			}
		}
	}
	switch {
	case best == 0:
		return ""
	case best > tooHot:
		return fmt.Sprintf("temperature: %.0f °C (%s) WARNING: hot", best, where)
	}
	return fmt.Sprintf("temperature: %.0f °C (%s)", best, where)
}

// sensor returns what a folder of /sys is about.
func (m machine) sensor(dir string) string {
	for _, name := range []string{"type", "name"} {
		if raw, err := fs.ReadFile(m.Sys, dir+"/"+name); err == nil {
			return display.TruncateBytes(display.Visible(string(raw)), 40)
		}
	}
	return "a part"
}
