//go:build linux

// Command busy runs the whole suite while something else keeps every core of the machine busy:
//
//	go run ./internal/arch/busy -round 1
//
// The suite is cut into shards of some minutes. What became of each is kept below bin/busy: a round that was interrupted goes on
// with the shards that are not green yet. In each round one shard is stopped for a minute, with all its processes, in the middle
// of its tests; -stop chooses others, by their numbers. A line is printed for each shard, the report of one that fails, and how
// to repeat it. The exit status is 1 unless all shards of the round are green.
//
// make busy builds what this needs: bin/offline, bin/report, the programs that tests run.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	large   = "./cmd/hob" // takes longer than a shard may: its tests are cut
	tests   = 6           // shards of its tests
	scripts = 3           // shards of TestScripts

	pause = time.Minute
	limit = "2h" // for what never ends: nothing else depends on it
)

func main() {
	round := flag.Int("round", 1, "which `round` to run, or to go on with")
	stop := flag.String("stop", "", "stop the shards whose number this `expression` matches, and not the one whose turn it is")
	flag.Parse()
	ctx, end := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer end()
	if err := run(ctx, *round, *stop); err != nil {
		fmt.Fprintln(os.Stderr, "busy:", err)
		os.Exit(1)
	}
}

// run runs those shards of a round that are not green.
func run(ctx context.Context, round int, stop string) error {
	all, err := suite(ctx)
	if err != nil {
		return err
	}
	version, err := output(ctx, "git", "describe", "--tags", "--always", "--dirty")
	if err != nil {
		return err
	}
	stops, err := regexp.Compile("^(" + cmp.Or(stop, fmt.Sprint(turn(round, len(all)))) + ")$")
	if err != nil {
		return fmt.Errorf("read -stop: %w", err)
	}
	cores := runtime.NumCPU()
	runtime.GOMAXPROCS(2 * cores) // the loops do not keep this program from reading what tests print
	for range cores {
		go func() {
			for ctx.Err() == nil { // it ends with this program, whatever ends that
			}
		}()
	}
	runtime.LockOSThread() // a shard dies with the thread that started it
	dir := filepath.Join("bin", "busy", fmt.Sprint("round-", round))
	red, before := 0, 0
	for i, s := range all {
		was, err := results(dir, s)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(was, green) {
			after := 0
			if stops.MatchString(fmt.Sprint(i + 1)) {
				after = 1 + 5*round%16 // a shard has at least as many
			}
			is, err := s.run(ctx, version, after)
			if err != nil {
				return err
			}
			fmt.Printf("round %d, shard %d of %d, %s: %s\n", round, i+1, len(all), s.name, is)
			if !green(is) {
				red++
				fmt.Printf("  again: %s\n", s)
			}
			if err := keep(dir, s, is); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(was, func(is string) bool { return !green(is) }) {
			before++
		}
	}
	fmt.Printf("round %d at %s: of %d shards %d are green, %d red; %d were red before\n", round, version, len(all), len(all)-red, red, before)
	if red > 0 {
		return fmt.Errorf("round %d is not green", round)
	}
	return nil
}

// turn is the number of the shard that is stopped in a round: those that start daemons come first.
func turn(round, n int) int { return 1 + (3*round-1)%n }

// shard is a part of the suite.
type shard struct {
	name string
	args []string // of go test
}

// String is the command that runs it.
func (s shard) String() string {
	quoted := strings.Join(s.args, " ")
	if s.args[0] == "-run" {
		quoted = fmt.Sprintf("%s '%s' %s", s.args[0], s.args[1], s.args[2])
	}
	return "RAPID_SEED=" + os.Getenv("RAPID_SEED") + " go test -count=1 " + quoted
}

// suite is all shards: together they run each test once.
func suite(ctx context.Context) ([]shard, error) {
	listed, err := output(ctx, "go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}.{{slice .ImportPath (len .Module.Path)}}{{end}}", "./...")
	if err != nil {
		return nil, err
	}
	names, err := output(ctx, "go", "test", "-list", "^(Test|Example|Fuzz)", large)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(large, "testdata", "script", "*.txtar"))
	if err != nil {
		return nil, fmt.Errorf("list scripts: %w", err)
	}
	return cut(strings.Fields(listed), strings.Fields(names), files), nil
}

// slow are the folders below internal that take a shard each.
func slow() []string {
	return []string{"game", "llm", "mcp", "sandbox", "session", "skills", "store", "surface", "tools"}
}

