//go:build linux && !amd64 && !arm64

package inside

func auditArch() (uint32, bool) { return 0, false }

func refusedHere() []uint32 { return nil }

// modeCallsHere are those of [modeCalls] that only this processor has.
func modeCallsHere() []modeCall { return nil }
