//go:build linux

package probe_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox"
	"hob/internal/sandbox/probe"
	"hob/internal/sandbox/sandboxtest"
)

// What cost a failed run each when the sandbox was first built. In the order of the design page.

// A kernel without Landlock, or a service manager that filters its calls, must cost the tier, never be passed over.
func TestTrap01MissingLandlockIsNotSilent(t *testing.T) {
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3} {
		if tier == sandbox.T2 && bwrap() == "" || tier == sandbox.T3 && os.Getuid() == 0 {
			continue // it is refused for another reason
		}
		out, err := own(t, "no-landlock", fmt.Sprint(int(tier))).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got := strings.TrimSpace(string(out)); !strings.HasPrefix(got, "tier 4:") || !strings.Contains(strings.ToLower(got), "landlock") {
			t.Errorf("without Landlock, %v alone allowed: %s", tier, got)
		}
	}
}

// Two Landlock layers refuse every rename from one folder to another.
func TestTrap02OneLandlockLayer(t *testing.T) {
	eachTier(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		out := command(t, s, sandbox.Limits{}, script(`mkdir a b && echo x >a/f && perl -e 'rename("a/f", "b/f") or die $!' && cat b/f`))
		says(t, out, "x")
	})
}

// An ordinary user's helper loses the capabilities in its user namespace when it is started, unless they are ambient.
func TestTrap03CapabilitiesSurviveTheStart(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("only an ordinary user loses them; see TestAsOrdinaryUser")
	}
	out := command(t, walled(t, sandbox.T1), sandbox.Limits{}, script("id -u; ls -d /home /root 2>/dev/null | wc -l"))
	says(t, out, fmt.Sprintf("%d\n0", os.Getuid()))
}

// bwrap keeps all capabilities when root starts it.
func TestTrap04NoCapabilitiesInBwrap(t *testing.T) {
	out := command(t, walled(t, sandbox.T2), sandbox.Limits{}, script("grep -c '^Cap.*:.0000000000000000$' /proc/self/status"))
	says(t, out, "5")
}

// Root without capabilities still owns what root owns.
func TestTrap05RootsFilesAreNotThere(t *testing.T) {
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2} {
		t.Run(fmt.Sprint(tier), func(t *testing.T) {
			out := command(t, walled(t, tier), sandbox.Limits{}, script("cat /etc/shadow /etc/gshadow /etc/ssh/ssh_host_* /etc/sudoers 2>/dev/null; ls -A /root /home /var/log /var/lib 2>/dev/null; echo done"))
			says(t, out, "done")
		})
	}
}

// The limit of processes counts per user outside a user namespace, and not at all for root.
func TestTrap06ProcessLimitIsTheCommandsOwn(t *testing.T) {
	var others []*exec.Cmd
	for range 30 {
		cmd := exec.Command("sleep", "600")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		others = append(others, cmd)
	}
	defer func() {
		for _, cmd := range others {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	eachTierAsRoot(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		if tier == sandbox.T3 && os.Getuid() != 0 {
			t.Skip("without a user namespace the limit counts all of the user's processes")
		}
		says(t, command(t, s, sandbox.Limits{Processes: 20}, script("echo $(echo $(echo three))")), "three")
		c := start(t)
		trial := trialNamed(t, c, "fork")
		for _, p := range c.Judge(probe.Walls{Tier: int(tier)}, try(t, s, c, trial)) {
			if !p.Holds {
				t.Errorf("%s: %s", p.Name, p.Found)
			}
		}
		for _, cmd := range others {
			if unix.Kill(cmd.Process.Pid, 0) != nil {
				t.Error("a process of the same user that has nothing to do with it was killed")
			}
		}
		if err := exec.Command("true").Run(); err != nil {
			t.Error("the user cannot start processes any more:", err)
		}
	})
}

// Memory in files without names escapes the limits of a process and who counts resident memory.
func TestTrap07Memfd(t *testing.T) {
	eachTier(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		c := start(t)
		for _, p := range c.Judge(probe.Walls{Tier: int(tier)}, try(t, s, c, trialNamed(t, c, "memfd"))) {
			if !p.Holds {
				t.Errorf("%s: %s", p.Name, p.Found)
			}
		}
		if s.Report(context.Background()).Group != "cgroup" {
			const shm = `$id = shmget(0, 1 << 20, 0600); print defined $id ? "had" : "refused"; shmctl($id, 0, 0) if defined $id`
			says(t, command(t, s, sandbox.Limits{}, sandbox.Command{Args: []string{"perl", "-e", shm}}), "refused")
		}
	})
}

