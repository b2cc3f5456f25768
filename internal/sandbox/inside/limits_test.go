//go:build linux

package inside_test

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"hob/internal/race"
	"hob/internal/sandbox/inside"
	"hob/internal/sandbox/sandboxtest"
)

func TestLimits(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `ulimit -c; ulimit -f; ulimit -n; ulimit -H -n; ulimit -d`)
		s.Tier, s.FileSize, s.OpenFiles, s.Memory = tier, 1<<20, 99, 512<<20
		r := run(t, s)
		want := "0\n2048\n99\n99\n524288\n"
		if race.On {
			want, r.Out = "0\n2048\n99\n99\n", r.Out[:strings.LastIndexByte(r.Out[:len(r.Out)-1], '\n')+1]
		}
		if r.Out != want {
			t.Errorf("%+v, want %q", r, want)
		}
	})
}

func TestALargeFileIsCutShort(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "dd if=/dev/zero of=f bs=65536 count=100 2>/dev/null")
		s.Tier, s.FileSize = tier, 1<<20
		r := run(t, s)
		info, err := os.Stat(s.Workspace + "/f")
		if err != nil || info.Size() != 1<<20 || r.Exit == 0 && r.Signal == 0 {
			t.Errorf("%+v; %v, %v", r, info, err)
		}
	})
}

func TestTmpIsBounded(t *testing.T) {
	namespaced(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "dd if=/dev/zero of=/tmp/f bs=1M count=300 2>/dev/null; stat -c %s /tmp/f; dd if=/dev/zero of=/dev/shm/f bs=1M count=100 2>/dev/null; stat -c %s /dev/shm/f")
		s.Tier, s.FileSize = tier, 1<<30
		if r := run(t, s); r.Out != "268435456\n67108864\n" {
			t.Errorf("%+v", r)
		}
	})
}

// A fork bomb ends at the limit: forks fail, or, where no limit holds (root, and T3), everything is killed.
func TestAForkBomb(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `i=0; while [ $i -lt 5000 ]; do sleep 1000 2>/dev/null & i=$((i+1)); done`)
		s.Tier, s.Processes = tier, 40
		p := launch(t, s)
		highest, done := 0, make(chan struct{})
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			for {
				select {
				case <-done:
					return
				default:
					highest = max(highest, descendants(p.cmd.Process.Pid))
				}
			}
		}()
		r := p.wait(t)
		close(done)
		<-watched
		switch {
		case tier == inside.T3:
			if r.Over != "processes" && !strings.Contains(r.Err, "Cannot fork") { // the kernel may be first
				t.Errorf("%+v", r)
			}
		case os.Getuid() == 0:
			// The kernel may refuse before the helper sees it: pid_max is the namespace's own from Linux 6.14 on.
			if r.Over != "processes" && r.Left == 0 || tier == inside.T1 && highest > 40+300+4 {
				t.Errorf("%+v, and there were %d processes", r, highest)
			}
		default:
			if highest > 40+8+2 || r.Exit == 0 && r.Left == 0 {
				t.Errorf("%+v, and there were %d processes", r, highest)
			}
		}
	})
}

// For root the number of processes is bounded by their numbers, and the machine's own bound stays what it is.
func TestProcessNumbersForRoot(t *testing.T) {
	host, err := os.ReadFile("/proc/sys/kernel/pid_max")
	if err != nil {
		t.Fatal(err)
	}
	s := shell(t, "cat /proc/sys/kernel/pid_max")
	r := run(t, s)
	now, err := os.ReadFile("/proc/sys/kernel/pid_max")
	if err != nil || string(now) != string(host) {
		t.Fatalf("the machine's pid_max was %s, and is now %s, %v", host, now, err)
	}
	switch {
	case os.Getuid() != 0:
		t.Skip("an ordinary user has RLIMIT_NPROC")
	case r.Out == string(host):
		t.Skip("pid_max belongs to the machine before Linux 6.14")
	case r.Out != "365\n":
		t.Errorf("%q", r.Out)
	}
}

// descendants counts the processes below pid, and pid.
func descendants(pid int) int {
	n := 1
	entries, _ := os.ReadDir("/proc")
	parents := map[string][]string{}
	for _, e := range entries {
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		if f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(f) > 1 {
			parents[f[1]] = append(parents[f[1]], e.Name())
		}
	}
	for below := parents[strconv.Itoa(pid)]; len(below) > 0; {
		n += len(below)
		var next []string
		for _, b := range below {
			next = append(next, parents[b]...)
		}
		below = next
	}
	return n
}

