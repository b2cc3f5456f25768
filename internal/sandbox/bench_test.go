//go:build linux

package sandbox_test

import (
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hob/internal/sandbox"
)

// BenchmarkRun is what a command costs in each tier, over the same one started plainly.
func BenchmarkRun(b *testing.B) {
	plainly := func() {
		cmd := exec.Command("/bin/sh", "-c", "true")
		cmd.Env = []string{"PATH=/usr/bin:/bin"}
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3, sandbox.T4} {
		b.Run(tier.String(), func(b *testing.B) {
			s := box(b, tier)
			p, _ := policy(b, nil)
			c := sh("true")
			var walled, plain []time.Duration
			for b.Loop() {
				began := time.Now()
				run(b, s, p, c)
				walled = append(walled, time.Since(began))
				began = time.Now()
				plainly() // by turns, so that both have the same machine
				plain = append(plain, time.Since(began))
			}
			b.ReportMetric(median(walled), "ms/run")
			b.ReportMetric(median(plain), "ms/plain")
			b.ReportMetric(median(walled)-median(plain), "ms-over-plain")
		})
	}
}

func median(all []time.Duration) float64 {
	slices.Sort(all)
	return math.Round(float64(all[len(all)/2].Microseconds())/10) / 100
}

// BenchmarkOutput is how fast output is read and how much memory that takes.
func BenchmarkOutput(b *testing.B) {
	const size = 10 << 30
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T4} {
		b.Run(tier.String(), func(b *testing.B) {
			s := box(b, tier)
			p, _ := policy(b, func(r *sandbox.Rules) { r.Limits.Output = 2 * size })
			c := sh("head -c " + strconv.Itoa(size) + " /dev/zero")
			c.Timeout = -1
			b.SetBytes(size)
			for b.Loop() {
				if o := run(b, s, p, c); o.Stdout.Total != size {
					b.Fatalf("%+v", o)
				}
			}
			b.ReportMetric(float64(peak(b))/1024, "MB-peak")
		})
	}
}

// peak is the most memory that this process ever had, in KiB.
func peak(b *testing.B) int {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
			if err != nil {
				b.Fatal(err)
			}
			return n
		}
	}
	return 0
}
