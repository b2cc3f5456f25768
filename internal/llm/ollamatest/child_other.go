//go:build unix && !linux

package ollamatest

import "syscall"

// childAttributes puts a server into a process group of its own, where Ctrl-C in a terminal does not reach it.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
