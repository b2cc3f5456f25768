//go:build linux

// Package probe attacks a sandbox from within and looks at the harm from outside.
//
// It has two ends. Outside, in hob, [Start] lays out [Canaries]: a secret, files that must not change, sockets that must
// not be contacted, and hob itself, which must not be looked into. Inside, [Main] is a program that tries all of it and
// writes down, one JSON line for each attack, whether it was denied and what it found. [Canaries.Judge] puts the two
// together:
//
//   - an attack was stopped only if the probe says that it failed and no canary shows a trace of it. A canary that was
//     touched outranks whatever the probe says;
//   - an attack of which the probe says nothing counts as one that succeeded: a probe that died proves nothing;
//   - attacks make up properties, with names for people. A property holds when all of its attacks were stopped.
//   - no tier promises everything. [Property].Broken is an attack that succeeded although these walls promise to stop
//     it, and it alone says that a tier must not be used. Each attack names the walls that do not promise to stop it, and why.
//
// One run of the probe is a [Attempt]. [Canaries.Quick] is the one for the self-test: one process, no harm, a few
// milliseconds. [Canaries.All] adds bombs: each is a trial of its own, with limits to be run under, because most of
// them end with everything killed.
//
// The probe does by hand, with system calls, what an attacker would do; it asks no library that might be polite.
package probe

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Name is under what the probe is registered as a program of this binary. Its one argument is a trial's name, and its
// standard input is the trial's.
const Name = "__probe"

// targets is what there is to attack: what [Canaries] laid out, as the probe reads it from standard input. Secrets
// are named by their SHA-256, so that finding them proves that they were read.
type targets struct {
	Secret     string `json:"secret"` // path of a file with mode 0600
	SecretSum  string `json:"secret_sum"`
	Handle     []byte `json:"handle"` // of the secret, for open_by_handle_at; empty when there are none on its file system
	HandleType int32  `json:"handle_type"`
	Out        string `json:"out"` // folder of files to change, each named after the attack

	TCP4     int    `json:"tcp4"` // ports on loopback; 0: the machine has no such addresses
	TCP6     int    `json:"tcp6"`
	UDP4     int    `json:"udp4"`
	UDP6     int    `json:"udp6"`
	Stream   string `json:"stream"` // paths of unix sockets
	Datagram string `json:"datagram"`
	Abstract string `json:"abstract"` // name of an abstract unix socket, without the zero

	PID        int     `json:"pid"` // of hob
	Namespace  uint64  `json:"namespace"`
	EnvironSum string  `json:"environ_sum"`
	CmdlineSum string  `json:"cmdline_sum"`
	Mark       uintptr `json:"mark"` // address of markSize bytes in hob's memory
	MarkSum    string  `json:"mark_sum"`
	Stray      int     `json:"stray"` // a descriptor of the secret, in hob, that is not closed on exec

	Limits
	Patience int `json:"patience"` // ms for which a bomb that went off waits to be killed for it, before it says that it was not
}

// Result is what one attack came to, as the probe sees it.
type Result struct {
	Attack string `json:"attack"`
	Denied bool   `json:"denied"`
	Found  string `json:"found"` // the name of the errno, or what was got
}

// Main runs the attacks of the trial that args[0] names.
func Main(args []string) int {
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "probe: needs the name of a trial")
		return 2
	}
	var t targets
	if err := json.NewDecoder(bufio.NewReader(os.Stdin)).Decode(&t); err != nil {
		fmt.Fprintln(os.Stderr, "probe: cannot read the targets:", err)
		return 2
	}
	tried := 0
	out := json.NewEncoder(os.Stdout)
	for _, a := range attacks() {
		if a.attempt != args[0] {
			continue
		}
		tried++
		found, err := a.try(&t)
		if err != nil {
			found = errorName(err)
		}
		if err := out.Encode(Result{Attack: a.name, Denied: err != nil, Found: found}); err != nil {
			return 1
		}
	}
	if tried == 0 {
		fmt.Fprintln(os.Stderr, "probe: there is no trial", args[0])
		return 2
	}
	return 0
}

func errorName(err error) string {
	errno, _ := errors.AsType[syscall.Errno](err)
	return cmp.Or(unix.ErrnoName(errno), err.Error())
}
