//go:build linux

package inside

import (
	"errors"
	"fmt"
)

var (
	errNoTier     = errors.New("the specification names no tier")
	errNoNetwork  = errors.New("this tier has no network")
	errNoSpec     = errors.New("no specification came on descriptor 3")
	errNoLandlock = errors.New("this kernel has no Landlock, or it is switched off (lsm=landlock,... on the kernel's command line)")
	errNoFilter   = errors.New("there is no system call filter for this processor")
)

// failure is a wall that could not be built.
type failure struct {
	stage string
	err   error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// atStage says at which stage err happened. There is none for no error.
func atStage(stage string, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return &failure{stage, err}
}

func stageOf(err error) string {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.stage
	}
	return ""
}

// wrap returns what was done when err happened: "mount /usr: operation not permitted".
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
