//go:build !linux

package system

import "syscall"

func statfs(string) (Space, error) { return Space{}, syscall.ENOSYS }
func sysinfo() (Kernel, error)     { return Kernel{}, syscall.ENOSYS }
