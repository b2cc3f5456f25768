//go:build !linux

package sandbox

import (
	"context"
	"io"
)

// The walls are Linux's. Elsewhere commands are switched off.
type (
	Process struct{}
	verdict struct{ report Report }
	writers struct{}
)

func (*Process) Wait() Outcome                     { return Outcome{} }
func (*Process) Done() <-chan struct{}             { return nil }
func (*Process) Stop()                             {}
func (*Process) Input() io.WriteCloser             { return nil }
func (*Process) Output() (stdout, stderr Output)   { return stdout, stderr }
func newWriters(Config) *writers                   { return nil }
func protect(Rules) ([]string, error)              { return nil, nil }
func Sweep(context.Context) int                    { return 0 }
func (s *Sandbox) Pinned(string) bool              { return false }
func Programs() map[string]func(args []string) int { return map[string]func([]string) int{} }

func (s *Sandbox) Writing(context.Context) (done func(), err error) { return func() {}, nil }

func (s *Sandbox) verdict(context.Context) (*verdict, error) {
	return &verdict{Report{Tier: T4, Refused: []Refusal{{Tier: T1, Reason: "its walls are Linux's"}}}}, nil
}

func (s *Sandbox) startFree(context.Context, *verdict, Policy, Command) (*Process, error) {
	return nil, ErrOff
}

func (s *Sandbox) startApproved(context.Context, *verdict, Policy, Command) (*Process, error) {
	return nil, ErrOff
}
