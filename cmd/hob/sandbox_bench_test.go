package main

import (
	"io"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"hob/internal/sandbox"
)

// TestFiguresOfCommands measures what a command costs, and what one costs that does not stop writing.
func TestFiguresOfCommands(t *testing.T) {
	notShort(t)
	both := walledAndPlain(t)
	var walled, plain []float64
	for range 41 {
		w, p := both()
		walled, plain = append(walled, ms(w)), append(plain, ms(p))
	}
	figure(t, "a command in the sandbox, over the same without", "%.1f ms (aim 7 ms)", median(walled)-median(plain))

	dir, hob := t.TempDir(), buildHob(t)
	cmd := exec.CommandContext(t.Context(), hob, "sandbox", "run", "--json", "--", "head", "-c", "10000000000", "/dev/zero")
	cmd.Env = []string{"HOME=" + dir, "HOB_STATE_DIR=" + filepath.Join(dir, "state")}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	peak := mostMemory(cmd.Process.Pid) // it is at its end, and cannot end before what it prints is read
	if n, err := io.Copy(io.Discard, out); err != nil || n < 1<<20 {
		t.Errorf("%d bytes of what the command wrote were told, %v", n, err)
	}
	if err := cmd.Wait(); err != nil || peak == 0 {
		t.Fatalf("%v, %d bytes of memory", err, peak)
	}
	figure(t, "peak memory of hob while a command writes 10 GB, and is killed for it", "%.1f MB (aim 40 MB)", float64(peak)/1e6)
}

// BenchmarkSandbox is what the walls cost: a command in them, next to the same command without. The helper is this
// program, with all that hob is linked of.
func BenchmarkSandbox(b *testing.B) {
	both := walledAndPlain(b)
	var walled, plain []float64
	for b.Loop() {
		w, p := both()
		walled, plain = append(walled, ms(w)), append(plain, ms(p))
	}
	b.ReportMetric(median(walled)-median(plain), "ms-over-plain")
	b.ReportMetric(median(plain), "ms-plain")
}

// walledAndPlain returns what runs a command in the sandbox and then the same without.
func walledAndPlain(t testing.TB) func() (walled, plain time.Duration) {
	s := sandbox.New(sandbox.Config{})
	if s.Tier(t.Context()) == sandbox.T4 {
		t.Skip("this machine gives no sandbox")
	}
	policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return func() (walled, plain time.Duration) {
		began := time.Now()
		if err := exec.CommandContext(t.Context(), "/bin/sh", "-c", "true").Run(); err != nil {
			t.Fatal(err)
		}
		plain = time.Since(began)
		began = time.Now()
		o, err := s.Run(t.Context(), policy, sandbox.Command{Args: []string{"/bin/sh", "-c", "true"}, Env: []string{"PATH=/usr/bin:/bin"}})
		if err != nil || o.Exit != 0 {
			t.Fatal(o, err)
		}
		return time.Since(began), plain
	}
}