// A process that is moved to its cgroup after its start may have started others before.
func TestTrap08BornInItsGroup(t *testing.T) {
	s := walled(t, sandbox.T1)
	if group := s.Report(context.Background()).Group; group != "cgroup" {
		t.Skip("there are no cgroups for commands here:", group)
	}
	mine, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	dir := workspace(t)
	out := commandIn(t, s, dir, sandbox.Limits{Memory: 128 << 20}, script(`(perl -e '$x = "x" x (1 << 29); sleep 5' & wait); cat /proc/self/cgroup`))
	if out.Over != "memory" && string(text(out.Stdout)) == string(mine) {
		t.Error("the command's processes are in hob's own group:", string(mine))
	}
}

// A session of one's own and a parent that ends at once survive the killing of a process group.
func TestTrap09NothingSurvives(t *testing.T) {
	eachTier(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		const daemon = `(setsid sh -c 'exec 9>lock; flock 9; echo ready >>ready; trap "" TERM HUP; sleep 600; sleep 600' &) ; while ! test -s ready; do :; done; `
		t.Run("after the end", func(t *testing.T) {
			dir := workspace(t)
			if out := commandIn(t, s, dir, sandbox.Limits{}, script(daemon)); out.Left == 0 {
				t.Error("nothing is said to have been left behind")
			}
			unlocked(t, dir)
		})
		t.Run("after its time", func(t *testing.T) {
			var dir string
			for limit := time.Second; limit < time.Minute; limit *= 2 { // on a busy machine it may not be ready in so much
				dir = workspace(t)
				c := script(daemon + "sleep 600")
				c.Timeout = limit
				if out := commandIn(t, s, dir, sandbox.Limits{}, c); !out.TimedOut {
					t.Errorf("it did not time out: %+v", out)
				}
				if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
					break
				}
			}
			unlocked(t, dir)
		})
		t.Run("after being stopped", func(t *testing.T) {
			dir := workspace(t)
			policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: dir})
			if err != nil {
				t.Fatal(err)
			}
			c := script(daemon + "sleep 600")
			c.Env = environment()
			p, err := s.Start(context.Background(), policy, c)
			if err != nil {
				t.Fatal(err)
			}
			appears(t, filepath.Join(dir, "ready"))
			p.Stop()
			unlocked(t, dir)
		})
		t.Run("after hob was killed", func(t *testing.T) {
			dir := workspace(t)
			hob := own(t, "run", fmt.Sprint(int(tier)), dir, daemon+"sleep 600")
			if err := hob.Start(); err != nil {
				t.Fatal(err)
			}
			appears(t, filepath.Join(dir, "ready"))
			_ = hob.Process.Kill()
			_ = hob.Wait()
			sandboxtest.Eventually(t, "the lock is free", func() bool { return free(dir) })
		})
	})
}

// A wrong name of a mode once ran the command without walls.
func TestTrap10NothingIsTheDefault(t *testing.T) {
	s := sandbox.New(sandbox.Config{Unsandboxed: true, Scratch: scratch(t), Bwrap: bwrap()})
	if _, err := s.Run(context.Background(), sandbox.Policy{}, script("true")); err == nil {
		t.Error("the zero policy ran a command")
	}
	for _, only := range []sandbox.Tier{-1, 5, 99} {
		s := sandbox.New(sandbox.Config{Only: only, Unsandboxed: true, Scratch: scratch(t)})
		policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: workspace(t)})
		if err != nil {
			t.Fatal(err)
		}
		if out, err := s.Run(context.Background(), policy, script("true")); err == nil {
			t.Errorf("a tier that there is not (%d) ran a command in %v", int(only), out.Tier)
		}
	}
}

// The filter's corners: calls whose flags are in memory, other tables of calls, sockets by other ways.
func TestTrap11FilterCorners(t *testing.T) {
	eachTierAsRoot(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		c := start(t)
		want := map[string]string{"user namespace by clone3": "ENOSYS", "user namespace": "EPERM", "io_uring": "", "MPTCP": "", "other families of sockets": ""}
		for _, p := range c.Judge(probe.Walls{Tier: int(tier)}, try(t, s, c, c.Quick())) {
			for _, a := range p.Attacks {
				found, asked := want[a.Attack]
				if asked && (!a.Denied || found != "" && a.Found != found) {
					t.Errorf("%s: denied %v, %s; want %s", a.Attack, a.Denied, a.Found, found)
				}
			}
		}
		if runtime.GOARCH != "amd64" {
			return
		}
		says(t, command(t, s, sandbox.Limits{}, sandbox.Command{Program: ownProgram, Args: []string{"x32"}}), unix.ENOSYS.Error())
		dir := workspace(t)
		if err := os.WriteFile(filepath.Join(dir, "old"), i386(), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(filepath.Join(dir, "old")).CombinedOutput(); err != nil {
			t.Skipf("this machine runs no 32 bit programs: %v %s", err, out)
		}
		out := commandIn(t, s, dir, sandbox.Limits{}, sandbox.Command{Args: []string{filepath.Join(dir, "old")}})
		if out.Exit == 0 || out.Signal != unix.SIGSYS.String() {
			t.Errorf("a 32 bit program ended with %d %q, want %q", out.Exit, out.Signal, unix.SIGSYS)
		}
	})
}

