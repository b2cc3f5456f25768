//go:build linux

package inside

import "golang.org/x/sys/unix"

func auditArch() (uint32, bool) { return unix.AUDIT_ARCH_X86_64, true }

// refusedHere are the refused calls that only this processor has.
func refusedHere() []uint32 {
	return []uint32{
		unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS, unix.SYS__SYSCTL,
		unix.SYS_CREATE_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE,
	}
}

// modeCallsHere are those of [modeCalls] that only this processor has.
func modeCallsHere() []modeCall {
	return []modeCall{
		{unix.SYS_CHMOD, 1, -1}, {unix.SYS_MKDIR, 1, -1}, {unix.SYS_MKNOD, 1, -1}, {unix.SYS_CREAT, 1, -1}, {unix.SYS_OPEN, 2, 1},
	}
}
