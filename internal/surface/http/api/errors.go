package api

import (
	"errors"
	"fmt"
)

// ErrNotRunning says that no hob serves the socket.
var ErrNotRunning = errors.New("no hob is running")

// ErrNoAnswer says that the hob that runs has closed the connection without an answer.
var ErrNoAnswer = errors.New("the running hob does not listen to this process: it has just ended, or this process is confined " +
	"more than hob is, such as by a sandbox or no_new_privs; try it again from an ordinary shell")

// ErrGone says that the hob that ran has ended during a request. The inputs that it had taken go on
// at its next start.
var ErrGone = errors.New("the running hob has ended")

// StrangerError says that another user serves the socket: nothing was sent to it.
type StrangerError struct {
	Path string
	User int // of the process that listens
}

func (e *StrangerError) Error() string {
	return fmt.Sprintf("%s is served by user %d, which is not this hob's user: nothing was sent; speak to that hob with \"sudo -u '#%d' hob\", or remove the socket if nobody there should run one", e.Path, e.User, e.User)
}