// cut makes shards of all packages, each a folder, the tests of the large one, and the scripts that one of them runs. A new
// package, test or script changes one of them: what is green of the others stays.
func cut(listed, names, files []string) (all []shard) {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return n == "TestScripts" || !strings.HasPrefix(n, "Test") && !strings.HasPrefix(n, "Example") && !strings.HasPrefix(n, "Fuzz")
	})
	var programs []string
	for _, f := range files {
		programs = append(programs, strings.TrimSuffix(filepath.Base(f), ".txtar"))
	}
	all = append(deal("tests of cmd/hob", "^(%s)$", names, tests), deal("scripts", "^TestScripts$/^(%s)$", programs, scripts)...)
	for _, folder := range slow() {
		all = append(all, shard{"internal/" + folder, []string{"./internal/" + folder + "/..."}})
	}
	rest := shard{name: "other packages"}
	for _, p := range listed {
		top := strings.SplitN(p+"//", "/", 4)[2]
		if p != large && !slices.Contains(slow(), top) {
			rest.args = append(rest.args, p)
		}
	}
	return append(all, rest)
}

// deal makes so many shards of the large package. A name is always in the same.
func deal(what, run string, names []string, count int) (all []shard) {
	hands := make([][]string, count)
	for _, n := range names {
		i := crc32.ChecksumIEEE([]byte(n)) % uint32(count)
		hands[i] = append(hands[i], n)
	}
	for i, hand := range hands {
		all = append(all, shard{fmt.Sprintf("%s, part %d", what, i+1), []string{"-run", fmt.Sprintf(run, strings.Join(hand, "|")), large}})
	}
	return all
}

// run runs a shard, and stops it for a while once so many tests have begun, unless that is 0. It returns what became of it, and
// prints the report of one that fails.
func (s shard) run(ctx context.Context, version string, after int) (is string, err error) {
	cmd := exec.CommandContext(ctx, "./bin/offline", append([]string{"--", "go", "test", "-json", "-count=1", "-timeout", limit}, s.args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", fmt.Errorf("run the shard: %w", err)
	}
	var printed bytes.Buffer
	report := exec.CommandContext(ctx, "./bin/report")
	report.Stdout, report.Stderr = &printed, &printed
	in, err := report.StdinPipe()
	if err != nil {
		return "", fmt.Errorf("run the report: %w", err)
	}
	began := time.Now()
	for _, c := range []*exec.Cmd{report, cmd} {
		if err := c.Start(); err != nil {
			return "", fmt.Errorf("run the shard: %w", err)
		}
	}
	stopped := false
	lines, running := bufio.NewReader(io.TeeReader(out, in)), 0
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if strings.Contains(line, `"Action":"run"`) {
			if running++; running == after {
				stopped = rest(ctx, cmd.Process.Pid)
			}
		}
	}
	failure := cmd.Wait()
	_ = in.Close()
	failure = cmp.Or(failure, report.Wait())
	if ctx.Err() != nil {
		return "", fmt.Errorf("interrupted: make busy goes on here")
	}
	is = fmt.Sprintf("green at %s, %d tests and parts, %.0f s", version, running, time.Since(began).Seconds())
	if failure != nil {
		is = strings.Replace(is, "green", "red", 1)
		fmt.Print(printed.String())
	}
	if stopped {
		is += fmt.Sprintf(", stopped for %.0f s when %d had begun", pause.Seconds(), after)
	} else if after > 0 {
		is += ", over before it could be stopped"
	}
	return is, nil
}

// rest stops a process group for a while.
func rest(ctx context.Context, group int) bool {
	if syscall.Kill(-group, syscall.SIGSTOP) != nil {
		return false
	}
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
	return syscall.Kill(-group, syscall.SIGCONT) == nil
}

// green reports whether a result is good.
func green(is string) bool { return strings.HasPrefix(is, "green") }

// place is where the results of a shard are.
func place(dir string, s shard) string {
	sum := sha256.Sum256([]byte(strings.Join(s.args, "\n")))
	return filepath.Join(dir, fmt.Sprintf("%x", sum[:6]))
}

// results are what became of a shard in a round so far.
func results(dir string, s shard) ([]string, error) {
	text, err := os.ReadFile(place(dir, s))
	if err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("read results: %w", err)
	}
	return slices.Collect(strings.Lines(string(text))), nil
}

// keep adds a result to those of a shard.
func keep(dir string, s shard, is string) error {
	was, err := results(dir, s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("keep a result: %w", err)
	}
	if err := os.WriteFile(place(dir, s), []byte(strings.Join(was, "")+is+"\n"), 0o644); err != nil {
		return fmt.Errorf("keep a result: %w", err)
	}
	return nil
}

// output is what a command prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run %s %s: %w", name, args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