// i386 is a program of the 32 bit table of calls that ends with 0.
func i386() []byte {
	code := []byte{0xb8, 1, 0, 0, 0, 0x31, 0xdb, 0xcd, 0x80} // mov eax, 1; xor ebx, ebx; int 0x80
	const base, size = 0x10000, 52 + 32
	var b bytes.Buffer
	b.WriteString("\x7fELF\x01\x01\x01" + strings.Repeat("\x00", 9))
	put := func(v ...any) {
		for _, x := range v {
			_ = binary.Write(&b, binary.LittleEndian, x)
		}
	}
	put(uint16(2), uint16(3), uint32(1), uint32(base+size), uint32(52), uint32(0), uint32(0), uint16(52), uint16(32), uint16(1), uint16(0), uint16(0), uint16(0))
	put(uint32(1), uint32(0), uint32(base), uint32(base), uint32(size+len(code)), uint32(size+len(code)), uint32(5), uint32(4096))
	b.Write(code)
	return b.Bytes()
}

// Semaphores need /dev/shm.
func TestTrap12SharedMemoryFolder(t *testing.T) {
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2} {
		t.Run(fmt.Sprint(tier), func(t *testing.T) {
			out := command(t, walled(t, tier), sandbox.Limits{}, script("echo x >/dev/shm/x && ls /dev/shm"))
			says(t, out, "x") // and nothing of the machine's
		})
	}
}

// The helper is told to use one processor; the command must not inherit that, nor anything else that it was not given.
func TestTrap13EnvironmentIsTheCommandsOwn(t *testing.T) {
	t.Setenv("HOB_TEST_SECRET", "of the one who started hob")
	eachTier(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		out := command(t, s, sandbox.Limits{}, sandbox.Command{Args: []string{"env"}})
		for line := range strings.Lines(string(text(out.Stdout))) {
			switch name, _, _ := strings.Cut(line, "="); name {
			case "PATH", "HOME", "TMPDIR", "LANG", "PWD", "HOB_COMMAND":
			default:
				t.Errorf("inherited: %s", line)
			}
		}
		out = command(t, s, sandbox.Limits{}, script(`nproc`))
		says(t, out, strconv.Itoa(runtime.NumCPU()))
	})
}

// The signal of a parent's death comes when the thread that started the process ends, not the process of the parent.
func TestTrap14ThreadsThatEndKillNobody(t *testing.T) {
	s := walled(t, sandbox.T1)
	policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: workspace(t)})
	if err != nil {
		t.Fatal(err)
	}
	started := make(chan *sandbox.Process, 8)
	var starters sync.WaitGroup
	for range cap(started) {
		starters.Go(func() {
			runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
			c := script("read line; echo $line")
			c.Env, c.Stdin = environment(), []byte("alive\n")
			c.Args[2] = "sleep 0.3; " + c.Args[2]
			p, err := s.Start(context.Background(), policy, c)
			if err != nil {
				t.Error(err)
				return
			}
			started <- p
		})
	}
	starters.Wait()
	close(started)
	for p := range started {
		says(t, p.Wait(), "alive")
	}
}

func trialNamed(t *testing.T, c *probe.Canaries, name string) probe.Attempt {
	t.Helper()
	for _, trial := range c.All() {
		if trial.Name == name {
			return trial
		}
	}
	t.Fatal("there is no trial", name)
	return probe.Attempt{}
}

// free reports whether nobody holds the lock that a command took in dir.
func free(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "lock"))
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}

func unlocked(t *testing.T, dir string) {
	t.Helper()
	if !free(dir) {
		t.Error("a process of the command still runs")
		end(dir)
	}
}

func appears(t *testing.T, path string) {
	t.Helper()
	sandboxtest.Eventually(t, path+" appears", func() bool { _, err := os.Stat(path); return err == nil })
}
