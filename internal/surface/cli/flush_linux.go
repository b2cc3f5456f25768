//go:build linux && (386 || amd64 || arm || arm64 || loong64 || riscv64 || s390x)

package cli

import "syscall"

// flushInput drops what was typed into the terminal and not yet read.
func flushInput(fd int) {
	const tcflsh, tciflush = 0x540b, 0 // of Linux on these processors
	_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), tcflsh, tciflush)
}
