// Package proc reads what the kernel shows of processes and mounts in /proc. The helper of a sandbox imports it before
// anything else is initialised, so that it imports little.
package proc

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// Names returns the names in a folder, in no order.
func Names(folder string) ([]string, error) {
	dir, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Readdirnames(-1)
}

// Processes returns the numbers of all processes, as text.
func Processes() []string {
	names, err := Names("/proc")
	if err != nil {
		return nil
	}
	var all []string
	for _, name := range names {
		if name[0] >= '1' && name[0] <= '9' {
			all = append(all, name)
		}
	}
	return all
}

// The fields of /proc/PID/stat that are read, by their number in proc_pid_stat(5).
const (
	state     = 3
	Parent    = 4
	Threads   = 20
	startTime = 22
	endCode   = 27
)

// Stat is /proc/PID/stat from its third field on: the second, the name, can hold anything. It is empty for a process that
// is gone.
type Stat [][]byte

// ReadStat reads the stat of a process by its number, or of a thread by "PID/task/TID".
func ReadStat(process string) Stat {
	line, err := os.ReadFile("/proc/" + process + "/stat")
	end := bytes.LastIndex(line, []byte(") "))
	if err != nil || end < 0 {
		return nil
	}
	return bytes.Fields(line[end+2:])
}

// State returns the letter of the state, such as 'Z' for a zombie; 0 for a process that is gone.
func (s Stat) State() byte {
	if len(s) == 0 {
		return 0
	}
	return s[0][0]
}

// Number returns a field that is a number; 0 where it is missing.
func (s Stat) Number(field int) uint64 {
	if len(s) <= field-state {
		return 0
	}
	n, _ := strconv.ParseUint(string(s[field-state]), 10, 64) // the kernel writes numbers
	return n
}

// BornAt returns when a process, named by its number, began, in the kernel's ticks since the machine's start; 0 for one
// that is gone.
func BornAt(process string) uint64 { return ReadStat(process).Number(startTime) }

// HasEnvironment reports whether a process has got as far as to have its environment in its memory.
func HasEnvironment(process string) bool { return ReadStat(process).Number(endCode) != 0 }

// Mount is a line of /proc/PID/mountinfo.
type Mount struct {
	Device   string // of the file system, "8:1"
	Root     string // the path on it
	Place    string // where it is mounted
	Type     string // "ext4"
	ReadOnly bool
}

// ParseMounts reads the text of a mountinfo file, see proc_pid_mountinfo(5). Of several at one place the last is on top.
func ParseMounts(text string) []Mount {
	var all []Mount
	for line := range strings.Lines(text) {
		// 36 35 98:0 /root /place rw,noatime ... - type source options
		front, back, _ := strings.Cut(line, " - ")
		f, kind := strings.Fields(front), strings.Fields(back)
		if len(f) > 5 && len(kind) > 0 {
			options, _, _ := strings.Cut(f[5], ",")
			all = append(all, Mount{f[2], unescape(f[3]), unescape(f[4]), kind[0], options == "ro"})
		}
	}
	return all
}

// unescape undoes how mountinfo writes blanks and the like: \040.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