func TestMemory(t *testing.T) {
	if race.On {
		t.Skip("the race detector's own memory is too much")
	}
	each(t, func(t *testing.T, tier inside.Tier) {
		t.Run("of one process", func(t *testing.T) {
			s := program(t, "resident", "600")
			s.Tier, s.Memory = tier, 512<<20
			if r := run(t, s); r.Exit != 1 || !strings.Contains(r.Out, "cannot allocate memory") {
				t.Errorf("%+v", r)
			}
		})
		t.Run("of several", func(t *testing.T) {
			s := program(t, "resident", "200")
			s.Tier, s.Memory = tier, 512<<20
			prog := inside.ProgramPath
			if tier == inside.T3 {
				prog = s.Program
			}
			s.Args = []string{"sh", "-c", "for i in 1 2 3; do " + prog + " __program resident 200 & done; wait"}
			if r := run(t, s); r.Over != "memory" || r.Signal != int(syscall.SIGKILL) {
				t.Errorf("%+v", r)
			}
		})
		t.Run("that no page table shows", func(t *testing.T) {
			s := program(t, "shared", "600")
			s.Tier, s.Memory = tier, 512<<20
			if r := run(t, s); r.Over != "memory" {
				t.Errorf("%+v", r)
			}
		})
		t.Run("that is allowed", func(t *testing.T) {
			s := program(t, "shared", "64")
			s.Tier, s.Memory = tier, 512<<20
			p := launch(t, s)
			sandboxtest.Eventually(t, "it holds", func() bool { return len(running(t, "shared\x0064")) > 0 })
			p.socket.Write([]byte("end"))
			if r := p.wait(t); r.Over != "" {
				t.Errorf("%+v", r)
			}
		})
	})
}

// A command that has taken all the processes there are leaves the helper those threads that it needs itself.
func TestTheHelperNeedsNoMoreThreads(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the number of root's processes is only watched")
	}
	namespaced(t, func(t *testing.T, tier inside.Tier) {
		s := program(t, "crowd", "300")
		s.Tier, s.Memory, s.Processes = tier, 4<<30, 200
		if r := run(t, s); r.Exit != 0 || r.Left < 150 {
			t.Errorf("%+v", r)
		}
	})
}

// When the machine's memory runs out a command is what the kernel kills first, and it cannot change that. In T3 the helper
// has to survive it.
func TestACommandDiesFirst(t *testing.T) {
	before, err := os.ReadFile("/proc/self/oom_score_adj")
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, tier inside.Tier) {
		helper := "1000"
		if tier == inside.T3 {
			helper = strings.TrimSpace(string(before))
		}
		s := shell(t, `
			cat /proc/self/oom_score_adj; echo 0 > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj
			n=0; while [ $n -lt 3000000 ]; do # for half a minute: it may be a moment until the helper has its turn
				read score < /proc/$PPID/oom_score_adj
				[ $score = `+helper+` ] && exit 0
				n=$((n+1))
			done; exit 1`)
		s.Tier = tier
		if r := run(t, s); r.Out != "1000\n1000\n" || r.Exit != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// The helper looks at what runs for as long as it runs, and within the command's limit on memory.
func TestTheHelperForgetsWhatItLookedAt(t *testing.T) {
	if race.On || testing.Short() {
		t.Skip("it takes seconds, and a helper of the usual size")
	}
	s := program(t, "crowd", "8000")
	s.Memory, s.Processes = 128<<20, 8
	if os.Getuid() == 0 {
		s = program(t, "crowd", "8000", "alone")
		s.Memory = 128 << 20
	}
	if r := run(t, s); r.Exit != 0 {
		t.Errorf("%+v", r)
	}
}

// A small limit is the command's, and not the helper's who lives under it, too.
func TestALimitThatIsSmallerThanTheHelper(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "echo fine")
		s.Tier, s.Memory, s.OpenFiles, s.Processes = tier, 8<<20, 16, 2
		if r := run(t, s); r.Out != "fine\n" {
			t.Errorf("%+v", r)
		}
	})
}
