//go:build linux

package inside

import "golang.org/x/sys/unix"

func auditArch() (uint32, bool) { return unix.AUDIT_ARCH_AARCH64, true }

// refusedHere are the refused calls that only this processor has.
func refusedHere() []uint32 { return nil }

// modeCallsHere are those of [modeCalls] that only this processor has.
func modeCallsHere() []modeCall { return nil }
