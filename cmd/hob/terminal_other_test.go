//go:build !linux

package main

import (
	"os"
	"syscall"
)

func newTerminal() (terminal, device *os.File, err error) { return nil, nil, syscall.ENOSYS }
