package system

import (
	"cmp"
	"context"
	"fmt"
	"sort"
	"strings"

	"hob/internal/display"
	"hob/internal/sandbox/proc"
)

const (
	maxDisks  = 10   // that are shown, beside those that are nearly full
	maxFull   = 30   // of those
	maxMounts = 5000 // that are looked at
)

// disk is a mounted file system.
type disk struct {
	at     string // where it is mounted
	device string // its number
	kind   string // such as ext4
	space  Space
}

// full is how much of it is used, in percent: of its room or of its files, whatever is more.
func (d disk) full() int { return max(d.bytes(), d.files()) }

// bytes is what df says: what is kept back for root counts as used up by those who may not have it.
func (d disk) bytes() int {
	n := d.space.Size - min(d.space.Free, d.space.Size)
	return percent(n, n+d.space.Usable)
}

func (d disk) files() int {
	return percent(d.space.Files-min(d.space.FreeFiles, d.space.Files), d.space.Files)
}

func (d disk) line() string {
	n := d.space.Size - min(d.space.Free, d.space.Size)
	line := fmt.Sprintf("disk %s: %s of %s used (%d %%)", display.TruncateBytes(display.Visible(d.at), 100), display.Bytes(int64(n)), display.Bytes(int64(n+d.space.Usable)), d.bytes())
	if d.files() > d.bytes() && d.files() > tooFull {
		line += fmt.Sprintf(", %d %% of its files", d.files())
	}
	if d.full() > tooFull {
		line += " WARNING: nearly full"
	}
	return line
}

// disks says how full the file systems are: the one with everything first, then the fullest.
func (m machine) disks(ctx context.Context) []string {
	local, far := mounts(m.proc("self/mountinfo"))
	if len(local) == 0 {
		local = []disk{{at: "/"}}
	}
	var seen []disk
	for _, d := range local {
		var err error
		if d.space, err = m.Statfs(d.at); err == nil && d.space.Size > 0 && ctx.Err() == nil {
			seen = append(seen, d)
		}
	}
	if len(seen) == 0 {
		return []string{"disks: not to be seen"}
	}
	sort.SliceStable(seen, func(i, j int) bool {
		a, b := seen[i], seen[j]
		return cmp.Or(cmp.Compare(btoi(b.at == "/"), btoi(a.at == "/")), cmp.Compare(b.full(), a.full()), cmp.Compare(a.at, b.at)) < 0
	})
	var lines []string
	more, most := 0, 0
	for i, d := range seen {
		if i >= maxDisks && d.full() <= tooFull || i >= maxFull {
			more, most = more+1, max(most, d.full())
			continue
		}
		lines = append(lines, d.line())
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more disks, none fuller than %d %%", more, most))
	}
	if len(far) > 0 {
		lines = append(lines, "not looked at, because they are in the network: "+strings.Join(far[:min(len(far), maxDisks)], ", "))
	}
	return lines
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mounts reads /proc/self/mountinfo. It returns the file systems of this machine that can fill up, each once where it is
// mounted under the shortest name, and the places of those in the network, which could keep whoever looks at them waiting.
func mounts(text string) (local []disk, far []string) {
	at := map[string]int{}
	all := proc.ParseMounts(text)
	for _, m := range all[:min(len(all), maxMounts)] {
		d := disk{at: m.Place, device: m.Device, kind: m.Type}
		switch i, have := at[d.device]; {
		case isFar(d.kind):
			far = append(far, display.TruncateBytes(display.Visible(d.at), 100))
		case !isDisk(d):
		case !have:
			at[d.device] = len(local)
			local = append(local, d)
		case len(d.at) < len(local[i].at):
			local[i] = d
		}
	}
	return local, far
}

// isDisk reports whether a file system can fill up. Pictures of disks, which are full by nature, and what is in memory
// cannot; what is laid over another one counts only where there is nothing else.
func isDisk(d disk) bool {
	switch d.kind {
	case "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "jfs", "reiserfs", "nilfs2", "ubifs", "ufs",
		"ntfs", "ntfs3", "vfat", "msdos", "exfat", "fuseblk", "hfsplus":
		return true
	}
	return d.at == "/"
}

// isFar reports whether a file system may be on another machine.
func isFar(kind string) bool {
	switch kind {
	case "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "glusterfs", "afs", "9p", "virtiofs", "ncpfs", "lustre", "davfs", "fuse":
		return true
	}
	return strings.HasPrefix(kind, "fuse.") && kind != "fuse.snapfuse" && kind != "fuse.lxcfs"
}
