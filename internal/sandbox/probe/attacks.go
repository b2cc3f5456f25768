//go:build linux

package probe

import (
	"cmp"
	"fmt"
)

// attack is one thing to try.
type attack struct {
	name     string
	property string
	attempt  string
	try      func(*targets) (found string, err error) // an error: it was denied
	gap      func(Walls) string                       // why the walls do not promise to stop it, "" when they do; may be nil
	onFile   bool                                     // it changes the file of its name among the canaries
	// outside revises what the probe says by what is seen from outside; may be nil.
	outside func(*Canaries, Seen, Result) Result
}

// attacks are all there are, property by property, in the order in which people read them.
func attacks() []attack {
	var all []attack
	for _, group := range []struct {
		property string
		attacks  []attack
	}{
		{"read secrets", reading()},
		{"look at secrets (stat)", looking()},
		{"write outside", writing()},
		{"change outside (chmod, times)", changing()},
		{"network", network()},
		{"host unix sockets", unixSockets()},
		{"signal and inspect hob", inspecting()},
		{"new namespaces and kernel interfaces", kernel()},
		{"privileges", privileges()},
		{"inherited files", inherited()},
		{"terminal", terminal()},
		{"detached processes", []attack{{name: "detach", attempt: "detach", try: detach, outside: detachedGone}}},
		{"process limit", []attack{{name: "fork burst", attempt: "fork", try: forkBurst, outside: killedIf(overProcesses)}}},
		{"memory limit", memory()},
		{"memfd", []attack{{name: "memfd", attempt: "memfd", try: memfd, outside: killedIf(overMemory)}}},
		{"file size limit", []attack{{name: "large file", attempt: "file size", try: largeFile}}},
		{"output flood", []attack{{name: "flood", attempt: "flood", try: flood, outside: killedIf(flooded)}}},
	} {
		for _, a := range group.attacks {
			a.property = group.property
			a.attempt = cmp.Or(a.attempt, "quick")
			all = append(all, a)
		}
	}
	return all
}

// gapIn says why walls do not promise to stop the attack; "" when they do.
func (a attack) gapIn(w Walls) string {
	switch {
	case w.Tier >= 4:
		return "there are no walls"
	case a.gap == nil:
		return ""
	}
	return a.gap(w)
}

// notT3 is for what only namespaces and a root of one's own can stop.
func notT3(why string) func(Walls) string {
	return func(w Walls) string {
		if w.Tier == 3 {
			return why
		}
		return ""
	}
}

// ruleset is for what T3 can stop from a Landlock ABI on.
func ruleset(abi int, what string) func(Walls) string {
	return func(w Walls) string {
		if w.Tier == 3 && w.Landlock < abi {
			return fmt.Sprintf("Landlock holds back %s only from ABI %d on, and this kernel has %d", what, abi, w.Landlock)
		}
		return ""
	}
}
