package system

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

func statfs(path string) (Space, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return Space{}, fmt.Errorf("look at %s: %w", path, err)
	}
	unit := uint64(st.Frsize)
	if unit == 0 {
		unit = uint64(st.Bsize)
	}
	return Space{Size: st.Blocks * unit, Free: st.Bfree * unit, Usable: st.Bavail * unit, Files: st.Files, FreeFiles: st.Ffree}, nil
}

func sysinfo() (Kernel, error) {
	var si unix.Sysinfo_t
	if err := unix.Sysinfo(&si); err != nil {
		return Kernel{}, fmt.Errorf("ask the kernel: %w", err)
	}
	unit := uint64(max(si.Unit, 1))
	k := Kernel{ // the kernel's own numbers have 32 bits on some machines
		Uptime: time.Duration(si.Uptime) * time.Second,
		Memory: uint64(si.Totalram) * unit, Free: uint64(si.Freeram+si.Bufferram) * unit, //nolint:unconvert // see above
		Swap: uint64(si.Totalswap) * unit, FreeSwap: uint64(si.Freeswap) * unit, //nolint:unconvert // see above
	}
	for i := range k.Load {
		k.Load[i] = float64(si.Loads[i]) / (1 << 16)
	}
	return k, nil
}
