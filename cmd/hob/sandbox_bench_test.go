package main

import (
	"os/exec"
	"slices"
	"testing"
	"time"

	"hob/internal/sandbox"
)

// BenchmarkSandbox is what the walls cost: a command in them, next to the same command without. The helper is this
// program, with all that hob is linked of.
func BenchmarkSandbox(b *testing.B) {
	s := sandbox.New(sandbox.Config{})
	if s.Tier(b.Context()) == sandbox.T4 {
		b.Skip("this machine gives no sandbox")
	}
	policy, err := sandbox.NewPolicy(sandbox.Rules{Workspace: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	var plain, walled []time.Duration
	for b.Loop() {
		began := time.Now()
		if err := exec.CommandContext(b.Context(), "/bin/sh", "-c", "true").Run(); err != nil {
			b.Fatal(err)
		}
		plain = append(plain, time.Since(began))
		began = time.Now()
		o, err := s.Run(b.Context(), policy, sandbox.Command{Args: []string{"/bin/sh", "-c", "true"}, Env: []string{"PATH=/usr/bin:/bin"}})
		if err != nil || o.Exit != 0 {
			b.Fatal(o, err)
		}
		walled = append(walled, time.Since(began))
	}
	slices.Sort(plain)
	slices.Sort(walled)
	over := walled[len(walled)/2] - plain[len(plain)/2]
	b.ReportMetric(float64(over.Microseconds())/1000, "ms-over-plain")
	b.ReportMetric(float64(plain[len(plain)/2].Microseconds())/1000, "ms-plain")
}
