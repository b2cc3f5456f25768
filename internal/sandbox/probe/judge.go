//go:build linux

package probe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Walls say what is judged: what a tier promises depends on them.
type Walls struct {
	Tier     int // 1 to 4
	Landlock int // the ABI in force
}

// Property is what a person reads: a group of attacks, and whether all of them were stopped.
type Property struct {
	Name    string
	Holds   bool
	Broken  bool     // it does not hold although these walls promise it
	Found   string   // "blocked", or which attacks succeeded, and why where that is so by design
	Attacks []Result // all of them, as they were judged
}

// Judge says which properties held in the trials that were seen, in a fixed order. It looks at the canaries, so it is
// called once, when everything has ended.
func (c *Canaries) Judge(w Walls, seen ...Seen) []Property {
	traces := c.changed()
	maps.Copy(traces, c.contacts())
	var all []Property
	for _, a := range attacks() {
		i := slices.IndexFunc(seen, func(s Seen) bool { return s.Attempt == a.attempt })
		if i < 0 {
			continue
		}
		r := c.verdict(a, seen[i], traces[a.name])
		delete(traces, a.name)
		at := slices.IndexFunc(all, func(p Property) bool { return p.Name == a.property })
		if at < 0 {
			at = len(all)
			all = append(all, Property{Name: a.property, Holds: true})
		}
		all[at].add(r, a.gapIn(w))
	}
	for name, trace := range traces {
		all = append(all, Property{Name: "canaries", Broken: w.Tier < 4, Found: fmt.Sprintf("%s: %s", name, trace)})
	}
	return all
}

// verdict is what really became of an attack.
func (c *Canaries) verdict(a attack, s Seen, trace string) Result {
	r := Result{Attack: a.name, Found: "was not tried"}
	for line := range bytes.Lines(s.Stdout) {
		var one Result
		if line[0] == '{' && json.Unmarshal(line, &one) == nil && one.Attack == a.name { // a flood has millions of other lines
			r = one
		}
	}
	if s.Err != nil {
		r.Found = s.Err.Error()
	}
	if a.outside != nil {
		r = a.outside(c, s, r)
	}
	if trace != "" {
		r.Denied, r.Found = false, trace
	}
	return r
}

// add takes up what became of one of the property's attacks; gap says why it was not to be expected otherwise.
func (p *Property) add(r Result, gap string) {
	p.Attacks = append(p.Attacks, r)
	if r.Denied {
		if p.Holds {
			p.Found = "blocked"
		}
		return
	}
	text := r.Attack + ": " + r.Found
	if gap != "" {
		text = r.Attack + ": possible, " + gap
	}
	if rest, ok := strings.CutSuffix(p.Found, ": possible, "+gap); ok && gap != "" { // one reason for both
		text = rest + ", " + text
	} else if !p.Holds {
		text = p.Found + "; " + text
	}
	p.Found, p.Holds = text, false
	p.Broken = p.Broken || gap == ""
}

// The judgements of attacks that end the probe, or whose outcome the probe cannot know.

// detachedGone looks whether the process that detached itself still holds its lock.
func detachedGone(c *Canaries, _ Seen, r Result) Result {
	if r.Denied || r.Found != detachedWord {
		return r
	}
	f, err := os.Open(filepath.Join(c.Workspace(), lockName))
	if err != nil {
		return Result{Attack: r.Attack, Found: "its lock cannot be looked at: " + err.Error()}
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return Result{Attack: r.Attack, Found: "it still runs after the end"}
	}
	return Result{Attack: r.Attack, Denied: true, Found: "gone"}
}

// killedIf accepts that everything was killed for the attack, which is seen from outside.
func killedIf(seen func(Seen) bool) func(*Canaries, Seen, Result) Result {
	return func(_ *Canaries, s Seen, r Result) Result {
		if seen(s) {
			return Result{Attack: r.Attack, Denied: true, Found: "killed"}
		}
		return r
	}
}

// overMemory: hob killed it for the limit, or the kernel did, which gives no reason.
func overMemory(s Seen) bool {
	return s.Err == nil && (s.Over == "memory" || !s.TimedOut && s.Signal == unix.SIGKILL.String())
}

func overProcesses(s Seen) bool { return s.Over == "processes" }

func flooded(s Seen) bool { return s.Flooded }

// arrived ignores what the probe says: it does not know whether its packet arrived, and the canary does.
func arrived(_ *Canaries, s Seen, r Result) Result {
	if r.Found == sentWord {
		r.Denied = s.Err == nil
	}
	return r
}
