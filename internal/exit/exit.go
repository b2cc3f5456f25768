// Package exit holds the exit statuses of hob's commands, and errors that carry one.
package exit

import (
	"errors"
	"fmt"
)

// The exit statuses that scripts rely on.
const (
	Failed = 1 // it failed
	Usage  = 2 // wrong usage or configuration
	Model  = 3 // the model or Ollama is not there
	Denied = 4 // denied or stopped
)

// Error is an error that carries the exit status of the command that it ends.
type Error struct {
	Status  int
	Message string // empty: it is printed already
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Errorf returns an error with an exit status and a message for the person.
func Errorf(status int, format string, args ...any) error {
	return &Error{status, fmt.Sprintf(format, args...)}
}

// Silently returns an error with an exit status whose message is printed already.
func Silently(status int) error { return &Error{Status: status} }

// Reword returns an error with another message, and the exit status of err if that carries one.
func Reword(err error, message string) error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return &Error{e.Status, message}
	}
	return errors.New(message)
}

// StatusOf returns the exit status of an error. An error that carries none means wrong usage: it comes from the parser
// of the command line.
func StatusOf(err error) int {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Status
	}
	return Usage
}
