//go:build !linux

package linux

import (
	"os"
	"syscall"
	"time"
)

const (
	OPath, ONoAtime          = 0, 0
	EmptyPath, NoAutomount   = 0, 0
	NoReplace, Exchange      = 0, 0
	StatxBasic, StatxMountID = 0, 0
)

type statxTime struct {
	Sec  int64
	Nsec uint32
}

type StatxInfo struct {
	Mask, Nlink, Uid, Gid, Dev_major, Dev_minor uint32 //nolint:staticcheck // names of package unix
	Mode                                        uint16
	Ino, Size, Mnt_id                           uint64 //nolint:staticcheck // likewise
	Mtime, Ctime                                statxTime
}

func Statx(int, string, int, int, *StatxInfo) error  { return syscall.ENOSYS }
func Renameat2(int, string, int, string, uint) error { return syscall.ENOSYS }
func Syncfs(int) error                               { return syscall.ENOSYS }
func ChangeTime(*syscall.Stat_t) time.Time           { return time.Time{} }
func HasWriter(int) bool                             { return false }
func NewSealable(string) (*os.File, error)           { return nil, syscall.ENOSYS }
func Seal(*os.File) error                            { return syscall.ENOSYS }
func DropTyped(int) error                            { return syscall.ENOSYS }
func PeerOf(int) (pid, uid int, err error)           { return 0, 0, syscall.ENOSYS }
