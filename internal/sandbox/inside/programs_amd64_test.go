//go:build linux

package inside_test

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// callAsForeigner makes a system call as a 32-bit program does: mov eax, 20 (getpid); int 0x80; ret.
func callAsForeigner([]string) int {
	code, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	copy(code, []byte{0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3})
	entry := unsafe.Pointer(&code[0])
	closure := unsafe.Pointer(&entry)
	(*(*func())(unsafe.Pointer(&closure)))()
	fmt.Println("it was answered")
	return 0
}
