//go:build linux

package inside_test

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// foreignBit makes the number of a call that of x32.
const foreignBit = 0x40000000

// oldCalls are the calls that only this processor still has.
func oldCalls() []idCall {
	return []idCall{
		{"chmod", unix.SYS_CHMOD, func(p place) []uintptr { return []uintptr{p.path, p.mode} }, true},
		{"open", unix.SYS_OPEN, func(p place) []uintptr { return []uintptr{p.path, unix.O_CREAT | unix.O_WRONLY, p.mode} }, false},
		{"creat", unix.SYS_CREAT, func(p place) []uintptr { return []uintptr{p.path, p.mode} }, false},
		{"mkdir", unix.SYS_MKDIR, func(p place) []uintptr { return []uintptr{p.path, p.mode} }, false},
		{"mknod", unix.SYS_MKNOD, func(p place) []uintptr { return []uintptr{p.path, unix.S_IFREG | p.mode} }, false},
	}
}

// fchmodAsForeigner gives a file the set-uid bit as a 32-bit program does: mov eax, 94; mov ebx, fd; mov ecx, mode; int 0x80; ret.
func fchmodAsForeigner(args []string) int {
	f, err := os.Create(args[0])
	if err != nil {
		return 1
	}
	code, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return 1
	}
	copy(code, []byte{0xb8, 94, 0, 0, 0, 0xbb, byte(f.Fd()), 0, 0, 0, 0xb9, 0xed, 0x09, 0, 0, 0xcd, 0x80, 0xc3})
	entry := unsafe.Pointer(&code[0])
	closure := unsafe.Pointer(&entry)
	(*(*func())(unsafe.Pointer(&closure)))()
	return 0
}
