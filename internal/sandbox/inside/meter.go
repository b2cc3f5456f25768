//go:build linux

package inside

import (
	"bytes"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// tick is how often the helper looks at what runs, in milliseconds.
const tick = 100

// exceededLimit names the limit that what runs is over, if any: "memory", or "processes" if they are to be counted. Threads are
// counted like processes, as the kernel does.
func exceededLimit(s *Spec, count bool) string {
	running := tasks(unix.Getpid())
	threads := 0
	for _, t := range running {
		threads += t.threads
	}
	if count && threads > s.Processes {
		return "processes"
	}
	if memoryUsed(running, s.Memory) > s.Memory {
		return "memory"
	}
	return ""
}

// memoryUsed is how much memory the tasks hold together. Shared anonymous memory is counted by the size of its mappings, since
// its pages stay when no process has them in its tables any more; that takes reading all mappings, and is not done when
// the tasks could not have mapped as much as bound.
func memoryUsed(running []task, bound int64) int64 {
	page := int64(os.Getpagesize())
	var mapped, resident, private int64
	for _, t := range running {
		text, _ := os.ReadFile("/proc/" + strconv.Itoa(t.pid) + "/statm") // empty when it is gone
		f := bytes.Fields(text)                                           // size, resident, shared, ...
		if len(f) < 3 {
			continue
		}
		mapped += number(f[0], 10) * page
		resident += number(f[1], 10) * page
		private += (number(f[1], 10) - number(f[2], 10)) * page
	}
	if mapped <= bound || resident > bound {
		return resident
	}
	return max(resident, private+sharedMemory(running))
}

// sharedMemory is the size of the shared anonymous memory that the tasks have mapped, each piece once.
func sharedMemory(running []task) int64 {
	pieces := map[string]int64{}
	buf := make([]byte, 1<<20)
	for _, t := range running {
		maps, err := os.Open("/proc/" + strconv.Itoa(t.pid) + "/maps")
		if err != nil {
			continue // it is gone
		}
		n, _ := io.ReadFull(maps, buf) // most have less
		maps.Close()
		for line := range bytes.SplitSeq(buf[:n], []byte{'\n'}) {
			if inode, end, ok := sharedPiece(line); ok {
				pieces[inode] = max(pieces[inode], end)
			}
		}
	}
	var total int64
	for _, size := range pieces {
		total += size
	}
	return total
}

// sharedPiece reads a line of /proc/PID/maps such as
//
//	7f0000000000-7f0000001000 rw-s 00000000 00:01 1024 /dev/zero (deleted)
//
// and returns which piece of shared anonymous memory it maps, and up to where.
func sharedPiece(line []byte) (inode string, end int64, ok bool) {
	f := bytes.Fields(line)
	if len(f) < 6 || len(f[1]) != 4 || f[1][3] != 's' || !bytes.Equal(f[5], []byte("/dev/zero")) {
		return "", 0, false
	}
	from, to, _ := bytes.Cut(f[0], []byte{'-'})
	return string(f[4]), number(f[2], 16) + number(to, 16) - number(from, 16), true
}

// number reads a number of the kernel's.
func number(text []byte, base int) int64 {
	n, _ := strconv.ParseInt(string(text), base, 64)
	return n
}
