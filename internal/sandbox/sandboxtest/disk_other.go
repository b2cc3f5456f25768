//go:build !linux

package sandboxtest

import "syscall"

func OwnMounts() *syscall.SysProcAttr { return nil }
func MountTmpfs(string, string) error { return syscall.ENOSYS }
func RemountReadOnly(string) error    { return syscall.ENOSYS }
func Setfsuid(int) error              { return syscall.ENOSYS }
