package ollamatest

import "syscall"

// childAttributes puts a server into a process group of its own, where Ctrl-C in a terminal does not reach it, and has
// the kernel ask it to end when its parent dies. SIGTERM and not SIGKILL, because only a server that may say goodbye
// ends its runners.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
