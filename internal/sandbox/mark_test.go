//go:build linux

package sandbox

import (
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// A process that is becoming another program for as long as it takes is waited for, and counted.
func TestReap_WaitsForWhatCannotBeSeenYet(t *testing.T) {
	m := newMark()
	cmd := exec.Command("sleep", "1000")
	cmd.Env = []string{m.text}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill(); <-ended }()
	looks := 0
	killed := reap(func(process string) (yes, perhaps bool) {
		if process != strconv.Itoa(cmd.Process.Pid) {
			return false, false
		}
		if looks++; looks <= 50 {
			return false, true
		}
		return m.on(process)
	}, 10*time.Minute, 0, func() {}) // more than any machine takes for so many looks
	if killed != 1 {
		t.Errorf("%d processes were killed, in %d looks", killed, looks)
	}
}

// One that runs without an environment is no such process: nothing is waited for.
func TestMark_NoEnvironment(t *testing.T) {
	m := newMark()
	for _, c := range []struct {
		name string
		env  []string
		want bool
	}{
		{"none", []string{}, false},
		{"another's", []string{newMark().text}, false},
		{"its own", []string{"A=1", m.text}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command("sleep", "1000")
			cmd.Env = c.env
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
			var yes bool
			for perhaps, until := true, time.Now().Add(10*time.Minute); perhaps; { // it may be on its way to that program
				if yes, perhaps = m.on(strconv.Itoa(cmd.Process.Pid)); perhaps && time.Now().After(until) {
					t.Fatal("it may still be one")
				}
			}
			if yes != c.want {
				t.Errorf("on() = %v, want %v", yes, c.want)
			}
		})
	}
}
